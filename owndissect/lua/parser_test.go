package lua_test

import (
	"errors"
	"strings"
	"testing"

	"remora/owndissect"
)

// TestScriptsOfLaterVersions holds what each script prints against what Lua 5.2 to 5.4 print.
func TestScriptsOfLaterVersions(t *testing.T) {
	for _, c := range []struct{ script, want string }{
		{`print(7 // 2, -7 // 2, 7.5 // 2, 2 + 7 // 2 * 2)`, "3 -4 3.0 8"},
		{`print(5 & 3, 5 | 3, 5 ~ 3, ~0, 1 << 4, 256 >> 4, 1 | 2 & 3 == 3, 1 << 2 + 1)`, "1 7 6 -1 16 16"},
		{`local x <const>, y = 5, 6 print(x + y)`, "11"},
		{`local log = {}
local function f(...)
  local a <close> = setmetatable({}, { __close = function(_, e) log[#log + 1] = tostring(e) end })
  if ... then error("oops", 0) end
  return 1, 2
end
print(f()) print(pcall(f, true)) print(log[1], log[2])`, "1 2 false oops nil oops"},
		{`do local a <close> = setmetatable({}, { __close = function() print("closed") end }) print("in") end print("out")`,
			"in closed out"},
		{`for i = 1, 3 do if i == 2 then goto continue end print(i) ::continue:: end`, "1 3"},
		{`local fs = {} for i = 1, 2 do local k = i fs[i] = function() k = k + 1 return k end end print(fs[1](), fs[1](), fs[2]())`,
			"2 3 3"},
		{`while true do break; print(1) end print(2);;`, "2"},
		{"print('\\x41\\z\n   b', '\\u{48}', '\\065', #'\\u{7FFFFFFF}')", "Ab H A 6"},
		{`print(0x1p4, 0xA.8p0, 010, 0x.8p1, 3., .5, 1e2)`, "16 10.5 10 1 3 0.5 100"},
		{`print(0.1 + 0.2, 1e15, 2^53, 10 / 2, 1 / 0, -1 / 0, 100000000000000, 99999999999999)`,
			"0.3 1e+15 9.007199254741e+15 5 inf -inf 1e+14 99999999999999"},
		{`print(0.1 + 0.2 .. "x", 1 .. 2 == "12", "a" .. 2.50)`, "0.3x true a2.5"},
		{`local function f() return "p", "q" end print("a" .. f(), (f())) print(f(), f())`, "ap p p p q"},
		{`print(string.format("%5.1f|%-4s|%05d|%x|%g|%.2s|%q|%a|%s", 3.14159, "ab", 42, 255, 0.1, "xyz", "a\n", 1, 0.1 + 0.2))`,
			`3.1|ab |00042|ff|0.1|xy|"a\ "|0x1p+0|0.3`},
		{`print(utf8.char(72, 228, 8364), utf8.len("häh"), utf8.codepoint("ä", 1), utf8.offset("aäb", 3), utf8.len("\xff"))
for p, c in utf8.codes("aä") do print(p, c) end`, "Hä€ 3 228 4 nil 1 1 97 2 228"},
		{`print(tonumber("1e1"), tonumber("0x10"), tonumber(" 12 "), tonumber("010"), tonumber("1_0"), tonumber("z", 36))`,
			"10 16 12 10 nil 35"},
		{`print(table.unpack({ 1, 2, 3 }, 2)) print(table.pack(1, nil).n, table.concat({ 1, 0.1 + 0.2 }, "-"))
print(table.concat(table.move({ 1, 2, 3 }, 2, 3, 1), ","), math.ult(1, -1), math.tointeger(3), math.type(1.5))`,
			"2 3 2 1-0.3 2,3,3 true 3 float"},
		{`local _ENV = { print = print, y = 3 } x = 4 print(x + y, _ENV.x)`, "7 4"},
		{`print(_ENV == _G, math.log(8, 2), string.pack("<I2", 513):byte(1, 2))`, "true 3 1 2"},
		{`local t = setmetatable({}, { __pairs = function(t) return function(_, k) if not k then return 1, 2 end end, t end })
for k, v in pairs(t) do print(k, v) end`, "1 2"},
		{"local a = 'x'\nlocal b = a\n;(function() print('call') end)()", "call"},
		{`local a = { b = { c = {} } } function a.b.c.d() return 5 end function a.b.c:e() return self == a.b.c end
print(a.b.c.d(), a.b.c:e(), #{ 1, 2, n = 3; 5 })`, "5 true 3"},
		{`print(bit32.extract(0xff, 4, 4), bit32.replace(0, 15, 4, 4), -2 ^ 2, 2 ^ 3 ^ 2, not 1 == 2)`,
			"15 240 -4 512 false"},
		{`print(rawset({}, 1, 2)[1], rawlen({ 1, 2 }), load("return ...", "x", "t", {})(5))`, "2 2 5"},
	} {
		var w told
		_, bad := load(t, &w, c.script)
		got := strings.Join(strings.Fields(w.printed.String()), " ")
		if want := c.want; !strings.HasPrefix(got, want) || len(bad) > 0 {
			t.Errorf("%s\nprints %q, want %q; %v", c.script, got, want, bad)
		}
	}
}

// TestIntegers holds what scripts of Lua 5.3 and later print against what its interpreter prints.
func TestIntegers(t *testing.T) {
	for _, c := range []struct{ script, want string }{
		{`print("x" .. 10 / 2, 10 / 2, 3 // 1, -7 // 2, 7.5 // 2, 2 ^ 31)`, "x5.0 5.0 3 -4 3.0 2147483648.0"},
		{`print(math.maxinteger + 1 == math.mininteger, math.maxinteger * 2, math.mininteger // -1)`,
			"true -2 -9223372036854775808"},
		{`print(0xFFFFFFFFFFFFFFFF, 0x8000000000000000, 1 << 63, 1 << 64, -1 >> 60, ~5)`,
			"-1 -9223372036854775808 -9223372036854775808 0 15 -6"},
		{`local h = 0xcbf29ce484222325 for c in ("hello"):gmatch(".") do h = (h ~ c:byte()) * 0x100000001b3 end
print(h, string.format("%016x", h))`, "-6615550055289275125 a430d84680aabd0b"},
		{`local s = 1 for i = 1, 3 do s = (s * 0x41C64E6D + 0x3039) & 0x7fffffff end print(s)`, "662824084"},
		{`local x = 88172645463325252 x = x ~ (x << 13) x = x ~ (x >> 7) x = x ~ (x << 17) print(x)`, "8748534153485358512"},
		{`print(string.unpack("<i8", "\0\0\0\0\0\0\0\128"), string.pack(">I8", 0x123456789ABCDEF0):byte(7, 8))`,
			"-9223372036854775808 222 240"},
		{`local x = 1 << 60 print(x > 0, x < 5, x >= x, 5 < x, -x < 0, x == 1 << 60, x > 1.5, x <= 1 << 61)`,
			"true false true true true true true true"},
		{`local x = 1 << 60 print(x + 1, x // 7, x % -7, x / 2 == 2.0 ^ 59, x | 1, math.abs(-x), type(x), math.type(x))`,
			"1152921504606846977 164703072086692425 -6 true 1152921504606846977 1152921504606846976 number integer"},
		{`local t = {} t[1 << 60] = "a" print(t[(1 << 59) * 2], math.max(1 << 60, 5, 1 << 61), tonumber("0x7fffffffffffffff"))`,
			"a 2305843009213693952 9223372036854775807"},
		{`print(pcall(function() return 5 // 0 end))`, "false script.lua:1: attempt to perform 'n//0'"},
		{`print(pcall(function() return 5 & 2.5 end))`, "false script.lua:1: number has no integer representation"},
		{`local a = setmetatable({}, { __band = function() return "and" end, __idiv = function() return "div" end,
__lt = function() return true end }) print(a & 1, 1 & a, 2 // a, a < 1, 1 > a)`, "and and div true true"},
		{`print(UInt64(7) < 8, 8 < UInt64(7), Int64(-1) >= 0, UInt64(7) // 2, UInt64("12x"), UInt64("0x10"))`,
			"true false false 3 12 0"},
		{`print(load("return a // 2 .. b", "x", "t", { a = 9, b = "!" })())`, "4!"},
		{`print(load("return 'a' .. x", "x", "t", { x = 7 })(), math.type == nil, 10 / 2, -0.0)`, "a7 false 5 -0"},
		{`print(bit.band(3.7, 15), bit.lshift(1, 1.6), bit32.band(2.5, 15), ("abc"):sub("2"), ("x"):rep("2"), ("abc"):byte(-1))`,
			"4 4 2 bc xx 99"},
	} {
		var w told
		_, bad := load(t, &w, c.script)
		got := strings.Join(strings.Fields(w.printed.String()), " ")
		if at := strings.Index(got, "/"); at >= 0 && strings.Contains(c.want, "script.lua") {
			got = got[:at] + got[strings.Index(got, "script.lua"):]
		}
		if got != c.want || len(bad) > 0 {
			t.Errorf("%s\nprints %q, want %q; %v", c.script, got, c.want, bad)
		}
	}
}

func TestWhatIsNoScriptIsToldWithItsLine(t *testing.T) {
	for script, want := range map[string]string{
		"x = = 1":                           ":1: unexpected symbol near '='",
		"\nfor i = 1 do end":                ":2: ',' expected near 'do'",
		"if x then\n\n":                     ":3: 'end' expected (to close 'if' at line 1) near '<eof>'",
		"local x <const> = 1\nx = 2":        ":2: attempt to assign to const variable 'x'",
		"local x <odd> = 1":                 ":1: unknown attribute 'odd'",
		"print('abc":                        ":1: unfinished string",
		"print('\\q')":                      ":1: invalid escape sequence",
		"x = 1a":                            ":1: malformed number near '1a'",
		"x = --[[\n\n":                      ":1: unfinished long string or comment",
		"a + b":                             ":1: syntax error near '+'",
		"return 1 print(2)":                 ":1: '<eof>' expected near 'print'",
		"x = " + strings.Repeat("(", 10000): ":1: the script has too many levels",
		"do break end goto nowhere":         ":1: ",
		"for i = 1, 2 do local c <close> = nil break end": ":1: a variable is to be closed",
	} {
		var w told
		_, bad := load(t, &w, script)
		var e *owndissect.Error
		if len(bad) != 1 || !errors.As(bad[0], &e) || !strings.Contains(e.Error(), want) {
			t.Errorf("%.40q gives %v, want %q", script, bad, want)
		}
	}
}
