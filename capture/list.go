package capture

import "sync/atomic"

// A list is a short append-only list for one writer and any readers: interfaces, sections, kept blocks. The
// column for packets would spend a chunk of thousands of them at once.
type list[T any] struct{ p atomic.Pointer[[]T] }

// all is the list as it is now; nobody may write to it.
func (l *list[T]) all() []T {
	if p := l.p.Load(); p != nil {
		return *p
	}
	return nil
}

// Len is the number of entries so far.
func (l *list[T]) Len() int { return len(l.all()) }

// At is entry i, below Len.
func (l *list[T]) At(i int) T { return l.all()[i] }

// Append adds one. It may write behind the end of what readers hold, which they never look at.
func (l *list[T]) Append(v T) int {
	next := append(l.all(), v)
	l.p.Store(&next)
	return len(next) - 1
}
