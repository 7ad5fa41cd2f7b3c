package filter

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"remora/dissect"
)

// A Completion is what could stand at the cursor: Text takes the place of the bytes From to To. Type says what it is in
// a word or two, Doc in a sentence.
type Completion struct {
	Text, Type, Doc string
	From, To        int

	score int
}

// maxCompletions bounds the list.
const maxCompletions = 200

// Complete offers what may stand at the cursor (a byte offset), the likeliest first: fields, protocols and functions
// where a term belongs; behind a field the operators of its type; behind an operator the names of its values. It works
// in the middle of the text, too: the word around the cursor is replaced.
func Complete(reg *dissect.Registry, text string, cursor int) []Completion {
	cursor = max(0, min(cursor, len(text)))
	at := place(text, cursor)
	c := completer{reg: reg, word: text[at.from:cursor], from: at.from, to: at.to, quoted: at.quoted}
	c.word = strings.TrimPrefix(c.word, `"`)
	tokens, err := lex(text[:at.from])
	if err != nil {
		return nil
	}
	where := walk(reg, tokens)
	switch {
	case at.quoted && where.state != wantsValue:
		return nil
	case where.state == wantsValue:
		c.values(where)
	case where.state == wantsOperator:
		c.operators(where)
	case where.state == wantsTerm:
		c.terms(where.start)
	}
	return c.sorted()
}

// A cursorWord is the word around the cursor, with its quotes if it stands in some.
type cursorWord struct {
	from, to int
	quoted   bool
}

func place(text string, cursor int) cursorWord {
	if open := openQuote(text[:cursor]); open >= 0 {
		to := cursor
		if end := strings.IndexByte(text[cursor:], '"'); end >= 0 &&
			!strings.ContainsAny(text[cursor:cursor+end], "&|={}(),") {
			to = cursor + end + 1
		}
		return cursorWord{open, to, true}
	}
	inWord := func(i int) bool {
		return isNameByte(text[i]) || text[i] == '.' && !strings.HasPrefix(text[i:], "..") && (i == 0 || text[i-1] != '.')
	}
	at := cursorWord{from: cursor, to: cursor}
	for at.from > 0 && inWord(at.from-1) {
		at.from--
	}
	for at.to < len(text) && inWord(at.to) {
		at.to++
	}
	return at
}

// openQuote is the place of the quote that is still open at the end of s, or -1.
func openQuote(s string) int {
	open := -1
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"' && open < 0:
			open = i
		case s[i] == '"':
			open = -1
		case s[i] == '\\' && open >= 0:
			i++
		}
	}
	return open
}

type completer struct {
	reg      *dissect.Registry
	word     string
	from, to int
	quoted   bool
	out      []Completion
}

func (c *completer) add(score int, text, kind, doc string) {
	c.out = append(c.out, Completion{Text: text, Type: kind, Doc: doc, From: c.from, To: c.to, score: score})
}

func (c *completer) sorted() []Completion {
	sort.SliceStable(c.out, func(i, j int) bool {
		if c.out[i].score != c.out[j].score {
			return c.out[i].score < c.out[j].score
		}
		return c.out[i].Text < c.out[j].Text
	})
	return c.out[:min(len(c.out), maxCompletions)]
}

// fit ranks a name for a word: 0 as written, then without regard to case, then the last part of a name, a part in its
// middle, and letters anywhere. It is -1 where the word is not in the name.
func fit(name, word string) int {
	lower, want := strings.ToLower(name), strings.ToLower(word)
	switch {
	case strings.HasPrefix(name, word):
		return 0
	case strings.HasPrefix(lower, want):
		return 1
	}
	dot := strings.LastIndexByte(lower, '.')
	switch {
	case word != "" && isDigit(word[0]): // a number is no part of a name
		return -1
	case lower[dot+1:] == want:
		return 2
	case strings.HasPrefix(lower[dot+1:], want):
		return 3
	case strings.Contains(lower, "."+want):
		return 4
	case len(want) > 1 && strings.Contains(lower, want):
		return 5
	}
	return -1
}

// terms offers fields, protocols and functions; at the start of a test also not, any and all.
func (c *completer) terms(start bool) {
	for _, name := range c.reg.FieldNames() {
		n := fit(name, c.word)
		if n < 0 {
			continue
		}
		f := c.reg.Field(name)
		kind := f.Type().String()
		score := 20 * n
		switch {
		case f.Type() == dissect.TypeProtocol:
			score -= 2
		case f.IsKind():
			kind = "packet type"
			score--
		case strings.HasPrefix(name, "gopacket.") && !strings.HasPrefix(c.word, "gop"):
			score += 10 // of protocols that few people meet
		}
		c.add(score, name, kind, f.Doc())
	}
	for name, column := range columns {
		if n := fit(name, c.word); n >= 0 && c.word != "" {
			c.add(20*n+1, name, "column", column.doc)
		}
	}
	for _, name := range functionNames() {
		if c.word != "" && strings.HasPrefix(name, c.word) {
			c.add(5, name+"(", "function", functions[name].usage+": "+functions[name].doc)
		}
	}
	if !start {
		return
	}
	for _, w := range []struct{ text, doc string }{{"not", "The opposite of what follows."},
		{"any", "True if some pair of values compares so."}, {"all", "True if every pair of values compares so."}} {
		if c.word != "" && strings.HasPrefix(w.text, c.word) {
			c.add(6, w.text, "operator", w.doc)
		}
	}
}

// operatorDocs explain the operators that may stand behind a field.
var operatorDocs = []struct{ text, doc string }{
	{"==", "Some value equals."}, {"!=", "Every value is different."}, {"===", "Every value equals."},
	{"!==", "Some value is different."},
	{"<", "Some value is less."}, {"<=", "Some value is less or equal."}, {">", "Some value is greater."},
	{">=", "Some value is greater or equal."},
	{"in", "Some value is in a set: in {1, 5..9}."}, {"contains", "Some value holds the text or bytes."},
	{"matches", "A regular expression is found in some value, without regard to case."}, {"&", "The bits that both have."},
}

// operators offers what the type of the field takes, and what joins tests.
func (c *completer) operators(w cursorContext) {
	for i, o := range operatorDocs {
		if w.subject != nil && !w.compared && w.takes(Op(o.text)) && strings.HasPrefix(o.text, c.word) {
			c.add(i, o.text, "operator", o.doc)
		}
	}
	for i, o := range []struct{ text, doc string }{{"&&", "Both tests are true."}, {"||", "At least one test is true."},
		{"^^", "One test is true, and only one."}} {
		for j, text := range []string{o.text, []string{"and", "or", "xor"}[i]} {
			if strings.HasPrefix(text, c.word) && (j == 0 || c.word != "") {
				c.add(20+i, text, "operator", o.doc)
			}
		}
	}
}

// takes tells whether the field in front takes an operator.
func (w *cursorContext) takes(op Op) bool {
	cl := classOf(w.subject.Type())
	if w.sliced {
		cl = classBytes
	}
	switch op {
	case "contains", "matches":
		return cl.searched()
	case "&":
		return cl.masked()
	case "in":
		return cl != classNone && !w.sliced
	}
	return cl != classNone
}

// values offers the names of the field's values with their numbers, and fields that it can be compared with.
func (c *completer) values(w cursorContext) {
	if w.subject == nil {
		if !c.quoted && c.word != "" {
			c.terms(false)
		}
		return
	}
	if !w.sliced {
		c.names(w.subject)
	}
	if c.quoted || c.word == "" || w.op == "matches" {
		return
	}
	for _, name := range c.reg.FieldNames() {
		f := c.reg.Field(name)
		if n := fit(name, c.word); n >= 0 && n < 4 && classOf(f.Type()).comparable(classOf(w.subject.Type())) &&
			f != w.subject {
			c.add(50+20*n, name, f.Type().String(), f.Doc())
		}
	}
}

func (c *completer) names(f *dissect.Field) {
	if f.Type() == dissect.TypeBool {
		no, yes := f.BoolLabels()
		for i, v := range []struct{ text, doc string }{{"1", yes}, {"0", no}, {"True", yes}, {"False", no}} {
			if fit(v.text, c.word) == 0 && !c.quoted {
				c.add(i, v.text, "value", v.doc)
			}
		}
		if c.quoted {
			c.add(0, `"`+yes+`"`, "value", "1")
			c.add(1, `"`+no+`"`, "value", "0")
		}
		return
	}
	seen := map[string]bool{}
	values := f.Values()
	for _, v := range slices.Sorted(maps.Keys(values)) { // of values that share a name always the same stands beside it
		name := values[v]
		n := fitValue(name, c.word)
		if n < 0 && c.word != "" && !c.quoted && fmt.Sprint(v) == c.word {
			n = 3
		}
		if n < 0 || seen[name] {
			continue
		}
		seen[name] = true
		text := name
		if c.quoted || nameLen(name) != len(name) || name == "" || c.reg.Field(name) != nil || words[name] != "" ||
			isDigit(name[0]) {
			text = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name) + `"`
		}
		c.add(n, text, "value", f.NumberText(v))
	}
}

// fitValue ranks the name of a value for a word: the name's start, the start of a word in it, letters anywhere.
func fitValue(name, word string) int {
	lower, want := strings.ToLower(name), strings.ToLower(word)
	switch {
	case strings.HasPrefix(lower, want):
		return 0
	case strings.Contains(lower, " "+want), strings.Contains(lower, "_"+want), strings.Contains(lower, "-"+want):
		return 1
	case strings.Contains(lower, want):
		return 2
	}
	return -1
}
