package imap_test

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

var talk = []string{
	"S:* OK IMAP4rev1 ready\r\n",
	"C:a LOGIN \"bob\" secret\r\nb UID COPY 1 Drafts\r\n",
	"S:b OK done\r\na NO [AUTH] wrong\r\n",
	"C:c APPEND Drafts {23}\r\n",
	"S:+ go on\r\n",
	"C:Subject: one",
	"C:\r\n\r\nhello\r\n",
	"C:\r\n",
	"S:c OK\r\n",
	"C:d FETCH 1 BODY[]\r\n",
	"S:* 1 FETCH (BODY[] {16}\r\nSubject: two\r\n\r\n FLAGS ())\r\nd OK done\r\n",
	"C:e LOGIN {3+}\r\nbob secret\r\n",
	"S:e BAD no\r\n",
	"C:f IDLE\r\n",
	"S:+ idling\r\n",
	"C:DONE\r\n",
	"S:f OK\r\n",
}

func session(t *testing.T, port uint16) *dissect.Session {
	return dissecttest.Session(t, protocols.All(), 101, dissecttest.Stream(port, talk...))
}

// TestTalk reads the conversation on the port of servers, and on another where the first words tell.
func TestTalk(t *testing.T) {
	for _, port := range []uint16{143, 4143} {
		dissecttest.Check(t, session(t, port), []dissecttest.Row{
			{4, "imap.request.username", "bob"},
			{4, "imap.request.password", "secret"},
			{4, "imap.request.folder", "Drafts"},
			{4, "imap.request.command.uid", "True"},
			{4, "info", "Request: b UID COPY 1 Drafts"},
			{5, "imap.response_to", "4,4"},
			{5, "imap.response.status", "OK,NO"},
			{8, "imap.literal.reassembled.in", "9"},
			{9, "imf.subject", "one"},
			{11, "imap.response_to", "6"},
			{13, "imf.subject", "two"},
			{13, "imap.response_to", "12"},
			{14, "imap.literal", "626f62"},
			{15, "imap.response.status", "BAD"},
			{18, "imap.request_tag", ""},
			{19, "imap.response_to", "16"},
		})
	}
}

func TestStandard(t *testing.T) {
	s := session(t, 143)
	dissecttest.Redissections(t, s)
	dissecttest.Owned(t, s)
	dissecttest.Fields(t, s)
}

func TestHostile(t *testing.T) { dissecttest.Mutations(t, protocols.All(), session(t, 143), 40) }

// TestSTARTTLS holds that what comes behind the answers to STARTTLS and STLS is TLS with the same protocol inside.
func TestSTARTTLS(t *testing.T) {
	dissecttest.Check(t, dissecttest.Load(t, protocols.All(), "testdata/starttls.pcapng"), []dissecttest.Row{
		{12, "tls.handshake.type", "Client Hello (1)"},
		{12, "imap.line", ""},
		{23, "imap.request.username", "bob"},
		{46, "tls.handshake.type", "Client Hello (1)"},
		{56, "pop.request.parameter", "secret"},
		{61, "imf.subject", "hello"},
		{86, "imap.request.password", "secret"},
	})
}
