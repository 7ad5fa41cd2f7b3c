package cli

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/internal/lab"
)

// labCommand looks for the fields of unknown messages.
func labCommand(o *options) *cobra.Command {
	ksy := false
	cmd := &cobra.Command{
		Use:   "lab FILE",
		Short: "Propose fields for the messages of an unknown protocol",
		Args:  cobra.ExactArgs(1),
		RunE:  func(cmd *cobra.Command, args []string) error { return o.lab(cmd.Context(), args[0], ksy) },
	}
	cmd.Flags().BoolVar(&ksy, "ksy", false, "write a description in Kaitai Struct to begin a dissector with")
	return cmd
}

func (o *options) lab(ctx context.Context, path string, ksy bool) error {
	reg, err := registry()
	if err != nil {
		return err
	}
	j, err := o.newJob(reg)
	if err != nil {
		return err
	}
	store, err := pcapfile.Open(ctx, path, o.live)
	if err != nil {
		return err
	}
	defer store.Close()
	store.Wait()
	s, err := dissect.NewSession(reg, store, j.as...)
	if err != nil {
		return err
	}
	if err := s.Pass(ctx); err != nil {
		return err
	}
	p := payloads{ports: map[int]int{}, streams: map[direction]*stream{}}
	l := s.Dissector()
	for n := dissect.FrameNum(1); int(n) <= s.Passed() && ctx.Err() == nil; n++ {
		if j.filter == nil || j.filter.Match(l, n) {
			p.add(s, l.Tree(n))
		}
	}
	r := p.report()
	if r == nil {
		return fmt.Errorf("%s: no datagrams or streams to look at", dissect.Escape(path))
	}
	if ksy {
		name := strings.ToLower(strings.Trim(notName.ReplaceAllString(filepath.Base(strings.TrimSuffix(path,
			filepath.Ext(path))), "_"), "_"))
		return printText(r.KSY(cmp.Or(name, "unknown"), p.where(r)))
	}
	var text strings.Builder
	r.Write(&text)
	return printText(text.String())
}

var notName = regexp.MustCompile(`[^a-zA-Z0-9_]+`)

// payloads are what packets carry over UDP and TCP.
type payloads struct {
	messages []lab.Message
	streams  map[direction]*stream
	order    []*stream
	ports    map[int]int // how often each is the lower one
}

type direction struct {
	conversation uint32
	back         int
}

type stream struct {
	direction
	time  int64
	bytes []byte
	next  uint32
}

func (p *payloads) add(s *dissect.Session, tree *dissect.Tree) {
	conv, dir := s.DirectionOf(tree.Frame)
	d := direction{conv, dir}
	seq := uint32(0)
	for i := range tree.Nodes {
		switch tree.Field(i).Name() {
		case "tcp.seq_raw":
			seq = uint32(tree.Nodes[i].Val)
		case "udp.payload":
			p.messages = append(p.messages, lab.Message{Time: tree.Time(), Flow: conv, Direction: dir,
				Data: slices.Clone(tree.Raw(i))})
			p.ports[int(min(tree.Src.Port, tree.Dst.Port))]++
		case "tcp.payload":
			p.segment(d, tree, seq, tree.Raw(i))
		}
	}
}

// segment adds bytes to a stream where they follow the ones before: what is repeated is left out, and what is behind a
// gap.
func (p *payloads) segment(d direction, tree *dissect.Tree, seq uint32, b []byte) {
	st := p.streams[d]
	if st == nil {
		st = &stream{direction: d, time: tree.Time(), next: seq}
		p.streams[d], p.order = st, append(p.order, st)
	}
	if seq != st.next {
		return
	}
	st.bytes, st.next = append(st.bytes, b...), seq+uint32(len(b))
	p.ports[int(min(tree.Src.Port, tree.Dst.Port))]++
}

// report looks at the datagrams, or at the streams where there are none.
func (p *payloads) report() *lab.Report {
	if len(p.messages) > 0 {
		return lab.Analyse(p.messages, nil)
	}
	var all [][]byte
	for _, st := range p.order {
		all = append(all, st.bytes)
	}
	f, ok := lab.Frame(all)
	if !ok {
		return nil
	}
	for _, st := range p.order {
		cut, _ := f.Cut(st.bytes)
		for i, b := range cut {
			m := lab.Message{Time: st.time + int64(i), Flow: st.conversation, Direction: st.back, Data: b}
			p.messages = append(p.messages, m)
		}
	}
	return lab.Analyse(p.messages, &f)
}

// where is the key below -remora that finds the messages again.
func (p *payloads) where(r *lab.Report) string {
	port := 0
	for n, count := range p.ports {
		if count > p.ports[port] || count == p.ports[port] && n < port {
			port = n
		}
	}
	if f := r.Framing; f != nil {
		return fmt.Sprintf("tcp: {port: %d, header: %d, length: message_length + %d}", port, f.Off+f.Size, f.Plus)
	}
	return fmt.Sprintf("udp: %d", port)
}
