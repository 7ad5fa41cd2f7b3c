package json

import (
	"bytes"
	"encoding/json"

	"remora/dissect"
)

// Limits of what is taken apart: how many values, how deep they stand in each other, and the letters of a path.
const (
	maxValues = 5000
	maxDepth  = 24
	maxPath   = 1024
)

// deeper is the kind of a value that stands too deep.
const deeper = 'd'

// scan finds all values of the text, and tells whether it is well formed.
func (r *reader) scan() bool {
	if !json.Valid(r.b) && !r.rows() {
		return false
	}
	for at, p := r.space(0), (dissect.Progress{}); at < len(r.b) && p.Up(at); at = r.space(at) {
		if at = r.one(at, span{}, 0); len(r.nodes) >= maxValues {
			break
		}
	}
	return len(r.nodes) > 0
}

// rows tells whether the text is several values, one behind the other.
func (r *reader) rows() bool {
	in := json.NewDecoder(bytes.NewReader(r.b))
	for n := 0; in.InputOffset() < int64(len(r.b)); n++ {
		var skipped json.RawMessage
		if in.Decode(&skipped) != nil {
			return n > 0 && len(bytes.TrimSpace(r.b[in.InputOffset():])) == 0
		}
	}
	return true
}

// space is where the white space ends that begins at at.
func (r *reader) space(at int) int {
	for at < len(r.b) && (r.b[at] <= ' ' || r.b[at] == ',' || r.b[at] == ':') {
		at++
	}
	return at
}

// one keeps the value that begins at at, of a text that is well formed, and returns where it ends.
func (r *reader) one(at int, key span, depth int) int {
	i := len(r.nodes)
	n := node{kind: r.b[at], from: at, key: key}
	open := n.kind == '{' || n.kind == '['
	switch {
	case open && depth >= maxDepth:
		n.kind, n.to = deeper, r.skip(at, 0)
	case open:
		r.nodes = append(r.nodes, n)
		n.to = r.within(at+1, n.kind == '{', depth+1)
		r.nodes[i].to, r.nodes[i].next = n.to, len(r.nodes)
		return n.to
	case n.kind == '"':
		n.to = r.quoted(at)
	default:
		n.to = at
		for n.to < len(r.b) && bytes.IndexByte([]byte(",]} \t\r\n"), r.b[n.to]) < 0 {
			n.to++
		}
	}
	n.next = i + 1
	r.nodes = append(r.nodes, n)
	return n.to
}

// within keeps the values of an object or an array, and returns where it ends.
func (r *reader) within(at int, object bool, depth int) int {
	at = r.space(at)
	for p := (dissect.Progress{}); at < len(r.b) && r.b[at] != '}' && r.b[at] != ']' && p.Up(at); at = r.space(at) {
		if len(r.nodes) >= maxValues {
			end := r.skip(at, 1)
			r.nodes = append(r.nodes, node{kind: deeper, from: at, to: end - 1, key: span{at, at}, next: len(r.nodes) + 1})
			return end
		}
		var key span
		if object {
			key = span{at, r.quoted(at)}
			at = r.space(key.to)
		}
		if at >= len(r.b) {
			return len(r.b)
		}
		at = r.one(at, key, depth)
	}
	return min(at+1, len(r.b))
}

// quoted is where the text between quotes ends that begins at at.
func (r *reader) quoted(at int) int {
	for i := at + 1; i < len(r.b); i++ {
		switch r.b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(r.b)
}

// skip is where the object or the array ends that begins at at, or within which at is, depth levels deep.
func (r *reader) skip(at, depth int) int {
	for p := (dissect.Progress{}); at < len(r.b) && p.Up(at); at++ {
		switch r.b[at] {
		case '"':
			at = r.quoted(at) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return at + 1
			}
		}
	}
	return at
}
