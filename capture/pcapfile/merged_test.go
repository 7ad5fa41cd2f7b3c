package pcapfile

import (
	"compress/gzip"
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"remora/capture"
	"remora/capture/internal/capturetest"
)

// TestSeveralFilesAsOne puts the packets of three files, one of them compressed and one of another format, into one
// order.
func TestSeveralFilesAsOne(t *testing.T) {
	all := capturetest.Samples(900)
	var parts [3][]capturetest.Sample
	for i, p := range all {
		parts[i*7%3] = append(parts[i*7%3], p)
	}
	dir := t.TempDir()
	paths := []string{filepath.Join(dir, "a.pcap"), filepath.Join(dir, "b.pcapng"), filepath.Join(dir, "c.pcap.gz")}
	os.WriteFile(paths[0], capturetest.Pcap(binary.BigEndian, capturetest.Nano, 1, parts[0]), 0o600)
	os.WriteFile(paths[1], capturetest.Pcapng(binary.LittleEndian, parts[1]), 0o600)
	f, err := os.Create(paths[2])
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	z.Write(capturetest.Pcap(binary.LittleEndian, capturetest.Nano, 101, parts[2]))
	z.Close()
	f.Close()
	s, err := OpenAll(context.Background(), paths, capture.Options{SpoolDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.Wait()
	if s.Len() != len(all) || s.Files() != 3 {
		t.Fatalf("%d packets of %d files: %+v", s.Len(), s.Files(), s.Status())
	}
	r := s.NewReader()
	for _, order := range []int{1, 389} { // forward, and jumping
		for k := range all {
			i := k * order % len(all)
			b, err := r.Bytes(i)
			want := all[i]
			in := s.Interface(s.Meta(i).Interface)
			if err != nil || string(b) != string(want.Data) || s.Time(i) != want.Time || s.Meta(i).Len != want.Len {
				t.Fatalf("packet %d: %v, %d bytes, %+v", i, err, len(b), s.Meta(i))
			}
			if file := []string{"a.pcap", "b.pcapng", "c.pcap.gz"}[i*7%3]; in.File != file ||
				(s.LinkType(i) == 101) != (i*7%3 == 2) {
				t.Fatalf("packet %d is of %s, link type %d", i, in.File, s.LinkType(i))
			}
		}
	}
	out := filepath.Join(dir, "merged.pcapng")
	if err := SaveAs(s, out, nil, SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	saved := open(t, out, capture.Options{})
	for i, want := range all {
		if b, err := saved.NewReader().Bytes(i); err != nil || string(b) != string(want.Data) || saved.Time(i) != want.Time {
			t.Fatalf("saved packet %d: %v", i, err)
		}
	}
}

func TestSeveralFilesTellWhatIsWrong(t *testing.T) {
	good := capturetest.WriteTemp(t, "good.pcap",
		capturetest.Pcap(binary.LittleEndian, capturetest.Nano, 1, capturetest.Samples(3)))
	b := capturetest.Pcap(binary.LittleEndian, capturetest.Nano, 1, capturetest.Samples(5))
	torn := capturetest.WriteTemp(t, "torn.pcap", b[:len(b)-7])
	if _, err := OpenAll(context.Background(), []string{good, filepath.Join(t.TempDir(), "none.pcap")},
		capture.Options{}); err == nil || !strings.Contains(err.Error(), "none.pcap") {
		t.Errorf("a missing file gives %v", err)
	}
	s, err := OpenAll(context.Background(), []string{good, torn}, capture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.Wait()
	if st := s.Status(); s.Len() != 7 || !st.Damaged ||
		!strings.Contains(strings.Join(st.Notices, " "), "torn.pcap: the last record") {
		t.Errorf("%d packets, %+v", s.Len(), st)
	}
	s2, err := OpenAll(context.Background(), []string{good, good}, capture.Options{Stop: capture.StopRules{Packets: 4}})
	if err != nil {
		t.Fatal(err)
	}
	defer s2.Close()
	s2.Wait()
	if s2.Len() != 4 || s2.Interface(0).File == "good.pcap" {
		t.Errorf("%d packets, the file is called %q", s2.Len(), s2.Interface(0).File)
	}
}
