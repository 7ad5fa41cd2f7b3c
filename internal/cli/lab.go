package cli

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"remora/capture/pcapfile"
	"remora/dissect"
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
	p := newTraffic()
	l := s.Dissector()
	for n := dissect.FrameNum(1); int(n) <= s.Passed() && ctx.Err() == nil; n++ {
		if j.filter == nil || j.filter.Match(l, n) {
			p.Add(s, l.Tree(n))
		}
	}
	r := p.Report()
	if r == nil {
		return fmt.Errorf("%s: no datagrams or streams to look at", dissect.Escape(path))
	}
	if ksy {
		name := strings.ToLower(strings.Trim(notName.ReplaceAllString(filepath.Base(strings.TrimSuffix(path,
			filepath.Ext(path))), "_"), "_"))
		return printText(r.KSY(cmp.Or(name, "unknown"), p.Where(r)))
	}
	var text strings.Builder
	r.Write(&text)
	return printText(text.String())
}

var notName = regexp.MustCompile(`[^a-zA-Z0-9_]+`)
