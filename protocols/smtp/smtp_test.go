package smtp_test

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// talk is a conversation with pipelined commands, a message in pieces, a chunk, and a refusal.
var talk = []string{
	"S:220 mail.example.com ESMTP\r\n",
	"C:EHLO alice\r\n",
	"S:250-mail.example.com\r\n250-PIPELINING\r\n250 CHUNKING\r\n",
	"C:MAIL FROM:<a@example.com>\r\nRCPT TO:<b@example.com>\r\nDATA\r\n",
	"S:250 2.1.0 Ok\r\n250 2.1.5 Ok\r\n354 Go on\r\n",
	"C:Subject: one\r\n\r\none",
	"C: line\r\n..\r\nlast\r",
	"C:\n.\r\nMAIL FROM:<a@example.com>\r\n",
	"S:250 2.0.0 Queued\r\n250 2.1.0 Ok\r\n",
	"C:BDAT 16\r\nSubject: two\r\n\r\nBDAT 5 LAST\r\nhello",
	"S:250 16 bytes\r\n250 2.0.0 Queued\r\n",
	"C:AUTH PLAIN\r\n",
	"S:334 \r\n",
	"C:AGFsaWNlAHNlY3JldA==\r\n",
	"S:535 5.7.8 No\r\n",
	"C:AUTH CRAM-MD5\r\n",
	"S:334 PDFAZXhhbXBsZT4=\r\n",
	"C:*\r\n",
	"S:501 5.7.0 Cancelled\r\n",
	"C:NOSUCH thing\r\nQUIT\r\n",
	"S:500 5.5.1 What?\r\n221 Bye\r\n",
}

func session(t *testing.T, port uint16) *dissect.Session {
	return dissecttest.Session(t, protocols.All(), 101, dissecttest.Stream(port, talk...))
}

// TestTalk reads the conversation on the port of SMTP, and on another where the greeting tells.
func TestTalk(t *testing.T) {
	for _, port := range []uint16{25, 2525} {
		s := session(t, port)
		dissecttest.Check(t, s, []dissecttest.Row{
			{3, "info", "S: 220 mail.example.com ESMTP"},
			{5, "info", "S: 250-mail.example.com | PIPELINING | CHUNKING"},
			{5, "smtp.response.code", "Requested mail action okay, completed (250),Requested mail action okay, completed " +
				"(250),Requested mail action okay, completed (250)"},
			{5, "smtp.response_to", "4"},
			{6, "info", "C: MAIL FROM:<a@example.com> | RCPT TO:<b@example.com> | DATA"},
			{6, "smtp.req.command", "MAIL,RCPT,DATA"},
			{7, "smtp.response_to", "6,6,6"},
			{8, "info", "C: DATA fragment, 19 bytes"},
			{8, "smtp.data.reassembled.in", "10"},
			{10, "imf.subject", "one"},
			{10, "imf.message_text.line", `one line\r\n,..\r\n,last\r\n`},
			{10, "smtp.data.fragment", "8,9,10"},
			{10, "smtp.req.command", "MAIL"},
			{11, "smtp.response_to", "10,10"},
			{12, "smtp.req.command", "BDAT,BDAT"},
			{12, "imf.subject", "two"},
			{13, "smtp.response_to", "12,12"},
			{16, "smtp.auth.username", "alice"},
			{16, "smtp.auth.password", "secret"},
			{17, "smtp.response_to", "14"},
			{20, "smtp.command_line", `*\r\n`},
			{20, "smtp.req.command", ""},
			{21, "smtp.response_to", "18"},
			{23, "smtp.time", "0.001000000,0.001000000"},
		})
	}
}

func TestStandard(t *testing.T) {
	s := session(t, 25)
	dissecttest.Redissections(t, s)
	dissecttest.Owned(t, s)
	dissecttest.Fields(t, s)
}

func TestHostile(t *testing.T) { dissecttest.Mutations(t, protocols.All(), session(t, 25), 40) }

// TestSTARTTLS holds that what comes behind the answer to STARTTLS is TLS with SMTP inside.
func TestSTARTTLS(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), "testdata/starttls.pcapng",
		dissect.DecodeAs{Table: dissect.TableTCP, Value: 2525, Protocol: "smtp"})
	dissecttest.Check(t, s, []dissecttest.Row{
		{17, "tls.handshake.type", "Client Hello (1)"},
		{17, "smtp.req.command", ""},
		{21, "smtp.req.command", "ehlo"},
		{29, "smtp.auth.username", "alice"},
		{41, "imf.cc", "dave@example.com"},
	})
}
