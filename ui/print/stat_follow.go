package print

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/charmap"

	"remora/dissect"
	"remora/dissect/follow"
	"remora/dissect/tap"
)

// followed is follow: what one conversation said. It is put together when everything has passed.
type followed struct {
	s          *dissect.Session
	what, form string
	number     uint64              // of the stream or game, unless ends say which
	sub        *uint64             // of the stream within it, or nil
	mode       *dissect.FollowMode // nil: the bytes of the transport
	ends       [2]string           // "address:port"
	from, to   int                 // chunks to print, counted from 1; to 0 is the last
	exact      bool                // only what said something has ends, as tshark has it
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
		if !slices.Contains(words, m.Name) {
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
	if m := modeOf(reg, what); m != nil && m.Transport != "" {
		return wordOf(m.Transport)
	}
	return wordOf(dissect.TableTCP)
}

// modeOf is the mode of a name, or nil.
func modeOf(reg *dissect.Registry, name string) *dissect.FollowMode {
	for _, m := range reg.FollowModes() {
		if m.Name == name {
			return &m
		}
	}
	return nil
}

func newFollow(r *request) (counter, []string, error) {
	what, err := r.oneOf(0, followable(r.s.Registry())...)
	if err != nil {
		return nil, nil, err
	}
	form, err := r.oneOf(1, "ascii", "hex", "raw", "messages", "ebcdic", "yaml")
	if err != nil {
		return nil, nil, err
	}
	f := &followed{s: r.s, what: what, form: form, from: 1, mode: modeOf(r.s.Registry(), what), exact: r.exact}
	rest := r.args[2:]
	if len(rest) == 0 {
		return nil, nil,
			r.wrong("it takes the number of a conversation, as %s.stream has it", conversationsOf(r.s.Registry(), what))
	}
	if f.number, err = strconv.ParseUint(rest[0], 10, 32); err == nil {
		rest = rest[1:]
		if sub, err := strconv.ParseUint(word(rest, 0), 10, 62); err == nil && f.mode != nil && f.mode.Sub != nil {
			f.sub, rest = &sub, rest[1:]
		}
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

// word is one of the words, or nothing.
func word(words []string, i int) string {
	if i < len(words) {
		return words[i]
	}
	return ""
}

func (f *followed) add(*dissect.Dissector, dissect.FrameNum, int) {}

// find is the conversation that is asked for, or nil.
func (f *followed) find() *follow.Stream {
	if f.what == "game" {
		return follow.NewGame(f.s, uint32(f.number))
	}
	transport := dissect.TableTCP
	if f.mode != nil && f.mode.Transport != "" {
		transport = f.mode.Transport
	}
	if f.mode != nil && f.mode.Number != nil && f.ends[0] == "" {
		return f.open(f.numbered())
	}
	for _, t := range transportsOf(f.s.Registry()) {
		if f.what == wordOf(t) {
			transport = t
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
			return f.open(id)
		}
	}
	return nil
}

// open follows a conversation; 0 is none.
func (f *followed) open(id uint32) *follow.Stream {
	what := follow.Transport
	if f.mode != nil {
		what = f.mode.Name
	}
	switch {
	case id == 0:
		return nil
	case f.sub != nil:
		return follow.NewSub(f.s, id, what, *f.sub)
	}
	return follow.NewOf(f.s, id, what)
}

// numbered is the conversation in which the mode's own number is met first, or 0.
func (f *followed) numbered() uint32 {
	l := f.s.GuardedDissector()
	for n := dissect.FrameNum(1); int(n) <= f.s.Passed(); n++ {
		if !f.s.StackHas(f.s.LayerStackOf(n), f.mode.Protocol()) {
			continue
		}
		t := l.Tree(n)
		if at := t.Find(f.mode.Number); at >= 0 && t.Nodes[at].Val == f.number {
			id, _ := f.s.DirectionOf(n)
			return id
		}
	}
	return 0
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

// filter is the display filter for what is followed.
func (f *followed) filter() string {
	if f.what == "game" {
		return fmt.Sprintf("game %d", f.number)
	}
	if f.ends[0] != "" {
		return f.oneWay(0, 1) + " or " + f.oneWay(1, 0)
	}
	name := conversationsOf(f.s.Registry(), f.what) + ".stream"
	if f.mode != nil && f.mode.Number != nil {
		name = f.mode.Number.Name()
	}
	text := fmt.Sprintf("%s eq %d", name, f.number)
	if f.sub != nil {
		text += fmt.Sprintf(" and %s eq %d", f.mode.Sub.Name(), *f.sub)
	}
	return text
}

// node is an end in the head: an address of IPv6 stands in brackets.
func node(e dissect.Endpoint) string {
	if ip := e.Addr.Netip(); ip.Is6() {
		return "[" + e.Addr.String() + "]:" + strconv.Itoa(int(e.Port))
	}
	return endName(e, true)
}

// nodes are the two ends in the head. In tshark those of what a transport carries are learnt from it, and of TLS only
// the one that speaks first.
func (f *followed) nodes(t *follow.Stream) (a, b dissect.Endpoint, names [2]string) {
	names = [2]string{":0", ":0"}
	if t == nil || f.exact && f.mode != nil && !anySaid(t) {
		return a, b, names
	}
	a, b = t.Conversation().A, t.Conversation().B
	names = [2]string{node(a), node(b)}
	if f.exact && f.mode != nil && f.mode.OneEnd {
		b, names[1] = dissect.Endpoint{}, ":0"
	}
	return a, b, names
}

// said tells whether a packet said something in what is followed.
func said(u follow.Unit) bool { return len(u.Data) > 0 || u.Missing > 0 || u.Empty }

func anySaid(t *follow.Stream) bool {
	for i := range t.Len() {
		if said(t.Unit(i)) {
			return true
		}
	}
	return false
}

// head prints what is followed, and between whom.
func (f *followed) head(w *bufio.Writer, t *follow.Stream) {
	a, b, names := f.nodes(t)
	if f.form != "yaml" {
		fmt.Fprintf(w, "\n%sFollow: %s,%s\nFilter: %s\nNode 0: %s\nNode 1: %s\n", tap.NarrowRule, f.what, f.form, f.filter(),
			names[0], names[1])
		return
	}
	w.WriteString("peers:\n")
	for i, e := range [2]dissect.Endpoint{a, b} {
		fmt.Fprintf(w, "  - peer: %d\n    host: %s\n    port: %d\n", i, e.Addr, e.Port)
	}
	w.WriteString("packets:\n")
}

func (f *followed) print(w *bufio.Writer) {
	t := f.find()
	if t != nil {
		t.CollectPassed()
	}
	f.head(w, t)
	if t != nil {
		f.units(w, t)
	}
	if f.form != "yaml" {
		w.WriteString(tap.NarrowRule)
	}
}

// units prints what was said.
func (f *followed) units(w *bufio.Writer, t *follow.Stream) {
	var at [2]int // bytes so far in each direction
	chunk := 0
	for i := range t.Len() {
		u := t.Unit(i)
		if f.form != "messages" && !said(u) {
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
}

// unit prints what one packet said. The offset is that of its first byte in its direction.
func (f *followed) unit(w *bufio.Writer, u *follow.Unit, offset int) {
	tab := ""
	if u.Dir == 1 {
		tab = "\t"
	}
	if u.Missing > 0 && f.form != "raw" && f.form != "hex" && f.form != "yaml" {
		fmt.Fprintf(w, "%s[%d bytes missing in capture file]\n", tab, u.Missing)
	}
	switch f.form {
	case "messages":
		f.message(w, u)
	case "yaml":
		yaml(w, u)
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
		text := u.Data
		if f.form == "ebcdic" {
			text = latin(u.Data)
		}
		for _, c := range text {
			if (c < 0x20 || c > 0x7e) && c != '\n' && c != '\r' {
				c = '.'
			}
			w.WriteByte(c)
		}
		w.WriteByte('\n')
	}
}

// latin is text in EBCDIC as one byte a character; what has none in ASCII is zero.
func latin(b []byte) []byte {
	out := make([]byte, len(b))
	for i, c := range b {
		if r := charmap.CodePage037.DecodeByte(c); r == 0x85 { // the end of a line
			out[i] = '\n'
		} else if r < 0x80 {
			out[i] = byte(r)
		}
	}
	return out
}

// yaml prints what one packet said as tshark does, 57 bytes a line.
func yaml(w *bufio.Writer, u *follow.Unit) {
	fmt.Fprintf(w, "  - packet: %d\n    peer: %d\n    timestamp: %.9f\n    data: !!binary |\n", u.Frame, u.Dir&1,
		float64(u.Time/1e9)+float64(u.Time%1e9)/1e9)
	for line := range slices.Chunk(u.Data, 57) {
		fmt.Fprintf(w, "      %s\n", base64.StdEncoding.EncodeToString(line))
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
