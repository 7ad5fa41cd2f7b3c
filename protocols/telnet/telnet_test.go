package telnet_test

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

var talk = []string{
	"C:\xff\xfd\x03\xff\xfb\x18\xff\xfb\x1f",
	"S:\xff\xfd\x18\xff\xfa\x18\x01\xff\xf0\xff\xfd\x1f",
	"C:\xff\xfa\x18\x00XTERM\xff",
	"C:\xf0\xff\xfa\x1f\x00\x50\x00\x18\xff\xf0",
	"S:login: \xff\xff\r\nx\r\x00\xff\xf6",
	"C:\xff\xfa\x26\x01\x01\x02\xff\xf0\xff\xfa\x25\x03bob\xff\xf0\xff\xfa\x1f\x01\xff\xf0",
	"C:\xff\xfa\x27\x00\xff\xff\xff\xf0\xff\xfd\x80\xff",
}

func session(t *testing.T, port uint16) *dissect.Session {
	return dissecttest.Session(t, protocols.All(), 101, dissecttest.Stream(port, talk...))
}

// TestTalk reads the conversation on the port of servers, and on another where the first words tell.
func TestTalk(t *testing.T) {
	for _, port := range []uint16{23, 4023} {
		dissecttest.Check(t, session(t, port), []dissecttest.Row{
			{3, "telnet.cmd", "Do (253),Will (251),Will (251)"},
			{3, "telnet.subcmd", "Suppress Go Ahead,Terminal Type,Negotiate About Window Size"},
			{3, "info", "Telnet Data ..."},
			{4, "telnet.string_subopt.cmd", "SEND (1)"},
			{6, "telnet.string_subopt.value", "XTERM"},
			{6, "telnet.naws_subopt.width", "80"},
			{6, "telnet.naws_subopt.height", "24"},
			{7, "telnet.data", "login: \ufffd\ufffd\\r\\n,x\\r\\000"},
			{8, "telnet.enc.type", "DES_CFB64 (1),DES_OFB64 (2)"},
			{8, "telnet.auth.name", "bob"},
			{9, "telnet.option_data", "00ffff"},
		})
	}
}

func TestStandard(t *testing.T) {
	s := session(t, 23)
	dissecttest.Redissections(t, s)
	dissecttest.Owned(t, s)
	dissecttest.Fields(t, s)
}

func TestHostile(t *testing.T) { dissecttest.Mutations(t, protocols.All(), session(t, 23), 40) }
