package lab

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"remora/internal/sorting"
)

// Named is a field that somebody named, in the place of what is proposed for its bytes. What was proposed beside it
// stays. As is a type of Kaitai Struct for numbers, "str" or "bytes".
func (g *Group) Named(name, as string, off, size int) error {
	if !goodName.MatchString(name) {
		return fmt.Errorf("the name of a field has small letters, digits and underscores: %q", name)
	}
	switch base := strings.TrimSuffix(strings.TrimSuffix(as, "le"), "be"); {
	case as == "str" || as == "bytes":
	case sizes[base] != size:
		return fmt.Errorf("%q is no type of %d bytes: u1, u2le, s4be, f8le and so on, str or bytes", as, size)
	case size > 1 && base == as:
		return fmt.Errorf("%s needs the order of its bytes: %sle or %sbe", as, as, as)
	}
	fields := []Field{{Name: name, As: as, Off: off, Size: size, Confidence: 1, Little: strings.HasSuffix(as, "le")}}
	for _, f := range g.Fields {
		if f.Name == name && f.Off != off {
			return fmt.Errorf("there is a field called %s already", name)
		}
		end := f.Off + f.Size
		if f.Size == 0 {
			end = g.Max
		}
		if end <= off || f.Off >= off+size {
			fields = append(fields, f)
			continue
		}
		if f.Off < off {
			fields = append(fields, Field{Off: f.Off, Size: off - f.Off})
		}
		if end > off+size && f.Size == 0 {
			fields = append(fields, Field{Kind: f.Kind, Off: off + size})
		} else if end > off+size {
			fields = append(fields, Field{Off: off + size, Size: end - off - size})
		}
	}
	sorting.Func(fields, func(a, b Field) int { return cmp.Compare(a.Off, b.Off) })
	g.Fields = fields
	return nil
}

// Name is Named for a group and those that are written as one with it: of the same type, or all where no type tells
// them apart. Everywhere names the bytes in all groups that are long enough.
func (r *Report) Name(g *Group, name, as string, off, size int, everywhere bool) error {
	if err := g.Named(name, as, off, size); err != nil {
		return err
	}
	_, typed := r.selector()
	for _, o := range r.Groups {
		together := !typed || o.Match[0].Value == g.Match[0].Value
		if o != g && (everywhere || together) && off+size <= o.Max {
			o.Named(name, as, off, size) //nolint:errcheck // it has another field of that name
		}
	}
	return nil
}

var goodName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// sizes are how many bytes numbers have.
var sizes = map[string]int{"u1": 1, "u2": 2, "u4": 4, "u8": 8, "s1": 1, "s2": 2, "s4": 4, "s8": 8, "f4": 4, "f8": 8}

// Type is how a field would be read: what it was named as, or what its proposal says.
func (f Field) Type() string {
	switch {
	case f.As != "":
		return f.As
	case f.Kind == Text:
		return "str"
	case f.Kind == Float:
		return "f4" + order(f.Little)
	case f.Size == 1, f.Size == 2, f.Size == 4, f.Size == 8:
		return number(f.Size, f.Little)
	}
	return "bytes"
}

// Label is what a field is called: its name, or what it seems to be.
func (f Field) Label() string { return cmp.Or(f.Name, f.Kind.String()) }

// How says why a field is proposed.
func (f Field) How() string { return f.how() }

// At is the field that has a byte; ok is false where there is none.
func (g *Group) At(off int) (f Field, ok bool) {
	for _, f := range g.Fields {
		if off >= f.Off && (off < f.Off+f.Size || f.Size == 0) {
			return f, true
		}
	}
	return Field{}, false
}
