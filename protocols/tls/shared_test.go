package tls_test

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// counted is a text with its length in front, in n bytes.
func counted(n int, parts ...string) string {
	all := strings.Join(parts, "")
	size := string([]byte{byte(len(all) >> 16), byte(len(all) >> 8), byte(len(all))})
	return size[3-n:] + all
}

func handshake(typ string, parts ...string) string {
	return "\x16\x03\x03" + counted(2, typ+counted(3, parts...))
}

// TestSharedKeys has what both sides call the key that they share (RFC 4279), a key share as drafts number it, and the
// name of what an undecrypted record on the port of HTTPS carries.
func TestSharedKeys(t *testing.T) {
	random := strings.Repeat("r", 32)
	share := "\x00\x28" + counted(2, counted(2, "\x00\x1d"+counted(2, "key")))
	hello := "\x03\x03" + random + "\x00"
	for suite, rest := range map[string]string{"\x00\xa8": "", "\xc0\x37": "\x04curv"} {
		s := dissecttest.Session(t, protocols.All(), 101, dissecttest.Stream(443,
			"C:"+handshake("\x01", hello, counted(2, suite), "\x01\x00", counted(2, share)),
			"S:"+handshake("\x02", hello, suite, "\x00")+handshake("\x0c", counted(2, "take this")),
			"C:"+handshake("\x10", counted(2, "my key"), rest)+"\x14\x03\x03\x00\x01\x01\x17\x03\x03\x00\x04data"))
		dissecttest.Redissections(t, s)
		for field, want := range map[string]string{"tls.handshake.hint": "74616b652074686973",
			"tls.handshake.identity": "6d79206b6579", "tls.handshake.extensions_key_share_key_exchange": "6b6579",
			"tls.app_data_proto": "Hypertext Transfer Protocol"} {
			found := ""
			for n := 1; n <= s.Passed(); n++ {
				found += dissecttest.All(s.Tree(dissect.FrameNum(n)), field)
			}
			if found != want {
				t.Errorf("suite %x: %s is %q, want %q", suite, field, found, want)
			}
		}
	}
}
