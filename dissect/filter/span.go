package filter

import (
	"fmt"
	"strconv"
	"strings"
)

// A span is one part of a slice. from counts from 0, or from the end when it is negative. length is -1 for all to the
// end.
type span struct{ from, length int }

// parseSpan reads i, i:j, i-j, :j or i:. The error says what is wrong with it.
func parseSpan(s string) (span, error) {
	if i := strings.IndexByte(s, ':'); i >= 0 {
		return parseCount(strings.TrimSpace(s[:i]), strings.TrimSpace(s[i+1:]))
	}
	if i := strings.IndexByte(s[1:], '-'); i >= 0 {
		from, err := offset(strings.TrimSpace(s[:i+1]))
		if err != nil {
			return span{}, err
		}
		to, err := offset(strings.TrimSpace(s[i+2:]))
		switch {
		case err != nil:
			return span{}, err
		case from < 0 != (to < 0):
			return span{}, fmt.Errorf("%d and %d are not counted from the same end", from, to)
		case to <= from:
			return span{}, fmt.Errorf("%d does not come before %d", from, to)
		}
		return span{from, to - from + 1}, nil
	}
	from, err := offset(s)
	return span{from, 1}, err
}

// parseCount reads what stands on the sides of a colon: where it starts, and how many.
func parseCount(start, count string) (span, error) {
	s := span{0, -1}
	var err error
	if start != "" {
		if s.from, err = offset(start); err != nil {
			return s, err
		}
	}
	if count != "" {
		if s.length, err = offset(count); err == nil && s.length <= 0 {
			err = fmt.Errorf("the length %d is not positive", s.length)
		}
	}
	return s, err
}

// offset reads a number in any base with an optional sign.
func offset(s string) (int, error) {
	v, err := strconv.ParseInt(s, 0, 32)
	if err != nil || strings.ContainsRune(s, '_') {
		return 0, fmt.Errorf("%q is not a number here", s)
	}
	return int(v), nil
}

// within gives the part of n items that the span covers, or false when some of it lies outside.
func (s span) within(n int) (from, to int, ok bool) {
	from = s.from
	if from < 0 {
		from += n
	}
	to = from + s.length
	if s.length < 0 {
		to = n
	}
	return from, to, from >= 0 && to <= n && from < to
}

// layerIn tells whether layer i of n, counted from 1, is among the spans.
func layerIn(spans []span, i, n int) bool {
	for _, s := range spans {
		from := s.from
		if from < 0 {
			from += n + 1
		}
		if i >= from && (s.length < 0 || i < from+s.length) {
			return true
		}
	}
	return false
}

// fromEnd tells whether a span counts from the end.
func fromEnd(spans []span) bool {
	for _, s := range spans {
		if s.from < 0 {
			return true
		}
	}
	return false
}
