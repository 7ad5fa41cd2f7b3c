package tcp

import (
	"cmp"
	"fmt"
	"strconv"

	"remora/dissect"
)

var (
	fTimes = proto.Group("timestamps", "Timestamps", "When the segment was captured, within its connection.").
		Summary("\\[Timestamps\\]")
	fRelative = proto.Span("time_relative", "Time since first frame in this TCP stream",
		"Time since the connection's first segment.").Derived()
	fDelta = proto.Span("time_delta", "Time since previous frame in this TCP stream",
		"Time since the segment before, of either direction.").Derived()

	fAnalysis = proto.Node("analysis", "SEQ/ACK analysis",
		"What the numbers of the segment say beside those of the segments before.").Summary("\\[SEQ/ACK analysis\\]")
	fAcks = proto.FrameRef("analysis.acks_frame", "This is an ACK to the segment in frame",
		"The segment whose last byte is acknowledged.").Derived()
	fAckRTT = proto.Span("analysis.ack_rtt", "The RTT to ACK the segment was",
		"Time from that segment to this acknowledgment.").Derived()
	fRTT    = proto.Span("analysis.initial_rtt", "iRTT", "Time that the opening of the connection took.").Derived()
	fFlight = proto.Uint32("analysis.bytes_in_flight", "Bytes in flight", "Bytes sent that are not acknowledged yet.").
		Derived()
	fPushed = proto.Uint32("analysis.push_bytes_sent", "Bytes sent since last PSH flag",
		"Bytes sent since the sender last asked to hand them on.").Derived()
	fMarks = proto.Node("analysis.flags", "TCP Analysis Flags", "What is noteworthy about the segment.").
		Summary("\\[TCP Analysis Flags\\]")
	fRTO = proto.Span("analysis.rto", "The RTO for this segment was", "Time since the segment was sent before.").
		Derived()
	fRTOFrame = proto.FrameRef("analysis.rto_frame", "RTO based on delta from frame",
		"The segment that this one repeats.").
		Derived()
	fDupNum = proto.Uint32("analysis.duplicate_ack_num", "Duplicate ACK #",
		"Which repetition of the acknowledgment this is.").Derived()
	fDupFrame = proto.FrameRef("analysis.duplicate_ack_frame", "Duplicate to the ACK in frame",
		"The acknowledgment that is repeated.").Derived()

	nSYN = proto.Expert("connection.syn", dissect.Chat, "Connection establish request (SYN)").
		About(dissect.AboutSequence)
	nSYNACK = proto.Expert("connection.synack", dissect.Chat, "Connection establish acknowledge (SYN+ACK)").
		About(dissect.AboutSequence)
	nFIN    = proto.Expert("connection.fin", dissect.Chat, "Connection finish (FIN)").About(dissect.AboutSequence)
	nActive = proto.Expert("connection.fin_active", dissect.Hint, "This frame initiates the connection closing").
		About(dissect.AboutSequence)
	nPassive = proto.Expert("connection.fin_passive", dissect.Hint, "This frame undergoes the connection closing").
			About(dissect.AboutSequence)
	nReset   = proto.Expert("connection.rst", dissect.Warn, "Connection reset (RST)").About(dissect.AboutSequence)
	nAckZero = proto.Expert("ack.nonzero", dissect.Hint,
		"The acknowledgment number field is nonzero while the ACK flag is not set")
	nUrgZero = proto.Expert("urgent_pointer.non_zero", dissect.Hint,
		"The urgent pointer field is nonzero while the URG flag is not set")
	nReused = proto.Expert("analysis.reused_ports", dissect.Hint,
		"A new tcp session is started with the same ports as an earlier session in this trace").About(dissect.AboutSequence)
	nRetrans = proto.Expert("analysis.retransmission", dissect.Hint, "This frame is a (suspected) retransmission").
			About(dissect.AboutSequence)
	nFast = proto.Expert("analysis.fast_retransmission", dissect.Hint,
		"This frame is a (suspected) fast retransmission").About(dissect.AboutSequence)
	nSpurious = proto.Expert("analysis.spurious_retransmission", dissect.Hint,
		"This frame is a (suspected) spurious retransmission").About(dissect.AboutSequence)
	nOrder = proto.Expert("analysis.out_of_order", dissect.Warn, "This frame is a (suspected) out-of-order segment").
		About(dissect.AboutSequence)
	nLost = proto.Expert("analysis.lost_segment", dissect.Warn,
		"Previous segment(s) not captured (common at capture start)").About(dissect.AboutSequence)
	nAckLost = proto.Expert("analysis.ack_lost_segment", dissect.Warn,
		"ACKed segment that wasn't captured (common at capture start)").About(dissect.AboutSequence)
	nUpdate = proto.Expert("analysis.window_update", dissect.Chat, "TCP window update").About(dissect.AboutSequence)
	nFull   = proto.Expert("analysis.window_full", dissect.Warn,
		"TCP window specified by the receiver is now completely full").About(dissect.AboutSequence)
	nKeep    = proto.Expert("analysis.keep_alive", dissect.Hint, "TCP keep-alive segment").About(dissect.AboutSequence)
	nKeepAck = proto.Expert("analysis.keep_alive_ack", dissect.Hint, "ACK to a TCP keep-alive segment").
			About(dissect.AboutSequence)
	nDup   = proto.Expert("analysis.duplicate_ack", dissect.Hint, "Duplicate ACK").About(dissect.AboutSequence)
	nProbe = proto.Expert("analysis.zero_window_probe", dissect.Hint, "TCP Zero Window Probe").
		About(dissect.AboutSequence)
	nZero     = proto.Expert("analysis.zero_window", dissect.Warn, "TCP Zero Window segment").About(dissect.AboutSequence)
	nProbeAck = proto.Expert("analysis.zero_window_probe_ack", dissect.Hint, "ACK to a TCP Zero Window Probe").
			About(dissect.AboutSequence)
)

// remarks are the analysis's marks in the order in which they are shown, with their note and what the Info column says.
var remarks = [...]struct {
	mark marks
	note *dissect.Field
	info string
}{
	{markReused, nReused, "TCP Port numbers reused"},
	{markRetransmission, nRetrans, "TCP Retransmission"},
	{markFast, nFast, "TCP Fast Retransmission"},
	{markSpurious, nSpurious, "TCP Spurious Retransmission"},
	{markOutOfOrder, nOrder, "TCP Out-Of-Order"},
	{markLost, nLost, "TCP Previous segment not captured"},
	{markAckLost, nAckLost, "TCP ACKed unseen segment"},
	{markUpdate, nUpdate, "TCP Window Update"},
	{markFull, nFull, "TCP Window Full"},
	{markKeepAlive, nKeep, "TCP Keep-Alive"},
	{markKeepAliveAck, nKeepAck, "TCP Keep-Alive ACK"},
	{markDuplicate, nDup, "TCP Dup ACK"},
	{markProbe, nProbe, "TCP ZeroWindowProbe"},
	{markZero, nZero, "TCP ZeroWindow"},
	{markProbeAck, nProbeAck, "TCP ZeroWindowProbeAck"},
}

var flagWords = [...]struct {
	bit  uint64
	word string
}{{fin, "FIN"}, {syn, "SYN"}, {rst, "RST"}, {psh, "PSH"}, {ack, "ACK"}, {urg, "URG"}, {0x40, "ECE"}, {0x80, "CWR"},
	{0x100, "AE"}, {0xe00, "Reserved"}}

// words names the flags that are set.
func words(v uint64) string { return string(appendWords(nil, v)) }

func appendWords(dst []byte, v uint64) []byte {
	at := len(dst)
	for _, f := range flagWords {
		if v&f.bit == 0 {
			continue
		}
		if len(dst) > at {
			dst = append(dst, ", "...)
		}
		dst = append(dst, f.word...)
	}
	if len(dst) == at {
		return append(dst, "<None>"...)
	}
	return dst
}

func flagText(v uint64) string { return fmt.Sprintf("0x%03x (%s)", v, words(v)) }

// completeText says how much of a connection the capture has, as Wireshark does.
func completeText(v uint64) string {
	text := "Incomplete"
	opened := v&(sawSYN|sawSYNACK|sawACK) == sawSYN|sawSYNACK|sawACK
	switch {
	case opened && v&sawData != 0 && v&(sawFIN|sawRST) != 0:
		text = "Complete, WITH_DATA"
	case opened && v&(sawFIN|sawRST) != 0:
		text = "Complete, NO_DATA"
	case opened && v&sawData != 0:
		text = "Incomplete, DATA"
	case opened:
		text = "Incomplete, ESTABLISHED"
	case v == sawSYN|sawSYNACK:
		text = "Incomplete, CLIENT_ESTABLISHED"
	case v == sawSYN:
		text = "Incomplete, SYN_SENT"
	}
	return text + " (" + strconv.FormatUint(v, 10) + ")"
}

// flagNotes notes the opening and the closing of a connection.
func flagNotes(d *dissect.D, h *header, v *verdict) {
	for _, flag := range [...]uint64{rst, syn, fin} {
		if h.flags&flag != 0 {
			flagNote(d, h, flag)
		}
	}
	closingNote(d, h, v)
}

// flagNote notes what one flag says.
func flagNote(d *dissect.D, h *header, flag uint64) {
	if flag == rst {
		d.Expert(nReset)
	}
	port := h.dst
	note, text := nSYN, "%s: server port %d"
	if h.flags&ack != 0 {
		note, port = nSYNACK, h.src
	}
	if flag == syn {
		if d.Wanted(note) || d.Wanted(nSYN) {
			d.ExpertText(note, fmt.Sprintf(text, note.Label(), port))
		} else {
			d.Expert(note)
		}
	}
	if flag == fin {
		d.Expert(nFIN)
	}
}

// closingNote notes who closes a connection.
func closingNote(d *dissect.D, h *header, v *verdict) {
	switch {
	case h.flags&fin == 0:
	case v.Passive:
		d.Expert(nPassive)
	default:
		d.Expert(nActive)
	}
}

// marksInfo puts what the analysis says in front of the Info column, the last remark first.
func marksInfo(d *dissect.D, v *verdict) {
	if v.Marks == 0 || !d.Info().Wanted() {
		return
	}
	for i := len(remarks) - 1; i >= 0; i-- {
		switch r := &remarks[i]; {
		case v.Marks&r.mark == 0:
		case r.mark == markDuplicate:
			d.Info().Fence(fmt.Sprintf("[%s %d#%d] ", r.info, v.Original, v.Repeats))
		default:
			d.Info().Fence("[" + r.info + "] ")
		}
	}
}

// summary begins the Info line; the options add to it.
func summary(d *dissect.D, h *header, n note) {
	if !d.Info().Wanted() {
		return
	}
	var room [128]byte
	b := append(d.Names().AppendPort(room[:0], dissect.TableTCP, h.src), " → "...)
	b = append(d.Names().AppendPort(b, dissect.TableTCP, h.dst), " ["...)
	b = add(append(appendWords(b, h.flags), ']'), " Seq=", uint64(h.seq-n.Seq))
	if h.flags&ack != 0 {
		b = add(b, " Ack=", uint64(h.ack-n.Ack))
	}
	b = add(b, " Win=", h.scaled(n))
	if h.flags&urg != 0 {
		b = add(b, " Urg=", h.urgent)
	}
	d.Info().SetText(add(b, " Len=", uint64(h.payload)))
}

func add(dst []byte, name string, v uint64) []byte {
	return strconv.AppendUint(append(dst, name...), v, 10)
}

// scaled is the window in bytes. Windows of SYNs are never scaled (RFC 7323 section 2.2).
func (h *header) scaled(n note) uint64 {
	if h.flags&syn == 0 && n.Scale > 0 {
		return h.window << n.Scale
	}
	return h.window
}

func times(d *dissect.D, h *header) {
	c := d.Conversation()
	if c == nil || !d.Session().Recording() {
		return
	}
	d.Put(fTimes, 0, h.at, 0)
	d.Below(func() {
		since(d, fRelative, c.First, h.at)
		since(d, fDelta, cmp.Or(h.previous, c.First), h.at)
	})
}

// since records the time since an earlier segment.
func since(d *dissect.D, f *dissect.Field, earlier dissect.FrameNum, at int) {
	if then, known := d.Packet().TimeOf(earlier); known && d.Wanted(f) {
		d.Put(f, uint64(d.Time()-then), at, 0)
	}
}

func showAnalysis(d *dissect.D, h *header, n note, v *verdict) {
	if n.Acks == 0 && !n.Known && v.Marks == 0 || !d.Session().Recording() && v.Marks == 0 {
		return
	}
	d.Put(fAnalysis, 0, h.at, 0)
	d.Below(func() {
		if n.Acks != 0 {
			d.Put(fAcks, uint64(n.Acks), h.at, 0)
			if at, known := d.Packet().TimeOf(n.Acks); known && at != d.Time() {
				d.Put(fAckRTT, uint64(d.Time()-at), h.at, 0)
			}
		}
		if rtt := d.Ends().Fact(factRTT); rtt != 0 {
			d.Put(fRTT, uint64(rtt), h.at, 0)
		}
		if n.Flight != 0 {
			d.Put(fFlight, uint64(n.Flight), h.at, 0)
		}
		if n.Pushed != 0 {
			d.Put(fPushed, uint64(n.Pushed), h.at, 0)
		}
		if v.Marks != 0 {
			d.Put(fMarks, 0, h.at, 0)
			d.Below(func() { showMarks(d, h, v) })
		}
		if v.Repeats != 0 {
			d.Put(fDupNum, uint64(v.Repeats), h.at, 0)
			d.Put(fDupFrame, uint64(v.Original), h.at, 0)
		}
	})
}

func showMarks(d *dissect.D, h *header, v *verdict) {
	for i := range remarks {
		r := &remarks[i]
		if v.Marks&r.mark == 0 {
			continue
		}
		if r.mark == markDuplicate && d.Wanted(nDup) {
			d.ExpertText(nDup, fmt.Sprintf("Duplicate ACK (#%d)", v.Repeats))
			continue
		}
		d.Expert(r.note)
		if r.mark&(markFast|markSpurious) != 0 {
			d.Expert(nRetrans)
		}
	}
	if v.RTOFrame != 0 {
		if at, known := d.Packet().TimeOf(v.RTOFrame); known && at != d.Time() {
			d.Put(fRTO, uint64(d.Time()-at), h.at, 0)
			d.Put(fRTOFrame, uint64(v.RTOFrame), h.at, 0)
		}
	}
}
