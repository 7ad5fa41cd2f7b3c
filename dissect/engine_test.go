package dissect_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// A little stack for the engine's own tests: link (src, dst, ports), then whatever speaks.
var (
	link = dissect.NewProtocol("link", "Link", "Addresses and ports of the engine's tests.").
		Summary("Link, {src} to {dst}")
	lSrc   = link.IPv4("src", "Source", "Sender.")
	lDst   = link.IPv4("dst", "Destination", "Receiver.")
	lFrom  = link.Uint16("from", "From", "Port of the sender.").Also(lPort)
	lTo    = link.Uint16("to", "To", "Port of the receiver.").Also(lPort)
	lPort  = link.Uint16("port", "Port", "Port of either end.")
	talk   = dissect.NewProtocol("talk", "Talk", "A protocol with state.")
	tKind  = talk.Kind("type", "Type", dissect.Values{1: "ASK", 2: "ANSWER", 0x0304: "WIDE", 9: "BOMB"}, "What it is.")
	tKey   = talk.Uint8("key", "Key", "Joins question and answer.")
	tIn    = talk.FrameRef("in", "Answer in", "Where the answer is.")
	tTo    = talk.FrameRef("to", "Answer to", "Where the question is.")
	tTime  = talk.Span("time", "Time", "How long the answer took.").Derived()
	tCount = talk.Uint32("count", "Count", "Packets of this direction so far.").Derived()
	tBits  = talk.Flags8("bits", "Bits",
		[]dissect.Flag{{Name: "low", Label: "Low", Mask: 1, Doc: "Lowest."},
			{Name: "high", Label: "High", Mask: 0x80, Doc: "Highest."}}, "Flags.")
	tText    = talk.String("text", "Text", "Words.")
	tOdd     = talk.Expert("odd", dissect.Warn, "Odd packet")
	talkers  = dissect.NewStore[[2]uint32, uint32]()
	rest     = dissect.NewProtocol("data", "Data", "Bytes.").Quiet()
	restData = rest.Bytes("data", "Data", "Bytes.")
)

func plugins() []dissect.Plugin {
	return []dissect.Plugin{
		{Protocol: link, On: []dissect.Key{{Table: dissect.TableRoot, Value: 0}}, Dissect: dissectLink},
		{Protocol: talk, UDP: []uint16{7}, Dissect: dissectTalk, Endpoints: true,
			Guess: func(d *dissect.D) dissect.Confidence {
				if bytes.HasPrefix(d.Data(), []byte{1, 0xaa}) {
					return dissect.Strong
				}
				if d.Peek(0) == 2 {
					return dissect.Likely
				}
				return dissect.Weak
			}},
		{Protocol: rest, Dissect: func(d *dissect.D) { d.Rest(restData) }},
	}
}

func dissectLink(d *dissect.D) {
	src, dst := d.IPv4(lSrc), d.IPv4(lDst)
	d.Ends().Set(src, dst)
	from, to := uint16(d.Uint(lFrom)), uint16(d.Uint(lTo))
	if d.Short() {
		return
	}
	d.Ends().Converse(dissect.TableUDP, from, to)
	d.Inner().NextPort(dissect.TableUDP, from, to)
}

func dissectTalk(d *dissect.D) {
	kind := d.Kind(tKind, 3)
	key := d.Uint(tKey)
	switch kind {
	case 1:
		d.Request(key, tIn)
	case 2:
		d.Response(key, tIn, tTo, tTime)
	case 9:
		panic("bomb")
	default:
		d.Expert(tOdd)
	}
	count := talkers.FirstPass(d, func(s *[2]uint32) uint32 { s[d.Dir]++; return s[d.Dir] })
	d.Set(tCount, uint64(count))
	d.Uint(tBits)
	if n := int(d.Peek(0)); n > 0 && d.More() {
		d.Skip(1)
		d.Within(n, func() { d.Rest(tText) })
	}
	d.Info().Set("key {key}[, {text}]")
}

func packet(from, to uint16, payload ...byte) []byte {
	b := []byte{10, 0, 0, 1, 10, 0, 0, 2}
	if from > to {
		b = []byte{10, 0, 0, 2, 10, 0, 0, 1}
	}
	return append(append(b, byte(from>>8), byte(from), byte(to>>8), byte(to)), payload...)
}

func TestEngine(t *testing.T) {
	s := dissecttest.Session(t, plugins(), 1, dissecttest.Packets(
		packet(7, 1000, 1, 5, 0x81, 2, 'h', 'i'),
		packet(1000, 7, 2, 5, 0, 0),
		packet(7, 1000, 3, 4, 9, 0x80, 0xff), // WIDE, and a gap at the end
		packet(7, 1000, 1, 6, 0, 200, 'x'),   // the length lies
		packet(50, 60, 0xee),                 // nobody's
		packet(50, 60, 1, 0xaa, 1),           // recognised by its look
	))
	l := s.Dissector()
	checks := []struct {
		frame dissect.FrameNum
		field string
		want  string
	}{
		{1, "talk.type", "ASK (0x01)"}, {1, "talk.in", "2"}, {1, "talk.text", "hi"}, {1, "talk.count", "1"},
		{1, "talk.bits.low", "Set"}, {1, "talk.bits", "0x81 (Low, High)"},
		{2, "talk.to", "1"}, {2, "talk.time", "0.001000000"}, {2, "talk.count", "1"},
		{3, "talk.type", "WIDE (0x0304)"}, {3, "talk.count", "2"}, {3, "talk.odd", ""}, {3, "_ws.unclaimed", "ff"},
		{4, "_ws.malformed", ""}, {4, "talk.text", "x"}, {5, "data.data", "ee"}, {5, "_ws.known_in", "6"},
		{6, "_ws.recognized", "handshake"},
	}
	for _, c := range checks {
		tree := l.Tree(c.frame)
		if got, ok := dissecttest.Find(tree, c.field); !ok || got != c.want {
			t.Errorf("frame %d: %s is %q (%v), want %q\n%s", c.frame, c.field, got, ok, c.want, dissecttest.Dump(tree))
		}
	}
	if got := l.Tree(1).InfoLine(); got != "ASK key 5, hi" {
		t.Errorf("Info of frame 1 is %q", got)
	}
	if s.Conversations() != 2 {
		t.Errorf("%d conversations, want 2", s.Conversations())
	}
	if c := s.Conversation(0); c != nil { // what ConversationOf gives for a packet that has none
		t.Errorf("conversation 0 is %v", c)
	}
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
	dissecttest.Truncations(t, plugins(), s)
}

// TestEndsOfAPortAreClaimedLater begins on the protocol's port with a packet that says little: what follows there
// claims the ends, so that a packet that says little is taken elsewhere.
func TestEndsOfAPortAreClaimedLater(t *testing.T) {
	s := dissecttest.Session(t, plugins(), 1, dissecttest.Packets(
		packet(1000, 7, 3, 4, 0, 0), packet(1000, 900, 3, 4, 0, 0), packet(1000, 7, 2, 5, 0, 0),
		packet(1000, 901, 3, 4, 0, 0),
		packet(1000, 7, 2, 5, 0, 0), packet(1000, 900, 3, 4, 0, 0)))
	for n, want := range map[dissect.FrameNum]bool{1: true, 2: false, 4: false, 6: true} {
		tree := s.Tree(n)
		if got := tree.Protocol() == talk; got != want {
			t.Errorf("frame %d is taken: %v", n, got)
		}
	}
	if got, _ := dissecttest.Find(s.Tree(2), "_ws.known_in"); got != "6" {
		t.Errorf("the datagram before links to %q", got)
	}
	if _, ok := dissecttest.Find(s.Tree(6), "_ws.known_in"); ok {
		t.Error("a datagram that was recognised links on")
	}
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
}

func TestShapesSayWhatAFrameCannotHave(t *testing.T) {
	s := dissecttest.Session(t, plugins(), 1, dissecttest.Packets(packet(50, 60, 0xee), packet(7, 1000, 1, 5, 0, 0)))
	l, w := s.Dissector(), s.Registry().Wants(tKey)
	if n := len(l.Redissect(1, w).Nodes); n != 0 {
		t.Errorf("a frame without the protocol was dissected for its field: %d nodes", n)
	}
	if n := len(l.Redissect(2, w).Nodes); n != 1 {
		t.Errorf("a look for one field recorded %d", n)
	}
}

func TestAPluginThatPanicsCostsItsPacketOnly(t *testing.T) {
	reg := dissecttest.Registry(t, plugins())
	reg.Strict = false
	s := dissecttest.SessionOf(t, reg, 1, dissecttest.Packets(packet(7, 1000, 9, 0), packet(7, 1000, 1, 5, 0, 0)))
	tree := s.Tree(1)
	label := ""
	for i := range tree.Nodes {
		if tree.Field(i).Name() == "_ws.plugin_error" {
			label = tree.Label(i)
		}
	}
	if !strings.Contains(label, "talk") || !strings.Contains(label, "bomb") {
		t.Errorf("the note of the failed packet is %q", label)
	}
	if got, _ := dissecttest.Find(s.Tree(2), "talk.key"); got != "5" {
		t.Errorf("the packet behind it has the key %q", got)
	}
}

func TestFrameDataMustBePlain(t *testing.T) {
	defer func() {
		if p := recover(); p == nil || !strings.Contains(fmt.Sprint(p), "plain") {
			t.Errorf("per-frame data with a string was taken: %v", p)
		}
	}()
	dissect.NewStore[int, struct{ s string }]()
}

func TestEscape(t *testing.T) {
	for in, want := range map[string]string{
		"plain": "plain", "\x1b[31m": `\033[31m`, "a\nb\tc\r": `a\nb\tc\r`, "レイム": "レイム", "\u202eabc": `\u202Eabc`,
		"\xff": "\ufffd", "\u009b": `\u009B`, "a\u3164\u115f\u034fb": `a\u3164\u115F\u034Fb`, "한글": "한글", "a\u200bb": `a\u200Bb`,
		"\x7f": `\177`, "\v\f\a\b\x00": `\v\f\a\b\000`,
	} {
		if got := dissect.Escape(in); got != want {
			t.Errorf("Escape(%q) is %q, want %q", in, got, want)
		}
	}
}

func TestCodePages(t *testing.T) {
	for in, want := range map[string]string{
		"Reimu": "Reimu", "\x83\x8c\x83\x43\x83\x80": "レイム", "\xda\xb2\xd1": "ﾚｲﾑ", "\x97\xec\x96\xb2": "霊夢", "": "",
		"\xb2\xa9\xc0\xf6\xc1\xe9\xc3\xce": "博丽灵梦", "\xc4\xa7\xc0\xed\xc9\xb3": "魔理沙", "\xcd\xe6\xbc\xd2": "玩家",
		"\xff\x83": "\ufffd\ufffd",
	} {
		if got := dissect.ShiftJISOrGBK.Decode([]byte(in)); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}
