package filter_test

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"math/big"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/dissect/filter"
	"remora/protocols"
)

// What follows is the language once more, plain and slow: filters are made by chance as trees of Go functions over
// whole dissected frames, written out as text, and the compiled text must say the same as the functions.

// A plainValue is a number, or bytes.
type plainValue struct {
	num *big.Int // nil for bytes
	b   []byte
}

// compare orders two values of a class. Rows of bytes that are longer come behind.
func (v plainValue) compare(class string, w plainValue) int {
	switch {
	case v.num != nil:
		return v.num.Cmp(w.num)
	case class == "bytes" && len(v.b) != len(w.b):
		return cmp.Compare(len(v.b), len(w.b))
	}
	return bytes.Compare(v.b, w.b)
}

// A plainTerm is a term: its text, the class of its values, and what they are.
type plainTerm struct {
	text   string
	class  string // "int", "bytes", "text", "ip"
	size   int
	field  bool
	signed bool // its values may be negative
	values func(t *dissect.Tree) []plainValue
}

// A plainTest is a test: its text, and whether a frame passes.
type plainTest struct {
	text string
	pass func(t *dissect.Tree) bool
}

// plainFields are what terms are made of. All of one class and size go together.
var plainFields = map[string][]string{
	"int 1": {"ip.ttl", "ip.proto", "ip.hdr_len", "icmp.type", "icmp.code", "tcp.hdr_len"},
	"int 2": {"udp.port", "tcp.port", "udp.srcport", "tcp.dstport", "udp.length", "ip.len", "eth.type", "ip.id"},
	"int 4": {"frame.number", "frame.len", "tcp.seq_raw"},
	"bytes": {"udp.payload", "data.data", "tcp.payload"},
	"text":  {"dns.qry.name", "dns.resp.name", "frame.protocols"},
	"ip":    {"ip.src", "ip.dst", "ip.addr"},
	"exists": {"udp", "tcp", "icmp", "arp", "dns", "data", "ipv6", "tcp.analysis.retransmission", "icmp.resp_to", "dns.a",
		"vlan", "tcp.flags.syn"},
}

type plain struct {
	r   *rand.Rand
	reg *dissect.Registry
}

func pick[T any](r *rand.Rand, of []T) T { return of[r.IntN(len(of))] }

// field is a field, perhaps of one layer only.
func (p *plain) field(kind string) plainTerm {
	name := pick(p.r, plainFields[kind])
	f := p.reg.Field(name)
	if f == nil {
		panic("no field " + name)
	}
	class, _, _ := strings.Cut(kind, " ")
	term := plainTerm{text: name, class: class, size: f.Size(), field: true}
	layer := 0
	if p.r.IntN(6) == 0 {
		layer = 1 + p.r.IntN(2)
		term.text += fmt.Sprintf("#%d", layer)
	}
	term.values = func(t *dissect.Tree) []plainValue {
		var out []plainValue
		for i := range t.Nodes {
			if slices.Contains(f.Members(), t.Field(i)) && (layer == 0 || int(t.Nodes[i].Layer) == layer) {
				out = append(out, plainOf(t, i))
			}
		}
		return out
	}
	return term
}

func plainOf(t *dissect.Tree, i int) plainValue {
	switch t.Field(i).Type() {
	case dissect.TypeBytes:
		return plainValue{b: t.Bytes(i)}
	case dissect.TypeString:
		return plainValue{b: []byte(t.Text(i))}
	}
	return plainValue{num: new(big.Int).SetUint64(t.Nodes[i].Val)}
}

// term is a field, or something made of one.
func (p *plain) term(kind string, depth int) plainTerm {
	class, _, _ := strings.Cut(kind, " ")
	if depth == 0 || p.r.IntN(3) == 0 {
		return p.field(kind)
	}
	switch class {
	case "int":
		switch p.r.IntN(6) {
		case 0:
			return p.length(kind)
		case 1:
			return p.extreme(kind, depth)
		}
		return p.arithmetic(kind, depth)
	case "bytes":
		return p.slice(p.term(pick(p.r, []string{"bytes", "text"}), depth-1))
	case "text":
		of := p.term("text", depth-1)
		return plainTerm{text: "upper(" + of.text + ")", class: "text",
			values: mapped(of, func(v plainValue) (plainValue, bool) {
				return plainValue{b: bytes.ToUpper(v.b)}, true
			})}
	}
	return p.field(kind)
}

func mapped(of plainTerm, f func(plainValue) (plainValue, bool)) func(*dissect.Tree) []plainValue {
	return func(t *dissect.Tree) (out []plainValue) {
		for _, v := range of.values(t) {
			if w, ok := f(v); ok {
				out = append(out, w)
			}
		}
		return out
	}
}

// length is len() or count(), which are 32 bits wide.
func (p *plain) length(kind string) plainTerm {
	if kind != "int 4" {
		return p.field(kind)
	}
	of := p.field(pick(p.r, []string{"bytes", "text"}))
	if p.r.IntN(2) == 0 {
		return plainTerm{text: "len(" + of.text + ")", class: "int", size: 4,
			values: mapped(of, func(v plainValue) (plainValue, bool) {
				return plainValue{num: big.NewInt(int64(len(v.b)))}, true
			})}
	}
	return plainTerm{text: "count(" + of.text + ")", class: "int", size: 4, values: func(t *dissect.Tree) []plainValue {
		if n := len(of.values(t)); n > 0 {
			return []plainValue{{num: big.NewInt(int64(n))}}
		}
		return nil
	}}
}

func (p *plain) extreme(kind string, depth int) plainTerm {
	a := p.term(kind, depth-1)
	name, sign := "max", 1
	if p.r.IntN(2) == 0 {
		name, sign = "min", -1
	}
	return plainTerm{text: name + "(" + a.text + ")", class: "int", size: a.size,
		signed: a.signed, values: func(t *dissect.Tree) []plainValue {
			vs := a.values(t)
			if len(vs) == 0 {
				return nil
			}
			best := vs[0]
			for _, v := range vs {
				if v.compare(a.class, best)*sign > 0 {
					best = v
				}
			}
			return []plainValue{best}
		}}
}

// arithmetic is a term with a number or with another of its kind. What does not fit into 32 bits has no
// value, or into 64 where it may be negative.
func (p *plain) arithmetic(kind string, depth int) plainTerm {
	a, b := p.term(kind, depth-1), p.number(p.r.IntN(5)*p.r.IntN(60))
	if p.r.IntN(3) == 0 {
		b = p.term(kind, depth-1)
	}
	op := pick(p.r, []string{"+", "-", "*", "/", "%", "&"})
	signed := a.signed || b.signed || op == "-"
	size := max(a.size, b.size)
	if signed {
		size = 8
	}
	return plainTerm{text: "{" + a.text + " " + op + " " + b.text + "}", class: "int", size: size, signed: signed,
		values: func(t *dissect.Tree) (out []plainValue) {
			for _, x := range a.values(t) {
				for _, y := range b.values(t) {
					n := new(big.Int)
					switch op {
					case "+":
						n.Add(x.num, y.num)
					case "-":
						n.Sub(x.num, y.num)
					case "*":
						n.Mul(x.num, y.num)
					case "&":
						n.And(x.num, y.num)
					default:
						if y.num.Sign() == 0 {
							continue
						}
						if op == "/" {
							n.Quo(x.num, y.num)
						} else {
							n.Rem(x.num, y.num)
						}
					}
					if signed && n.IsInt64() || !signed && n.Sign() >= 0 && n.BitLen() <= 32 {
						out = append(out, plainValue{num: n})
					}
				}
			}
			return out
		}}
}

func (p *plain) number(n int) plainTerm {
	return plainTerm{text: fmt.Sprintf(pick(p.r, []string{"%d", "0x%x", "0%o", "0b%b"}), n), class: "int",
		values: func(*dissect.Tree) []plainValue {
			return []plainValue{{num: big.NewInt(int64(n))}}
		}}
}

func (p *plain) slice(of plainTerm) plainTerm {
	from, n := p.r.IntN(12)-4, 1+p.r.IntN(4)
	toEnd := p.r.IntN(4) == 0
	text := fmt.Sprintf("[%d:%d]", from, n)
	if toEnd {
		text = fmt.Sprintf("[%d:]", from)
	}
	return plainTerm{text: of.text + text, class: "bytes", values: mapped(of, func(v plainValue) (plainValue, bool) {
		lo := from
		if lo < 0 {
			lo += len(v.b)
		}
		hi := lo + n
		if toEnd {
			hi = len(v.b)
		}
		if lo < 0 || hi > len(v.b) || hi <= lo {
			lo, hi = 0, 0
		}
		return plainValue{b: v.b[lo:hi]}, true
	})}
}

// literal is a value that the frames may well have: one of the term's values in some frame, or one near it.
func (p *plain) literal(of plainTerm, trees []*dissect.Tree) plainTerm {
	vs := of.values(pick(p.r, trees))
	v := plainValue{b: []byte{0}}
	if of.class == "int" || of.class == "ip" {
		v = plainValue{num: big.NewInt(int64(p.r.IntN(100)))}
	}
	if len(vs) > 0 {
		v = pick(p.r, vs)
	}
	term := plainTerm{class: of.class, values: func(*dissect.Tree) []plainValue { return []plainValue{v} }}
	switch of.class {
	case "int":
		n := v.num.Uint64()
		if size := max(of.size, 1); size < 8 {
			n &= 1<<(8*size) - 1
		}
		return p.number(int(n))
	case "ip":
		b := binary.BigEndian.AppendUint32(nil, uint32(v.num.Uint64()))
		term.text = fmt.Sprintf("%d.%d.%d.%d", b[0], b[1], b[2], b[3])
	default:
		if len(v.b) == 0 {
			v.b = []byte{1}
		}
		if p.r.IntN(2) == 0 && len(v.b) > 2 {
			v.b = v.b[:2]
		}
		var q strings.Builder
		for _, c := range v.b {
			fmt.Fprintf(&q, `\x%02x`, c)
		}
		term.text = `"` + q.String() + `"`
	}
	return term
}

// test is a filter made by chance.
func (p *plain) test(depth int, trees []*dissect.Tree) plainTest {
	if depth > 0 {
		switch p.r.IntN(6) {
		case 0:
			a := p.test(depth-1, trees)
			return plainTest{"!(" + a.text + ")", func(t *dissect.Tree) bool { return !a.pass(t) }}
		case 1, 2:
			a, b := p.test(depth-1, trees), p.test(depth-1, trees)
			return plainTest{"(" + a.text + ") && (" + b.text + ")",
				func(t *dissect.Tree) bool { return a.pass(t) && b.pass(t) }}
		case 3:
			a, b := p.test(depth-1, trees), p.test(depth-1, trees)
			return plainTest{"(" + a.text + ") || (" + b.text + ")",
				func(t *dissect.Tree) bool { return a.pass(t) || b.pass(t) }}
		case 4:
			a, b := p.test(depth-1, trees), p.test(depth-1, trees)
			return plainTest{"(" + a.text + ") ^^ (" + b.text + ")",
				func(t *dissect.Tree) bool { return a.pass(t) != b.pass(t) }}
		}
	}
	switch p.r.IntN(8) {
	case 0:
		return p.presence()
	case 1:
		return p.set(trees)
	case 2:
		return p.search(trees)
	}
	return p.comparison(trees)
}

func (p *plain) presence() plainTest {
	name := pick(p.r, plainFields["exists"])
	f := p.reg.Field(name)
	return plainTest{name, func(t *dissect.Tree) bool {
		return slices.ContainsFunc(t.Nodes, func(n dissect.Node) bool { return n.Field == f.ID() })
	}}
}

var plainOps = []struct {
	text string
	all  bool
	is   func(order int) bool
}{
	{"==", false, func(o int) bool { return o == 0 }}, {"!=", true, func(o int) bool { return o != 0 }},
	{"===", true, func(o int) bool { return o == 0 }},
	{"!==", false, func(o int) bool { return o != 0 }}, {"<", false, func(o int) bool { return o < 0 }},
	{"<=", false, func(o int) bool { return o <= 0 }},
	{">", false, func(o int) bool { return o > 0 }}, {">=", false, func(o int) bool { return o >= 0 }},
}

var plainKinds = []string{"int 1", "int 2", "int 4", "bytes", "text", "ip"}

func (p *plain) comparison(trees []*dissect.Tree) plainTest {
	kind := pick(p.r, plainKinds)
	a := p.term(kind, 2)
	b := p.literal(a, trees)
	if p.r.IntN(3) == 0 {
		b = p.term(kind, 1)
	}
	op := pick(p.r, plainOps)
	quant, all := p.quant(op.all)
	return plainTest{quant + a.text + " " + op.text + " " + b.text,
		pairs(a, b, all, func(x, y plainValue) bool { return op.is(x.compare(a.class, y)) })}
}

func (p *plain) quant(all bool) (string, bool) {
	switch p.r.IntN(4) {
	case 0:
		return "any ", false
	case 1:
		return "all ", true
	}
	return "", all
}

func pairs(a, b plainTerm, all bool, is func(x, y plainValue) bool) func(*dissect.Tree) bool {
	return func(t *dissect.Tree) bool {
		n, hits := 0, 0
		for _, x := range a.values(t) {
			for _, y := range b.values(t) {
				n++
				if is(x, y) {
					hits++
				}
			}
		}
		if all {
			return n > 0 && hits == n
		}
		return hits > 0
	}
}

func (p *plain) search(trees []*dissect.Tree) plainTest {
	a := p.term(pick(p.r, []string{"bytes", "text"}), 1)
	quant, all := p.quant(false)
	if p.r.IntN(2) == 0 {
		word := pick(p.r, []string{"^[a-h]", "example", "[0-9]+$", "..", `\.`, "dns|tcp", "^$"})
		re := regexp.MustCompile("(?i)" + word)
		return plainTest{quant + a.text + " matches r\"" + word + "\"",
			pairs(a, plainTerm{values: func(*dissect.Tree) []plainValue { return []plainValue{{}} }}, all,
				func(x, _ plainValue) bool { return plainMatch(re, x.b) })}
	}
	b := p.literal(a, trees)
	return plainTest{quant + a.text + " contains " + b.text,
		pairs(a, b, all, func(x, y plainValue) bool { return strings.Contains(string(x.b), string(y.b)) })}
}

// plainMatch gives each byte a code point of its own, and lets $ stand in front of a last newline.
func plainMatch(re *regexp.Regexp, b []byte) bool {
	var runes []rune
	for _, c := range b {
		runes = append(runes, rune(c))
	}
	text := string(runes)
	return re.MatchString(text) || strings.HasSuffix(text, "\n") && re.MatchString(strings.TrimSuffix(text, "\n"))
}

func (p *plain) set(trees []*dissect.Tree) plainTest {
	kind := pick(p.r, plainKinds)
	a := p.field(kind)
	type bounds struct{ low, high plainTerm }
	var texts []string
	var in []bounds
	for range 1 + p.r.IntN(3) {
		low := p.literal(a, trees)
		high := low
		text := low.text
		switch p.r.IntN(4) {
		case 0:
			high = p.literal(a, trees)
			text += ".." + high.text
		case 1:
			low = p.field(kind)
			high, text = low, low.text
		}
		texts, in = append(texts, text), append(in, bounds{low, high})
	}
	single := func(x plainValue, b bounds, t *dissect.Tree) bool {
		above, below := false, false
		same := false
		for _, y := range b.low.values(t) {
			above = above || x.compare(a.class, y) >= 0
			same = same || x.compare(a.class, y) == 0
		}
		for _, y := range b.high.values(t) {
			below = below || x.compare(a.class, y) <= 0
		}
		if b.low.text == b.high.text && b.low.field {
			return same
		}
		return above && below
	}
	quant, all := p.quant(false)
	not := ""
	if p.r.IntN(4) == 0 {
		not = "not "
	}
	return plainTest{quant + a.text + " " + not + "in {" + strings.Join(texts, ", ") + "}", func(t *dissect.Tree) bool {
		n, hits := 0, 0
		for _, x := range a.values(t) {
			n++
			if slices.ContainsFunc(in, func(b bounds) bool { return single(x, b, t) }) {
				hits++
			}
		}
		in := hits > 0
		if all {
			in = n > 0 && hits == n
		}
		return in == (not == "")
	}}
}

// frames are sessions to ask: captures, and packets made by chance.
func plainFrames(t testing.TB, r *rand.Rand) []*dissect.Session {
	var packets [][]byte
	for range 60 {
		payload := make([]byte, r.IntN(24))
		for i := range payload {
			payload[i] = "ab\n\x00.\xff0X"[r.IntN(8)]
		}
		packets = append(packets,
			udp(byte(1+r.IntN(3)), byte(1+r.IntN(3)), uint16(5000+r.IntN(3)), uint16(5000+r.IntN(3)), string(payload)))
	}
	return []*dissect.Session{sample(t), dissecttest.Session(t, protocols.All(), 1, dissecttest.Packets(packets...)),
		dissecttest.Load(t, protocols.All(), captures+"lan/vxlan.pcap"),
		dissecttest.Load(t, protocols.All(), captures+"lan/dns.pcap"),
		dissecttest.Load(t, protocols.All(), captures+"lan/lan.pcapng")}
}

// TestCompiledFiltersAgreeWithPlainOnes holds filters made by chance against the plain language, with the index and
// without.
func TestCompiledFiltersAgreeWithPlainOnes(t *testing.T) {
	rounds := 1200
	if testing.Short() {
		rounds = 100
	}
	agree(t, rand.New(rand.NewPCG(11, 12)), rounds)
}

func agree(t *testing.T, r *rand.Rand, rounds int) {
	type frame struct {
		s    *dissect.Session
		tree *dissect.Tree
		look *dissect.Dissector
	}
	var frames []frame
	var trees []*dissect.Tree
	reg := dissecttest.Registry(t, protocols.All())
	for _, s := range plainFrames(t, r) {
		for range 25 {
			n := dissect.FrameNum(1 + r.IntN(s.Passed()))
			frames = append(frames, frame{s, s.Tree(n), s.Dissector()})
			trees = append(trees, frames[len(frames)-1].tree)
		}
	}
	p := &plain{r, reg}
	matched := 0
	for range rounds {
		test := p.test(r.IntN(4), trees)
		f, err := filter.Compile(reg, test.text)
		if err != nil {
			t.Fatalf("%s: %v", test.text, err)
		}
		for _, fr := range frames {
			want := test.pass(fr.tree)
			if want {
				matched++
			}
			if got := f.Match(fr.look, fr.tree.Frame); got != want {
				t.Fatalf("frame %d, %s: the filter says %v, the plain one %v\n%s", fr.tree.Frame, test.text, got, want,
					dissecttest.Dump(fr.tree))
			}
			if got := filter.MatchTree(f, fr.tree); got != want {
				t.Fatalf("frame %d, %s: the filter without the index says %v, the plain one %v", fr.tree.Frame, test.text, got,
					want)
			}
		}
	}
	if total := rounds * len(frames); rounds >= 100 && (matched < total/20 || matched > total*19/20) {
		t.Errorf("%d of %d answers are yes: the filters ask nothing", matched, total)
	}
}

// FuzzPlain is the same with filters by the fuzzer's choice.
func FuzzPlain(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	f.Fuzz(func(t *testing.T, a, b uint64) { agree(t, rand.New(rand.NewPCG(a, b)), 5) })
}
