package http3

import "remora/dissect"

var (
	fSection = proto.Group("headers", "Header", "Header fields.")
	fNeeds   = proto.Uint64("headers.required_insert_count", "Required Insert Count",
		"How many entries the dynamic table must have had.")
	fBase   = proto.Uint64("headers.base", "Base", "From where entries are counted.").Derived()
	fCount  = proto.Uint32("headers.count", "Headers Count", "How many fields there are.").Derived()
	fHeader = proto.Group("headers.header", "Header", "One field.").
		Summary("Header: {http3.headers.header.name}: {http3.headers.header.value}")
	fHName  = proto.String("headers.header.name", "Name", "The field's name.")
	fHValue = proto.String("headers.header.value", "Value", "The field's value.")
	nLarge  = proto.Expert("headers.large", dissect.Error,
		"There are too many header fields, or they are too long: the rest is not read").About(dissect.AboutMalformed)
	nBlocked = proto.Expert("headers.blocked", dissect.Hint,
		"The header fields name entries of the dynamic table that have not come yet, or are not known")
)

// known are the fields that people filter by.
var known = map[string]*dissect.Field{
	":authority":     proto.String("headers.authority", "Authority", "The host that is asked."),
	":method":        proto.String("headers.method", "Method", "What is asked for."),
	":path":          proto.String("headers.path", "Path", "Of what."),
	":scheme":        proto.String("headers.scheme", "Scheme", "How it is reached."),
	":status":        proto.String("headers.status", "Status", "How it went."),
	":protocol":      proto.String("headers.protocol", "Protocol", "What the stream is to carry (RFC 9220)."),
	"content-type":   proto.String("headers.content_type", "content-type", "What the body is."),
	"content-length": proto.String("headers.content_length", "content-length", "Bytes of the body."),
	"user-agent":     proto.String("headers.user_agent", "user-agent", "The program that asks."),
	"server":         proto.String("headers.server", "server", "The program that answers."),
	"location":       proto.String("headers.location", "location", "Where it is instead."),
}

// headers reads a field section (RFC 9204 section 4.5).
func (r *reader) headers() {
	d := r.d
	result := states.FirstPassIn(d, func(s *state) (n note) {
		if t := s.table(r.link, r.server); t != nil {
			n = t.now()
		}
		return n
	})
	r.said = message{length: -1}
	d.In(fSection, func() { r.section(result) })
}

func (r *reader) section(result note) {
	d := r.d
	packed, n := integer(d.Data(), 8)
	if n == 0 || n >= d.Left() {
		d.Skip(d.Left() + 1)
		return
	}
	needs := required(packed, result)
	d.Put(fNeeds, needs, d.Pos(), n)
	d.Skip(n)
	delta, n := integer(d.Data(), 7)
	if n == 0 {
		d.Skip(d.Left() + 1)
		return
	}
	base := needs + delta
	if d.Peek(0)&0x80 != 0 {
		base = needs - delta - 1
	}
	d.Skip(n)
	d.Set(fBase, base)
	if needs > uint64(result.Count) {
		d.Expert(nBlocked)
	}
	count, blind, unfolded := uint64(0), false, 0
	for more := d.Elements(); !d.Short() && more.Next(); {
		if count >= maxLines || unfolded > maxUnfold {
			d.Expert(nLarge)
			d.Skip(d.Left())
			break
		}
		f, size, ok := line(d, d.Data(), base, result)
		if size == 0 {
			d.Skip(d.Left() + 1)
			break
		}
		r.header(f, size)
		count++
		unfolded += len(f.name) + len(f.value)
		blind = blind || !ok
	}
	d.Set(fCount, count)
	if blind && needs <= uint64(result.Count) {
		d.Expert(nBlocked)
	}
}

// Limits of a field section: how many lines are read, and how many bytes may come of them.
const (
	maxLines  = 1000
	maxUnfold = 256 << 10
)

// header shows a field of so many bytes.
func (r *reader) header(f field, size int) {
	d := r.d
	r.said.learn(f)
	d.In(fHeader, func() {
		d.PutText(fHName, f.name, d.Pos(), size)
		d.PutText(fHValue, f.value, d.Pos(), size)
		if known := known[f.name]; known != nil {
			d.PutText(known, f.value, d.Pos(), size)
		}
		d.Skip(size)
	})
}

// required is the Required Insert Count that was sent modulo twice the entries that the table can have (RFC 9204
// section
// 4.5.1.1).
func required(packed uint64, result note) uint64 {
	full := 2 * uint64(result.Most/32)
	if packed == 0 || full == 0 || packed > full {
		return packed
	}
	most := uint64(result.Count) + full/2
	n := most/full*full + packed - 1
	if n > most && n > full {
		n -= full
	}
	return n
}

// line takes one field off the front of b (RFC 9204 section 4.5); n is 0 where b is too short. It tells whether the
// tables have what is named.
func line(d *dissect.D, b []byte, base uint64, result note) (f field, n int, ok bool) {
	var number uint64
	value := true // it stands behind
	switch first := b[0]; {
	case first&0x80 != 0: // indexed
		number, n = integer(b, 6)
		f, ok = lookUp(d, number, base-number-1, first&0x40 != 0, result)
		value = false
	case first&0x40 != 0: // with a name from the tables
		number, n = integer(b, 4)
		f, ok = lookUp(d, number, base-number-1, first&0x10 != 0, result)
	case first&0x20 != 0: // with a name of its own
		f.name, n = packed(b, 3)
		ok = true
	case first&0x10 != 0: // indexed behind the base
		number, n = integer(b, 4)
		f, ok = lookUp(d, 0, base+number, false, result)
		value = false
	default: // with a name from behind the base
		number, n = integer(b, 3)
		f, ok = lookUp(d, 0, base+number, false, result)
	}
	if n == 0 || !value {
		return f, n, ok
	}
	if n >= len(b) {
		return f, 0, false
	}
	m := 0
	if f.value, m = packed(b[n:], 7); m == 0 {
		return f, 0, false
	}
	return f, n + m, ok
}

// lookUp is the field under a number of the static table, or that of the dynamic one.
func lookUp(d *dissect.D, index, dynamic uint64, fixed bool, result note) (f field, ok bool) {
	if !fixed {
		e, ok := result.find(d, dynamic)
		if !ok {
			return field{"?", "?"}, false
		}
		return e.field(d), true
	}
	if index >= uint64(len(static)) {
		return field{"?", "?"}, false
	}
	return static[index], true
}
