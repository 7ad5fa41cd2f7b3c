package kaitai

import (
	"encoding/hex"
	"errors"
	"os"
	"strings"
	"testing"
)

// texts are descriptions that stand in a test.
type texts map[string]string

func (f texts) Read(name string) ([]byte, error) {
	if text, ok := f[name]; ok {
		return []byte(text), nil
	}
	return nil, os.ErrNotExist
}

func (f texts) Absolute(name string) []string { return []string{"lib/" + name} }

func load(t *testing.T, files texts) *Spec {
	t.Helper()
	spec, err := Load(files, "a.ksy")
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

// value computes an expression for what was read, as text.
func value(t *testing.T, spec *Spec, p *Parser, o *Object, expr string) string {
	t.Helper()
	e, err := spec.Compile(spec.Root, &Setting{Word: expr})
	if err != nil {
		return err.Error()
	}
	v, err := p.Eval(e, o)
	if err != nil {
		return err.Error()
	}
	return v.String()
}

func TestLanguage(t *testing.T) {
	for _, c := range []struct{ name, ksy, data, values, fails string }{
		{name: "bits of both orders end at a whole byte",
			ksy: `
seq:
  - {id: a, type: b3}
  - {id: b, type: b7}
  - {id: c, type: u1}
  - {id: d, type: b3le}
  - {id: e, type: b5le}
  - {id: f, type: b1}
  - {id: g, type: b1, enum: yes_no}
enums: {yes_no: {0: nay, 1: yea}}`,
			data: "a5c0 07 b9 40", values: "a=5 b=23 c=7 d=1 e=23 f=false g=yea _io.eof=false"},
		{name: "numbers round down and keep 64 bits",
			ksy:    "seq: [{id: a, type: u8be}, {id: b, type: s1}]",
			data:   "ffffffffffffffff f9",
			values: "a=18446744073709551615 b=-7 b/2=-4 b%2=1 -b/2=3 a+b=18446744073709551608 a-a=0 ~b=6 b>>1=-4 a>b=true"},
		{name: "strings end where they say",
			ksy: `
meta: {encoding: UTF-16LE}
seq:
  - {id: a, type: strz}
  - {id: b, type: str, size: 6, pad-right: 0x20, encoding: ASCII}
  - {id: c, type: strz, encoding: SJIS}
  - {id: d, type: str, terminator: [0x0d, 0x0a], encoding: ISO-8859-1}
  - {id: e, type: str, terminator: 0x3b, encoding: IBM437, eos-error: false}`,
			data:   "6100e400 0000 686920202020 8341 00 e4e5 0d0a 81",
			values: "a=aä b=hi b.length=2 c=ア d=äå e=ü a.reverse=äa d.substring(1,2)=å"},
		{name: "strings of Korea",
			ksy:  `seq: [{id: a, type: str, size: 4, encoding: EUC-KR}, {id: b, type: str, size: 2, encoding: cp949}]`,
			data: "b0a1b3aa 8141", values: `a=가나 b=갂`},
		{name: "a switch takes the case that fits, and bytes where none does",
			ksy: `
meta: {endian: be}
seq:
  - {id: items, type: item, repeat: eos}
types:
  item:
    seq:
      - {id: kind, type: u1, enum: kinds}
      - {id: len, type: u1}
      - id: body
        size: len
        type:
          switch-on: kind
          cases: {'kinds::word': word, 'kinds::text': text}
    types:
      word: {seq: [{id: w, type: u2}]}
      text: {seq: [{id: s, type: str, size-eos: true, encoding: UTF-8}]}
    enums: {kinds: {1: word, 2: {id: text, doc: Words.}}}`,
			data: "01020102 0203616263 09021122",
			values: "items.size=3 items[0].body.w=258 items[1].body.s=abc items[1].kind=text items[2].kind=9 " +
				"items[2].body=11•22 " +
				"items.last.len=2"},
		{name: "instances look anywhere, and are computed once",
			ksy: `
seq: [{id: at, type: u1}, {id: part, size: 2, type: pair}]
instances:
  there: {pos: at, type: u1}
  twice: {value: there * 2, if: there > 0}
  inner: {io: part._io, pos: 1, type: u1}
types: {pair: {seq: [{id: x, type: u1}]}}`,
			data: "03 0a0b 07", values: "there=7 twice=14 inner=11 _io.pos=3 part._io.size=2 part._parent.at=3"},
		{name: "byte order is switched",
			ksy: `
seq: [{id: order, size: 2}, {id: body, type: body}]
types:
  body:
    meta: {endian: {switch-on: _root.order, cases: {'[0x49, 0x49]': le, _: be}}}
    seq: [{id: a, type: u2}, {id: b, type: inner}]
    types: {inner: {seq: [{id: c, type: u2}]}}`,
			data: "4949 0100 0200", values: "body.a=1 body.b.c=2"},
		{name: "processes", ksy: `
seq:
  - {id: a, size: 2, process: xor(0x0f)}
  - {id: b, size: 2, process: 'xor([1, 2])'}
  - {id: c, size: 1, process: rol(4)}
  - {id: d, size-eos: true, process: zlib, type: text}
types: {text: {seq: [{id: s, type: str, size-eos: true, encoding: ASCII}]}}`,
			data:   "0f00 0102 12 789c4bcbcf070002820145",
			values: "a=00•0f b=00•00 c=21 d.s=foo"},
		{name: "parameters and repetition", ksy: `
seq:
  - {id: n, type: u1}
  - {id: rows, type: 'row(_index, n)', repeat: expr, repeat-expr: n}
  - {id: tail, type: u1, repeat: until, repeat-until: _ == 0 or _index == 9}
types:
  row: {params: [{id: i, type: u1}, {id: of, type: u1}], seq: [{id: v, size: i + 1}]}`,
			data: "02 aa bbbb 010200", values: "rows[1].v=bb•bb rows[1].of=2 tail.size=3 tail.max=2 tail.last=0"},
		{name: "expressions", ksy: "seq: [{id: a, type: u1}]", data: "05",
			values: `a==5?"yes":'no'=yes 1.5+a=6.5 [1,a].max=5 ` +
				`"5".to_i+1=6 "ff".to_i(16)=255 f"<{a+1}>"=<6> not(a==5)=false a.to_s+"x"=5x 0x1_0=16 0b101=5 2.9.to_i=2 ` +
				`[1,2]==[a-4,2]=true [a,6].as<bytes>=05•06 sizeof<u4>=4 bitsizeof<b3>=3 _sizeof=1 1<<4|1=17 "\u00e9\x"=error`},
		{name: "what is not valid is told by its kind",
			ksy: "seq: [{id: a, type: u1, valid: {min: 2}}]", data: "01", fails: LessThan},
		{name: "valid of any", ksy: "seq: [{id: a, type: u1, valid: {any-of: [2, 3]}}]", data: "01", fails: NotAnyOf},
		{name: "valid in an enum", ksy: "seq: [{id: a, type: u1, enum: e, valid: {in-enum: true}}]\nenums: {e: {2: two}}",
			data: "01", fails: NotInEnum},
		{name: "contents", ksy: "seq: [{contents: [PK, 3]}]", data: "504b04", fails: NotEqual},
		{name: "the end", ksy: "seq: [{id: a, type: u4le}]", data: "0102", fails: EndOfStream},
		{name: "an object within itself", ksy: "instances: {a: {value: b}, b: {value: a}}\nseq: [{id: x, size: a}]",
			data: "01", fails: Expression},
	} {
		t.Run(c.name, func(t *testing.T) {
			spec := load(t, texts{"a.ksy": c.ksy})
			data, err := hex.DecodeString(strings.ReplaceAll(c.data, " ", ""))
			if err != nil {
				t.Fatal(err)
			}
			p := NewParser(spec, DefaultLimits)
			o, err := p.Parse(data)
			var e *Error
			if errors.As(err, &e) != (c.fails != "") || e != nil && e.Kind != c.fails {
				t.Fatalf("got the error %+v, want %q", err, c.fails)
			}
			for _, pair := range strings.Fields(c.values) {
				i := strings.LastIndexByte(pair, '=')
				want := strings.ReplaceAll(pair[i+1:], "•", " ")
				got := value(t, spec, p, o, pair[:i])
				if got != want && (want != "error" || !strings.Contains(got, "escape")) {
					t.Errorf("%s is %s, not %s", pair[:i], got, want)
				}
			}
		})
	}
}

func TestMistakesAreToldWithTheirPlace(t *testing.T) {
	for _, c := range []struct{ ksy, want string }{
		{"seq:\n  - id: a\n    type: u3x", `a.ksy:3:11: there is no type "u3x"`},
		{"seq:\n  - id: a\n    type: u2", "a.ksy:3:11: u2 has no byte order"},
		{"seq:\n  - id: a\n    size: b", `a.ksy:3:11: a has no field "b"`},
		{"seq:\n  - id: a\n    size: (1", `a.ksy:3:11: ")" is missing at the end`},
		{"seq:\n  - id: a\n    type: u1\n    enum: e", `a.ksy:4:11: there is no enum "e"`},
		{"seq:\n  - id: a\n    typ: u1", `a.ksy:3:10: unknown key "typ"`},
		{"seq:\n  - id: a\n    type: u1\n  - id: a\n    type: u1", `a.ksy:4:5: there are two attributes "a"`},
		{"seq:\n  - id: a", "a.ksy:2:5: a has no end"},
		{"meta:\n  imports: [x]", "a.ksy:2:13: import x: file does not exist"},
		{"seq: [", "a.ksy:1:1:"},
		{"seq:\n  - {id: a, type: u1, repeat: expr}", "a.ksy:2:5: repeat-expr is missing"},
		{"seq:\n  - {id: a, type: 'b(1)'}\ntypes: {b: {}}", "a.ksy:2:19: b takes 0 arguments, not 1"},
	} {
		_, err := Load(texts{"a.ksy": c.ksy}, "a.ksy")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\ngot  %v\nwant %s", c.ksy, err, c.want)
		}
	}
}

func TestImports(t *testing.T) {
	spec := load(t, texts{
		"a.ksy":            "meta: {id: a, imports: [sub/b, /common/c]}\nseq: [{id: x, type: b}, {id: y, type: 'c::inner'}]",
		"sub/b.ksy":        "meta: {id: b, imports: [../a]}\nseq: [{id: one, type: u1}, {id: back, type: a, if: one == 1}]",
		"lib/common/c.ksy": "meta: {id: c}\ntypes: {inner: {seq: [{id: two, type: u1}]}}",
	})
	p := NewParser(spec, DefaultLimits)
	o, err := p.Parse([]byte{1, 2, 3, 4})
	if err != nil {
		t.Fatal(err)
	}
	for expr, want := range map[string]string{"x.back.x.one": "2", "x.back.y.two": "3", "y.two": "4", "y._root": "null"} {
		if got := value(t, spec, p, o, expr); got != want {
			t.Errorf("%s is %s, not %s", expr, got, want)
		}
	}
}

// TestSpansSayWhatAValueWasReadFrom also through parts of the bytes, and through a process.
func TestSpansSayWhatAValueWasReadFrom(t *testing.T) {
	spec := load(t, texts{"a.ksy": `
seq:
  - {id: a, type: u1}
  - {id: sub, size: 3, type: sub}
  - {id: bits, type: b4}
  - {id: more, type: b4}
  - {id: secret, size: 2, process: xor(1), type: sub}
types: {sub: {seq: [{id: x, type: u1}, {id: y, type: u1}]}}`})
	p := NewParser(spec, DefaultLimits)
	o, err := p.Parse([]byte{1, 2, 3, 4, 0x56, 7, 8})
	if err != nil {
		t.Fatal(err)
	}
	at := func(o *Object, name string) (off, n int, v Value) {
		v, span, ok := o.Get(o.Attr(name))
		if !ok {
			t.Fatalf("%s is not there", name)
		}
		off, n = span.Bytes()
		return off, n, v
	}
	if off, n, v := at(o, "sub"); off != 1 || n != 3 {
		t.Errorf("sub is at %d+%d", off, n)
	} else if off, n, _ := at(v.Object(), "y"); off != 2 || n != 1 {
		t.Errorf("sub.y is at %d+%d", off, n)
	}
	if off, n, _ := at(o, "more"); off != 4 || n != 1 {
		t.Errorf("more is at %d+%d", off, n)
	}
	_, _, v := at(o, "secret")
	if off, n, y := at(v.Object(), "y"); off != 1 || n != 1 || y.Int64() != 9 || v.Object().IO.Source == o.IO.Source {
		t.Errorf("secret.y is %v at %d+%d of %v", y, off, n, v.Object().IO.Source)
	}
}

// TestAnErrorLeavesWhatWasReadBefore says which field it was, and at which bytes.
func TestAnErrorLeavesWhatWasReadBefore(t *testing.T) {
	spec := load(t, texts{"a.ksy": `
seq: [{id: n, type: u1}, {id: rows, type: row, repeat: expr, repeat-expr: n}]
types: {row: {seq: [{id: len, type: u1}, {id: v, size: len}]}}`})
	p := NewParser(spec, DefaultLimits)
	o, err := p.Parse([]byte{2, 1, 9, 5, 8})
	var e *Error
	if !errors.As(err, &e) || e.Path != "rows[1].v" || e.Text != "requested 5 bytes, but only 1 bytes available" {
		t.Fatalf("got %v", err)
	}
	if off, n := e.At.Bytes(); off != 4 || n != 1 {
		t.Errorf("at %d+%d", off, n)
	}
	if got := value(t, spec, p, o, "rows[1].len"); got != "5" {
		t.Errorf("rows[1].len is %s", got)
	}
}

func TestTemplate(t *testing.T) {
	spec := load(t, texts{"a.ksy": `
seq: [{id: a, type: u1}, {id: b, size: 2}, {id: c, type: pair}]
types: {pair: {seq: [{id: x, type: u1}], -webide-representation: 'x={x}'}}`})
	p := NewParser(spec, DefaultLimits)
	o, err := p.Parse([]byte{200, 'h', 'i', 3})
	if err != nil {
		t.Fatal(err)
	}
	tpl, err := spec.Template(spec.Root, &Setting{Word: "{a:hex} {a} {b:str} [{c}] {a > 3 ? 1 : 2}"})
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Text(tpl, o); got != "0xc8 200 hi [x=3] 1" {
		t.Errorf("got %q", got)
	}
	spec = load(t, texts{"a.ksy": "seq: [{id: a, type: u1}]\nto-string: '\"a is \" + a.to_s'"})
	p = NewParser(spec, DefaultLimits)
	if o, err = p.Parse([]byte{5}); err != nil {
		t.Fatal(err)
	}
	if got := p.Text(spec.Root.Represent(), o); got != "a is 5" {
		t.Errorf("to-string gives %q", got)
	}
}
