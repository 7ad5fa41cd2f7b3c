package print

import (
	"bufio"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/dissect/follow"
	"remora/dissect/tap"
)

// followed is follow: what one conversation said. It is put together when everything has passed.
type followed struct {
	s          *dissect.Session
	what, form string
	number     uint64    // of the stream or game, unless ends say which
	ends       [2]string // "address:port"
	from, to   int       // chunks to print, counted from 1; to 0 is the last
}

// transportsOf are those whose conversations can be followed.
func transportsOf(reg *dissect.Registry) (list []dissect.Table) {
	for _, t := range reg.Transports() {
		list = append(list, t.Table)
	}
	return list
}

// wordOf is a transport's name.
func wordOf(t dissect.Table) string { return strings.TrimSuffix(string(t), ".port") }

// followable are the words for what is followed: transports, and the modes of protocols over streams.
func followable(reg *dissect.Registry) (words []string) {
	for _, t := range transportsOf(reg) {
		words = append(words, wordOf(t))
	}
	for _, m := range reg.FollowModes() {
		if m.Transport != dissect.TableUDP && !slices.Contains(words, m.Name) {
			words = append(words, m.Name)
		}
	}
	return append(words, "game")
}

// conversationsOf is the transport that numbers the conversations of what is followed; of a game it is the game itself.
func conversationsOf(reg *dissect.Registry, what string) string {
	if what == "game" || slices.ContainsFunc(transportsOf(reg), func(t dissect.Table) bool { return wordOf(t) == what }) {
		return what
	}
	return wordOf(dissect.TableTCP)
}

func newFollow(r *request) (counter, []string, error) {
	what, err := r.oneOf(0, followable(r.s.Registry())...)
	if err != nil {
		return nil, nil, err
	}
	form, err := r.oneOf(1, "ascii", "hex", "raw", "messages")
	if err != nil {
		return nil, nil, err
	}
	f := &followed{s: r.s, what: what, form: form, from: 1}
	rest := r.args[2:]
	if len(rest) == 0 {
		return nil, nil,
			r.wrong("it takes the number of a conversation, as %s.stream has it", conversationsOf(r.s.Registry(), what))
	}
	if f.number, err = strconv.ParseUint(rest[0], 10, 32); err == nil {
		rest = rest[1:]
	} else {
		if len(rest) < 2 || what == "game" {
			return nil, nil, r.wrong("%s is not a number; two ends are ADDRESS:PORT,ADDRESS:PORT", dissect.Escape(rest[0]))
		}
		for i := range f.ends {
			end, err := parseEnd(rest[i])
			if err != nil {
				return nil, nil, r.wrong("%s is not an endpoint: write ADDRESS:PORT", dissect.Escape(rest[i]))
			}
			f.ends[i] = end
		}
		rest = rest[2:]
	}
	if len(rest) > 1 {
		return nil, nil, r.wrong("there is too much behind the conversation")
	}
	if len(rest) == 1 {
		if f.from, f.to, err = parseRange(rest[0]); err != nil {
			return nil, nil, r.wrong("%s is not a range of chunks, such as 3 or 3-7", dissect.Escape(rest[0]))
		}
	}
	return f, nil, nil
}

// parseEnd reads an address and a port, and writes them in one way: without brackets.
func parseEnd(s string) (string, error) {
	at := strings.LastIndexByte(s, ':')
	if at < 0 {
		return "", strconv.ErrSyntax
	}
	addr, err := netip.ParseAddr(strings.Trim(s[:at], "[]"))
	if err != nil {
		return "", err
	}
	port, err := strconv.ParseUint(s[at+1:], 10, 16)
	if err != nil {
		return "", err
	}
	return addr.String() + ":" + strconv.FormatUint(port, 10), nil
}

func parseRange(s string) (from, to int, err error) {
	a, b, two := strings.Cut(s, "-")
	if from, err = strconv.Atoi(a); err != nil || from < 1 {
		return 0, 0, strconv.ErrSyntax
	}
	if to = from; two {
		if to, err = strconv.Atoi(b); err != nil || to < from {
			return 0, 0, strconv.ErrSyntax
		}
	}
	return from, to, nil
}

func (f *followed) add(*dissect.Dissector, dissect.FrameNum, int) {}

// find is the conversation that is asked for, or nil.
func (f *followed) find() *follow.Stream {
	if f.what == "game" {
		return follow.NewGame(f.s, uint32(f.number))
	}
	transport, what := dissect.TableTCP, f.what
	for _, t := range transportsOf(f.s.Registry()) {
		if f.what == wordOf(t) {
			transport, what = t, follow.Transport
		}
	}
	for id := uint32(1); int(id) <= f.s.Conversations(); id++ {
		c := f.s.Conversation(id)
		if c.Transport != transport {
			continue
		}
		a, b := endName(c.A, true), endName(c.B, true)
		byEnds := f.ends[0] != "" && (a == f.ends[0] && b == f.ends[1] || a == f.ends[1] && b == f.ends[0])
		if byEnds || f.ends[0] == "" && uint64(c.Stream) == f.number {
			return follow.NewOf(f.s, id, what)
		}
	}
	return nil
}

// oneWay is the filter for what goes from one of the ends to the other.
func (f *followed) oneWay(from, to int) string {
	transport := conversationsOf(f.s.Registry(), f.what)
	half := func(end, side string) string {
		at, ip := strings.LastIndexByte(end, ':'), addressWord(f.s.Registry(), dissect.TypeIPv4)
		if strings.Contains(end[:at], ":") {
			ip = addressWord(f.s.Registry(), dissect.TypeIPv6)
		}
		return fmt.Sprintf("(%s.%s eq %s and %s.%sport eq %s)", ip, side, end[:at], transport, side, end[at+1:])
	}
	return "(" + half(f.ends[from], "src") + " and " + half(f.ends[to], "dst") + ")"
}

// addressWord is the name of the protocol that has addresses of a type.
func addressWord(reg *dissect.Registry, t dissect.Type) string {
	if p := reg.AddressLayer(t); p != nil {
		return p.Name()
	}
	return "addr"
}

func (f *followed) print(w *bufio.Writer) {
	fmt.Fprintf(w, "\n%sFollow: %s,%s\n", tap.NarrowRule, f.what, f.form)
	t := f.find()
	stream := conversationsOf(f.s.Registry(), f.what) + ".stream"
	switch {
	case f.what == "game":
		fmt.Fprintf(w, "Filter: game %d\n", f.number)
	case f.ends[0] != "":
		fmt.Fprintf(w, "Filter: %s or %s\n", f.oneWay(0, 1), f.oneWay(1, 0))
	default:
		fmt.Fprintf(w, "Filter: %s eq %d\n", stream, f.number)
	}
	if t == nil {
		fmt.Fprintf(w, "Node 0: :0\nNode 1: :0\n%s", tap.NarrowRule)
		return
	}
	c := t.Conversation()
	fmt.Fprintf(w, "Node 0: %s\nNode 1: %s\n", endName(c.A, true), endName(c.B, true))
	t.CollectPassed()
	var at [2]int // bytes so far in each direction
	chunk := 0
	for i := range t.Len() {
		u := t.Unit(i)
		if f.form != "messages" && len(u.Data) == 0 && u.Missing == 0 {
			continue
		}
		if chunk++; chunk >= f.from && (f.to == 0 || chunk <= f.to) {
			f.unit(w, &u, at[u.Dir&1])
		}
		at[u.Dir&1] += len(u.Data)
		if u.Missing > 0 && f.form == "hex" {
			at[u.Dir&1] += len(missing(&u))
		}
	}
	w.WriteString(tap.NarrowRule)
}

// unit prints what one packet said. The offset is that of its first byte in its direction.
func (f *followed) unit(w *bufio.Writer, u *follow.Unit, offset int) {
	tab := ""
	if u.Dir == 1 {
		tab = "\t"
	}
	if u.Missing > 0 && f.form != "raw" && f.form != "hex" {
		fmt.Fprintf(w, "%s[%d bytes missing in capture file]\n", tab, u.Missing)
	}
	switch f.form {
	case "messages":
		f.message(w, u)
	case "raw":
		fmt.Fprintf(w, "%s%x\n", tab, u.Data)
	case "hex":
		if u.Missing > 0 {
			gap := missing(u)
			hexRows(w, tab, offset, gap)
			offset += len(gap)
		}
		hexRows(w, tab, offset, u.Data)
	default:
		fmt.Fprintf(w, "%s%d\n", tab, len(u.Data))
		for _, c := range u.Data {
			if (c < 0x20 || c > 0x7e) && c != '\n' && c != '\r' && c != '\t' {
				c = '.'
			}
			w.WriteByte(c)
		}
		w.WriteByte('\n')
	}
}

// missing is what tshark has among the bytes where some were not captured.
func missing(u *follow.Unit) []byte {
	return fmt.Appendf(nil, "[%d bytes missing in capture file]\x00", u.Missing)
}

func hexRows(w *bufio.Writer, tab string, offset int, b []byte) {
	for i := 0; i < len(b); i += 16 {
		w.WriteString(tab)
		hexRow(w, offset+i, b[i:min(len(b), i+16)])
	}
}

// hexRow is a line of tshark's hex dump: offset, sixteen bytes in two halves, the same as text.
func hexRow(w *bufio.Writer, offset int, b []byte) {
	fmt.Fprintf(w, "%08X  ", offset)
	text := make([]byte, 0, 17)
	for i := range 16 {
		if i == 8 {
			w.WriteByte(' ')
			if i < len(b) {
				text = append(text, ' ')
			}
		}
		if i >= len(b) {
			w.WriteString("   ")
			continue
		}
		fmt.Fprintf(w, "%02x ", b[i])
		c := b[i]
		if c < 0x20 || c > 0x7e {
			c = '.'
		}
		text = append(text, c)
	}
	fmt.Fprintf(w, " %s\n", strings.TrimRight(string(text), " "))
}

// message prints the packet's messages, one a line: when, from whom, what.
func (f *followed) message(w *bufio.Writer, u *follow.Unit) {
	c := f.s.Conversation(u.Conv)
	from, to := c.A, c.B
	if u.Dir == 1 {
		from, to = to, from
	}
	head := fmt.Sprintf("%s %d %s -> %s", seconds(u.Time-f.s.Store().Time(0), 6), u.Frame, endName(from, from.Port != 0),
		endName(to, to.Port != 0))
	if len(u.Parts) == 0 {
		fmt.Fprintf(w, "%s %s %s%s\n", head, dissect.Escape(u.Kind), u.Info, repeatText(u.Repeat))
	}
	for _, p := range u.Parts {
		fmt.Fprintf(w, "%s %s %s%s\n", head, dissect.Escape(p.Kind), p.Text, repeatText(p.Repeat))
	}
}

func repeatText(repeat bool) string {
	if repeat {
		return " (repeat)"
	}
	return ""
}
