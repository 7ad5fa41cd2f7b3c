package cli

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// hexLines is a script with a format of its own: a line for each packet, of its time and its bytes. It also keeps the
// packets of one port in a capture file.
const hexLines = `
local fh = FileHandler.new("Lines of digits", "hexlines", "packets as lines of hexadecimal digits", "rws")
function fh.read_open(file, capture)
  if file:read(9) ~= "HEXLINES\n" then return false end
  capture.encap = wtap_encaps.ETHERNET
  capture.private_table = { n = 0 }
  return true
end
function fh.read(file, capture, frame)
  local at = file:seek()
  local line = file:read()
  if not line then return false end
  local secs, micros, digits = line:match("^(%d+)%.(%d+) (%x+)$")
  if not secs then error("no line of digits: " .. line) end
  capture.private_table.n = capture.private_table.n + 1
  frame.rec_type, frame.flags = wtap_rec_types.PACKET, wtap_presence_flags.TS
  frame.time = NSTime(tonumber(secs), tonumber(micros) * 1000)
  frame.data = Struct.fromhex(digits)
  frame.comment = "line " .. capture.private_table.n
  return at
end
function fh.can_write_encap(encap) return encap == wtap_encaps.ETHERNET end
function fh.write_open(file, capture) return file:write("HEXLINES\n") ~= nil end
function fh.write(file, capture, frame)
  file:write(string.format("%d.%06d ", frame.time.secs, frame.time.nsecs / 1000))
  return file:write(Struct.tohex(frame.data), "\n") ~= nil
end
function fh.write_close() return true end
register_filehandler(fh)

local tap, dump = Listener.new("udp", "udp.port == 7300"), nil
function tap.packet()
  dump = dump or Dumper.new_for_current(__DIR__ .. "kept.pcap")
  dump:dump_current()
  dump:dump(5.25, PseudoHeader.none(), ByteArray.new("0102"))
end
`

func TestCaptureFilesInAFormatOfAScript(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	text := "HEXLINES\n"
	for i, p := range [][]byte{udpPacket(40000, 7300, "one"), udpPacket(40000, 7301, "two")} {
		text += []string{"1000.250000 ", "1001.000001 "}[i] + strings.ToUpper(hex.EncodeToString(p)) + "\n"
	}
	for name, s := range map[string]string{"fmt.lua": hexLines, "in.txt": text, "bad.txt": text + "nonsense\n"} {
		if err := os.WriteFile(in(name), []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ask := []string{"-T", "fields", "-e", "frame.time_epoch", "-e", "udp.dstport", "-e", "frame.comment"}
	read := func(file string, more ...string) ran {
		return remora(t, nil, append(append([]string{"-r", in(file), "--dissector", in("fmt.lua")}, more...), ask...)...)
	}
	want := "1000.250000000\t7300\tline 1\n1001.000001000\t7301\tline 2\n"
	if r := read("in.txt"); r.out != want || r.err != "" {
		t.Errorf("reading gives %d, %q, %q", r.code, r.out, r.err)
	}
	if r := read("bad.txt"); r.out != want || !strings.Contains(r.err, "no line of digits: nonsense") {
		t.Errorf("what is broken at its end gives %q, %q", r.out, r.err)
	}
	if r := remora(t, nil, "-r", in("kept.pcap"), "-T", "fields", "-e", "frame.time_epoch", "-e", "frame.len"); r.out !=
		"1000.250000000\t45\n5.250000000\t2\n" {
		t.Errorf("the packets that the script keeps are %q, %q", r.out, r.err)
	}
	write := []string{"-r", in("in.txt"), "--dissector", in("fmt.lua"), "-w", in("out.txt"), "-F", "hexlines"}
	if r := remora(t, nil, write...); r.code != 0 {
		t.Errorf("writing gives %d, %q", r.code, r.err)
	}
	if b, err := os.ReadFile(in("out.txt")); err != nil || string(b) != text {
		t.Errorf("it wrote %q, %v", b, err)
	}
	if r := remora(t, nil, "-r", in("in.txt"), "--dissector", in("fmt.lua"), "-w", in("o.pcap"), "-F",
		"pcapng"); r.code != 0 {
		t.Errorf("writing pcapng gives %d, %q", r.code, r.err)
	}
	if b, err := os.ReadFile(in("o.pcap")); err != nil || !strings.HasPrefix(string(b), "\x0a\x0d\x0d\x0a") {
		t.Errorf("-F pcapng wrote %.4q, %v", b, err)
	}
	r := remora(t, nil, "-r", in("kept.pcap"), "-w", in("x"), "-F", "nosuch")
	if r.code != exitUsage || !strings.Contains(r.err, "-F nosuch: it takes pcap, pcapng, nsecpcap") {
		t.Errorf("an unknown format gives %d, %q", r.code, r.err)
	}
}
