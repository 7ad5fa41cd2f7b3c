package filter

import "remora/dissect"

// What may stand at the end of the beginning of a filter.
type state uint8

const (
	wantsTerm state = iota
	wantsValue
	wantsOperator
	wantsNumber // of a layer
)

// cursorContext say what the tokens in front of the cursor lead to.
type cursorContext struct {
	state    state
	start    bool           // a test begins here
	subject  *dissect.Field // the field of the test, or nil
	sliced   bool           // a part of it
	compared bool           // an operator stands behind it
	op       string
	inside   []byte // the open brackets: ( for groups, f for functions, s for sets, { for terms
}

// walk follows tokens from the start of a filter. It forgives mistakes: people are still typing.
func walk(reg *dissect.Registry, tokens []token) cursorContext {
	w := cursorContext{start: true}
	for i, t := range tokens {
		switch t.kind {
		case tokEnd, tokRange:
		case tokOp:
			w.operator(t, i > 0 && tokens[i-1].kind == tokWord)
		default:
			w.term(reg, t)
		}
	}
	return w
}

func (w *cursorContext) term(reg *dissect.Registry, t token) {
	if w.state == wantsTerm && (t.kind == tokWord || t.kind == tokField) {
		if f := reg.Field(t.text); f != nil && w.subject == nil {
			w.subject, w.sliced = f, false
		}
	}
	w.state, w.start = wantsOperator, false
}

func (w *cursorContext) operator(t token, behindWord bool) {
	switch text := t.text; {
	case text == "&&" || text == "||" || text == "^^" || text == "any" || text == "all" ||
		text == "!" && w.state != wantsOperator:
		*w = cursorContext{start: true, inside: w.inside}
	case text == "!": // not in
	case comparisons[text] || text == "contains" || text == "matches" || text == "~":
		w.state, w.op, w.compared = wantsValue, text, true
	case text == "in":
		w.op, w.compared, w.state = text, true, wantsNumber
	case text == "(":
		if behindWord {
			w.inside, w.state, w.subject = append(w.inside, 'f'), wantsTerm, nil
			break
		}
		*w = cursorContext{start: true, inside: append(w.inside, '(')}
	case text == "{" && w.op == "in":
		w.inside, w.state = append(w.inside, 's'), wantsValue
	case text == "{" || text == "${":
		w.inside, w.state = append(w.inside, '{'), wantsTerm
	case text == ")" || text == "}":
		w.shut()
	case text == "," || text == "..":
		if w.state = wantsTerm; w.in() == 's' {
			w.state = wantsValue
		}
	case text == "[":
		w.sliced = true
	case text == "]":
		w.state = wantsOperator
	case text == "#":
		w.state = wantsNumber
	default: // arithmetic, $, @
		w.state, w.start = wantsTerm, false
	}
}

func (w *cursorContext) in() byte {
	if n := len(w.inside); n > 0 {
		return w.inside[n-1]
	}
	return 0
}

// shut closes the innermost bracket. What a function gives is no value of the field in it.
func (w *cursorContext) shut() {
	was := w.in()
	if n := len(w.inside); n > 0 {
		w.inside = w.inside[:n-1]
	}
	w.state = wantsOperator
	switch was {
	case 'f':
		w.subject = nil
	case 's', '(':
		w.compared = true
	}
}
