package filter

import (
	"strings"
	"testing"
	"time"
)

// TestRegexIsOfBytes holds expressions to what PCRE2 makes of them over bytes.
func TestRegexIsOfBytes(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"abc", "xABCx", true}, {"(?-i)abc", "xABCx", false}, {"a.c", "a\nc", false}, {"(?s)a.c", "a\nc", true},
		{"a.c", "a\x00c", true},
		{"^..$", "é", true}, {"^.$", "é", false}, {"é", "xéx", true}, {`\xc3\xa9`, "é", true}, {`[\x80-\xff]{2}`, "é", true},
		{`^[^a]$`, "\xff", true},
		{"c$", "abc\n", true}, {"c$", "abc\nx", false}, {`c\z`, "abc\n", false}, {`^a`, "ba", false},
		{`(?m)^a`, "b\na", true},
		{"", "", true}, {`\.com$`, "example.com", true},
		// Only letters of ASCII have a case, and only they are letters.
		{`^\xe3`, "\xc3", false}, {"é", "É", false}, {`[\xc0-\xc9]`, "\xe1", false}, {`\xb5`, "\xb5", true},
		{`\w`, "é", false}, {`(?=\w)\W`, "é", false}, {`(?!a)\W`, "é", true}, {"[^A]", "a", false},
		// Classes.
		{`^\s$`, "\v", true}, {`^\S$`, "\v", false}, {`^\h$`, "\xa0", true}, {`^\h$`, "\n", false}, {`^\H$`, "\n", true},
		{`^\v$`, "\x85", true}, {`^\V$`, "\r", false}, {`a\Rb`, "a\r\nb", true}, {`a\Nb`, "a\nb", false},
		{`^\C$`, "\n", true}, {"[]a]b", "]b", true}, {"[^]]b", "]b", false}, {`[a\-z]`, "-", true}, {`[a\-z]`, "c", false},
		{"[+-a]", "A", true}, {`[\]\[]`, "[", true}, {`[\b]`, "\b", true}, {`[\b]`, "b", false},
		{`[[:^digit:]]b`, "1b", false}, {`(?!x)[[:digit:]]`, "d", false}, {`(?!x)[[:punct:]]`, "!", true},
		{`[\d\h]x`, "\tx", true}, {`[\s\S]{3}`, "a\n\xff", true}, {`[\D]`, "1", false},
		// Bytes by number.
		{`\x{61}`, "a", true}, {`\o{141}`, "a", true}, {`\141`, "A", true}, {`\377`, "\xff", true}, {`\0`, "\x00", true},
		{`\cK`, "\v", true}, {`\e`, "\x1b", true}, {`[\x00-\x1f]`, " ", false},
		{`\Qa+b\E+`, "a+bb", true}, {`\Qa+b`, "aab", false}, {`a\Kb`, "ab", true}, {"a(?#x)b", "ab", true},
		// White space that means nothing, within its group.
		{"(?x) a b # c", "ab", true}, {"(?x: a a )b", "aab", true}, {"(?x: a) b", "ab", false}, {"(?x: a) b", "a b", true},
		{"(?xi-s) a", "A", true}, {"(?i:A)b", "aB", true}, {"(?-i:A)B", "ab", false}, {"(?-i:A)B", "Ab", true},
		{"a{,2}b", "ab", false}, {"a{,2}b", "a{,2}b", true}, {"a{2000}?b", "aab", false},
		{"^a{0,2000}b", strings.Repeat("a", 2000) + "b", true}, {"{", "{", true},
		// What goes back.
		{`(?<=a)b`, "ab", true}, {`(?<=a)b`, "cb", false}, {`a(?!b)`, "ab", false}, {`a(?!b)`, "ac", true},
		{`(.)\1`, "xyyz", true}, {`(.)\1`, "xyz", false}, {`(?>a+)b`, "aab", true}, {`(?>a+)ab`, "aab", false},
		{"a++b", "aab", true}, {"a*+ab", "aab", false}, {"(?:a|aa)++b", "aaab", true}, {"[a-b]{1,2}+b", "ab", false},
		{`(?<n>a)\k<n>`, "aa", true}, {`(?P<n>a)(?P=n)`, "aa", true}, {`(?'n'a)\k'n'x`, "aax", true},
		{`(a)\g{1}`, "aa", true}, {`(a)\g1b`, "ab", false}, {`b\Z`, "ab\n", true}, {"(?(?=ab)ab+c|d)", "abbc", true},
		{"(?(?=ab)ab+c|d)", "abbd", true}, {"(a)?(?(1)b|c)d", "abd", true}, {"^(a)?(?(1)b|c)d", "bd", false},
	} {
		re, err := compileRegex(c.pattern)
		if err != nil {
			t.Errorf("%q: %v", c.pattern, err)
			continue
		}
		if got := re.match(new(eval), []byte(c.text)); got != c.want {
			t.Errorf("%q matches %q: %v, want %v", c.pattern, c.text, got, c.want)
		}
	}
	for _, pattern := range []string{"(", "[", "*", "a{3,2}", `\`, "(?<=", "(?z)", "(?<", "(?<n", "(?P=", `\k<`, `\g{`,
		`\x{`, `\x{100}`, `\400`, `\i`, `[z-a]`, `[a-\d]`, `[\d-z]`, "[[:foo:]]", "(?i", ")", `(b)\2`, "(?(", "(?(1",
		"(*ACCEPT)", strings.Repeat("(", 1000)} {
		if _, err := compileRegex(pattern); err == nil {
			t.Errorf("%q compiles", pattern)
		} else if strings.ContainsFunc(err.Error(), func(r rune) bool { return r >= private && r <= private+0xff }) {
			t.Errorf("%q: %v", pattern, err)
		}
	}
}

// TestLinearWhereItCan holds what needs no way back to the engine whose time is bounded by its text.
func TestLinearWhereItCan(t *testing.T) {
	for pattern, want := range map[string]bool{
		"(a+)+$": true, "(a|aa)*b": true, `\R\h[[:alpha:]]\K(?x) a`: true, `(?P<n>a)(?<m>b)`: true, "a{2,5}?": true,
		"é+":     true,
		"(a)\\1": false, "(?=a)": false, "a++": false, "a{0,5000}": false,
	} {
		re, err := compileRegex(pattern)
		if err != nil || (re.linear != nil) != want {
			t.Errorf("%q is linear: %v (%v), want %v", pattern, re.linear != nil, err, want)
		}
	}
}

// TestPurse counts the matches that an expression gets by what each of them costs.
func TestPurse(t *testing.T) {
	const most = 1 << 20
	for _, c := range []struct {
		took time.Duration
		n    int
		want int
	}{
		{50 * time.Microsecond, 100, most},   // slow, and as slow for ever
		{5 * time.Millisecond, 8192, most},   // slow on a long text
		{49 * time.Millisecond, 1400, 22},    // never at its limit
		{75 * time.Millisecond, 40, 14},      // always at its limit
		{2 * time.Millisecond, 1000, 1112},   // a little too slow
		{10 * time.Second, 1 << 20, 1},       // far too slow
		{0, 0, most},                         // nothing
		{time.Duration(100_001), 0, 1 << 20}, // hardly too slow: a purse lasts
	} {
		var p timeBudget
		got := 0
		for got < most && !p.exhausted.Load() {
			p.spend(c.took, c.n)
			got++
		}
		if got != c.want {
			t.Errorf("%v for %d bytes: %d matches, want %d", c.took, c.n, got, c.want)
		}
	}
	// A pause now and then is forgiven.
	var p timeBudget
	for i := range 100_000 {
		took := 10 * time.Microsecond
		if i%200 == 0 {
			took = 15 * time.Millisecond
		}
		p.spend(took, 10)
	}
	if p.exhausted.Load() {
		t.Error("a busy machine empties the purse")
	}
}

// TestRegexGivesUp lets an expression that would take ages run into its bounds.
func TestRegexGivesUp(t *testing.T) {
	re, err := compileRegex(`(?=x?)(a+)+$`)
	if err != nil {
		t.Fatal(err)
	}
	text := []byte(strings.Repeat("a", 200) + "!")
	for n := 0; !re.budget.exhausted.Load(); n++ {
		if re.match(new(eval), text) {
			t.Fatal("it matches")
		}
		if n > 2*int(regexBudget/backLimit) {
			t.Fatalf("it goes on after %d matches", n)
		}
	}
	if re.match(new(eval), []byte("ab")) {
		t.Error("it goes on with an empty purse")
	}
}

// FuzzRegex looks for an expression that the engines refuse after all in a way that shows how they see it, or that
// takes a rewriter beyond its end.
func FuzzRegex(f *testing.F) {
	for _, s := range []string{`(?x) a b # c`, `[\d-z]\Q+\E{2}+`, `(?P<n>a)(?P=n)`, `(?(1)a|b)`,
		`\x{61}\o{141}\cK[[:^word:]]`, "(?<=é)\\g{1}"} {
		f.Add(s, "text\xff\n")
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		if len(pattern) > 100 || len(text) > 100 {
			return
		}
		if re, err := compileRegex(pattern); err == nil {
			re.match(new(eval), []byte(text))
		}
	})
}
