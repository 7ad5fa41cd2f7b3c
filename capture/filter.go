package capture

import (
	"fmt"
	"regexp"
	"strings"
)

// BPF is a compiled capture filter.
type BPF struct {
	Expr  string
	Steps int // instructions of the program
	prog  program
}

// Matches applies the filter to packet bytes; length is how long the packet was on the wire. One goroutine at a
// time may use a BPF.
func (b *BPF) Matches(data []byte, length uint32) bool { return b.prog.matches(data, length) }

// FilterError is a capture filter that does not compile.
type FilterError struct {
	Expr string
	Text string // libpcap's own words
	Hint string // what may have been meant; "" if there is no guess
}

func (e *FilterError) Error() string {
	if e.Hint != "" {
		return fmt.Sprintf("capture filter %q: %s; %s", e.Expr, e.Text, e.Hint)
	}
	return fmt.Sprintf("capture filter %q: %s", e.Expr, e.Text)
}

var (
	dottedField = regexp.MustCompile(`(^|[^\w.])[A-Za-z_][A-Za-z_0-9]*\.[a-z_][\w.]*`)
	comparison  = regexp.MustCompile(`==|!=|>=|<=|&&|\|\||\b(eq|ne|contains|matches|in)\b`)
)

// newFilterError adds a hint where the text looks like the other filter language.
func newFilterError(expr, text string) error {
	e := &FilterError{Expr: expr, Text: strings.TrimSpace(text)}
	if dottedField.MatchString(expr) && comparison.MatchString(expr) ||
		regexp.MustCompile(`^[a-z_]+(\.[a-z_]+)+$`).MatchString(expr) {
		e.Hint = "this looks like a display filter: give it with -Y; a capture filter reads like \"udp port 53 and host " +
			"10.0.0.1\""
	}
	return e
}

// checkFilter reports mistakes before anything is opened. Some expressions compile for some link types only, wireless
// ones for instance, and the link types of a file show late: one of the usual ones has to do.
func checkFilter(expr string) error {
	var first error
	for _, link := range []int{1, 101, 105, 113, 127, 189, 276} {
		_, err := CompileFilter(link, maxSnapLen, expr)
		if err == nil {
			return nil
		}
		if first == nil {
			first = err
		}
	}
	return first
}

// maxSnapLen is libpcap's "all bytes".
const maxSnapLen = 262144

// A fileFilter applies one expression to the packets of a file, which may have several link types.
type fileFilter struct {
	expr   string
	byLink map[int]*BPF
}

// match applies the filter. Packets of a link type for which it does not compile are left out, with a notice.
func (f *fileFilter) match(s *Store, linkType int, length uint32, data []byte) bool {
	b, ok := f.byLink[linkType]
	if !ok {
		var err error
		if b, err = CompileFilter(linkType, maxSnapLen, f.expr); err != nil {
			s.notice("filter"+linkName(linkType), "%s packets are left out: %v", linkName(linkType), err)
		}
		if f.byLink == nil {
			f.byLink = map[int]*BPF{}
		}
		f.byLink[linkType] = b
	}
	return b != nil && b.Matches(data, length)
}
