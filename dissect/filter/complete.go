package filter

import (
	"sort"
	"strings"

	"remora/dissect"
)

// A Completion is what could stand at the cursor: Text takes the place of the bytes From to To.
type Completion struct {
	Text, Type, Doc string
	From, To        int
}

// maxCompletions bounds the list.
const maxCompletions = 200

// Complete offers field and protocol names, or after a comparison the values of the field, for the word at the cursor (a
// byte offset), also in the middle of the text.
func Complete(reg *dissect.Registry, text string, cursor int) []Completion {
	cursor = max(0, min(cursor, len(text)))
	from := cursor
	for from > 0 && strings.IndexByte(" \t()!&|=<>{},[", text[from-1]) < 0 {
		from--
	}
	to := cursor
	for to < len(text) && strings.IndexByte(" \t()!&|=<>{},[", text[to]) < 0 {
		to++
	}
	word := strings.TrimPrefix(text[from:cursor], `"`)
	if f := comparedField(reg, text[:from]); f != nil {
		return values(f, word, from, to)
	}
	var out []Completion
	for _, name := range reg.FieldNames() {
		if strings.HasPrefix(name, word) && len(out) < maxCompletions {
			f := reg.Field(name)
			kind := f.Type().String()
			if f.IsKind() {
				kind = "packet type"
			}
			out = append(out, Completion{name, kind, f.Doc(), from, to})
		}
	}
	return out
}

// comparedField is the field whose value comes next, if the text ends in a comparison or inside a set.
func comparedField(reg *dissect.Registry, before string) *dissect.Field {
	tokens, err := lex(before)
	if err != nil {
		return nil
	}
	for i := len(tokens) - 2; i > 0; i-- {
		t := tokens[i]
		switch {
		case t.kind == tokOp && (relations[t.text] || t.text == "in"):
			if w := tokens[i-1]; w.kind == tokWord {
				return reg.Field(w.text)
			}
			return nil
		case t.kind == tokOp && (t.text == "{" || t.text == "," || t.text == ".."), t.kind != tokOp && i+1 < len(tokens)-1:
		default:
			return nil
		}
	}
	return nil
}

func values(f *dissect.Field, word string, from, to int) []Completion {
	var out []Completion
	seen := map[string]bool{}
	for v, name := range f.Values() {
		if seen[name] || !strings.HasPrefix(strings.ToLower(name), strings.ToLower(word)) {
			continue
		}
		seen[name] = true
		text := name
		if strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" {
			text = `"` + name + `"`
		}
		out = append(out, Completion{text, "value", f.NumberText(v), from, to})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Text < out[j].Text })
	return out[:min(len(out), maxCompletions)]
}
