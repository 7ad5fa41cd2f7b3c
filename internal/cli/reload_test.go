//go:build linux

package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"remora/dissect/dissecttest"
)

// lampIs is a dissector in Lua of datagrams to port 7300, with a name for what it finds.
func lampIs(word string) string {
	return `local lamp = Proto("lamp", "Lamp")
lamp.fields.level = ProtoField.uint8("lamp.` + word + `", "` + word + `")
function lamp.dissector(b, pinfo, tree)
  pinfo.cols.protocol = "LAMP"
  tree:add(lamp, b()):add(lamp.fields.level, b(0, 1))
  pinfo.cols.info = "` + word + ` " .. b(0, 1):uint()
end
DissectorTable.get("udp.port"):add(7300, lamp)
`
}

// TestDissectorsAreReloadedOnATerminal saves dissectors while the screen shows packets: it goes on with them, with
// those that were there where one is wrong, and with what was chosen meanwhile.
func TestDissectorsAreReloadedOnATerminal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	folder := filepath.Join(dir, "config", "remora", "dissectors")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	capture := dissecttest.Pcap(1, dissecttest.Packets(udpPacket(40000, 7300, "\x32"), udpPacket(7400, 7400, "\x07"),
		udpPacket(40000, 7300, "\x33")))
	if err := os.WriteFile(in("lamp.pcap"), capture, 0o600); err != nil {
		t.Fatal(err)
	}
	save := func(path, text string) { // as editors do it
		if err := os.WriteFile(path+"~", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+"~", path); err != nil {
			t.Fatal(err)
		}
	}
	save(in("lamp.lua"), lampIs("level"))
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	x := startWith(t, []string{"XDG_CONFIG_HOME=" + in("config")}, path, in("lamp.pcap"), "--dissector", in("lamp.lua"))
	x.sees("level 50", "level 51")
	save(in("lamp.lua"), lampIs("shine"))
	x.sees("shine")
	save(in("lamp.lua"), "local x =\n\nend")
	x.sees(`lamp.lua:3: unexpected symbol near 'end'; the last good version goes on`)
	x.keys("/lamp.shine == 51\r")
	x.sees("1 of 3")
	save(in("lamp.lua"), lampIs("glow"))
	x.sees("the filter is off")
	save(filepath.Join(folder, "other.ksy"), "meta: {id: other}\n-remora: {udp: 7400, info: 'seven is {n:dec}'}\n"+
		"seq: [{id: n, type: u1}]\n")
	x.sees("seven is 7")
	if err := os.Remove(filepath.Join(folder, "other.ksy")); err != nil {
		t.Fatal(err)
	}
	x.sees("7400 → 7400")
	x.keys("q")
	x.ends(exitDone)
}

// TestScriptsThatReadFilesAreReloaded saves a script that lists its folder and reads a file there: it reads anew.
func TestScriptsThatReadFilesAreReloaded(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	save := func(name, text string) {
		if err := os.WriteFile(in(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	reads := func(word string) string {
		return `local lamp, words = Proto("lamp", "Lamp"), {}
for name in Dir.open(__DIR__, ".txt") do
  for line in io.lines(__DIR__ .. name) do words[#words + 1] = line end
  local f = io.open(__DIR__ .. name)
  words[#words + 1] = f:read("*a"):upper():gsub("%s", "")
  f:close()
end
function lamp.dissector(b, pinfo) pinfo.cols.info = "` + word + ` " .. table.concat(words, "+") end
DissectorTable.get("udp.port"):add(7300, lamp)
`
	}
	save("lamp.pcap", string(dissecttest.Pcap(1, dissecttest.Packets(udpPacket(40000, 7300, "\x32")))))
	save("names.txt", "red\n")
	save("lamp.lua", reads("first"))
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	x := startWith(t, []string{"XDG_CONFIG_HOME=" + in("config")}, path, in("lamp.pcap"), "--dissector", in("lamp.lua"))
	x.sees("first red+RED")
	save("names.txt", "blue\n")
	save("more.txt", "green\n")
	save("lamp.lua", reads("second"))
	x.sees("second green+GREEN+blue+BLUE")
	x.keys("q")
	x.ends(exitDone)
}

// TestDissectorsAreReloadedWhileCapturing does it while packets come.
func TestDissectorsAreReloadedWhileCapturing(t *testing.T) {
	t.Parallel()
	in, dir := network(t), t.TempDir()
	script := filepath.Join(dir, "lamp.lua")
	save := func(word string) {
		if err := os.WriteFile(script, []byte(lampIs(word)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	save("level")
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	x := startWith(t, []string{"TMPDIR=" + dir}, "ip", append(in, path, "-i", "lo", "--dissector", script)...)
	x.sees("[Packets]")
	say := exec.Command("ip", append(in, "bash", "-c",
		"for i in {1..600}; do echo -n 2 > /dev/udp/127.0.0.1/7300; sleep 0.05; done")...)
	if err := say.Start(); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { say.Process.Kill(); say.Wait() })
	x.sees("level 50")
	save("shine")
	x.sees("shine 50")
	x.keys("ZZ")
	x.ends(exitDone)
}

// TestFromUnknownBytesToAField names bytes in the lab, and filters by the field a moment later.
func TestFromUnknownBytesToAField(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var packets [][]byte
	for i := range 30 {
		packets = append(packets, udpPacket(40000, 7300, fmt.Sprintf("\xc0\x01\x00%c", 33+i*37%90)))
	}
	in := filepath.Join(dir, "unknown.pcap")
	if err := os.WriteFile(in, dissecttest.Pcap(1, dissecttest.Packets(packets...)), 0o600); err != nil {
		t.Fatal(err)
	}
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	x := startWith(t, []string{"XDG_CONFIG_HOME=" + dir}, path, in)
	x.sees("[Packets]")
	x.keys("gu")
	x.sees("UDP 7300")
	x.keys("v")
	x.sees("messages of 4 bytes") // the title may come in two pieces
	x.keys("lll N")
	x.sees("name and type")
	x.keys("\x15level u1\r")
	x.sees("of the protocol")
	x.keys("\x15lamp\r")
	x.sees("written to")
	x.sees("dissectors loaded")
	x.keys("q/lamp.level == 70\r")
	x.sees("1 of 30")
	x.keys("q")
	x.ends(exitDone)
	text, err := os.ReadFile(filepath.Join(dir, "remora", "dissectors", "lamp.ksy"))
	if err != nil || !strings.Contains(string(text), "{id: level, type: u1") {
		t.Errorf("the file is %s, %v", text, err)
	}
}
