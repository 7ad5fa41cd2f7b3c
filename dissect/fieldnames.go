package dissect

import (
	"hash/maphash"
	"math/bits"
	"slices"
	"strings"

	"remora/internal/sorting"
)

// fieldNames finds fields by their names. There are ten thousand, and most programs ask for a few: an array of them,
// put in order by a hash, is made in a tenth of the time and memory of a map.
type fieldNames struct {
	seed    maphash.Seed
	shift   int      // of a hash, for the number of its bucket
	fields  []*Field // by bucket; in each by name, and those of one name as they were declared
	buckets []uint16 // where each begins in fields, and the end
}

func newFieldNames(protocols []*Protocol) *fieldNames {
	count := 0
	for _, p := range protocols {
		count += 1 + len(p.fields)
	}
	order := bits.Len(uint(count))
	x := &fieldNames{seed: maphash.MakeSeed(), shift: 64 - order, fields: make([]*Field, count),
		buckets: make([]uint16, 1<<order+2)}
	of := make([]uint16, 0, count)
	eachField(protocols, func(f *Field) {
		n := x.bucket(f.name)
		of = append(of, n)
		x.buckets[int(n)+2]++
	})
	for i := 2; i < len(x.buckets); i++ {
		x.buckets[i] += x.buckets[i-1]
	}
	i := 0
	eachField(protocols, func(f *Field) {
		at := &x.buckets[int(of[i])+1] // becomes the bucket's end, where the next begins
		x.fields[*at] = f
		*at, i = *at+1, i+1
	})
	x.sort()
	return x
}

// sort brings the fields of one name together.
func (x *fieldNames) sort() {
	for i := 1; i < len(x.buckets); i++ {
		if of := x.fields[x.buckets[i-1]:x.buckets[i]]; len(of) > 1 {
			sorting.Stable(of, func(a, b *Field) int { return strings.Compare(a.name, b.name) })
		}
	}
}

func eachField(protocols []*Protocol, do func(*Field)) {
	for _, p := range protocols {
		do(p.self)
		for _, f := range p.fields {
			do(f)
		}
	}
}

func (x *fieldNames) bucket(name string) uint16 {
	return uint16(maphash.String(x.seed, name) >> x.shift)
}

// named are the fields of a name, nil where there is none.
func (x *fieldNames) named(name string) []*Field {
	n := int(x.bucket(name))
	of := x.fields[x.buckets[n]:x.buckets[n+1]]
	for i, f := range of {
		if f.name != name {
			continue
		}
		end := i + 1
		for end < len(of) && of[end].name == name {
			end++
		}
		return of[i:end:end]
	}
	return nil
}

// byName is the registry's fieldNames, made when it is first asked for.
func (r *Registry) byName() *fieldNames {
	known := r.fields.Load()
	if known == nil {
		known = newFieldNames(r.protocols)
		r.fields.Store(known)
	}
	return known
}

// Field is the field (or protocol, as a field) of that name, or nil. Where several share the name, the first.
func (r *Registry) Field(name string) *Field {
	if fs := r.FieldsNamed(name); len(fs) > 0 {
		return fs[0]
	}
	return nil
}

// FieldsNamed are all declarations of a name, as one name may be declared with several types.
func (r *Registry) FieldsNamed(name string) []*Field { return r.byName().named(name) }

// FieldNames are the names of all fields and protocols, sorted. Callers share the slice, and only read it.
func (r *Registry) FieldNames() []string {
	if known := r.names.Load(); known != nil {
		return *known
	}
	var names []string
	eachField(r.protocols, func(f *Field) { names = append(names, f.name) })
	slices.Sort(names)
	names = slices.Compact(names)
	r.names.Store(&names)
	return names
}
