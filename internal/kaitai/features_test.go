package kaitai

import (
	"encoding/hex"
	"errors"
	"strings"
	"testing"
)

// TestFeaturesOfTheReference has one description for each of what Kaitai's reference manual describes.
func TestFeaturesOfTheReference(t *testing.T) {
	for _, c := range []struct{ name, ksy, data, want, fails string }{
		{name: "arrays computed of numbers, floats, texts and bytes", ksy: `
seq: [{id: x, type: u1}]
instances:
  ints: {value: '[1000, x, 5]'}
  floats: {value: '[-2.7, 1.5]'}
  words: {value: '["un", "deux", "dix"]'}
  blob: {value: '[1, 0xff, x].as<bytes>'}`, data: "07",
			want: `ints.first|1000; ints.last|5; ints.size|3; ints.min|5; ints.max|1000; floats.min|-2.7; floats.max|1.5;
words.min|deux; words.max|un; words.first.length|2; blob.max|255; blob.min|1; blob.size|3; blob[1]|255; blob.length|3`},
		{name: "bytes compare", ksy: `
seq: [{id: one, size: 1}, {id: two, size: 3}]
instances:
  acfafb: {value: '[0xac, 0xfa, 0xfb].as<bytes>'}`, data: "41 616366",
			want: `one == [65].as<bytes>|true; one < [66].as<bytes>|true; one != [65].as<bytes>|false; one <= one|true;
[65, 1] > one|true; two > one|true; acfafb >= two|true; two[0]|97`},
		{name: "integers divide down, and count modulo as the divisor", ksy: `
meta: {endian: le}
seq: [{id: u, type: u4}, {id: s, type: s4}]`, data: "39300000 c7cfffff",
			want: `u / 13|949; s / 13|-950; u % 13|8; s % 13|5; -u / 13|-950; u - s|24690; -s|12345; 7 // 0|?; ~u|-12346;
(u + 1).to_s|12346; 3.7.to_i|3; -3.7.to_i|-3; u * 1.0 / 2|6172.5; u > s and u != s|true; not (u == 1)|true; 5 ^ 3|6; 0x10 \| 1|17`},
		{name: "texts", ksy: `seq: [{id: b, size: 5}]`, data: "68656c6c6f",
			want: `b.to_s("ASCII")|hello; b.to_s("ASCII").reverse|olleh; b.to_s("ASCII").substring(1, 3)|el;
b.to_s("ASCII").length|5; "12".to_i|12; "-0x"+"1"|-0x1; "1234fe".to_i(16)|1193214; "110".to_i(2)|6; "777".to_i(8)|511;
"a" + 'b\n'|ab\n; "\u263b\t!"|☻	!; "A" < "B"|true;
'single \ only'|single \ only; f"{b.size}: {b.to_s('ASCII')}"|5: hello;
"zz".to_i|?; 1.to_s + "!"|1!`},
		{name: "objects as text, and text as bytes", ksy: `
meta: {encoding: IBM437}
seq: [{id: p, type: point}, {id: s, type: str, size: 1, encoding: cp437}]
types:
  point:
    to-string: 'f"({x}, {y})"'
    seq: [{id: x, type: u1}, {id: y, type: u1}]`, data: "01 02 9b",
			want: `p.to_s|(1, 2); f"{p}"|(1, 2); s|¢; s.to_b("UTF-8")|c2 a2; s.to_b("UTF-16LE")|a2 00; "あ".to_b("SJIS")|82 a0`},
		{name: "sizes of types and of values", ksy: `
meta: {endian: le}
seq: [{id: a, type: block}, {id: m, type: u2}]
types:
  block:
    seq: [{id: x, type: u1}, {id: y, type: u4}, {id: z, size: 2}, {id: w, type: b12}, {id: v, type: b4}]`,
			data: "01 02000000 0303 1234 0500",
			want: `sizeof<block>|9; sizeof<u8>|8; a._sizeof|9; a.y._sizeof|4; a.z._sizeof|2; bitsizeof<block>|72; m._sizeof|2;
_sizeof|11; sizeof<block> * 2|18`},
		{name: "enums of values, of negative and unknown numbers", ksy: `
seq: [{id: a, type: s1, enum: e}, {id: b, type: u1, enum: e}, {id: c, type: u1}]
instances:
  of_c: {value: c, enum: e}
  pick: {value: 'c > 2 ? e::plus : e::minus'}
enums: {e: {-1: minus, 1: {id: plus, doc: x, -orig-id: P}, 4: four}}`, data: "ff 63 04",
			want: `a == e::minus|true; a.to_i|-1; b.to_i|99; of_c == e::four|true; of_c.to_i|4; pick == e::plus|true; a != e::plus|true`},
		{name: "enums of other types", ksy: `
seq: [{id: p, type: parent}, {id: q, type: u1, enum: 'parent::inner::kind'}]
types:
  parent:
    seq: [{id: k, type: u1, enum: 'inner::kind'}]
    types: {inner: {enums: {kind: {1: dog, 2: cat}}}}`, data: "01 02",
			want: `p.k == parent::inner::kind::dog|true; q == parent::inner::kind::cat|true`},
		{name: "terminators are kept, left or missed", ksy: `
seq:
  - {id: a, type: str, terminator: 0x7c, include: true, encoding: ASCII}
  - {id: b, type: str, terminator: 0x40, consume: false, encoding: ASCII}
  - {id: c, size: 1}
  - {id: d, size: 6, terminator: 0x40, pad-right: 0x2b}
  - {id: e, type: str, size: 4, pad-right: 0x2b, encoding: ASCII}
  - {id: f, terminator: 0x40, eos-error: false}`, data: "616c 7c 6240 6364 402b2b2b 652b2b2b 7879",
			want: `a|al\|; b|b; c.to_s("ASCII")|@; d|63 64; e|e; f.to_s("ASCII")|xy`},
		{name: "wide terminators", ksy: `
seq:
  - {id: a, type: strz, encoding: UTF-16BE, size: 8}
  - {id: b, type: strz, encoding: UTF-16LE}
  - {id: rest, size-eos: true}`, data: "0061 0100 0000 4141 6100 0001 0000 ff",
			want: "a.length|2; b.length|2; rest|ff"},
		{name: "parents, and none", ksy: `
seq: [{id: n, type: u1}, {id: a, type: mid}, {id: free, type: leaf, parent: false}]
types:
  mid: {seq: [{id: l, type: leaf}, {id: up, type: leaf, parent: _parent}]}
  leaf: {seq: [{id: v, type: u1}]}`, data: "05 01 02 03",
			want: `a.l._parent.up.v|2; a._parent.n|5; a.up._parent.n|5; free.v|3; a.l._root.n|5`},
		{name: "parameters of all kinds", ksy: `
seq:
  - {id: n, type: u1}
  - {id: one, size: 1, type: inner}
  - {id: both, type: 'taker(one, [n, 2], "hi", n > 1, [0x41].as<bytes>, _io)'}
types:
  inner: {seq: [{id: v, type: u1}]}
  taker:
    params:
      - {id: o, type: inner}
      - {id: list, type: 'u1[]'}
      - {id: s, type: str}
      - {id: yes, type: bool}
      - {id: raw, type: bytes}
      - {id: stream, type: io}
    seq: [{id: x, type: u1, if: yes}]
    instances: {sum: {value: 'o.v + list[0] + s.length + raw[0] + stream.size'}}`, data: "03 07 09",
			want: "both.x|9; both.sum|80"},
		{name: "a switch by text, with no other case, and of values", ksy: `
seq:
  - {id: tag, type: str, size: 1, encoding: ASCII}
  - id: body
    type:
      switch-on: tag
      cases: {'"A"': u1, '"B"': pair, _: rest}
  - id: none
    type: {switch-on: 9, cases: {1: u1}}
types:
  pair: {seq: [{id: x, type: u1}]}
  rest: {seq: [{id: y, size-eos: true}]}`, data: "43 0102", want: "body.as<rest>.y|01 02"},
		{name: "an instance with its own stream, size, process and repetition", ksy: `
meta: {endian: be}
seq: [{id: at, type: u1}]
instances:
  words: {pos: at, type: u2, repeat: expr, repeat-expr: 2}
  part: {pos: 1, size: 2, process: xor(0xff), type: pair}
  tail: {pos: _io.size - 1, type: u1, if: at > 1}
  bits: {pos: 1, type: b4}
types: {pair: {seq: [{id: x, type: u1}]}}`, data: "02 f0 0001 0002",
			want: "words[1]|2; part.x|15; tail|2; bits|15; _io.pos|1; words.size|2"},
		{name: "valid forms that hold", ksy: `
seq:
  - {id: a, type: u1, valid: 1}
  - {id: b, type: u1, valid: {min: 1, max: 3}}
  - {id: c, type: u1, valid: {expr: '_ % 2 == 0'}}
  - {id: d, size: 2, valid: '[1, 2]'}
  - {id: e, type: u1, repeat: expr, repeat-expr: 2, valid: {any-of: [7, 8]}}
  - {id: f, type: u1, if: a == 9, valid: 5}
  - {id: g, type: u1, enum: en, valid: {in-enum: true}}
enums: {en: {3: three}}`, data: "01 02 04 0102 0708 03", want: "g.to_i|3"},
		{name: "valid in repetition", ksy: "seq: [{id: a, type: u1, repeat: eos, valid: {max: 5}}]", data: "01 06",
			fails: GreaterThan},
		{name: "valid of an instance", ksy: "seq: [{id: a, size: 1}]\ninstances: {i: {pos: 0, type: u1, valid: 5}}\n" +
			"types: {}", data: "05", want: "i|5"},
		{name: "valid by expression", ksy: "seq: [{id: a, type: u1, valid: {expr: _ == 2}}]", data: "01",
			fails: Expression + "|"},
		{name: "repetition until the end of what is looked at", ksy: `
seq:
  - {id: a, type: u1, repeat: until, repeat-until: _io.eof or _ == 0xff}
  - {id: b, type: item, repeat: until, repeat-until: _.last}
types: {item: {seq: [{id: v, type: u1}], instances: {last: {value: v == 9}}}}`, data: "01 ff 02 09",
			want: "a.size|2; b.size|2; b[1].last|true"},
		{name: "numbers of yaml", ksy: `
seq: [{id: a, size: 0x_2}, {id: b, type: u1, repeat: expr, repeat-expr: 0b10}, {id: c, type: u1, repeat: expr, repeat-expr: 0o1}]`,
			data: "0102 03 04 05", want: "a.size|2; b.size|2; c.size|1"},
		{name: "attributes without names, and keys that begin with a dash", ksy: `
meta: {id: x, title: T, file-extension: [a, b], xref: {rfc: 1}, license: MIT, ks-version: 0.9, tags: [t], -x: 1}
doc: Dökümentation.
doc-ref: [a, b]
seq: [{type: u1, doc: d, doc-ref: http://x, -orig-id: y}, {id: b, type: u1, -webide-parse-mode: eager}]
instances: {c: {value: 1, -affected-by: b}}
-z: {}`, data: "01 02", want: "b|2; c|1"},
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
			if errors.As(err, &e) != (c.fails != "") || e != nil && e.Kind != c.fails && !strings.HasSuffix(c.fails, "|") {
				t.Fatalf("got the error %+v, want %q", err, c.fails)
			}
			for pair := range strings.SplitSeq(strings.ReplaceAll(c.want, "\n", " "), "; ") {
				pair = strings.ReplaceAll(strings.TrimSpace(pair), `\|`, "\x00")
				i := strings.LastIndexByte(pair, '|')
				if i < 0 {
					continue
				}
				expr, want := strings.ReplaceAll(pair[:i], "\x00", "|"), strings.ReplaceAll(pair[i+1:], "\x00", "|")
				got := strings.ReplaceAll(value(t, spec, p, o, expr), "\n", `\n`)
				if got != want && want != "?" {
					t.Errorf("%s is %q, not %q", expr, got, want)
				}
			}
		})
	}
}
