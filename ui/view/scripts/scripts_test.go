package scripts

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/dissect/filter"
	"remora/owndissect"
	"remora/owndissect/lua"
	"remora/protocols"
	"remora/ui/view/viewtest"
)

// counter is the script of Wireshark's manual that counts packets by address, with what a person can do in it.
const counter = `
print("loaded", gui_enabled())
local function count()
  local window = TextWindow.new("Counter")
  local packets, draws = 0, 0
  local tap = Listener.new("frame", "udp")
  window:set_atclose(function() tap:remove() print("closed") end)
  window:set_editable()
  window:add_button("Twice", function(w) w:append(w:get_text()) end)
  window:add_button("Filter", function() set_filter("dns") apply_filter() end)
  function tap.packet(pinfo, tvb) packets = packets + 1 end
  function tap.reset() window:clear() packets = 0 end
  function tap.draw() draws = draws + 1 window:set("packets: " .. packets .. "\n\27[2Jfrom: " .. get_filter()) end
  retap_packets()
  print("counted", packets)
end
register_menu("Test/Count", count, MENU_TOOLS_UNSORTED)
register_menu("Test/Ask", function()
  new_dialog("Who", function(name, age) copy_to_clipboard(name .. " is " .. age) end, "Name",
    { name = "Age", value = "7" })
end)
register_packet_menu("Its name", function(...)
  for _, f in ipairs({...}) do if f.name == "dns.qry.name" then print("name", f.value) end end
end, "dns.qry.name")
local all = Listener.new()
local seen, last = 0, nil
function all.packet(pinfo) seen = seen + 1 last = pinfo.number end
function all.draw() print("all", seen, last) end
`

func open(t *testing.T, script string) (*viewtest.Screen, *View) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "counter.lua")
	if err := os.WriteFile(path, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	shown := new(Screen)
	set := owndissect.NewSet(lua.New(lua.Options{Screen: shown, Filter: compile}))
	if err := set.Add(owndissect.File{Path: path}); err != nil {
		t.Fatal(err)
	}
	reg, bad, err := set.Load(func() (*dissect.Registry, error) { return dissect.NewRegistry(protocols.All()...) })
	if err != nil || len(bad) > 0 {
		t.Fatal(err, bad)
	}
	x := viewtest.OpenSession(t, dissecttest.SessionOf(t, reg, 1, viewtest.Sample()), 80, 20)
	v := New(x, shown)
	return x.Show(v), v
}

func compile(reg *dissect.Registry, text string) (lua.Match, []*dissect.Field, error) {
	f, err := filter.Compile(reg, text)
	if err != nil {
		return nil, nil, err
	}
	return f.MatchTree, f.Fields(), nil
}

// TestListenersAreShown: what listeners print in the end is shown once, however often they are asked.
func TestListenersAreShown(t *testing.T) {
	x, _ := open(t, counter)
	x.Has("counter, printed 2 lines, listens", "menu    Test/Count", "menu    Its name (this packet)")
	x.Keys("<enter>").Has("loaded  true", "all     82      82")
	x.Keys("q").Has("menu    Test/Ask")
}

// TestMenusOpenWindows runs an entry of a menu, and presses the buttons of the window that it opens.
func TestMenusOpenWindows(t *testing.T) {
	x, _ := open(t, counter)
	x.Keys("j<enter>").Has("Counter", "packets: 82", `\033[2Jfrom:`, "[ Twice ] [ Filter ]")
	x.Keys("<enter>").Has("packets: 82", "from: packets: 82")
	x.Keys("gg;").Type("mine").Has("mine", "from: packets: 82")
	x.Keys("<tab><enter>")
	if got := x.Scope().FilterText(); got != "dns" {
		t.Errorf("the filter is %q", got)
	}
	x.Keys("x").HasNot("Counter")
	x.Keys("<enter>").Has("counted 82", "closed")
}

// TestScriptsAsk: the lines of a dialog are asked one after the other, and a packet's menu gets its fields.
func TestScriptsAsk(t *testing.T) {
	x, v := open(t, counter)
	x.Keys("jj<enter>").Type("Ada")
	if x.Asked == nil || x.Asked.Text != "7" || x.Asked.Label != " Who: Age: " {
		t.Fatalf("asked for %v", x.Asked)
	}
	if x.Type("36"); x.Copied != "Ada is 36" {
		t.Errorf("copied %q", x.Copied)
	}
	x.Keys("j<enter>")
	x.Show(v).Keys("gg<enter>").Has("name    www.example.org")
	x.Keys("q").Keys("ggK").Type("1 + 2, 'three'").Has("> 1 + 2, 'three'", "3       three")
	x.Keys("q").Keys("ggK").Type("error('no')").Has("no")
}

// TestProgress: a script that is at work says how far it is, and is told to stop.
func TestProgress(t *testing.T) {
	x, v := open(t, `
register_menu("Work", function()
  local p = ProgDlg.new("Working", "first")
  while not p:stopped() do p:update(0.4, "second") end
  p:close()
  print("stopped")
end)`)
	go func() {
		for !strings.Contains(v.progress(), "Working: second, 40 %") {
			runtime.Gosched()
		}
		v.halt()
	}()
	x.Keys("j<enter>").Keys("gg<enter>").Has("stopped")
}
