package lua_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/owndissect"
	"remora/owndissect/lua"
)

var (
	client = dissecttest.Spot{Host: 1, Port: 40000}
	server = dissecttest.Spot{Host: 2, Port: 7300}
)

// A told collects what scripts print and what is wrong with them.
type told struct{ printed, wrong strings.Builder }

func (w *told) options() lua.Options {
	return lua.Options{Printing: true, Print: func(_ dissect.FrameNum, s string) { w.printed.WriteString(s) },
		Told: func(s string) { w.wrong.WriteString(s + "\n") }}
}

func base() (*dissect.Registry, error) { return dissect.NewRegistry(dissecttest.OverUDP()...) }

// load loads a script that lies in a folder of its own.
func load(t *testing.T, w *told, script string) (*dissect.Registry, []error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "script.lua")
	if err := os.WriteFile(path, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	set := owndissect.NewSet(lua.New(w.options()))
	if err := set.Add(owndissect.File{Path: path}); err != nil {
		t.Fatal(err)
	}
	reg, bad, err := set.Load(base)
	if err != nil {
		t.Fatal(err)
	}
	return reg, bad
}

// session is one over packets, given as digits, to the server.
func session(t *testing.T, script string, w *told, packets ...string) *dissect.Session {
	t.Helper()
	reg, bad := load(t, w, script)
	if len(bad) > 0 {
		t.Fatal(bad)
	}
	conv := dissecttest.Conversation{T: t}
	for _, p := range packets {
		conv.Say(1, client, server, p)
	}
	return dissecttest.SessionOf(t, reg, 1, conv.Packets)
}

const lamp = `
local p = Proto("lamp", "A Lamp")
local kinds = { [1] = "SET", [2] = "STATE" }
local f = p.fields
f.kind = ProtoField.uint8("lamp.type", "Type", base.HEX, kinds)
f.id = ProtoField.uint16("lamp.id", "Request ID")
f.flag = ProtoField.bool("lamp.on", "On", 8, { "yes", "no" }, 0x80)
f.level = ProtoField.uint8("lamp.level", "Level", base.UNIT_STRING, { " %" }, 0x7f)
f.name = ProtoField.string("lamp.name", "Name")
f.count = ProtoField.uint32("lamp.count", "Count")
local bright = ProtoExpert.new("lamp.bright", "Level above 100", expert.group.PROTOCOL, expert.severity.WARN)
p.experts = { bright }
local count = 0
local counts = {}
function p.dissector(tvb, pinfo, tree)
  pinfo.cols.protocol = "LAMP"
  if not pinfo.visited then
    count = count + 1
    counts[pinfo.number] = count
  end
  local item = tree:add(p, tvb(), "A Lamp,", kinds[tvb(0, 1):uint()])
  item:add(f.kind, tvb(0, 1))
  item:add_le(f.id, tvb(1, 2))
  item:add(f.flag, tvb(3, 1))
  local level = item:add(f.level, tvb(3, 1))
  if tvb(3, 1):bitfield(1, 7) > 100 then level:add_proto_expert_info(bright) end
  local n = tvb(4, 1):uint()
  if n > 0 then item:add(f.name, tvb(5, n)):append_text(" (!)") end
  item:add(f.count, counts[pinfo.number]):set_generated()
  pinfo.cols.info:set(kinds[tvb(0, 1):uint()])
  pinfo.cols.info:append(" " .. tvb(5, n):string())
end
DissectorTable.get("udp.port"):add(7300, p)
`

func TestScriptDissectsOnItsPort(t *testing.T) {
	var w told
	s := session(t, lamp, &w, "01 0007 32 04 6b697468", "02 0007 e5 01 6b")
	for range 2 { // re-dissections give the same again
		dissecttest.Check(t, s, []dissecttest.Row{
			{Frame: 1, Field: "lamp.type", Want: "SET (0x01)"},
			{Frame: 1, Field: "lamp.id", Want: "1792"},
			{Frame: 1, Field: "lamp.level", Want: "50 %"},
			{Frame: 1, Field: "lamp.on", Want: "no"},
			{Frame: 1, Field: "lamp.name", Want: "kith"},
			{Frame: 1, Field: "lamp.count", Want: "1"},
			{Frame: 1, Field: "info", Want: "SET kith"},
			{Frame: 2, Field: "lamp.level", Want: "101 %"},
			{Frame: 2, Field: "lamp.on", Want: "yes"},
			{Frame: 2, Field: "lamp.count", Want: "2"},
			{Frame: 2, Field: "info", Want: "STATE k"},
		})
	}
	tree := s.Tree(2)
	if tree.Severity != dissect.Warn || tree.ProtocolText() != "LAMP" {
		t.Errorf("the packet is of %s, its worst note is %v", tree.ProtocolText(), tree.Severity)
	}
	var lines []string
	for i := range tree.Nodes {
		lines = append(lines, tree.Label(i))
	}
	all := strings.Join(lines, "\n")
	for _, want := range []string{"A Lamp, STATE", "1... .... = On: yes", ".110 0101 = Level: 101 %", "Name: k (!)",
		"[Expert Info (Warning/Protocol): Level above 100]", "[Group: Protocol]", "[Count: 2]"} {
		if !strings.Contains(all, want) {
			t.Errorf("the tree has no line %q:\n%s", want, all)
		}
	}
	if w.wrong.Len() > 0 {
		t.Error(w.wrong.String())
	}
}

func TestWhatScriptsRefuseIsData(t *testing.T) {
	var w told
	s := session(t, `local p = Proto("refuse", "Refuse")
function p.dissector(tvb) if tvb(0, 1):uint() == 0 then return 0 end return tvb:len() end
DissectorTable.get("udp.port"):add(7300, p)`, &w, "00 01", "01 01")
	for range 2 {
		dissecttest.Check(t, s, []dissecttest.Row{{Frame: 1, Field: "data.data", Want: "0001"}})
		tree := s.Tree(2)
		for i := range tree.Nodes {
			if tree.Field(i).Name() == "data.data" {
				t.Error("what the script took is data, too")
			}
		}
	}
}

// TestLinesOfScripts holds lines of trees against those that tshark 4.0 has.
func TestLinesOfScripts(t *testing.T) {
	var w told
	s := session(t, `local p = Proto("lines", "Lines")
local f = p.fields
f.n = ProtoField.uint8("lines.n", "N")
f.c = ProtoField.char("lines.c", "C", base.HEX, { [65] = "A" })
f.o = ProtoField.char("lines.o", "O", base.OCT)
f.frame = ProtoField.framenum("lines.frame", "Frame")
f.utc = ProtoField.absolute_time("lines.utc", "UTC", base.UTC)
f.day = ProtoField.absolute_time("lines.day", "Day", base.DOY_UTC)
f.bytes = ProtoField.bytes("lines.bytes", "Bytes")
function p.dissector(t, pinfo, tree)
  tree:add(f.n, t(0, 1)):prepend_text("pre "):append_text(" post"):set_generated()
  tree:add(f.c, t(0, 1)) tree:add(f.o, t(0, 1)) tree:add(f.frame, 1) tree:add(f.bytes, t(0, 2), "ab")
  tree:add(f.day, t(0, 4)) tree:add_packet_field(f.utc, t(0, 8), ENC_TIME_NTP)
  tree:add_expert_info(PI_CHECKSUM, PI_NOTE)
  for _, read in ipairs { function() return t(0, 5):uint() end, function() return t(0, 3):ipv4() end,
    function() return t(0, 3):float() end, function() return t:nosuch() end } do
    tree:add(t(0, 1), (select(2, pcall(read)):gsub("^.-:%d+: ", "")))
  end
  tree:add(t(0, 1), select("#", t(0):stringz()) .. format_time(61.5) .. tostring(DissectorTable.get("nosuch")))
end
DissectorTable.get("udp.port"):add(7300, p)`, &w, "01 01 06 00 00 00 3d 1d 00")
	tree := s.Tree(1)
	var got []string
	for i := range tree.Nodes {
		got = append(got, tree.Label(i))
	}
	all := strings.Join(got, "\n")
	for _, want := range []string{"[pre N: 1 post]", `C: Unknown ('\x01')`, `O: '\001'`, "Frame: 1", "Bytes: 6162",
		"Day: 1970/195:22:58:08.000000000 UTC", "UTC: Aug 20, 2036 05:26:24.000003642 UTC",
		"[Expert Info (Note/Checksum): Protocol Note]", "TvbRange:uint() does not handle 5 byte integers",
		"TvbRange_ipv4: The range must be 4 octets long", "TvbRange:float() does not handle 3 byte floating numbers",
		"No such 'nosuch' method/field for object type 'Tvb'", "11 minute, 1.500000000 secondsnil"} {
		if !strings.Contains("\n"+all+"\n", "\n"+want+"\n") {
			t.Errorf("the tree has no line %q:\n%s", want, all)
		}
	}
}

func TestHeuristicsAndPostdissectors(t *testing.T) {
	var w told
	s := session(t, `
local p = Proto("guess", "Guessed")
p.fields.x = ProtoField.uint8("guess.x", "X")
function p.dissector(tvb, pinfo, tree)
  tree:add(p, tvb()):add(p.fields.x, tvb(1, 1))
  return tvb:len()
end
p:register_heuristic("udp", function(tvb, pinfo, tree)
  if tvb(0, 1):uint() ~= 0x47 then return false end
  p.dissector(tvb, pinfo, tree)
  return true
end)
local q = Proto("late", "Late")
q.fields.twice = ProtoField.uint16("late.twice", "Twice")
local x = Field.new("guess.x")
function q.dissector(tvb, pinfo, tree)
  local v = x()
  if v then tree:add(q):add(q.fields.twice, 2 * v.value) end
end
register_postdissector(q)
`, &w, "4705", "4805", "4709")
	dissecttest.Check(t, s, []dissecttest.Row{
		{Frame: 1, Field: "guess.x", Want: "5"},
		{Frame: 1, Field: "late.twice", Want: "10"},
		{Frame: 2, Field: "guess.x", Want: ""},
		{Frame: 2, Field: "late.twice", Want: ""},
		{Frame: 3, Field: "late.twice", Want: "18"},
	})
	if w.wrong.Len() > 0 {
		t.Error(w.wrong.String())
	}
}

func TestErrorsSayWhere(t *testing.T) {
	for script, want := range map[string]string{
		"local x = 1\nlocal y = = 2": ":2: ",
		"\n\nerror('no use')":        ":3: no use",
		"Proto('', '')":              ":1: ",
		"Field.new('nosuch')":        ":1: ",
		"while true do end":          "too many steps",
	} {
		var w told
		_, bad := load(t, &w, script)
		var e *owndissect.Error
		if len(bad) != 1 || !errors.As(bad[0], &e) || !strings.Contains(e.Error(), want) {
			t.Errorf("%q gives %v, want %q", script, bad, want)
		}
	}
}

func TestWhatGoesWrongCostsOnePacket(t *testing.T) {
	var w told
	s := session(t, `
local p = Proto("bad", "Bad")
p.fields.x = ProtoField.uint8("bad.x", "X")
function p.dissector(tvb, pinfo, tree)
  local item = tree:add(p, tvb())
  item:add(p.fields.x, tvb(0, 1))
  local x = tvb(0, 1):uint()
  if x == 1 then pcall(function() while true do end end) end
  if x == 2 then local c = coroutine.wrap(function() while true do end end) c() end
  if x == 3 then local s = "x" while true do s = s .. s end end
  if x == 4 then return tvb(100, 1) end
  if x == 5 then return ("x"):rep(1e9) end
  if x == 6 then local function f() return 1 + f() end f() end
end
DissectorTable.get("udp.port"):add(7300, p)
`, &w, "01", "02", "03", "04", "05", "06", "07")
	for n := dissect.FrameNum(1); n <= 7; n++ {
		tree := s.Tree(n)
		x := tree.Find(s.Registry().Field("bad.x"))
		if x < 0 || tree.Nodes[x].Val != uint64(n) {
			t.Errorf("packet %d has lost its field", n)
		}
		failed := tree.Find(s.Registry().Field("_ws.lua.error"))
		if (failed >= 0) != (n < 7) {
			t.Errorf("packet %d: is an error told? %v", n, failed >= 0)
		} else if failed >= 0 && !strings.Contains(tree.Label(failed), "script.lua") {
			t.Errorf("packet %d tells %q", n, tree.Label(failed))
		}
	}
}

func TestScriptsAreConfined(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret.txt")
	if err := os.WriteFile(outside, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	var w told
	_, bad := load(t, &w, `
print(pcall(os.execute, "true"))
print(pcall(io.popen, "true"))
print(io.open("`+outside+`"))
print(pcall(io.lines, "`+outside+`"))
print(pcall(dofile, "`+outside+`"))
print(pcall(os.remove, "`+outside+`"))
print(pcall(Dir.make, "`+outside+`.d"))
print(os.getenv("HOME"))
local f = io.open(__DIR__ .. "mine.txt", "w")
f:write("mine")
f:close()
print(io.open(__DIR__ .. "mine.txt"):read("*a"))
`)
	if len(bad) > 0 {
		t.Fatal(bad)
	}
	lines := strings.Split(strings.TrimSpace(w.printed.String()), "\n")
	for i, l := range lines[:7] {
		if !strings.Contains(l, "--lua-unsafe") {
			t.Errorf("line %d says %q", i+1, l)
		}
	}
	if lines[7] != "nil" || lines[8] != "mine" {
		t.Errorf("the rest says %q", lines[7:])
	}
	if _, err := os.Stat(outside); err != nil {
		t.Error("the file outside is gone")
	}
}

// TestLocalsOutliveErrors holds a property of Lua that gopher-lua's own pcall lacks.
func TestLocalsOutliveErrors(t *testing.T) {
	var w told
	load(t, &w, `
local n = 0
local function more() n = n + 1 end
pcall(error, "x")
pcall(function() pcall(error, "y") error("z") end)
local function read() return n end
more() more()
print(n, read(), select(2, xpcall(function() error("e", 0) end, function(e) return "<" .. e .. ">" end)))
`)
	if got := w.printed.String(); got != "2\t2\t<e>\n" {
		t.Errorf("it prints %q", got)
	}
}

func TestListenersSeeWhatDissectorsFound(t *testing.T) {
	var w told
	o := w.options()
	var taps []*lua.Taps
	o.Taps = func(l *lua.Taps) { taps = append(taps, l) }
	path := filepath.Join(t.TempDir(), "script.lua")
	script := lamp + `
local x = Field.new("lamp.level")
local sum = 0
local tap = Listener.new("lamp")
function tap.packet(pinfo, tvb) sum = sum + x().value end
function tap.draw() print("sum", sum) end
`
	if err := os.WriteFile(path, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	set := owndissect.NewSet(lua.New(o))
	if err := set.Add(owndissect.File{Path: path}); err != nil {
		t.Fatal(err)
	}
	reg, bad, err := set.Load(base)
	if err != nil || len(bad) > 0 {
		t.Fatal(err, bad)
	}
	conv := dissecttest.Conversation{T: t}
	conv.Say(1, client, server, "01 0007 32 00")
	conv.Say(1, client, dissecttest.Spot{Host: 3, Port: 9}, "01 0007 32 00")
	conv.Say(1, server, client, "02 0007 0a 00")
	dissecttest.SessionOf(t, reg, 1, conv.Packets)
	taps[len(taps)-1].Draw()
	if got := w.printed.String(); got != "sum\t60\n" {
		t.Errorf("the listener prints %q; %s", got, w.wrong.String())
	}
}

// TestAScriptsPortGoesBeforeWhatIsSure holds that a port is a script's, even where a protocol knows its messages.
func TestAScriptsPortGoesBeforeWhatIsSure(t *testing.T) {
	path := filepath.Join(t.TempDir(), "script.lua")
	script := `local p = Proto("mine", "Mine")
function p.dissector(tvb, pinfo) pinfo.cols.protocol = "MINE" return tvb:len() end
DissectorTable.get("udp.port"):add(7300, p)`
	if err := os.WriteFile(path, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	set := owndissect.NewSet(lua.New(new(told).options()))
	if err := set.Add(owndissect.File{Path: path}); err != nil {
		t.Fatal(err)
	}
	sure := dissect.NewProtocol("sure", "Sure", "A protocol that is sure of everything.")
	reg, bad, err := set.Load(func() (*dissect.Registry, error) {
		return dissect.NewRegistry(append(dissecttest.OverUDP(), dissect.Plugin{Protocol: sure, Special: true,
			Dissect: func(*dissect.D) {}, Guess: func(*dissect.D) dissect.Confidence { return dissect.Strong }})...)
	})
	if err != nil || len(bad) > 0 {
		t.Fatal(err, bad)
	}
	conv := dissecttest.Conversation{T: t}
	conv.Say(1, client, server, "00 01")
	if tree := dissecttest.SessionOf(t, reg, 1, conv.Packets).Tree(1); tree.ProtocolText() != "MINE" {
		t.Errorf("the packet is of %s", tree.ProtocolText())
	}
}

// TestWhereAScriptWasCalled holds that fields of scripts stand where they do in Wireshark: a hidden one in front of
// what the script adds, and one for each line that is only text, which the field "text" does not find.
func TestWhereAScriptWasCalled(t *testing.T) {
	var w told
	s := session(t, `local p = Proto("mine", "Mine")
p.fields.x = ProtoField.uint8("mine.x", "X")
function p.dissector(b, pinfo, tree)
  if b(0, 1):uint() == 1 then tree:add(p, b()):add(b(0, 1), "words") end
end
DissectorTable.get("udp.port"):add(7300, p)
`, &w, "01", "02")
	for _, again := range []string{"first", "second"} {
		tree := s.Tree(1)
		at := tree.Find(s.Registry().Field("_ws.lua.fake"))
		if at < 0 || !tree.IsHidden(at) || tree.End(at) != at+1 || tree.Field(at+1).Name() != "mine" ||
			tree.Field(at+2).Name() != "_ws.lua.text" || tree.Label(at+2) != "words" || tree.Field(at+2).IsLine() {
			t.Errorf("the %s look finds it at %d", again, at)
		}
	}
	if at := s.Tree(2).Find(s.Registry().Field("_ws.lua.fake")); at >= 0 {
		t.Errorf("where the script adds nothing it is at %d", at)
	}
}
