package print

import (
	"bufio"
	"fmt"
	"strings"

	"remora/dissect"
)

// credentials is credentials: who logged in without secrecy, in which packet. Passwords are not printed.
type credentials struct {
	s      *dissect.Session
	user   map[dissect.FieldID]string // fields that hold a name where it logs in, with what the protocol is called
	verb   map[dissect.FieldID]string // fields of commands, of protocols that tell the name in one command and the password in another
	args   map[dissect.FieldID]bool   // those of their arguments
	smtp   [2]dissect.FieldID         // name and password, in one packet or in two
	marks  []*dissect.Field           // one of each protocol, to know which packets to look at
	wants  *dissect.Wants
	told   map[uint32]named // by conversation: the name that waits for its password
	logins []login
}

type named struct {
	name string
	in   dissect.FrameNum
}

type login struct {
	in                   dissect.FrameNum
	protocol, name, info string
}

func newCredentials(r *request) (counter, []string, error) {
	c := &credentials{s: r.s, user: map[dissect.FieldID]string{}, verb: map[dissect.FieldID]string{}, args: map[dissect.FieldID]bool{}, told: map[uint32]named{}}
	take := func(name string) dissect.FieldID {
		f := r.s.Registry().Field(name)
		if f == nil {
			return 0
		}
		c.marks = append(c.marks, f)
		return f.ID()
	}
	c.user[take("http.authbasic")] = "HTTP basic auth"
	c.user[take("imap.request.username")] = "IMAP"
	c.smtp = [2]dissect.FieldID{take("smtp.auth.username"), take("smtp.auth.password")}
	c.verb[take("ftp.request.command")], c.args[take("ftp.request.arg")] = "FTP", true
	c.verb[take("pop.request.command")], c.args[take("pop.request.parameter")] = "POP3", true
	c.wants = r.s.Registry().Wants(c.marks...)
	return c, []string{r.rest(0)}, nil
}

func (c *credentials) mayHave(n dissect.FrameNum) bool {
	sh := c.s.ShapeOf(n)
	for _, f := range c.marks {
		if c.s.MayHave(sh, f) {
			return true
		}
	}
	return false
}

func (c *credentials) add(l *dissect.Looker, n dissect.FrameNum, _ int) {
	if !c.mayHave(n) {
		return
	}
	conv := c.s.ConversationOf(n)
	t := l.Look(n, c.wants)
	verb, protocol := "", ""
	for i := range t.Nodes {
		id := t.Nodes[i].Field
		switch {
		case c.user[id] != "":
			name, _, _ := strings.Cut(t.Text(i), ":")
			c.login(login{in: n, protocol: c.user[id], name: name})
		case id == c.smtp[0]:
			c.tell(conv, t.Text(i), n)
		case id == c.smtp[1]:
			if was, ok := c.told[conv]; ok {
				info := ""
				if was.in != n {
					info = usernameIn("SMTP", was.in)
				}
				c.login(login{n, "SMTP", was.name, info})
			}
		case c.verb[id] != "":
			verb, protocol = strings.ToUpper(t.Text(i)), c.verb[id]
			if was, ok := c.told[conv]; ok && verb == "PASS" {
				c.login(login{n, protocol, was.name, usernameIn(protocol, was.in)})
			}
		case c.args[id] && verb == "USER":
			c.tell(conv, t.Text(i), n)
		}
	}
}

// usernameIn says where the name stands, as the protocols' dissectors of tshark do.
func usernameIn(protocol string, in dissect.FrameNum) string {
	if protocol == "FTP" {
		return fmt.Sprintf("Username in packet: %d", in)
	}
	return fmt.Sprintf("Username in packet %d", in)
}

// tell keeps a name until its password comes.
func (c *credentials) tell(conv uint32, name string, n dissect.FrameNum) {
	if len(c.told) < maxRows || c.told[conv].in != 0 {
		c.told[conv] = named{name, n}
	}
}

func (c *credentials) login(l login) {
	if len(c.logins) < maxRows {
		c.logins = append(c.logins, l)
	}
}

func (c *credentials) print(w *bufio.Writer) {
	const form = "%-10s %-16s %-16s %-16s\n"
	heads := fmt.Sprintf(form, "------", "--------", "--------", "--------")
	w.WriteString(narrowRule)
	fmt.Fprintf(w, form, "Packet", "Protocol", "Username", "Info")
	w.WriteString(strings.TrimRight(heads, " \n") + "\n")
	for _, l := range c.logins {
		fmt.Fprintf(w, form, fmt.Sprint(l.in), l.protocol, dissect.Escape(l.name), l.info)
	}
	w.WriteString(narrowRule)
}
