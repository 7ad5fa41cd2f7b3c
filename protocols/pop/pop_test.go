package pop_test

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

var talk = []string{
	"S:+OK POP3 server ready\r\n",
	"C:CAPA\r\n",
	"S:+OK list\r\nTOP\r\n.\r\n",
	"C:USER bob\r\nPASS secret\r\nSTAT\r\n",
	"S:+OK\r\n+OK\r\n+OK 2 320\r\n",
	"C:RETR 1\r\nRETR 2\r\n",
	"S:+OK 30 octets\r\nSubject: one\r\n\r\nhel",
	"S:lo\r\n..\r\n",
	"S:.\r\n+OK 20 octets\r\nSubject: two\r\n\r\nx\r\n.\r\n",
	"C:RETR 9\r\n",
	"S:-ERR none\r\n",
	"C:AUTH PLAIN\r\n",
	"S:+ \r\n",
	"C:AGJvYgBzZWNyZXQ=\r\n",
	"S:+OK\r\n",
}

func session(t *testing.T, port uint16) *dissect.Session {
	return dissecttest.Session(t, protocols.All(), 101, dissecttest.Stream(port, talk...))
}

// TestTalk reads the conversation on the port of servers, and on another where the first words tell.
func TestTalk(t *testing.T) {
	for _, port := range []uint16{110, 4110} {
		dissecttest.Check(t, session(t, port), []dissecttest.Row{
			{3, "info", "S: +OK POP3 server ready"},
			{5, "pop.response.data", `TOP\r\n,.\r\n`},
			{5, "pop.response_to", "4"},
			{6, "pop.request.command", "USER,PASS,STAT"},
			{7, "pop.response_to", "6,6,6"},
			{7, "pop.response.description", "2 320"},
			{9, "pop.data.reassembled.in", "11"},
			{10, "pop.data.reassembled.in", "11"},
			{11, "imf.subject", "one,two"},
			{11, "imf.message_text.line", `hello\r\n,..\r\n,x\r\n`},
			{11, "pop.response_to", "8"},
			{13, "pop.response.indicator", "-ERR"},
			{16, "pop.request.data", `AGJvYgBzZWNyZXQ=\r\n`},
			{17, "pop.response_to", "14"},
		})
	}
}

func TestStandard(t *testing.T) {
	s := session(t, 110)
	dissecttest.Redissections(t, s)
	dissecttest.Owned(t, s)
	dissecttest.Fields(t, s)
}

func TestHostile(t *testing.T) { dissecttest.Mutations(t, protocols.All(), session(t, 110), 40) }
