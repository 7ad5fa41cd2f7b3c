package dissect

import (
	"encoding/binary"
	"slices"
	"sync"
)

// The exports of packets from inside others, by the names that tshark's -U has for them. The packets of the first two
// are written as they are, those of the others behind a header that tells their protocol and their ends.
const (
	ExportEthernet = "Ethernet"
	ExportIP       = "IP"
	ExportLayer3   = "OSI layer 3"
	ExportLayer4   = "OSI layer 4"
	ExportLayer7   = "OSI layer 7"
)

// Exports are the names of all exports, sorted.
func Exports() []string {
	return []string{ExportEthernet, ExportIP, ExportLayer3, ExportLayer4, ExportLayer7}
}

// ExportLinkType is the LINKTYPE_ value of what an export writes: Ethernet, raw IP, or Wireshark's exported PDUs.
func ExportLinkType(name string) int {
	switch name {
	case ExportEthernet:
		return 1
	case ExportIP:
		return 101
	}
	return 252
}

// A PDU is a packet that was inside another one.
type PDU struct {
	Data []byte // with the header, where the export has one
	Len  int    // in bytes, with what the capture cut off
}

// An ExportedAs tells what a packet is that is exported: by the number of a table, by a protocol's name, or by that of
// what recognised it.
type ExportedAs struct {
	Name      string        // of the protocol
	Inner     InnerProtocol // or the protocol itself
	Heuristic string        // or of what recognised it
	Table     Table         // or the table with Number
	Number    uint32
	Ports     uint32 // the type of the ports where they are not those of UDP and TCP: 1 is SCTP's
}

// Tags of the header of exported PDUs (wsutil/exported_pdu_tlvs.h of Wireshark): each is a tag and a length of two
// bytes, and a value, in network order.
const (
	exportName      = 12
	exportHeuristic = 13
	exportTable     = 14
	exportIPv4      = 20 // the destination's is one more, as is the IPv6 one's
	exportIPv6      = 22
	exportPortType  = 24
	exportSrcPort   = 25
	exportDstPort   = 26
	exportFrame     = 30
	exportNumber    = 32
	exportSegment   = 34
)

// An exporter takes the packets of one export from a frame under dissection.
type exporter struct {
	name string
	out  []PDU
}

// maxExported bounds what one frame exports.
const maxExported = 4096

// Export dissects frame n, which has passed, and returns the packets inside that an export has, in the order in which
// tshark writes them. They are valid until the Dissector dissects again. Streams export what is handed to their
// protocols only where Session.Exporting was called in front of the first pass.
func (l *Dissector) Export(n FrameNum, name string) []PDU {
	e := &exporter{name: name}
	if l.made == nil {
		l.made = l.s.reg.sourceWants()
	}
	l.d.export = e
	defer func() { l.d.export = nil }()
	l.redissect(n, l.made)
	return e.out
}

// Exporting tells whether the packet's PDUs are exported under a name, now.
func (hd *InnerLayers) Exporting(name string) bool {
	d := (*D)(hd)
	return d.export != nil && d.export.name == name && !d.quoted
}

// Export exports as it is what begins at an offset of the source and is size bytes long, or, where size is 0, as long
// as the range.
func (hd *InnerLayers) Export(name string, at, size int) {
	if d := (*D)(hd); hd.Exporting(name) {
		b, whole := d.data[at:d.end], d.end-at+d.cut
		if size > 0 && size < whole {
			whole = size
		}
		d.exports(nil, b[:min(len(b), whole)], whole)
	}
}

// ExportAs exports the rest of the range behind a header.
func (hd *InnerLayers) ExportAs(name string, as ExportedAs) {
	if d := (*D)(hd); hd.Exporting(name) {
		d.exports(exportEnd(d.exportHead(as)), d.Data(), d.Left()+d.cut)
	}
}

// CalledBy is the name of the protocol under a number of a table, or "data".
func (hd *InnerLayers) CalledBy(t Table, key uint32) string {
	d := (*D)(hd)
	return d.exportedName(d.attached(t, key).plugin)
}

func (d *D) exportedName(plugin uint16) string {
	if plugin >= noLayer {
		return "data"
	}
	return d.reg.plugins[plugin].Protocol.name
}

func (d *D) exports(head, b []byte, size int) {
	if e := d.export; len(e.out) < maxExported {
		e.out = append(e.out, PDU{Data: append(head, b...), Len: len(head) + size})
	}
}

// exportHead is the header of a packet, without its end.
func (d *D) exportHead(as ExportedAs) []byte {
	be := binary.BigEndian
	b := make([]byte, 0, 160)
	tag, name := uint16(exportName), as.Name
	if name == "" {
		name = d.exportedName(uint16(as.Inner) - 1)
	}
	if as.Heuristic != "" {
		tag, name = exportHeuristic, as.Heuristic
	} else if as.Table != "" {
		tag, name = exportTable, string(as.Table)
	}
	padded := (len(name) + 3) &^ 3
	b = be.AppendUint16(be.AppendUint16(b, tag), uint16(padded))
	b = append(append(b, name...), make([]byte, padded-len(name))...)
	for i, a := range [...]Addr{d.Src.Addr, d.Dst.Addr} {
		switch a.Kind() {
		case AddrIPv4:
			b = a.AppendBytes(be.AppendUint16(be.AppendUint16(b, exportIPv4+uint16(i)), 4))
		case AddrIPv6:
			b = a.AppendBytes(be.AppendUint16(be.AppendUint16(b, exportIPv6+uint16(i)), 16))
		}
	}
	ports := as.Ports
	switch d.transport {
	case TableTCP:
		ports = 2
	case TableUDP:
		ports = 3
	}
	b = exportUint32(b, exportPortType, ports)
	b = exportUint32(b, exportSrcPort, uint32(d.Src.Port))
	b = exportUint32(b, exportDstPort, uint32(d.Dst.Port))
	b = exportUint32(b, exportFrame, uint32(d.Frame))
	if as.Heuristic == "" && as.Table != "" {
		b = exportUint32(b, exportNumber, as.Number)
	}
	return b
}

func exportUint32(b []byte, tag uint16, v uint32) []byte {
	be := binary.BigEndian
	return be.AppendUint32(be.AppendUint16(be.AppendUint16(b, tag), 4), v)
}

func exportEnd(b []byte) []byte { return append(b, 0, 0, 0, 0) }

// exportedAs tells how a transport's payload was found.
func (d *D) exportedAs(t Table, st step, srcPort, dstPort uint16) ExportedAs {
	if st.plugin >= noLayer {
		return ExportedAs{Name: "data"}
	}
	name := d.exportedName(st.plugin)
	switch st.reason {
	case ByPort, ByDecodeAs:
		low, high := min(srcPort, dstPort), max(srcPort, dstPort)
		number := uint32(low)
		if p, ok := d.s.decodeAs[Key{t, number}]; !slices.Contains(d.reg.attached(t, number), st.plugin) &&
			!(ok && p == st.plugin) {
			number = uint32(high)
		}
		return ExportedAs{Table: t, Number: number}
	case ByGuess, ByRepetition, ByEndpoint:
		if t == TableUDP {
			return ExportedAs{Heuristic: name + "_udp"}
		}
	}
	return ExportedAs{Name: name}
}

// exportDatagram exports the payload of a datagram, which lies in front of the cursor.
func (d *D) exportDatagram(st step, srcPort, dstPort uint16, b []byte, missing int) {
	d.exports(exportEnd(d.exportHead(d.exportedAs(TableUDP, st, srcPort, dstPort))), b, len(b)+missing)
}

// A handedOn is bytes of a stream that its protocol was asked about when a frame passed.
type handedOn struct {
	frame FrameNum
	turn  uint16
	how   step
	first int // bytes of the message that ends here, where that was known before; else 0
	refs  []Ref
	next  uint32 // the sequence number behind them
}

// handedList is what was handed to the protocols of streams, as long as nobody has exported it.
type handedList struct {
	mu   sync.Mutex
	list []handedOn
	refs int
}

// maxHanded bounds the places that are kept for exports.
const maxHanded = 4 << 20

// ForExport is another session of the same packets, which has passed none of them, for Dissector.Export.
func (s *Session) ForExport() (*Session, error) {
	again, err := NewSession(s.reg, s.store)
	if err != nil {
		return nil, err
	}
	again.Zone, again.decodeAs = s.Zone, s.decodeAs
	again.Learn(s)
	again.Exporting()
	return again, nil
}

// Exporting has the first pass keep what streams hand to their protocols, for Dissector.Export.
func (s *Session) Exporting() { s.handed.Store(new(handedList)) }

// ForgetExports forgets what the first pass has kept of frames up to n for exports.
func (s *Session) ForgetExports(n FrameNum) { s.handed.Load().forget(n) }

// forget forgets what frames up to n handed on.
func (h *handedList) forget(n FrameNum) {
	if h == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	i := 0
	for ; i < len(h.list) && h.list[i].frame <= n; i++ {
		h.refs -= len(h.list[i].refs)
	}
	h.list = h.list[i:]
}

// of is what a unit of a frame handed on.
func (h *handedList) of(n FrameNum, turn uint16) (out []handedOn) {
	if h == nil {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := range h.list { // in the order in which the frames passed
		if h.list[i].frame > n {
			break
		}
		if h.list[i].frame == n && h.list[i].turn == turn {
			out = append(out, h.list[i])
		}
	}
	return out
}

// keepHanded keeps that the bytes waiting in a stream are shown to its protocol.
func (d *D) keepHanded(st *stream, how step) {
	h := d.s.handed.Load()
	if h == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	t := &st.tail
	if h.refs += len(t.refs); h.refs > maxHanded {
		h.refs -= len(t.refs)
		return
	}
	h.list = append(h.list, handedOn{frame: d.Frame, turn: d.segments(), how: how, first: t.announced,
		refs: slices.Clone(t.refs), next: st.next})
}

// exportSegment exports what a segment handed to its stream's protocol, as tshark does: a segment that begins no
// message in the middle goes as it is, also where its last message is not complete; a message of which earlier segments
// had the beginning goes when it is complete, or with each segment as long as nobody knows its length, and what is
// behind it goes by itself.
func (d *D) exportSegment(g *Segment, note segmentNote, how step, start int) {
	list := d.s.handed.Load().of(d.Frame, d.segments())
	again := false
	for _, h := range list {
		b, size, seq := d.gather(nil, h.refs), 0, h.next
		for _, r := range h.refs {
			size += int(r.Len)
		}
		seq -= uint32(size)
		if len(b) != size {
			return
		}
		several := len(h.refs) > 1 || !d.here(h.refs[0])
		if several && h.first > 0 && h.first < size {
			d.exportPart(g, h.how, b[:h.first], seq, 0, true)
			b, seq = b[h.first:], seq+uint32(h.first)
		}
		missing := 0
		if !several {
			missing = g.Missing
		}
		again = again || several
		d.exportPart(g, h.how, b, seq, missing, again)
	}
	framed := how.plugin < noLayer && d.reg.plugins[how.plugin].framed()
	if len(list) > 0 || framed || how.plugin == noLayer || note.State == Retransmitted || note.State == Stray {
		return
	}
	if skip := int(note.Skip); start+skip < len(d.basisBytes()) {
		b := d.basisBytes()[start+skip : d.end]
		d.exportPart(g, how, b, g.Seq+note.Skip, g.Missing, false)
	}
}

func (d *D) exportPart(g *Segment, how step, b []byte, seq uint32, missing int, several bool) {
	be := binary.BigEndian
	as := d.exportedAs(TableTCP, how, g.SrcPort, g.DstPort)
	head := d.exportHead(as)
	if as.Name != "data" {
		head = be.AppendUint16(be.AppendUint16(be.AppendUint16(head, exportSegment), 19), 1)
		head = be.AppendUint32(head, seq-g.Base)
		head = be.AppendUint32(head, g.Next)
		head = be.AppendUint32(head, g.Ack)
		flag := byte(0)
		if several {
			flag = 1
		}
		head = append(head, flag)
		head = be.AppendUint32(head, uint32(g.Flags)<<16) // tshark tells the urgent pointer of few segments
	}
	d.exports(exportEnd(head), b, len(b)+missing)
}
