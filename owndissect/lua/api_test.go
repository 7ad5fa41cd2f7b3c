package lua_test

import (
	"os"
	"strings"
	"testing"
)

// TestEverythingOfTheAPI holds the names that scripts find against those that Wireshark 4.0.17 gives them: the
// functions of each table, the attributes of objects that can be got and set, and the operators.
func TestEverythingOfTheAPI(t *testing.T) {
	names, err := os.ReadFile("testdata/api.txt")
	if err != nil {
		t.Fatal(err)
	}
	var script strings.Builder
	script.WriteString(`local function has(where, kind, name)
  local t, value = where == "_G" and _G or _G[where], nil
  if kind == "get" or kind == "set" then
    value = t and debug.getmetatable(t)["__" .. kind .. "ters"][name]
    kind = "function"
  elseif kind == "meta" then
    value = t and debug.getmetatable(t)[name]
    kind = "function"
  else
    value = t and t[name]
  end
  if type(value) ~= kind then print(where .. "." .. name .. " is no " .. kind .. " but " .. type(value)) end
end
`)
	n := 0
	for line := range strings.Lines(string(names)) {
		head, list, _ := strings.Cut(strings.TrimSpace(line), ": ")
		where, kind, _ := strings.Cut(head, " ")
		for name := range strings.FieldsSeq(list) {
			script.WriteString("has([[" + where + "]], [[" + kind + "]], [[" + name + "]])\n")
			n++
		}
	}
	var w told
	_, bad := load(t, &w, script.String())
	if len(bad) > 0 || w.printed.Len() > 0 || n < 1000 {
		t.Errorf("of %d names:\n%s%v", n, w.printed.String(), bad)
	}
}

func TestRegularExpressions(t *testing.T) {
	var w told
	_, bad := load(t, &w, `
local rex = rex_pcre2
print(rex.match("GET /a HTTP", "^(\\w+) (\\S+)"))
print(rex.find("xaab", "(a+)(c)?b"))
print(rex.gsub("a1b22", "\\d+", "<%0>"))
print(rex.gsub("a1b22", "(\\d)(\\d)?", function(x, y) return y and x .. "-" .. y end))
print(rex.gsub("hello", "l", { l = "L" }, 1))
for k, v in rex.gmatch("a=1, b=2", "(\\w)=(\\w)") do io.write(k, v, ";") end
for part, sep in rex.split("a, b;c", "([,;]) *") do io.write("[", part, sep or "", "]") end
print(rex.count("banana", "an"))
local r = rex.new("(?<=b)A", "i")
print(r:match("bab"), r:find("bab"), (r:exec("zz")))
print(rex.match("\xff\x00\xfe", "[\\xfe\\xff]\\x00(.)") == "\xfe", pcall(rex.new, "("))
`)
	want := `GET	/a
2	4	aa	false
a<1>b<22>	2	2
a1b2-2	2	1
heLlo	1	1
a1;b2;[a,][b;][c]2
a	2	nil
true	false`
	if got := w.printed.String(); !strings.HasPrefix(got, want) || len(bad) > 0 {
		t.Errorf("it prints\n%s%v", got, bad)
	}
}
