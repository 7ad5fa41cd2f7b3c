package pcapfile

import (
	"os"
	"path/filepath"
	"testing"

	"remora/capture"
	"remora/capture/internal/capturetest"
)

const million = 1_000_000

// millionFile is a capture of a million packets of 100 bytes.
func millionFile(b *testing.B, f Format) string {
	path := filepath.Join(b.TempDir(), "million.pcapng")
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	w := NewWriter(file, WriterOptions{Format: f})
	w.AddInterface(capture.Interface{LinkType: 1, TimeResolution: 9})
	data := make([]byte, 100)
	for i := range million {
		data[0] = byte(i)
		if err := w.WritePacket(Packet{Time: int64(i) * 1000, Len: 100, Data: data}); err != nil {
			b.Fatal(err)
		}
	}
	w.Close()
	file.Close()
	return path
}

func perPacket(b *testing.B, packets int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(packets), "ns/packet")
}

func BenchmarkIndex(b *testing.B) {
	for name, f := range map[string]Format{"pcap": Pcap, "pcapng": PcapNG} {
		b.Run(name, func(b *testing.B) {
			path := millionFile(b, f)
			b.ReportAllocs()
			for b.Loop() {
				s := open(b, path, capture.Options{})
				if s.Len() != million {
					b.Fatal(s.Len())
				}
				s.Close()
			}
			perPacket(b, million)
		})
	}
}

func BenchmarkBytesInOrder(b *testing.B) {
	s := open(b, millionFile(b, PcapNG), capture.Options{})
	b.ReportAllocs()
	for b.Loop() {
		r := s.NewReader()
		for i := range million {
			if _, err := r.Bytes(i); err != nil {
				b.Fatal(err)
			}
		}
	}
	perPacket(b, million)
}

func BenchmarkBytesAtRandom(b *testing.B) {
	s := open(b, millionFile(b, PcapNG), capture.Options{})
	r := s.NewReader()
	i := 0
	for b.Loop() {
		i = (i + 617_351) % million
		if _, err := r.Bytes(i); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkStatus(b *testing.B) {
	s := memory(b, capturetest.Pcap(capturetest.Orders["little"], capturetest.Micro, 1, capturetest.Samples(3)))
	b.ReportAllocs()
	for b.Loop() {
		s.Status()
	}
}

func BenchmarkSave(b *testing.B) {
	s := open(b, millionFile(b, PcapNG), capture.Options{})
	path := filepath.Join(b.TempDir(), "out.pcapng")
	for b.Loop() {
		if err := SaveAs(s, path, nil, SaveOptions{}); err != nil {
			b.Fatal(err)
		}
	}
	perPacket(b, million)
}
