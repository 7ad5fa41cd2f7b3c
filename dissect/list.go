package dissect

import (
	"reflect"

	"remora/internal/column"
)

// A List holds plain values that a plugin fills in the first pass and reads in every re-dissection: recipes for bytes
// that are made again, keys that many frames share. Per-frame data keeps numbers of it. Declare a List by NewList, as a
// package variable.
type List[T comparable] struct{ id uint32 }

// NewList declares a list. Sessions that begin later have it. It panics when T holds pointers.
func NewList[T comparable]() List[T] {
	return List[T]{declare(reflect.TypeFor[T](), func() any { return &listData[T]{} })}
}

func (l *List[T]) data(d *D) *listData[T] { return storeOf[*listData[T]](d, l.id) }

// Put appends a value and returns its number, counted from 1. It belongs into the closures of Store.FirstPass, which
// run in the first pass only.
func (l *List[T]) Put(d *D, v T) uint32 {
	d.alive()
	c := l.data(d)
	d.step(keepingCosts)
	if d.first {
		c.put(d.Frame, v)
		d.settle()
	}
	return uint32(c.Len())
}

// At is the value of that number, or zero if there is none.
func (l *List[T]) At(d *D, n uint32) (v T) {
	if c := l.data(d); n > 0 && int(n) <= c.Len() {
		return c.At(int(n) - 1)
	}
	return v
}

// listData is what a session has of a list.
type listData[T comparable] struct{ agedColumn[T] }

func (l *listData[T]) bytes() int64       { return l.Bytes() }
func (l *listData[T]) rows() *column.Rows { return &l.Rows }
func (l *listData[T]) evict(FrameNum) int { return 0 }
