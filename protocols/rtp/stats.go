package rtp

import (
	"bufio"
	"fmt"
	"math"

	"remora/dissect"
	"remora/dissect/tap"
)

// statistics are those that RTP declares.
var statistics = []dissect.Statistic{{Name: "rtp,streams", Args: "[,FILTER]",
	Help: "streams of RTP: lost, gaps, jitter", New: newStreamTable}}

// streamTable is rtp,streams: the streams of RTP with what was lost and how evenly the packets came.
type streamTable struct {
	session *dissect.Session
	wants   *dissect.Wants
	rows    map[streamKey]*streamRow
	order   []*streamRow
}

type streamKey struct {
	from, to dissect.Endpoint
	ssrc     uint32
}

// A streamRow is one of them; times are in milliseconds.
type streamRow struct {
	streamKey
	first, last   int64 // nanoseconds since 1970
	packets       int
	payload       uint8
	low, high     uint32 // sequence numbers, extended
	stamp         uint32
	wrong         bool // a packet was not the next one
	delta, jitter spread
	smoothed      float64
}

// A spread is the bounds and the mean of numbers.
type spread struct {
	n              int
	low, high, sum float64
}

func (s *spread) add(v float64) {
	if s.n == 0 {
		s.low, s.high = v, v
	}
	s.n++
	s.low, s.high, s.sum = min(s.low, v), max(s.high, v), s.sum+v
}

// bounds are least, mean and greatest; tshark's least of none is -1.
func (s *spread) bounds() (low, mean, high float64) {
	if s.n == 0 {
		return -1, 0, 0
	}
	return s.low, s.sum / float64(s.n), s.high
}

// shortNames are the static payload types (RFC 3551 section 6) with short names and the rates of their clocks in Hz.
var shortNames = map[uint8]struct {
	name  string
	clock float64
}{
	0: {"g711U", 8000}, 1: {"fs-1016", 8000}, 2: {"g721", 8000}, 3: {"GSM", 8000}, 4: {"g723", 8000}, 5: {"DVI4 8k", 8000},
	6: {"DVI4 16k", 16000},
	7: {"Exp. from Xerox PARC", 8000}, 8: {"g711A", 8000}, 9: {"g722", 8000}, 10: {"16-bit audio, stereo", 44100},
	11: {"16-bit audio, monaural", 44100},
	12: {"QCELP", 8000}, 13: {"CN", 8000}, 14: {"MPEG-I/II Audio", 90000}, 15: {"g728", 8000}, 16: {"DVI4 11k", 11025},
	17: {"DVI4 22k", 22050},
	18: {"g729", 8000}, 19: {"CN(old)", 8000}, 25: {"CellB", 90000}, 26: {"JPEG", 90000}, 28: {"NV", 90000},
	31: {"h261", 90000},
	32: {"MPEG-I/II Video", 90000}, 33: {"MPEG-II streams", 90000}, 34: {"h263", 90000},
}

func newStreamTable(r *dissect.StatisticRequest) (dissect.Counter, error) {
	return &streamTable{session: r.Session, wants: r.Session.Registry().Wants(fSSRC, fSeq, fTime, fType),
		rows: map[streamKey]*streamRow{}}, nil
}

// Add counts a packet of a stream.
func (c *streamTable) Add(l *dissect.Dissector, n dissect.FrameNum) {
	if !c.session.MayHave(c.session.LayerStackOf(n), fSSRC) {
		return
	}
	t := l.Redissect(n, c.wants)
	var seq, stamp, payload uint64
	for i := range t.Nodes {
		v := t.Nodes[i].Val
		switch t.Field(i) {
		case fType:
			payload = v
		case fSeq:
			seq = v
		case fTime:
			stamp = v
		case fSSRC:
			k := streamKey{t.Src, t.Dst, uint32(v)}
			st := c.rows[k]
			if st == nil {
				if len(c.rows) >= tap.MaxRows {
					return
				}
				st = &streamRow{streamKey: k, first: t.Time(), payload: uint8(payload), low: uint32(seq), high: uint32(seq) - 1}
				c.rows[k], c.order = st, append(c.order, st)
			}
			st.packet(t.Time(), uint16(seq), uint32(stamp))
		}
	}
}

// packet takes the next packet of a stream (RFC 3550 section 6.4.1 for the jitter).
func (st *streamRow) packet(at int64, seq uint16, stamp uint32) {
	if st.packets > 0 {
		gap := float64(at-st.last) / 1e6
		st.delta.add(gap)
		if clock := shortNames[st.payload].clock; clock > 0 {
			should := float64(int32(stamp-st.stamp)) / clock * 1000
			st.smoothed = (15*st.smoothed + math.Abs(gap-should)) / 16
			st.jitter.add(st.smoothed)
		}
	}
	step := int16(seq - uint16(st.high))
	st.wrong = st.wrong || step != 1
	if step > 0 {
		st.high += uint32(step)
	}
	st.packets, st.last, st.stamp = st.packets+1, at, stamp
}

// lost is how many numbers are missing, and of how many that is the share in percent.
func (st *streamRow) lost() (n int, share float64) {
	should := int(st.high-st.low) + 1
	n = should - st.packets
	return n, 100 * float64(n) / float64(max(1, should))
}

// Print writes the table.
func (c *streamTable) Print(w *bufio.Writer) {
	w.WriteString("========================= RTP Streams ========================\n")
	fmt.Fprintf(w, "%13s %13s %15s %5s %15s %5s %10s %16s %5s %12s %15s %15s %15s %15s %15s %15s %s\n", "Start time",
		"End time", "Src IP addr", "Port",
		"Dest IP addr", "Port", "SSRC", "Payload", "Pkts", "Lost", "Min Delta(ms)", "Mean Delta(ms)", "Max Delta(ms)",
		"Min Jitter(ms)", "Mean Jitter(ms)", "Max Jitter(ms)", "Problems?")
	for i := len(c.order) - 1; i >= 0; i-- { // tshark lists the latest first
		st := c.order[i]
		start := c.session.Store().Time(0)
		lost, share := st.lost()
		name := shortNames[st.payload].name
		if name == "" {
			name = fmt.Sprintf("RTPType-%d", st.payload)
		}
		problem := ""
		if st.wrong {
			problem = "X"
		}
		fmt.Fprintf(w, "%13s %13s %15s %5d %15s %5d 0x%08X %16s %5d %12s", tap.Seconds(st.first-start, 6),
			tap.Seconds(st.last-start, 6), st.from.Addr, st.from.Port,
			st.to.Addr, st.to.Port, st.ssrc, name, st.packets, fmt.Sprintf("%5d (%.1f%%)", lost, share))
		for _, v := range []*spread{&st.delta, &st.jitter} {
			low, mean, high := v.bounds()
			fmt.Fprintf(w, " %15.3f %15.3f %15.3f", low, mean, high)
		}
		fmt.Fprintf(w, " %s\n", problem)
	}
	w.WriteString("==============================================================\n")
}
