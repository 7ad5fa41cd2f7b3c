package pcapfile

import (
	"testing"

	"remora/capture"
	"remora/capture/internal/capturetest"
	"remora/capture/internal/pcapng"
)

// FuzzFile feeds anything to the scanners. Whatever it is, reading must end, every packet must be readable with
// the length that the index names, and what is read must survive saving.
func FuzzFile(f *testing.F) {
	for _, o := range capturetest.Orders {
		f.Add(capturetest.Pcap(o, capturetest.Micro, 1, capturetest.Samples(3)))
		f.Add(capturetest.Pcap(o, capturetest.Modified, 1, capturetest.Samples(2)))
		f.Add(capturetest.Pcap(o, capturetest.Nano, 0x24000001, capturetest.Samples(2)))
		f.Add(capturetest.Pcapng(o, capturetest.Samples(3)))
		f.Add(everything(o))
		g := &capturetest.NG{Order: o}
		f.Add(g.Section().Interface(1, 3, g.Option(pcapng.IfTSResol, []byte{0x94})).Simple(9, []byte("x")).
			OldPacket(0, 5, 4, []byte("five")).Bytes)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := OpenBytes(t.Context(), "fuzz", b, capture.Options{SpoolDir: t.TempDir()})
		if err != nil {
			return
		}
		defer s.Close()
		s.Wait()
		if st := s.Status(); st.Err != nil && st.Err.Error() == "" {
			t.Error("an error without words")
		}
		if s.Len() > len(b)/pcapng.SpbHeader+1 && compression(b) == nil {
			t.Fatalf("%d packets from %d bytes", s.Len(), len(b))
		}
		readAll(t, s)
		if len(b) < 1<<16 {
			saveAll(t, s)
		}
	})
}

func readAll(t *testing.T, s *capture.Store) {
	r := s.NewReader()
	for i := range s.Len() {
		m := s.Meta(i)
		p, err := r.Bytes(i)
		if err != nil || len(p) != int(m.CapLen) || m.Interface >= len(s.Interfaces()) {
			t.Fatalf("packet %d: %d bytes of %+v, %v", i, len(p), m, err)
		}
		s.Comments(i)
		in := s.Interface(m.Interface)
		if _, err := packetOptions(r, i, in.BigEndian); in.PacketOptions && err != nil {
			t.Fatalf("options of packet %d: %v", i, err)
		}
	}
}

// saveAll compares a store with what comes back from saving it.
func saveAll(t *testing.T, s *capture.Store) {
	var out memoryFile
	w := NewWriter(&out, WriterOptions{})
	if err := save(s, w, nil, SaveOptions{Context: t.Context()}); err != nil {
		t.Fatal(err)
	}
	again := memory(t, out)
	defer again.Close()
	if again.Len() != s.Len() {
		t.Fatalf("%d packets, %d after saving: %q", s.Len(), again.Len(), again.Notices())
	}
	r, q := s.NewReader(), again.NewReader()
	for i := range s.Len() {
		a, b := s.Meta(i), again.Meta(i)
		x, _ := r.Bytes(i)
		y, err := q.Bytes(i)
		a.Time = max(a.Time, 0) // pcapng has no time before 1970
		if a != b || string(x) != string(y) || err != nil {
			t.Fatalf("packet %d: %+v became %+v, %x became %x, %v", i, a, b, x, y, err)
		}
		if c, d := s.Comments(i), again.Comments(i); len(c) > len(d) {
			t.Fatalf("comments of packet %d: %q became %q", i, c, d)
		}
	}
}

type memoryFile []byte

func (m *memoryFile) Write(p []byte) (int, error) {
	*m = append(*m, p...)
	return len(p), nil
}
