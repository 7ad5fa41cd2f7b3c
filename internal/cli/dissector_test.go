package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"remora/dissect/dissecttest"
)

func TestDissectorCommands(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	path := filepath.Join(dir, "remora", "dissectors", "lamp.lua")
	if r := remora(t, nil, "dissector", "new", "lamp"); r.code != 0 || r.out != path+"\n" {
		t.Fatalf("new gives %d, %q, %q", r.code, r.out, r.err)
	}
	if r := remora(t, nil, "dissector", "new", "lamp"); r.code == 0 {
		t.Error("new replaces a file")
	}
	if r := remora(t, nil, "dissector", "check", path); r.code != 0 ||
		!strings.HasPrefix(r.out, "lamp: The lamp protocol") {
		t.Errorf("check gives %d, %q, %q", r.code, r.out, r.err)
	}
	if r := remora(t, nil, "dissector", "list"); r.out != path+": loaded\n" {
		t.Errorf("list gives %q", r.out)
	}
	if err := os.WriteFile(path, []byte("local x =\n\nend"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := remora(t, nil, "dissector", "check", path); r.code != exitUsage || !strings.Contains(r.err, path+":3: ") {
		t.Errorf("check of a broken file gives %d, %q", r.code, r.err)
	}
	if r := remora(t, nil, "dissector", "list"); !strings.Contains(r.out, path+":3: ") {
		t.Errorf("list of a broken file gives %q", r.out)
	}
}

// TestAWrongDissectorEndsWhatNamesIt: a file that the command line names ends the program where it is wrong, and one in
// the folder is told of.
func TestAWrongDissectorEndsWhatNamesIt(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	folder, named := filepath.Join(dir, "remora", "dissectors"), filepath.Join(dir, "bad.lua")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{named, filepath.Join(folder, "mine.lua")} {
		if err := os.WriteFile(path, []byte("local x =\n\nend"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	read := []string{"-r", "fixtures/demo.pcapng.zst", "-c", "1"}
	r := remora(t, nil, read...)
	if r.code != exitDone || r.out == "" || strings.Count(r.err, "mine.lua:3: ") != 1 {
		t.Errorf("a wrong file in the folder: %d, %q, %q", r.code, r.out, r.err)
	}
	for _, flag := range []string{"--dissector=" + named, "-Xlua_script:" + named} {
		r := remora(t, nil, append(read, flag)...)
		if r.code != exitUsage || r.out != "" || strings.Count(r.err, "bad.lua:3: ") != 1 {
			t.Errorf("%s: %d, %q, %q", flag, r.code, r.out, r.err)
		}
	}
}

// TestScriptsPrintAtTheirPackets: what scripts print stands in front of the packet at which they do, as tshark has it.
func TestScriptsPrintAtTheirPackets(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "say.lua")
	text := `local tap = Listener.new("ip")
function tap.packet(pinfo) print("at", pinfo.number) end
function tap.draw() print("end") end
print("begin")`
	if err := os.WriteFile(script, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, filter := range []string{"frame.number <= 3", "frame.number == 2"} {
		r := remora(t, nil, "-r", "fixtures/demo.pcapng.zst", "-Xlua_script:"+script, "-Y", filter, "-T", "fields", "-e",
			"frame.number", "-c", "4")
		want := "begin\nat\t1\n1\nat\t2\n2\nat\t3\n3\nat\t4\nend\n"
		if filter == "frame.number == 2" {
			want = "begin\nat\t1\nat\t2\n2\nat\t3\nat\t4\nend\n"
		}
		if r.out != want || r.err != "" {
			t.Errorf("%s: it prints %q, %q", filter, r.out, r.err)
		}
	}
}

// TestCallsOfScriptsArePrinted holds that the fields that Wireshark has for a script's call and its lines are printed.
func TestCallsOfScriptsArePrinted(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	script, capture := filepath.Join(dir, "lamp.lua"), filepath.Join(dir, "lamp.pcap")
	for path, text := range map[string]string{
		script: `local lamp = Proto("lamp", "Lamp")
function lamp.dissector(b, pinfo, tree) tree:add(lamp, b()):add(b(0, 1), "words") end
DissectorTable.get("udp.port"):add(7300, lamp)`,
		capture: string(dissecttest.Pcap(1, dissecttest.Packets(udpPacket(40000, 7300, "\x32"))))} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for format, want := range map[string]string{
		"json": "        \"_ws.lua.fake\": \"\",\n        \"lamp\": {\n          \"_ws.lua.text\": \"\"",
		"ek":   `},"_ws_lua__ws_lua_fake":null,"lamp":{`,
		"pdml": `<field name="_ws.lua.fake" showname="Wireshark Lua fake item" hide="yes" size="0" pos="42"`,
	} {
		r := remora(t, nil, "-r", capture, "--dissector", script, "-T", format)
		if r.code != exitDone || !strings.Contains(r.out, want) {
			t.Errorf("-T %s gives %d, %s, %q", format, r.code, r.out, r.err)
		}
	}
}
