package print_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/ui/print"
)

// A protocol that has a field of every kind the printers treat in a way of its own.
var (
	host  = dissect.NewProtocol("host", "Host", "Addresses of the printers' tests.").Summary("Host, {src} to {dst}")
	hSrc  = host.IPv4("src", "Source", "Sender.").Also(hAddr)
	hDst  = host.IPv4("dst", "Destination", "Receiver.").Also(hAddr)
	hAddr = host.IPv4("addr", "Address", "Either end.")
	say   = dissect.NewProtocol("say", "Say", "Words and numbers.")
	sKind = say.Kind("type", "Type", dissect.Values{1: "HI"}, "What it is.")
	sBits = say.Flags16("bits", "Bits",
		[]dissect.Flag{{Name: "low", Label: "Low", Mask: 1, Doc: "Lowest."},
			{Name: "top", Label: "Top", Mask: 0x8000, Doc: "Highest."}}, "Flags.")
	sNum   = say.Uint16("num", "Number", "A number.").Hex()
	sRaw   = say.Bytes("raw", "Raw", "Two bytes.")
	sWords = say.Group("words", "Words", "All words.").Summary("Words: {word}")
	sWord  = say.String("word", "Word", "One word.")
	sMark  = say.Label("mark", "Mark", "Something is there.")
	sWhen  = say.Time("when", "When", "A date.")
)

func plugins() []dissect.Plugin {
	return []dissect.Plugin{
		{Protocol: host, Ends: &dissect.EndLayer{Title: "Host", Source: hSrc, Dest: hDst},
			On: []dissect.Key{{Table: dissect.TableRoot, Value: 0}}, Dissect: func(d *dissect.D) {
				d.Ends().Set(d.IPv4(hSrc), d.IPv4(hDst))
				d.Next("host.next", 1)
			}},
		{Protocol: say, On: []dissect.Key{{Table: "host.next", Value: 1}}, Dissect: func(d *dissect.D) {
			d.Kind(sKind)
			d.Uint(sBits)
			d.Uint(sNum)
			d.Bytes(sRaw, 2)
			d.Put(sMark, 0, d.Pos(), 0)
			d.Set(sWhen, 1_000_000_001)
			d.In(sWords, func() {
				for d.More() {
					n := int(d.Peek(0))
					d.Skip(1)
					d.Within(min(n, d.Left()), func() { d.Rest(sWord) })
				}
			})
			d.Info().Set("{word}")
		}},
	}
}

// packet says some words.
func packet(words ...string) []byte {
	b := []byte{10, 0, 0, 1, 10, 0, 0, 2, 1, 0x80, 1, 0x0a, 0xbc, 0xde, 0xad}
	for _, w := range words {
		b = append(append(b, byte(len(w))), w...)
	}
	return b
}

func session(t testing.TB, packets ...[]byte) *dissect.Session {
	t.Helper()
	return dissecttest.Session(t, plugins(), 1, dissecttest.Packets(packets...))
}

// printed is what a printer writes for all packets of a session.
func printed(t testing.TB, s *dissect.Session, opt print.Options) string {
	t.Helper()
	var out bytes.Buffer
	p, err := print.New(&out, s, opt)
	if err != nil {
		t.Fatal(err)
	}
	l := s.Dissector()
	for n := range s.Passed() {
		tree := (*dissect.Tree)(nil)
		if w := p.Wants(); w != nil {
			tree = l.Redissect(dissect.FrameNum(n+1), w)
		} else {
			tree = l.Tree(dissect.FrameNum(n + 1))
		}
		if err := p.Packet(tree); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func layout(t testing.TB, words ...string) (l print.Layout) {
	t.Helper()
	for _, w := range words {
		if err := l.ParseLayout(w); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

func TestFields(t *testing.T) {
	s := session(t, packet("one", "tw\"o", "it's"), packet())
	for _, c := range []struct {
		fields string
		layout []string
		want   string
	}{
		{"say.word", nil, "one,tw\"o,it's\n\n"},
		{"say.word", []string{"occurrence=f"}, "one\n\n"},
		{"say.word", []string{"occurrence=l", "quote=d"}, "\"it's\"\n\n"},
		{"say.word", []string{"aggregator=/s", "quote=d"}, "\"one tw\"\"o it's\"\n\n"},
		{"say.word", []string{"aggregator=;", "quote=s"}, "'one;tw\"o;it''s'\n\n"},
		{"host.src say.num", []string{"separator=,", "header=y"}, "host.src,say.num\n10.0.0.1,0x0abc\n10.0.0.1,0x0abc\n"},
		{"host.addr say.raw", []string{"bom=y"}, "\ufeff10.0.0.1,10.0.0.2\tdead\n10.0.0.1,10.0.0.2\tdead\n"},
		{"say.bits say.bits.low say.bits.top", []string{"separator=/s"}, "0x8001 1 1\n0x8001 1 1\n"},
		{"say.mark say.words", nil, "1\t1\n1\t1\n"},
		{"host say.type", nil, "Host, 10.0.0.1 to 10.0.0.2\t0x01\nHost, 10.0.0.1 to 10.0.0.2\t0x01\n"},
		{"say.when", nil, "Jan  1, 1970 00:00:01.000000001 UTC\nJan  1, 1970 00:00:01.000000001 UTC\n"},
		{"_ws.col.Info _ws.col.No. _ws.col.length", nil, "HI one\t1\t29\nHI\t2\t15\n"},
		{"_ws.col.source _ws.col.Destination _ws.col.Protocol _ws.col.Type", nil,
			"10.0.0.1\t10.0.0.2\tSay\tHI\n10.0.0.1\t10.0.0.2\tSay\tHI\n"},
	} {
		got := printed(t, s,
			print.Options{Format: "fields", Fields: strings.Fields(c.fields), Layout: layout(t, c.layout...)})
		if got != c.want {
			t.Errorf("%s %v:\n%q, want\n%q", c.fields, c.layout, got, c.want)
		}
	}
}

func TestLayoutMistakes(t *testing.T) {
	for _, word := range []string{"header", "header=maybe", "bom=", "occurrence=x", "quote=", "quote=dd", "colour=y",
		"escape=n", ""} {
		var l print.Layout
		if err := l.ParseLayout(word); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("-E %q gives %v", word, err)
		}
	}
}

func TestUnknownNamesComeWithHints(t *testing.T) {
	s := session(t, packet())
	for _, c := range []struct {
		opt  print.Options
		says string
	}{
		{print.Options{Format: "fields", Fields: []string{"say.wrd"}}, "say.word"},
		{print.Options{Format: "fields", Fields: []string{"_ws.col.Colour"}}, "_ws.col.Number"},
		{print.Options{Format: "fields"}, "-e"},
		{print.Options{Only: []string{"hots"}}, "host"},
		{print.Options{Only: []string{"zzzzzz"}}, "--protocols"},
		{print.Options{Format: "jsno"}, "json"},
	} {
		if _, err := print.New(&bytes.Buffer{}, s, c.opt); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v gives %v, want %q in it", c.opt, err, c.says)
		}
	}
}

func TestTextForms(t *testing.T) {
	s := session(t, packet("one"))
	line := "    1 0.000000000     10.0.0.1 → 10.0.0.2     Say 19 HI one\n"
	dump := "0000  0a 00 00 01 0a 00 00 02 01 80 01 0a bc de ad 03   ................\n" +
		"0010  6f 6e 65                                          one\n"
	if got := printed(t, s, print.Options{}); got != line {
		t.Errorf("summary:\n%q, want\n%q", got, line)
	}
	if got, want := printed(t, s, print.Options{Format: "tabs"}),
		"    1\t0.000000000\t    10.0.0.1\t→\t10.0.0.2    \tSay\t19\tHI one\n"; got != want {
		t.Errorf("tabs:\n%q, want\n%q", got, want)
	}
	if got := printed(t, s, print.Options{Hex: true}); got != dump+"\n" {
		t.Errorf("hex:\n%q", got)
	}
	got := printed(t, s, print.Options{Tree: true, Summary: true, Hex: true})
	if !strings.HasPrefix(got, line+"Host, 10.0.0.1 to 10.0.0.2\n    Source: 10.0.0.1\n") ||
		!strings.HasSuffix(got, "\n\n"+dump+"\n") {
		t.Errorf("all:\n%s", got)
	}
	got = printed(t, s, print.Options{Only: []string{"say"}})
	if !strings.HasPrefix(got, "Host, 10.0.0.1 to 10.0.0.2\nSay\n    Type: HI (0x01)\n") {
		t.Errorf("-O say:\n%s", got)
	}
}

func TestHexLineOfLongOffsets(t *testing.T) {
	if got := string(print.HexLine(nil, 0x12345, []byte{0xff, 'a'})); !strings.HasPrefix(got, "12345  ff 61 ") ||
		!strings.HasSuffix(got, "  .a\n") {
		t.Errorf("%q", got)
	}
}

// document is the shape of -T json.
type document struct {
	Index  string `json:"_index"`
	Source struct {
		Layers json.RawMessage `json:"layers"`
	} `json:"_source"`
}

func documents(t *testing.T, text string) []document {
	t.Helper()
	var docs []document
	if err := json.Unmarshal([]byte(text), &docs); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return docs
}

// compact drops the blanks and keeps the order and the repetitions of keys.
func compact(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestJSONTree(t *testing.T) {
	s := session(t, packet("one", "two"), packet())
	docs := documents(t, printed(t, s, print.Options{Format: "json"}))
	want := `{"host":{"host.src":"10.0.0.1","host.addr":"10.0.0.1","host.dst":"10.0.0.2","host.addr":"10.0.0.2"},` +
		`"say":{"say.type":"0x01","say.bits":"0x8001","say.bits_tree":{"say.bits.low":"1","say.bits.top":"1"},` +
		`"say.num":"0x0abc","say.raw":"de:ad","say.mark":"","say.when":"Jan  1, 1970 00:00:01.000000001 UTC",` +
		`"Words: one":{"_ws.unclaimed":"03","say.word":"one","_ws.unclaimed":"03","say.word":"two"}}}` // the lengths
	got := compact(t, docs[0].Source.Layers)
	if len(docs) != 2 || got != want {
		t.Errorf("%d documents, the first\n%s, want\n%s", len(docs), got, want)
	}
	if !strings.HasPrefix(docs[0].Index, "packets-20") {
		t.Errorf("index %q", docs[0].Index)
	}
	if got := printed(t, session(t), print.Options{Format: "json"}); got != "[]\n" {
		t.Errorf("no packets give %q", got)
	}
}

func TestJSONWithOneKey(t *testing.T) {
	s := session(t, packet("one", "two"))
	got := compact(t, documents(t, printed(t, s, print.Options{Format: "json", OneKey: true}))[0].Source.Layers)
	for _, want := range []string{`"host.addr":["10.0.0.1","10.0.0.2"]`, `"say.word":["one","two"]`,
		`"say.num":"0x0abc"`} {
		if !strings.Contains(got, want) || strings.Count(got, `"host.addr":`) != 1 {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}

func TestJSONWithBytes(t *testing.T) {
	s := session(t, packet("one"))
	got := compact(t, documents(t, printed(t, s, print.Options{Format: "json", Hex: true}))[0].Source.Layers)
	for _, want := range []string{`"host_raw":["0a0000010a000002",0,8,0,1]`, `"host.src_raw":["0a000001",0,4,0,32]`,
		`"say.bits_raw":["8001",9,2,0,5]`, `"say.bits.top_raw":["1",9,2,32768,2]`, `"say.raw_raw":["dead",13,2,0,30]`,
		`"say.word_raw":["6f6e65",16,3,0,26]`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if strings.Contains(got, "say.when_raw") {
		t.Error("what stands nowhere has raw bytes")
	}
}

func TestJSONFields(t *testing.T) {
	s := session(t, packet("one", "two"), packet())
	docs := documents(t, printed(t, s, print.Options{Format: "json", Fields: []string{"say.word", "say.raw"}}))
	if got := compact(t, docs[0].Source.Layers); got != `{"say.word":["one","two"],"say.raw":["dead"]}` {
		t.Error(got)
	}
	docs = documents(t, printed(t, s, print.Options{Format: "json", Fields: []string{"say.word"}}))
	if got := compact(t, docs[1].Source.Layers); got != `{}` {
		t.Error(got)
	}
}

func TestEK(t *testing.T) {
	s := session(t, packet("one", "two"))
	lines := strings.Split(printed(t, s, print.Options{Format: "ek"}), "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[0], `{"index":{"_index":"packets-`) {
		t.Fatalf("%q", lines)
	}
	for _, want := range []string{`"host_host_addr":["10.0.0.1","10.0.0.2"]`, `"say_say_word":["one","two"]`,
		`"say_say_bits_low":true`,
		`"say_say_when":"1970-01-01T00:00:01.000000001Z"`, `"say_say_mark":null`, `"say_say_raw":"de:ad"`} {
		if !strings.Contains(lines[1], want) || !json.Valid([]byte(lines[1])) {
			t.Errorf("no %s in\n%s", want, lines[1])
		}
	}
	fields := printed(t, s, print.Options{Format: "ek", Fields: []string{"say.word", "_ws.col.Info"}})
	if !strings.Contains(fields, `"layers":{"say_word":["one","two"],"_ws_col_Info":["HI one"]}}`) {
		t.Error(fields)
	}
}

// hostile are words that would steer a terminal, break a line or break JSON if they came out as they went in.
var hostile = []string{"\x1b[31mred", "\x1b]0;title\x07", "a\r\nb\tc", "\xc2\x9b31m", "\x7f\x00\x08",
	"\u202eevil\u2066", "\xff\xfe\xc3",
	"\u2028line", `quote " back \ slash`, "e\u0301\u0301\u0301\u0301", "\U000e0041tag", "\ufeffmark", "grün 東京 🦈", "}],",
	strings.Repeat("\x1b", 200)}

func TestNothingHostileReachesTheOutput(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	packets := [][]byte{packet(hostile...)}
	for range 50 {
		b := packet()
		for range random.IntN(300) {
			b = append(b, byte(random.Uint32()))
		}
		packets = append(packets, b, b[:random.IntN(len(b))])
	}
	s := session(t, packets...)
	fields := []string{"say.word", "say.words", "say.raw", "say", "_ws.col.Info"}
	for _, opt := range []print.Options{{}, {Tree: true, Hex: true}, {Format: "tabs"}, {Format: "json"},
		{Format: "json", Hex: true, OneKey: true}, {Format: "ek"},
		{Format: "ek", Hex: true}, {Format: "fields", Fields: fields},
		{Format: "fields", Fields: fields, Layout: layout(t, "quote=d")},
		{Format: "json", Fields: fields}, {Format: "ek", Fields: fields}} {
		out := printed(t, s, opt)
		for _, r := range out {
			if r != '\n' && r != '\t' && !unicode.IsPrint(r) {
				t.Errorf("%+v lets %U out", opt, r)
				break
			}
		}
		lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
		switch {
		case opt.Format == "json" && !json.Valid([]byte(out)):
			t.Errorf("%+v is not JSON", opt)
		case opt.Format == "ek" && len(lines) != 2*len(packets):
			t.Errorf("%+v has %d lines", opt, len(lines))
		case opt.Format == "fields" && len(lines) != len(packets):
			t.Errorf("%+v has %d lines", opt, len(lines))
		}
		if opt.Format == "ek" {
			for _, l := range lines {
				if !json.Valid([]byte(l)) {
					t.Errorf("not JSON: %s", l)
				}
			}
		}
	}
}

// TestJSONKeepsWords reads the words back: what is valid text must come out as it was.
func TestJSONKeepsWords(t *testing.T) {
	var clean []string
	for _, w := range hostile {
		clean = append(clean, strings.ToValidUTF8(w, "\ufffd"))
	}
	docs := documents(t,
		printed(t, session(t, packet(clean...)), print.Options{Format: "json", Fields: []string{"say.word"}}))
	var layers struct {
		Words []string `json:"say.word"`
	}
	if err := json.Unmarshal(docs[0].Source.Layers, &layers); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprintf("%q", layers.Words) != fmt.Sprintf("%q", clean) {
		t.Errorf("\n%q, want\n%q", layers.Words, clean)
	}
}

// brokenWriter fails after some bytes, as a full disk does.
type brokenWriter struct{ left int }

var errFull = errors.New("full")

func (w *brokenWriter) Write(b []byte) (int, error) {
	if len(b) > w.left {
		return 0, errFull
	}
	w.left -= len(b)
	return len(b), nil
}

func TestWriteErrorsAreKept(t *testing.T) {
	s := session(t, packet(strings.Repeat("x", 200)))
	p, err := print.New(&brokenWriter{left: 1 << 20}, s, print.Options{Tree: true, Hex: true})
	if err != nil {
		t.Fatal(err)
	}
	tree := s.Tree(1)
	for range 10_000 {
		if err = p.Packet(tree); err != nil {
			break
		}
	}
	if !errors.Is(err, errFull) || !errors.Is(p.Flush(), errFull) || !errors.Is(p.Close(), errFull) {
		t.Errorf("the error is %v", err)
	}
}

// TestPrintingNeedsNoMemory: the lines of summaries and trees take no memory of their own.
func TestPrintingNeedsNoMemory(t *testing.T) {
	s := session(t, packet("one", "line\r\nand more", "→ é"))
	for _, opt := range []print.Options{{}, {Tree: true}, {Format: "json"}} {
		p, err := print.New(&bytes.Buffer{}, s, opt)
		if err != nil {
			t.Fatal(err)
		}
		l, out := s.Dissector(), []byte(nil)
		tree := l.Tree(1)
		if n := testing.AllocsPerRun(100, func() { out = p.Append(out[:0], tree) }); n > 2 {
			t.Errorf("%+v: %v allocations", opt, n)
		}
	}
}

// TestXML looks at the elements of a packet, and at what separates those that look alike.
func TestXML(t *testing.T) {
	s := session(t, packet("a<b", "\x01"))
	got := printed(t, s, print.Options{Format: "pdml", Creator: "remora", File: `x"y`})
	for _, want := range []string{
		`<pdml version="0" creator="remora" time="`, `capture_file="x&quot;y">`,
		`<field name="num" pos="0" show="1" showname="Number" value="1" size="21"/>`,
		`  <proto name="host" showname="Host, 10.0.0.1 to 10.0.0.2" size="8" pos="0">` + "\n" +
			`    <field name="host.src" showname="Source: 10.0.0.1" size="4" pos="0" show="10.0.0.1" value="0a000001"/>` + "\n" +
			`    <field name="host.addr" showname="Address: 10.0.0.1" hide="yes" size="4" pos="0" show="10.0.0.1" value="0a000001"/>`,
		`size="2" pos="9" show="1" value="1" unmaskedvalue="8001"/>`,
		`<field name="say.num" showname="Number: 0x0abc" size="2" pos="11" show="0x0abc" value="0abc"/>`,
		`<field name="say.raw" showname="Raw: dead" size="2" pos="13" show="de:ad" value="dead"/>`,
		`<field name="" show="Words: a&lt;b" size=`, `show="a&lt;b" value="613c62"/>`, `show="\001" value="01"/>`,
		"</proto>\n</packet>\n\n\n</pdml>\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in\n%s", want, got)
		}
	}
	if err := xml.Unmarshal([]byte(got), new(struct{})); err != nil {
		t.Errorf("it is no XML: %v", err)
	}
	if some := printed(t, s, print.Options{Format: "pdml", Tops: []string{"host"}}); !strings.Contains(some,
		`<field name="filtered" value="say" />`) || !strings.Contains(some, `name="host.src"`) {
		t.Errorf("with -j host:\n%s", some)
	}
	if some := printed(t, s, print.Options{Format: "pdml", Fields: []string{"say.word"}}); !strings.Contains(some,
		`  <field name="say.word" value="a&lt;b"/>`+"\n") {
		t.Errorf("with -e say.word:\n%s", some)
	}
	line := printed(t, s, print.Options{Format: "psml", Creator: "remora"})
	for _, want := range []string{"<structure>\n<section>No.</section>\n<section>Time</section>\n",
		"<packet>\n<section>1</section>\n<section>0.000000000</section>\n<section>10.0.0.1</section>\n",
		"<section>21</section>\n", "</packet>\n\n</psml>\n"} {
		if !strings.Contains(line, want) {
			t.Errorf("%s is missing in\n%s", want, line)
		}
	}
}

// TestPostScript prints lines as calls of putline, at the depth of the tree, and closes the last page.
func TestPostScript(t *testing.T) {
	s := session(t, packet("a<b", "\x01"))
	tree := printed(t, s, print.Options{Format: "ps", Tree: true, Creator: "remora", File: "/x/a(b).pcap"})
	for _, want := range []string{"%!PS-Adobe-2.0\n", "/ws_pagetitle (a\\(b\\).pcap - remora) def\n",
		"\n1 (Words: a<b) putline",
		"\n2 (Unclaimed bytes: 03) putline\n", "\n0 () putline\n", "\nendpage\n%%EOF\n"} {
		if !strings.Contains(tree, want) {
			t.Errorf("%q is missing in\n%.2000s", want, tree)
		}
	}
	line := printed(t, s, print.Options{Format: "ps"})
	if !strings.Contains(line, "\n0 (    1 ") || strings.Contains(line, "\n1 (") {
		t.Errorf("summary lines:\n%s", line)
	}
}
