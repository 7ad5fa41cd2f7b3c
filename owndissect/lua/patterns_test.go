package lua_test

import (
	"runtime/debug"
	"strings"
	"testing"
)

// TestPatterns holds find, match, gmatch and gsub against what Lua 5.2 gives, as tshark 4.0 runs it.
func TestPatterns(t *testing.T) {
	var w told
	_, bad := load(t, &w, `
local function show(...)
  local t = {}
  for i = 1, select("#", ...) do t[i] = tostring((select(i, ...))) end
  print(table.concat(t, "|"))
end
show(("hello"):find("(l)(l)"), ("hello"):find("()ll()"))
show(("hello"):match("()ll()"))
show(("  x = 12 "):match("^%s*(%w+)%s*=%s*(%d+)%s*$"))
show(("THE (quick) fox"):find("%((%a+)%)"))
show(("f(a(b)c)d"):match("%b()"), ("THE (quick) fox"):match("%f[%a]%a+%f[%A]", 2))
show(("]x"):match("[]]"), ("a-z"):match("[a%-z]+"), ("x^y"):match("[%^x]+"), ("a]b"):match("[^]]+"))
show(("abcabd"):match("(ab).%1"), ("a+b"):find("+", 1, true), ("abc"):find("", 4), ("abc"):find("", 5))
show(("aaab"):find("a-b"), ("abc"):find("b", -1), ("abc"):find("b", -2))
show(("abc"):gsub("%w", "%0%0"), ("abc"):gsub("", "-"), ("hello"):gsub("(l)(o)", "%2%1"))
show(("$name is $age"):gsub("%$(%w+)", { name = "Bob" }))
show(("abc"):gsub("%w", function(x) if x == "b" then return "[b]" end end))
show(("abc def"):gsub("%w+", "<%0>", 1), ("aaa"):gsub("^a", "z"), ("abc"):gsub("()", "%1"))
for k, v in ("a=1, b=2"):gmatch("(%w+)=(%w+)") do show(k, v) end
for word in ("one two"):gmatch("%a*") do show("<" .. word .. ">") end
for _, p in ipairs({ "[a-", "%", "(a", "a)", "%1", "%f", "%bx" }) do show(select(2, pcall(string.find, "xabc", p))) end
show(select(2, pcall(string.gsub, "abc", "b", "%2")),
  select(2, pcall(string.gsub, "abc", "b", function() return {} end)))
show(select(2, pcall(string.find, ("a"):rep(300), ("a?"):rep(300) .. "b")))
`)
	want := `3|3|4|3|5
3|5
x|12
5|11|quick
(a(b)c)|quick
]|a-z|x^|a
ab|2|4|nil
1|nil|2|2
aabbcc|-a-b-c-|helol|1
Bob is $age|2
a[b]c|3
<abc> def|zaa|1a2b3c4|4
a|1
b|2
<one>
<>
<two>
<>
malformed pattern (missing ']')
malformed pattern (ends with '%')
unfinished capture
nil
invalid capture index %1
missing '[' after '%f' in pattern
malformed pattern (missing arguments to '%b')
invalid capture index|invalid replacement value (a table)
pattern too complex
`
	got := strings.NewReplacer("\n ", "\n", "| ", "|").Replace(w.printed.String())
	if got != want || len(bad) > 0 {
		t.Errorf("it prints\n%s%v", got, bad)
	}
}

// TestBombsEnd: what a script asks of one function, or has it do often, ends as well as what it does itself.
func TestBombsEnd(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // garbage is nothing that a script takes
	for script, want := range map[string]string{
		`("a"):rep(1e6):gsub(".*.*.*.*b", "")`:                                 "too many steps",
		`("a"):rep(1e6):gsub("a", ("b"):rep(1e6))`:                             "too large",
		`("x"):rep(1e9)`:                                                       "too large",
		`while true do pcall(error, "x") end`:                                  "too many steps",
		`while true do coroutine.wrap(function() coroutine.yield() end)() end`: "too many steps",
		`local t = {} while true do t[#t + 1] = ("y"):rep(1e5) end`:            "too many steps",
		`os.date(("%c"):rep(1e6))`:                                             "too long",
	} {
		var w told
		s := session(t, `local p = Proto("bomb", "Bomb")
p.fields.a = ProtoField.uint8("bomb.a", "A")
function p.dissector(tvb, pinfo, tree)
  if pinfo.number == 1 then `+script+` end
  tree:add(p.fields.a, tvb(0, 1))
end
DissectorTable.get("udp.port"):add(7300, p)`, &w, "05", "06")
		if got := w.wrong.String(); !strings.Contains(got, want) {
			t.Errorf("%s: it says %q", script, got)
		}
		if tree := s.Tree(2); tree.Find(s.Registry().Field("bomb.a")) < 0 {
			t.Errorf("%s: the next packet is not dissected", script)
		}
	}
}
