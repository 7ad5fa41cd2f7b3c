package print

import (
	"bufio"
	"fmt"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/dissect/tap"
)

// undissected is the list of traffic that no protocol takes.
type undissected struct {
	*stats.Undissected
	filter string
}

func newUndissected(r *request) (counter, []string, error) {
	text := r.rest(0)
	return &undissected{stats.NewUndissected(r.s), text}, []string{text}, nil
}

func (u *undissected) add(l *dissect.Dissector, n dissect.FrameNum, _ int) {
	u.Frames(l, []dissect.FrameNum{n}, n)
}

func (u *undissected) print(w *bufio.Writer) {
	fmt.Fprintf(w, "%sUnknown Traffic\nFilter:%s\n", tap.WideRule, filterName(u.filter))
	fmt.Fprintf(w, "%-16s %10s %12s %6s %10s %10s %8s  %s\n", "In", "Packets", "Bytes", "Flows", "Gap ms", "Jitter ms",
		"Entropy", "Looks like")
	for _, g := range u.Groups() {
		name := g.Carrier.Title()
		if g.Port != 0 {
			name += fmt.Sprintf(" %d", g.Port)
		}
		fmt.Fprintf(w, "%-16s %10d %12d %6d %10s %10s %8.2f  %s\n", name, g.Packets, g.Bytes, g.Flows, millis(g.Gap),
			millis(g.Jitter), g.Content.Entropy, g.Guess())
	}
	w.WriteString(tap.WideRule)
}
