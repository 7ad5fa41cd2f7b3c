package dissect

import "strings"

// A templatePart is a piece of a template, or a part of it in square brackets.
type templatePart struct {
	text   string // as it is, or the name of a field
	form   string // of the field's value
	named  bool
	inside []templatePart // of the brackets
}

// maxTemplates is how many templates are kept in parts: those with texts from packets in them come once.
const maxTemplates = 1 << 10

// appendExpanded fills a template from the nodes [from, to). A name in braces stands for the value of the first such
// field, a part in square brackets is dropped when a name in it has none.
func (t *Tree) appendExpanded(dst []byte, template string, p *Protocol, from, to int) []byte {
	parts, known := []templatePart(nil), false
	if t.by != nil {
		parts, known = t.by.templates[template]
	}
	if !known {
		parts = templateParts(template)
		if t.by != nil && (t.by.templates == nil || len(t.by.templates) >= maxTemplates) {
			t.by.templates = map[string][]templatePart{}
		}
		if t.by != nil {
			t.by.templates[template] = parts
		}
	}
	dst, _ = t.expand(dst, parts, p, from, to)
	return dst
}

func (t *Tree) expand(dst []byte, parts []templatePart, p *Protocol, from, to int) (_ []byte, complete bool) {
	complete = true
	for i := range parts {
		part, at := &parts[i], len(dst)
		var all bool
		switch {
		case part.named:
			dst, all = t.appendNamed(dst, part, p, from, to)
			complete = complete && all
		case part.inside != nil:
			if dst, all = t.expand(dst, part.inside, p, from, to); !all {
				dst = dst[:at]
			}
		default:
			dst = append(dst, part.text...)
		}
	}
	return dst, complete
}

// appendNamed appends the value of the first field of a name.
func (t *Tree) appendNamed(dst []byte, part *templatePart, p *Protocol, from, to int) ([]byte, bool) {
	name := part.text
	for i := from; i < to; i++ {
		f := t.Field(i)
		if f.name == name || f.proto == p && len(f.name) == len(p.name)+1+len(name) && strings.HasSuffix(f.name, name) {
			return t.appendForm(dst, i, f, part.form), true
		}
	}
	if t.by != nil && !t.read && t.by.want.text {
		t.by.learnNamed(name, p)
	}
	return dst, false
}

// templateParts takes a template apart. ":name" behind a field's name takes the value's name alone, ":raw" the number
// alone. A backslash keeps the character behind it from meaning anything.
func templateParts(s string) (parts []templatePart) {
	for s != "" {
		var end int
		switch s[0] {
		case '{':
			end = strings.IndexByte(s, '}')
		case '[':
			end = closing(s)
		case '\\':
			if len(s) == 1 {
				return parts
			}
			parts, s = append(parts, templatePart{text: s[1:2]}), s[2:]
			continue
		default:
			if end = strings.IndexAny(s, `{[\`); end < 0 {
				end = len(s)
			}
			parts, s = append(parts, templatePart{text: s[:end]}), s[end:]
			continue
		}
		if end < 0 {
			return append(parts, templatePart{text: s})
		}
		part := templatePart{named: s[0] == '{'}
		if part.named {
			part.text, part.form, _ = strings.Cut(s[1:end], ":")
		} else {
			part.inside = append([]templatePart{}, templateParts(s[1:end])...)
		}
		parts, s = append(parts, part), s[end+1:]
	}
	return parts
}

// closing is the place of the bracket that closes the one s starts with, or -1.
func closing(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}
