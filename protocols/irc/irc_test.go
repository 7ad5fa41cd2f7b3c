package irc_test

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

var talk = []string{
	"C:NICK alice\r\nUSER alice 0 * :Alice A\r\n",
	"S::irc.example.com 001 alice :Welcome\r\n",
	"C:PRIVMSG #a :\x01ACTION waves\x01\r\nJOIN",
	"C: #b\r\n001\r\n:x\r\n\r\n",
	"S:@time=1 :bob!b@h MODE #a +o alice\r\n:b TOPIC #a :\x01no end\r\nNOTICE * :\x01X\x01\r\n",
}

func session(t *testing.T, port uint16) *dissect.Session {
	return dissecttest.Session(t, protocols.All(), 101, dissecttest.Stream(port, talk...))
}

// TestTalk reads the conversation on the port of servers, and on another where the first words tell.
func TestTalk(t *testing.T) {
	for _, port := range []uint16{6667, 4667} {
		dissecttest.Check(t, session(t, port), []dissecttest.Row{
			{3, "info", "Request (NICK) (USER)"},
			{3, "irc.request.trailer", "Alice A"},
			{3, "irc.request.command_parameter", "alice,alice,0,*"},
			{5, "irc.ctcp", "ACTION waves"},
			{6, "irc.request.command", "JOIN,001"},
			{6, "irc.request.command_parameter", "#b"},
			{7, "irc.response.prefix", "bob!b@h,b"},
			{7, "irc.tags", "@time=1"},
			{7, "irc.response.command", "MODE,TOPIC,NOTICE"},
		})
	}
}

func TestStandard(t *testing.T) {
	s := session(t, 6667)
	dissecttest.Redissections(t, s)
	dissecttest.Owned(t, s)
	dissecttest.Fields(t, s)
}

func TestHostile(t *testing.T) { dissecttest.Mutations(t, protocols.All(), session(t, 6667), 40) }
