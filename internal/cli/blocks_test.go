package cli

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/dissect/filter"
	"remora/internal/testall"
	"remora/protocols"
	"remora/ui/print"
)

// TestBlocksPrintTheSame: what is printed on all cores, with the first pass ahead, is byte for byte what is printed
// packet by packet, in every form, with a display filter and without, of every capture.
func TestBlocksPrintTheSame(t *testing.T) {
	t.Parallel()
	forms := []print.Options{
		{}, {Tree: true, Hex: true}, {Format: "json"}, {Format: "ek"},
		{Format: "fields",
			Fields: []string{"frame.number", "frame.time_delta_displayed", "_ws.col.Info", "tcp.completeness"}},
		{Format: "fields", Fields: []string{"ip.src", "ip.id", "tcp.srcport", "tcp.reassembled_in", "udp.length"}},
	}
	clock, err := print.ParseClock("dd")
	if err != nil {
		t.Fatal(err)
	}
	reg := dissecttest.Registry(t, protocols.All())
	odd, err := filter.Compile(reg, "frame.number & 1 || tcp.len > 0")
	if err != nil {
		t.Fatal(err)
	}
	for i, path := range allCaptures(t) {
		for k, form := range forms {
			if !testall.On() && (i+k)%len(forms) != 0 {
				continue
			}
			form.Time = clock
			size := []int{3, 50}[i&1]
			for _, run := range []struct {
				f       *filter.Filter
				twoPass bool
			}{{nil, false}, {nil, true}, {odd, false}} {
				want := printedIn(t, reg, path, form, run.f, run.twoPass, 1<<30)
				if got := printedIn(t, reg, path, form, run.f, run.twoPass, size); got != want {
					t.Errorf("%s, %q, two passes %v, blocks of %d: %s", path, form.Format, run.twoPass, size,
						firstDifference(want, got))
				}
			}
		}
	}
}

func allCaptures(t *testing.T) (files []string) {
	t.Helper()
	err := filepath.WalkDir("fixtures/captures", func(path string, d fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".pcap") || strings.HasSuffix(path, ".pcapng") {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("no captures: %v", err)
	}
	return files
}

// printedIn is what is printed of a capture in blocks of so many packets.
func printedIn(t *testing.T, reg *dissect.Registry, path string, form print.Options, f *filter.Filter, twoPass bool,
	size int) string {
	t.Helper()
	store, err := pcapfile.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	store.Wait()
	s, err := dissect.NewSession(reg, store)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	p, err := print.New(&out, s, form)
	if err != nil {
		t.Fatal(err)
	}
	h := &headless{store: store, s: s, filter: f, guard: s.Guard(), printer: p, blockSize: size}
	if err := h.run(context.Background(), twoPass); err != nil {
		t.Fatal(err)
	}
	if h.blocks != nil {
		close(h.blocks.jobs)
	}
	return out.String()
}

func firstDifference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return "\n" + a[i] + "\n" + b[i]
		}
	}
	return "one is longer"
}

// TestValuesWithoutReading: what is printed of packets that are not read is what is printed of those that are.
func TestValuesWithoutReading(t *testing.T) {
	t.Parallel()
	reg := dissecttest.Registry(t, protocols.All())
	form := print.Options{Format: "fields", Fields: strings.Fields("frame.number frame.len frame.time_relative ip.src " +
		"ip.addr ipv6.dst tcp.port udp.srcport udp.stream tcp.stream")}
	unread := 0
	for _, path := range allCaptures(t) {
		store, err := pcapfile.Open(context.Background(), path)
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		s, err := dissect.NewSession(reg, store)
		if err != nil {
			t.Fatal(err)
		}
		p, err := print.New(io.Discard, s, form)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Pass(context.Background()); err != nil {
			t.Fatal(err)
		}
		l, step := s.Dissector(), testall.Of(1+s.Passed()/500, 1)
		for n := dissect.FrameNum(1); int(n) <= s.Passed(); n += dissect.FrameNum(step) {
			want := string(p.Append(nil, l.Redissect(n, p.Wants())))
			tree := l.Values(n, p.Wants())
			if got := string(p.Append(nil, tree)); got != want {
				t.Errorf("%s, packet %d: %q, want %q", path, n, got, want)
			}
			if len(tree.Sources()[0].Data) != int(store.Meta(int(n)-1).CapLen) {
				unread++
			}
		}
	}
	if unread == 0 {
		t.Error("all packets were read")
	}
}
