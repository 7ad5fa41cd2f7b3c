package print

import (
	"bufio"
	"cmp"
	"fmt"
	"maps"

	"remora/dissect"
	"remora/internal/sorting"
)

// hosts is hosts: the host names found in the capture, as lines of a file of hosts. tshark lists them in the order
// of a hash table; here they are in that of the addresses.
type hosts struct {
	s      *dissect.Session
	v4, v6 bool
}

func newHosts(r *request) (counter, []string, error) {
	h := &hosts{s: r.s}
	four, six := addressWord(r.s.Registry(), dissect.TypeIPv4), addressWord(r.s.Registry(), dissect.TypeIPv6)
	for i := range r.args {
		word, err := r.oneOf(i, four, "ipv4", six)
		if err != nil {
			return nil, nil, err
		}
		h.v4, h.v6 = h.v4 || word != six, h.v6 || word == six
	}
	if len(r.args) == 0 {
		h.v4, h.v6 = true, true
	}
	return h, nil, nil
}

func (h *hosts) add(*dissect.Dissector, dissect.FrameNum, int) {}

func (h *hosts) print(w *bufio.Writer) {
	fmt.Fprintf(w, "# TShark hosts output\n#\n# Host data gathered from %s\n\n", dissect.Escape(h.s.Store().Status().Name))
	all := h.s.HostNames()
	for _, v6 := range []bool{false, true} {
		for _, a := range sorting.Sorted(maps.Keys(all),
			func(a, b dissect.Addr) int { return cmp.Compare(a.String(), b.String()) }) {
			if (a.Kind() == dissect.AddrIPv6) == v6 && (v6 && h.v6 || !v6 && h.v4) {
				fmt.Fprintf(w, "%s\t%s\n", a, dissect.Escape(all[a]))
			}
		}
	}
}
