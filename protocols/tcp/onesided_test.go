package tcp_test

import (
	"fmt"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/data"
	"remora/protocols/frame"
	"remora/protocols/ip"
	"remora/protocols/raw"
	"remora/protocols/tcp"
)

func bare(t *testing.T, packets ...dissecttest.Packet) *dissect.Session {
	plugins := []dissect.Plugin{frame.Plugin(), raw.Plugin(), ip.Plugin(), tcp.Plugin(), data.Plugin()}
	return dissecttest.Session(t, plugins, 101, packets)
}

// TestOneSide sends thousands of segments that nobody acknowledges: all their bytes are in flight, and a repeated one
// is still timed by the first. When acknowledgments come at last, they name the newest segments.
func TestOneSide(t *testing.T) {
	const n = 4200
	segments := stream(1000, string(make([]byte, 10*n)), 10)
	segments = append(segments,
		pkt(false, 1000+10*20, 1, PA, make([]byte, 10)),
		pkt(true, 1, 1000+10*(n-1), A, nil),
		pkt(true, 1, 1000+10*n, A, nil),
		pkt(false, 1000+10*n, 1, PA, make([]byte, 10)))
	packets := dissecttest.Packets(segments...)
	packets[n].Gap = 200e6
	s := bare(t, packets...)
	l := s.Dissector()
	want := func(frame int, field, want string) {
		t.Helper()
		if got := dissecttest.All(l.Tree(dissect.FrameNum(frame)), field); got != want {
			t.Errorf("frame %d: %s is %q, want %q", frame, field, got, want)
		}
	}
	for _, k := range []int{1, 2, 31, 32, 33, 34, 500, 4096, 4097, n} {
		want(k, "tcp.analysis.bytes_in_flight", fmt.Sprint(10*k))
		want(k, "tcp.analysis.push_bytes_sent", "10")
	}
	want(n+1, "tcp.analysis.rto_frame", "1")
	want(n+2, "tcp.analysis.acks_frame", fmt.Sprint(n-1))
	want(n+3, "tcp.analysis.acks_frame", fmt.Sprint(n))
	want(n+4, "tcp.analysis.bytes_in_flight", "10")
	dissecttest.Fields(t, s)
}

// TestUnpushed pushes every third segment only.
func TestUnpushed(t *testing.T) {
	var packets [][]byte
	for i := range uint32(9) {
		flags := byte(A)
		if i%3 == 2 {
			flags = PA
		}
		packets = append(packets, pkt(false, 1+10*i, 1, flags, make([]byte, 10)))
	}
	s := bare(t, dissecttest.Packets(packets...)...)
	for i := range 9 {
		want := fmt.Sprint(10 * (i%3 + 1))
		if got := dissecttest.All(s.Tree(dissect.FrameNum(i+1)), "tcp.analysis.push_bytes_sent"); got != want {
			t.Errorf("frame %d: %s bytes since the last push, want %s", i+1, got, want)
		}
	}
}
