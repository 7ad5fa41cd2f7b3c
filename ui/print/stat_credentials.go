package print

import (
	"bufio"
	"fmt"
	"strings"

	"remora/dissect"
	"remora/dissect/tap"
)

// credentials is credentials: who logged in without secrecy, in which packet. Passwords are not printed.
type credentials struct {
	s        *dissect.Session
	fields   map[dissect.FieldID]*dissect.LoginFields // those that tell of a login
	marks    []*dissect.Field                         // the same, to know which packets to look at
	wants    *dissect.Wants
	reported map[uint32]named // by conversation: the name that waits for its password
	logins   []login
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
	c := &credentials{s: r.s, fields: map[dissect.FieldID]*dissect.LoginFields{}, reported: map[uint32]named{}}
	for _, l := range r.s.Registry().Logins() {
		for _, f := range []*dissect.Field{l.Name, l.User, l.Password, l.Verb, l.Argument} {
			if f != nil {
				c.fields[f.ID()] = l
				c.marks = append(c.marks, f)
			}
		}
	}
	c.wants = r.s.Registry().Wants(c.marks...)
	return c, []string{r.rest(0)}, nil
}

func (c *credentials) mayHave(n dissect.FrameNum) bool {
	sh := c.s.LayerStackOf(n)
	for _, f := range c.marks {
		if c.s.MayHave(sh, f) {
			return true
		}
	}
	return false
}

func (c *credentials) add(l *dissect.Dissector, n dissect.FrameNum, _ int) {
	if !c.mayHave(n) {
		return
	}
	conv := c.s.ConversationOf(n)
	t := l.Redissect(n, c.wants)
	verb := ""
	for i := range t.Nodes {
		l := c.fields[t.Nodes[i].Field]
		if l == nil {
			continue
		}
		switch t.Field(i) {
		case l.Name:
			name, _, _ := strings.Cut(t.Text(i), ":")
			c.login(login{in: n, protocol: l.Title, name: name})
		case l.User:
			c.report(conv, t.Text(i), n)
		case l.Password:
			c.complete(l, conv, n)
		case l.Verb:
			if verb = strings.ToUpper(t.Text(i)); verb == "PASS" {
				c.complete(l, conv, n)
			}
		case l.Argument:
			if verb == "USER" {
				c.report(conv, t.Text(i), n)
			}
		}
	}
}

// complete makes a login of the name that waits for its password, if there is one, and says where it stands.
func (c *credentials) complete(l *dissect.LoginFields, conv uint32, n dissect.FrameNum) {
	was, ok := c.reported[conv]
	if !ok {
		return
	}
	info := ""
	if was.in != n || l.Verb != nil {
		info = fmt.Sprintf(l.Info, was.in)
	}
	c.login(login{n, l.Title, was.name, info})
}

// report keeps a name until its password comes.
func (c *credentials) report(conv uint32, name string, n dissect.FrameNum) {
	if len(c.reported) < tap.MaxRows || c.reported[conv].in != 0 {
		c.reported[conv] = named{name, n}
	}
}

func (c *credentials) login(l login) {
	if len(c.logins) < tap.MaxRows {
		c.logins = append(c.logins, l)
	}
}

func (c *credentials) print(w *bufio.Writer) {
	const form = "%-10s %-16s %-16s %-16s\n"
	heads := fmt.Sprintf(form, "------", "--------", "--------", "--------")
	w.WriteString(tap.NarrowRule)
	fmt.Fprintf(w, form, "Packet", "Protocol", "Username", "Info")
	w.WriteString(strings.TrimRight(heads, " \n") + "\n")
	for _, l := range c.logins {
		fmt.Fprintf(w, form, fmt.Sprint(l.in), l.protocol, dissect.Escape(l.name), l.info)
	}
	w.WriteString(tap.NarrowRule)
}
