package capture

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
)

func TestHostNames(t *testing.T) {
	for _, c := range []struct{ block, want string }{
		{"\x01\x00\x0c\x00\xc0\x00\x02\x01one\x00uno\x00" +
			"\x02\x00\x14\x00\x20\x01\x0d\xb8\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02two\x00" + "\x00\x00\x00\x00",
			"192.0.2.1=one 2001:db8::2=two"},
		{"\x01\x00\x08\x00\xc0\x00\x02\x01one1", ""}, // no end
		{"\x01\x00\x04\x00\xc0\x00\x02\x01", ""},
		{"\x01\x00\xff\xff\xc0\x00\x02\x01one\x00", ""},
		{"\x07\x00\x01\x00xxxx\x01\x00\x07\x00\xc0\x00\x02\x01ab\x00\x00", "192.0.2.1=ab"},
		{"\x00\x00\x00\x00\x01\x00\x07\x00\xc0\x00\x02\x01ab\x00\x00", ""},
	} {
		var got []string
		hostNames([]byte(c.block), false, func(a netip.Addr, name string) { got = append(got, fmt.Sprint(a, "=", name)) })
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%q has %q, want %q", c.block, text, c.want)
		}
	}
}
