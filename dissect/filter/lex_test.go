package filter

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

var kindNames = map[kind]string{tokEnd: "end", tokWord: "word", tokField: "field", tokLiteral: "literal",
	tokString: "string", tokChar: "char", tokRange: "range", tokOp: "op"}

// TestTokens is the table of the lexer: what comes of a text, with places.
func TestTokens(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{" \t\r\n ", ""},
		{"tcp", "word 0-3 tcp"},
		{"tcp.flags.syn", "word 0-13 tcp.flags.syn"},
		{"mac-lte", "word 0-7 mac-lte"},
		{"_ws.expert", "word 0-10 _ws.expert"},
		{"9p.tag", "word 0-6 9p.tag"},
		{".ip", "field 0-3 ip"},
		{".5", "field 0-2 5"},
		{"a.-b", "!."}, // a part of a name does not start with a dash
		{"ip.ttl-1", "word 0-8 ip.ttl-1"},
		{"ip.ttl -1", "word 0-6 ip.ttl, op 7-8 -, word 8-9 1"},
		{"len*2", "word 0-3 len, op 3-4 *, word 4-5 2"},
		{"len/2", "word 0-3 len, op 3-4 /, word 4-5 2"},
		{"a==b", "word 0-1 a, op 1-3 ==, word 3-4 b"},
		{"a===b", "word 0-1 a, op 1-4 ===, word 4-5 b"},
		{"a!==b", "word 0-1 a, op 1-4 !==, word 4-5 b"},
		{"a~=b", "word 0-1 a, op 1-3 ~=, word 3-4 b"},
		{"a eq b", "word 0-1 a, op 2-4 ==, word 5-6 b"},
		{"any_ne all_eq all_ne any_eq", "op 0-6 !==, op 7-13 ===, op 14-20 !=, op 21-27 =="},
		{"gt ge lt le", "op 0-2 >, op 3-5 >=, op 6-8 <, op 9-11 <="},
		{"and or xor not in any all",
			"op 0-3 &&, op 4-6 ||, op 7-10 ^^, op 11-14 !, op 15-17 in, op 18-21 any, op 22-25 all"},
		{"bitwise_and bitand", "op 0-11 &, op 12-18 &"},
		{"AND", "word 0-3 AND"},
		{"10.0.0.1", "word 0-8 10.0.0.1"},
		{"10.0.0.0/8", "literal 0-10 10.0.0.0/8"},
		{"10.0.0.0 / 8", "word 0-8 10.0.0.0, op 9-10 /, word 11-12 8"},
		{"10.0.0.1..10.0.0.9", "word 0-8 10.0.0.1, op 8-10 .., word 10-18 10.0.0.9"},
		{"1..7", "word 0-1 1, op 1-3 .., word 3-4 7"},
		{"1...7", "word 0-1 1, op 1-3 .., field 3-5 7"},
		{"::", "literal 0-2 ::"},
		{"::1", "literal 0-3 ::1"},
		{"fe80::/10", "literal 0-9 fe80::/10"},
		{"2001:db8:0:0:0:0:0:1", "literal 0-20 2001:db8:0:0:0:0:0:1"},
		{"::ffff:1.2.3.4", "literal 0-14 ::ffff:1.2.3.4"},
		{"::1..::5", "literal 0-3 ::1, op 3-5 .., literal 5-8 ::5"},
		{"00:0c:29", "literal 0-8 00:0c:29"},
		{"00-0c-29", "word 0-8 00-0c-29"},
		{"00.0c.29", "word 0-8 00.0c.29"},
		{"0001.0203.0405", "word 0-14 0001.0203.0405"},
		{":fc", "literal 0-3 :fc"},
		{":0001", "literal 0-5 :0001"},
		{":00:01", "literal 0-6 :00:01"},
		{"fc:", "literal 0-3 fc:"},
		{"fc", "word 0-2 fc"},
		{`"a\tb"`, "string 0-6 a\tb"},
		{`"\x41\102\u00e9"`, "string 0-16 ABé"},
		{`r"a\b\""`, `string 0-8 a\b\"`},
		{`R""`, "string 0-3 "},
		{`r "a"`, "word 0-1 r, string 2-5 a"},
		{`'c'`, "char 0-3 c"},
		{`'\''`, "char 0-4 '"},
		{`'\xff'`, "char 0-6 \xff"},
		{"f[0:2, 3-4]", "word 0-1 f, op 1-2 [, range 2-5 0:2, op 5-6 ,, range 7-10 3-4, op 10-11 ]"},
		{"f[ -4: ]", "word 0-1 f, op 1-2 [, range 3-6 -4:, op 7-8 ]"},
		{"f#2[0]", "word 0-1 f, op 1-2 #, word 2-3 2, op 3-4 [, range 4-5 0, op 5-6 ]"},
		{"${ip.src}", "op 0-2 ${, word 2-8 ip.src, op 8-9 }"},
		{"$in", "op 0-1 $, word 1-3 in"},
		{"@f", "op 0-1 @, word 1-2 f"},
		{"f(a,b)", "word 0-1 f, op 1-2 (, word 2-3 a, op 3-4 ,, word 4-5 b, op 5-6 )"},
		{"f[", "![1"},
		{`"a`, `!"a`},
		{`"\q"`, `!\q`},
		{`"\400"`, `!\400`},
		{`"\ud800"`, `!\ud800`},
		{`"\u12"`, `!\u12`},
		{`r"\"`, `!r"\"`},
		{"''", "!''"},
		{"'ab'", "!'ab'"},
		{"'a", "!'a"},
		{"a;b", "!;"},
		{"é", "!é"},
		{"a \x01", "!\x01"},
	} {
		if got := tokensText(c.text); got != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func tokensText(text string) string {
	tokens, err := lex(text)
	var e *Error
	if errors.As(err, &e) {
		if e.Pos == 1 && text[1] == '[' {
			return "!" + fmt.Sprint(text[e.Pos:e.End], e.Pos)
		}
		return "!" + text[e.Pos:e.End]
	}
	var out []string
	for _, tok := range tokens[:len(tokens)-1] {
		out = append(out, fmt.Sprintf("%s %d-%d %s", kindNames[tok.kind], tok.pos, tok.end, tok.text))
	}
	return strings.Join(out, ", ")
}

// TestTrees is the table of the parser: the tree of a text, in brackets, with the places of all nodes.
func TestTrees(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"tcp", "exists@0-3(word:tcp@0-3)"},
		{"a and b or c", "||@0-12(&&@0-7(exists@0-1(word:a@0-1) exists@6-7(word:b@6-7)) exists@11-12(word:c@11-12))"},
		{"a or b and c", "||@0-12(exists@0-1(word:a@0-1) &&@5-12(exists@5-6(word:b@5-6) exists@11-12(word:c@11-12)))"},
		{"a && b && c", "&&@0-11(exists@0-1(word:a@0-1) exists@5-6(word:b@5-6) exists@10-11(word:c@10-11))"},
		{"a xor b or c", "||@0-12(^^@0-7(exists@0-1(word:a@0-1) exists@6-7(word:b@6-7)) exists@11-12(word:c@11-12))"},
		{"not a == 1", "!@0-10(==@4-10(word:a@4-5 word:1@9-10))"},
		{"!!a", "!@0-3(!@1-3(exists@2-3(word:a@2-3)))"},
		{"(a)", "exists@0-3(word:a@1-2)"},
		{"a & 1 + 1", "exists@0-9(&@0-9(word:a@0-1 +@4-9(word:1@4-5 word:1@8-9)))"},
		{"a & 3 == 1", "==@0-10(&@0-5(word:a@0-1 word:3@4-5) word:1@9-10)"},
		{"a - 1 - 2", "exists@0-9(-@0-9(-@0-5(word:a@0-1 word:1@4-5) word:2@8-9))"},
		{"a + 2 * 3", "exists@0-9(+@0-9(word:a@0-1 *@4-9(word:2@4-5 word:3@8-9)))"},
		{"{a + 2} * 3", "exists@0-11(*@0-11(+@0-7(word:a@1-2 word:2@5-6) word:3@10-11))"},
		{"-a < 0", "<@0-6(neg@0-2(word:a@1-2) word:0@5-6)"},
		{"1 < a < 4", "&&@0-9(<@0-5(word:1@0-1 word:a@4-5) <@4-9(word:a@4-5 word:4@8-9))"},
		{"any a == 1", "any ==@0-10(word:a@4-5 word:1@9-10)"},
		{"all a in {1}", "all in@0-12(word:a@4-5){1@10-11}"},
		{"a in {1, 2..3, -4}", "in@0-18(word:a@0-1){1@6-7 2@9-10..3@12-13 neg@15-17(word:4@16-17)}"},
		{"a not in {1}", "!@0-12(in@0-12(word:a@0-1){1@10-11})"},
		{"a contains \"b\"", "contains@0-14(word:a@0-1 string:b@11-14)"},
		{"a ~ \"b\"", "matches@0-7(word:a@0-1 string:b@4-7)"},
		{"a[0:2][1] == 'c'", "==@0-16(slice@0-9(slice@0-6(word:a@0-1)[0:2])[1:1] char:c@13-16)"},
		{"a#2 == 1", "==@0-8(word:a#[2:1]@0-3 word:1@7-8)"},
		{"a#2-3 == 1", "==@0-10(-@0-5(word:a#[2:1]@0-3 word:3@4-5) word:1@9-10)"},
		{"a#[-1,3:]", "exists@0-9(word:a#[-1:1 3:-1]@0-9)"},
		{"f(a, {b} + 1) > 2", ">@0-17(call:f@0-13(word:a@2-3 +@5-12(word:b@5-8 word:1@11-12)) word:2@16-17)"},
		{"a == ${b}", "==@0-9(word:a@0-1 ref@5-9(word:b@7-8))"},
		{"a == $b", "==@0-7(word:a@0-1 ref@5-7(word:b@6-7))"},
		{"@a == ${@b#2}", "==@0-13(raw@0-2(word:a@1-2) ref@6-13(raw@8-12(word:b#[2:1]@9-12)))"},
		{".a", "exists@0-2(field:a@0-2)"},
		{"a ==", "!4-4"}, {"a = 1", "!2-3"}, {"a b", "!2-3"}, {"(a", "!2-2"}, {"a)", "!1-2"}, {"a in {}", "!6-7"},
		{"a in {1,}", "!8-9"}, {"a in {1 2}", "!8-9"},
		{"any a", "!0-3"}, {"a[]", "!1-3"}, {"a[0:0]", "!2-5"}, {"a[2-1]", "!2-5"}, {"a#b", "!1-3"}, {"(a) == 1", "!4-6"},
		{"f(a,)", "!4-5"}, {"${a", "!3-3"}, {"--a", "!1-2"},
	} {
		e, err := Parse(c.text)
		var bad *Error
		got := ""
		if errors.As(err, &bad) {
			got = fmt.Sprintf("!%d-%d", bad.Pos, bad.End)
		} else {
			got = treeText(e)
		}
		if got != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func treeText(e *Expr) string {
	var b strings.Builder
	if e.Quant != "" && e.Quant != "()" {
		b.WriteString(e.Quant + " ")
	}
	b.WriteString(string(e.Op))
	if e.Text != "" {
		b.WriteString(":" + e.Text)
	}
	if e.Layered {
		b.WriteString("#" + spansText(e.Spans))
	}
	fmt.Fprintf(&b, "@%d-%d", e.Pos, e.End)
	if len(e.Args) > 0 {
		var args []string
		for _, a := range e.Args {
			args = append(args, treeText(a))
		}
		b.WriteString("(" + strings.Join(args, " ") + ")")
	}
	if e.Op == OpSlice {
		b.WriteString(spansText(e.Spans))
	}
	if len(e.Set) > 0 {
		var parts []string
		for _, r := range e.Set {
			s := strings.TrimPrefix(treeText(r.From), "word:")
			if r.To != nil {
				s += ".." + strings.TrimPrefix(treeText(r.To), "word:")
			}
			parts = append(parts, s)
		}
		b.WriteString("{" + strings.Join(parts, " ") + "}")
	}
	return b.String()
}

func spansText(spans []span) string {
	var out []string
	for _, s := range spans {
		out = append(out, fmt.Sprintf("%d:%d", s.from, s.length))
	}
	return "[" + strings.Join(out, " ") + "]"
}
