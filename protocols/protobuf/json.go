package protobuf

import (
	"encoding/base64"
	"encoding/json"

	"remora/protocols/internal/protofile"
)

// A jsonText is a message written as JSON, as it grows. A nil one takes nothing.
type jsonText struct {
	b       []byte
	deep    int
	waiting bool // a name stands in front
	empty   bool // of what is open
}

// next begins a value, a name or an end.
func (j *jsonText) next(comma bool) {
	if j.waiting {
		j.waiting = false
		return
	}
	if len(j.b) == 0 {
		return
	}
	if comma && !j.empty {
		j.b = append(j.b, ',')
	}
	if j.empty = false; j.deep > 0 || !comma {
		j.b = append(j.b, '\n')
		for range j.deep {
			j.b = append(j.b, "  "...)
		}
	}
}

func (j *jsonText) open(c byte) {
	if j == nil {
		return
	}
	j.next(true)
	j.b = append(j.b, c)
	j.deep++
	j.empty = true
}

func (j *jsonText) close(c byte) {
	if j == nil {
		return
	}
	j.deep--
	if !j.empty {
		j.next(false)
	}
	j.b, j.empty, j.waiting = append(j.b, c), false, false
}

func (j *jsonText) name(s string) {
	if j == nil {
		return
	}
	j.next(true)
	j.quote(s)
	j.b = append(j.b, ": "...)
	j.waiting = true
}

func (j *jsonText) text(s string) {
	if j == nil {
		return
	}
	j.next(true)
	j.quote(s)
}

func (j *jsonText) bytes(b []byte) {
	if j != nil {
		j.text(base64.StdEncoding.EncodeToString(b))
	}
}

// number writes a number: of 64 bits as text, as JSON's own have fewer; of enums the name.
func (j *jsonText) number(t protofile.Type, text string) {
	switch {
	case j == nil:
	case t == protofile.Int64 || t == protofile.Sfixed64 || t == protofile.Uint64 || t == protofile.Fixed64 ||
		t == protofile.Sint64 || t == protofile.EnumType:
		j.text(text)
	default:
		j.next(true)
		j.b = append(j.b, text...)
	}
}

func (j *jsonText) quote(s string) {
	text, _ := json.Marshal(s) // of text, which has no error
	j.b = append(j.b, text...)
}
