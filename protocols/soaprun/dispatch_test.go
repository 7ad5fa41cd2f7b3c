package soaprun

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

const ask = "GET /rochet/en_0x_kb/server.cgi HTTP/1.1\r\nHost: hpcgi2.nifty.com\r\nUser-Agent: Soaprun1\r\n\r\n"

// dispatched is a dispatch connection with one reply, and the frame in which the reply is read.
func dispatched(t *testing.T, reply string, sizes ...int) (*dissect.Session, dissect.FrameNum) {
	k := newTalk(t, 80)
	k.say(client, []byte(ask))
	k.pieces(host, []byte(reply), sizes...)
	k.end(host)
	s := k.session()
	for n := dissect.FrameNum(s.Passed()); n > 4; n-- {
		if s.Tree(n).Protocol() == proto {
			return s, n
		}
	}
	t.Fatalf("no reply was found in %q", reply)
	return nil, 0
}

// TestReplies holds replies against the rules of the game: what is read, what is shown, which rule is broken.
func TestReplies(t *testing.T) {
	head := "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"
	cases := []struct {
		name, reply, info string
		fields            string // "name=value; name=value", all of their values joined by commas
		notes             string
	}{
		{"S12", s12, "DISPATCH_REPLY open, 10.0.0.9:1002", "status=OPEN; open=yes; ip=10.0.0.9; port=1002; " +
			"protocol=Soaprun; version=64; comment=a%21+b,<br>; comment.text=a! b,; comment.shown=no,no; accepted=yes; " +
			"date=110205-222220", ""},
		{"closed", head + "<html>\r\nPixel<br>\r\n1\tclose\t127.0.0.1\t1002\tSoaprun\t64\tServer+closed%21\t<br>\t%82%BB%82" +
			"%A4\t\r\n</html>\r\n", `DISPATCH_REPLY closed, 127.0.0.1:1002 "Server closed!" "そう"`,
			"open=no; comment.text=Server closed!,,そう; comment.shown=yes,yes,yes; accepted=no", "dispatch.closed"},
		{"open in other letters", "<html\nPixel\nx\toPeN\t1.2.3.4\t99\tSoaprun\t64", "DISPATCH_REPLY open, 1.2.3.4:99",
			"open=yes; accepted=yes; port=99", ""},
		{"CR alone", "<html\rPixel\rx\topen\t1.2.3.4\t99\tSoaprun\t64\r", "DISPATCH_REPLY open, 1.2.3.4:99",
			"open=yes; accepted=yes", ""},
		{"no marker", head + "<HTML>\nPixel\nx\topen\n", "DISPATCH_REPLY not understood by the game: There is no <html in it",
			"accepted=no", "dispatch.refused"},
		{"another page", "<html>\n<body>\nPixel\n",
			"DISPATCH_REPLY not understood by the game: The line behind <html does not begin with Pixel", "accepted=no",
			"dispatch.refused"},
		{"no record", "<html>\nPixel\n",
			"DISPATCH_REPLY not understood by the game: There is no record behind the line with Pixel", "accepted=no",
			"dispatch.refused"},
		{"another protocol", "<html>\nPixel\nx\topen\t1.2.3.4\t9\tGuxt\t64\n</html>",
			`DISPATCH_REPLY refused by the game: The protocol is "Guxt", not Soaprun`, "accepted=no; protocol=Guxt",
			"dispatch.refused"},
		{"another version", "<html>\nPixel\nx\topen\t1.2.3.4\t9\tSoaprun\t63\n</html>",
			"DISPATCH_REPLY refused by the game: The version is 63, not 64", "accepted=no; version=63", "dispatch.refused"},
		{"bad port", "<html>\nPixel\nx\topen\t1.2.3.4\t70000\tSoaprun\t64\n</html>", "DISPATCH_REPLY open, 1.2.3.4:70000",
			"port=70000", "dispatch.port.bad"},
		{"a marker inside a two-byte character", "\x83<html\n<html\nPixel\nx\topen\t1.2.3.4\t9\tSoaprun\t64\n</html>",
			"DISPATCH_REPLY open, 1.2.3.4:9", "accepted=yes", ""},
		{"the form of older versions",
			head + "<html><body>\nPixel<br>\nOK.\nx\topen\t1.2.3.4\t9\tSoaprun\t64\n</body></html>\n",
			"DISPATCH_REPLY not understood by the game: The line behind Pixel is OK., which only older versions of the game " +
				"expect in front of the record", "record=OK.; accepted=no", "dispatch.refused"},
		{"long comment", "<html\nPixel\nx\tshut\t1.2.3.4\t9\tSoaprun\t64\t0123456789012345678901234567\n</html>",
			`DISPATCH_REPLY closed, 1.2.3.4:9 "01234567890123456789012"`, "comment.text=01234567890123456789012",
			"dispatch.closed"},
		{"seven comments", "<html\nPixel\nx\topen\t1.2.3.4\t9\tSoaprun\t64\ta\tb\tc\td\te\tf\tg\th\n</html>",
			"DISPATCH_REPLY open, 1.2.3.4:9", `comment=a,b,c,d,e,f; excess=g\th`, ""},
		{"leading TABs", "<html\nPixel\n\t\tx\t\topen\t1.2.3.4\t9\tSoaprun\t64\n</html>", "DISPATCH_REPLY open, 1.2.3.4:9",
			"date=x; status=open", ""},
		{"Content-Length",
			"HTTP/1.1 200 OK\r\nContent-Length: 45\r\n\r\n<html>\nPixel\nx\topen\t1.2.3.4\t9999\tSoaprun\t64\n!",
			"DISPATCH_REPLY open, 1.2.3.4:9999", "accepted=yes", ""},
	}
	for _, c := range cases {
		for _, size := range []int{1 << 20, 1, 7} {
			s, n := dispatched(t, c.reply, size)
			tree := s.Tree(n)
			if tree.InfoLine() != c.info {
				t.Errorf("%s: info %q, want %q", c.name, tree.InfoLine(), c.info)
			}
			for _, f := range strings.Split(c.fields, "; ") {
				name, want, _ := strings.Cut(f, "=")
				if got := dissecttest.All(tree, "soaprun.dispatch."+name); got != want {
					t.Errorf("%s: %s is %q, want %q", c.name, name, got, want)
				}
			}
			if got := marked(s, n); got != c.notes {
				t.Errorf("%s: notes %q, want %q", c.name, got, c.notes)
			}
			dissecttest.Owned(t, s)
			dissecttest.Redissections(t, s)
		}
	}
}

// TestRequests reads the game's request and that of the administration.
func TestRequests(t *testing.T) {
	k := newTalk(t, 80)
	n := k.say(client, []byte(strings.Replace(ask, ".cgi", ".cgi?status=close&ip=1.2.3.4&port=7&comment0=a%21+b", 1)))
	reply := k.say(host, []byte("<html><body>\nPixel<br>\nOK.\n</body></html>\n"))
	s := k.session()
	if got := s.Tree(reply).InfoLine(); got != "DISPATCH_REPLY settings accepted" || marked(s, reply) != "" {
		t.Errorf("info %q, notes %q", got, marked(s, reply))
	}
	if got, want := s.Tree(n).InfoLine(), "DISPATCH_ADMIN sets the server to close, 1.2.3.4:7"; got != want {
		t.Errorf("info %q, want %q", got, want)
	}
	for name, want := range map[string]string{"path": "/rochet/en_0x_kb/server.cgi",
		"parameter.name": "status,ip,port,comment0", "parameter.value": "close,1.2.3.4,7,a! b",
		"header": `Host: hpcgi2.nifty.com\r\n,User-Agent: Soaprun1\r\n,\r\n`} {
		if got := dissecttest.All(s.Tree(n), "soaprun.dispatch."+name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	dissecttest.Owned(t, s)
}

// TestFollow goes to the server that a dispatch names, on a port that nobody knows: an answer alone says too little of
// what it is, but not there.
func TestFollow(t *testing.T) {
	named := newTalk(t, 80)
	named.say(client, []byte(ask))
	reply := named.say(host, []byte("<html\nPixel\nx\topen\t10.0.0.2\t4321\tSoaprun\t64\n</html>\n"))
	for _, known := range []bool{false, true} {
		for _, first := range []string{s10void, s1} {
			stranger := newTalk(t, 4321)
			n := stranger.hex(host, first)
			k := &talk{t: t}
			if known {
				n += dissect.FrameNum(len(named.packets))
				k.packets = append(k.packets, named.packets...)
			}
			k.packets = append(k.packets, stranger.packets...)
			s := k.session()
			if got, want := s.Tree(n).Protocol() == proto, known || first == s1; got != want {
				t.Errorf("named %v, first message %s: taken: %v", known, first, got)
			}
			if known && first == s1 &&
				(value(s, n, "soaprun.dispatch.in") != number(uint64(reply)) ||
					value(s, reply, "soaprun.dispatch.used_in") != number(uint64(n))) {
				t.Errorf("named in %q, used in %q", value(s, n, "soaprun.dispatch.in"), value(s, reply, "soaprun.dispatch.used_in"))
			}
		}
	}
}

// TestRest sends more behind the end of a page.
func TestRest(t *testing.T) {
	k := newTalk(t, 80)
	k.say(client, []byte(ask))
	k.say(host, []byte("<html\nPixel\nx\topen\t10.0.0.2\t4321\tSoaprun\t64\n</html>\n\n"))
	n := k.end(host)
	s := k.session()
	if got := s.Tree(n).InfoLine(); got != "DISPATCH_REPLY rest of the page" {
		t.Errorf("info %q", got)
	}
	dissecttest.Owned(t, s)
}
