package decodeas

import (
	"testing"

	"remora/dissect"
	"remora/protocols"
)

// FuzzParse gives decode-as any word: what is taken names a protocol and a table that there are, and is no more than
// all ports.
func FuzzParse(f *testing.F) {
	reg, err := dissect.NewRegistry(protocols.All()...)
	if err != nil {
		f.Fatal(err)
	}
	for _, word := range []string{"udp.port==7000,touhou", "udp.port==0-65535,touhou", "udp.port==0x10:4,dns",
		"kaillera.charset==1251,kaillera",
		"udp.port==4294967295:65535,dns", "tcp.port==-1,http", "==,", "udp.port==1-\x1b[2J,dns"} {
		f.Add(word)
	}
	f.Fuzz(func(t *testing.T, word string) {
		as, err := Parse(reg, []string{word})
		if err != nil {
			if text := err.Error(); dissect.Escape(text) != text {
				t.Errorf("%q: the error is not escaped: %q", word, text)
			}
			return
		}
		if len(as) == 0 || len(as) > most {
			t.Fatalf("%q names %d numbers", word, len(as))
		}
		for _, a := range as {
			if reg.Protocol(a.Protocol) == nil {
				t.Fatalf("%q is taken for the protocol %q", word, a.Protocol)
			}
		}
	})
}
