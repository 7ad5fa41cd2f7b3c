package protocols

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// madeProtocols are those whose folders hold packets in hexadecimal digits. Every field of theirs that tshark knows is
// held against it, with the Info column.
var madeProtocols = strings.Fields("ip ipv6 arp tcp slow macc wol stp igmp gre erspan vxlan geneve mpls vrrp lldp " +
	"cdp pppoe ppp")

// madeExcept are fields in which remora differs for a reason.
var madeExcept = map[string]string{
	"geneve.option.unknown.data":     "tshark prints <MISSING> for options without a value",
	"pppoed.tag":                     "tshark has it for unknown tags alone",
	"pppoed.tag_length":              "as above",
	"pppoed.tag.unknown_data":        "tshark starts before the value",
	"pppoed.tags.vendor_unspecified": "tshark takes some vendors' tags to pieces",
	"cdp.software_version":           "tshark cuts it into lines",
	"cdp.data":                       "tshark takes more pieces apart",
	"lldp.media.civic.length":        "tshark leaves it out of addresses whose length is wrong",
	"tcp.option_kind":                "tshark has the end of the options twice",
	"tcp.options.mptcp.checksum":     "tshark leaves it out where it is not asked to check it",
	"wol.passwd":                     "tshark reads it as text",
	"slow info":                      "tshark takes the others of the Slow Protocols apart",
	"cdp.hello.unknown":              "as above",
	"lcp.opt.data":                   "as above",
	"ccp.opt.data":                   "as above",
	"lcp.data":                       "tshark names it otherwise in some messages",
	"ipv6cp.interface_identifier":    "tshark writes colons",
	"erspan info":                    "tshark reads no IP packets that come without a frame",
	"mpls info":                      "tshark does not look behind a control word",
}

// madeTogether are protocols whose fields are shown together with those of another.
var madeTogether = map[string]string{"slow": " lacp ", "stp": " mstp ", "pppoe": " pppoed pppoes ",
	"ppp": " lcp ipcp ipv6cp ccp pap chap "}

// TestOracleMade compares packets made for the tests, of protocols that the captures of the fixtures lack.
func TestOracleMade(t *testing.T) {
	needOracle(t)
	names := oracleNames(t)
	for _, name := range madeProtocols {
		for _, file := range []string{"packets.hex", "crafted.hex"} {
			hex := filepath.Join(name, "testdata", file)
			if _, err := os.Stat(hex); err == nil {
				t.Run(name+"/"+file, func(t *testing.T) { compareMade(t, name, dissecttest.HexPcap(t, hex), names) })
			}
		}
	}
}

// compareMade holds the fields of a protocol and the Info column of a capture against tshark's.
func compareMade(t *testing.T, name, path string, names map[string]bool) {
	fields := madeFields(name, names)
	if len(fields) == 0 {
		t.Fatal("no field to compare")
	}
	want, got := oraclePrint(t, path, append([]string{"_ws.col.Info"}, fields...)), ourPrint(t, path, fields)
	s := dissecttest.Load(t, All(), path)
	for n := range want {
		info := s.Tree(dissect.FrameNum(n + 1)).InfoLine()
		// of which remora has a note
		tshark := strings.NewReplacer("\u2192", "→", " [UDP CHECKSUM INCORRECT]", "").Replace(want[n][0])
		if tshark = strings.TrimSpace(tshark); !strings.Contains(tshark, "[Malformed") &&
			strings.Join(strings.Fields(tshark), " ") != strings.Join(strings.Fields(info), " ") &&
			madeExcept[name+" info"] == "" {
			t.Errorf("frame %d: the Info column is %q, tshark has %q", n+1, info, tshark)
		}
		for i, f := range fields {
			if w := want[n][i+1]; w != got[n][i] && madeExcept[f] == "" {
				t.Errorf("frame %d: %s is %q, tshark has %q", n+1, f, got[n][i], w)
			}
		}
	}
}

// madeFields are the names of the protocol's fields, and of those it shows of others, that tshark knows and prints.
func madeFields(name string, known map[string]bool) []string {
	var out []string
	seen := map[string]bool{}
	for _, p := range All() {
		own := p.Protocol.Name()
		if own != name && !strings.Contains(madeTogether[name], " "+own+" ") {
			continue
		}
		for _, f := range p.Protocol.Fields() {
			if n := f.Name(); known[n] && !seen[n] && !f.IsExpert() && !f.IsGroup() && n != own {
				seen[n] = true
				out = append(out, n)
			}
		}
	}
	return out
}
