package dissect

import (
	"fmt"
	"reflect"

	"remora/internal/column"
)

// A Shelf is a list of plain values that a plugin fills in the first pass and reads in every later look: recipes for
// bytes that are made again, keys that many frames share. Notes keep numbers of it. Declare a Shelf as a package
// variable and name it in Plugin.Stores.
type Shelf[T comparable] struct{ id uint32 }

func (sh *Shelf[T]) check() error {
	if sh.id == 0 {
		sh.id = lastStore.Add(1)
	}
	if t := reflect.TypeFor[T](); !plain(t) {
		return fmt.Errorf("the values of a shelf are %s: they must be plain values without pointers, strings, slices or maps", t)
	}
	return nil
}
func (sh *Shelf[T]) index() uint32 { return sh.id }
func (sh *Shelf[T]) fresh() any    { return &column.Column[T]{} }

func (sh *Shelf[T]) column(d *D) *column.Column[T] {
	if int(sh.id) >= len(d.s.stores) || d.s.stores[sh.id] == nil {
		panic("dissect: a shelf is used that no plugin of this registry names in Stores")
	}
	return d.s.stores[sh.id].(*column.Column[T])
}

// Put appends a value and returns its number, counted from 1. It belongs into the closures of Store.Once, which run in
// the first pass only.
func (sh *Shelf[T]) Put(d *D, v T) uint32 {
	c := sh.column(d)
	if d.first {
		c.Append(v)
	}
	return uint32(c.Len())
}

// At is the value of that number, or zero if there is none.
func (sh *Shelf[T]) At(d *D, n uint32) (v T) {
	if c := sh.column(d); n > 0 && int(n) <= c.Len() {
		return c.At(int(n) - 1)
	}
	return v
}
