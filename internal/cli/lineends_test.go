package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"remora/dissect/dissecttest"
)

// textFiles are files of each sort that people write, by their names in remora's folder of settings; # is their folder.
var textFiles = map[string]string{
	"config.toml":     "time = \"r\"\ndecode_as = [\"udp.port==5000,dns\"]\n",
	"macros":          "# mine\nlow ip.ttl < $1\n",
	"hosts":           "# here\n10.0.0.1 near.example\n10.0.0.2\tfar.example\n",
	"services":        "frob 6000/udp\n",
	"ethers":          "02:00:00:00:00:01 lighthouse\n",
	"disabled_protos": "# off\ntouhou\nkaillera\n",
	"preferences":     "# mine\nudp.check_checksum: TRUE\nnameres.network_name: TRUE\n",
	"lamp.ksy": "meta: {id: lamp, endian: be}\n-remora:\n  udp: 7000\n  info: '{n:dec} of {of}'\n" +
		"seq:\n  - {id: n, type: u1}\n  - {id: of, type: str, size-eos: true, encoding: ASCII}\n",
	"bell.lua": "local bell = Proto(\"bell\", \"A bell\")\n-- its field\nbell.fields.n = ProtoField.string(\"bell.n\", " +
		"\"N\")\n" +
		"function bell.dissector(b, p, t)\n  t:add(bell, b()):add(bell.fields.n, b())\n  p.cols.info = \"rings\"\nend\n" +
		"DissectorTable.get(\"udp.port\"):add(7100, bell)\n",
	"dump.txt": "0000  12 34 01 00 00 01 00 00 00 00 00 00 03 77 77 77  .4...........www\n" +
		"0010  07 65 78 61 6d 70 6c 65 03 6f 72 67 00 00 01 00  .example.org....\n0020  01\n",
}

// TestLinesEndAsOnWindows has all files of text read the same, however their lines end.
func TestLinesEndAsOnWindows(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.pcap")
	capture := dissecttest.Pcap(1, dissecttest.Packets(udpPacket(40000, 7000, "\x07bells"), udpPacket(40000, 7100, "ding"),
		udpPacket(40000, 6000, "x")))
	if err := os.WriteFile(path, capture, 0o600); err != nil {
		t.Fatal(err)
	}
	outputs := map[string]string{}
	for _, end := range []string{"\n", "\r\n"} {
		home := t.TempDir()
		folder := filepath.Join(home, ".config", "remora")
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		for name, text := range textFiles {
			b := []byte(strings.ReplaceAll(text, "\n", end))
			if err := os.WriteFile(filepath.Join(folder, name), b, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		in := func(name string) string { return filepath.Join(folder, name) }
		var all string
		for _, args := range [][]string{
			{"-r", path, "-N", "nmtd", "-H", in("hosts"), "--dissector", in("lamp.ksy"), "-Xlua_script:" + in("bell.lua")},
			{"-r", path, "-T", "fields", "-e", "lamp.of", "-e", "bell.n", "-Y", "${low:65}", "--dissector", in("lamp.ksy"),
				"-X", "lua_script:" + in("bell.lua")},
			{"--import-hex=-u 40000,53", "-r", in("dump.txt"), "-T", "fields", "-e", "dns.qry.name"},
		} {
			got := remoraAt(t, home, args...)
			if got.code != 0 {
				t.Errorf("%q: exit %d, %s", args, got.code, got.err)
			}
			all += got.out + strings.ReplaceAll(got.err, home, "")
		}
		outputs[end] = all
	}
	if outputs["\n"] != outputs["\r\n"] {
		t.Errorf("with lines as on Windows:\n%s\nand as elsewhere:\n%s", outputs["\r\n"], outputs["\n"])
	}
	for _, want := range []string{"7 of bells", "rings", "near.example", "far.example", "frob", "bells\t", "\tding",
		"www.example.org"} {
		if !strings.Contains(outputs["\n"], want) {
			t.Errorf("%q is missing in\n%s", want, outputs["\n"])
		}
	}
}
