package imf_test

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// mail is a message as a server of SMTP gets it.
func mail(t *testing.T, text string) *dissect.Session {
	return dissecttest.Session(t, protocols.All(), 101, dissecttest.Stream(25,
		"S:220 ready\r\n", "C:DATA\r\n", "S:354 go on\r\n", "C:"+text+".\r\n"))
}

const text = "Received: from a\r\n\tby b\r\nFrom: \"B, Bob\" <bob@example.com>, carol@example.com (Carol, C.)\r\n" +
	"Reply-To: <x@example.com>\r\nX-Own: 1\r\nContent-Type: text/plain; charset=utf-8\r\nno " +
	"colon\r\nSubject:\r\n\r\nOne\r\nTwo\r\n"

func TestHeader(t *testing.T) {
	dissecttest.Check(t, mail(t, text), []dissecttest.Row{
		{6, "imf.received", `from a\r\n\tby b`},
		{6, "imf.mailbox_list.item", `"B, Bob" <bob@example.com>,carol@example.com (Carol, C.)`},
		{6, "imf.display_name", `"B, Bob"`},
		{6, "imf.address", "bob@example.com,carol@example.com (Carol, C.),x@example.com"},
		{6, "imf.extension.type", "X-Own"},
		{6, "imf.extension.value", "1"},
		{6, "imf.content.type.type", "text/plain"},
		{6, "imf.content.type.parameters", " charset=utf-8"},
		{6, "data-text-lines.line", `One\r\n,Two\r\n`},
	})
}

func TestHostile(t *testing.T) {
	s := mail(t, text)
	dissecttest.Owned(t, s)
	dissecttest.Mutations(t, protocols.All(), s, 40)
	dissecttest.Redissections(t, mail(t, "To: "+strings.Repeat("<,\"(", 3000)+"\r\n"))
	dissecttest.Redissections(t, mail(t, strings.Repeat("a:\r\n", 3000)))
}
