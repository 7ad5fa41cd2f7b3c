// Package dns dissects the Domain Name System (RFC 1035) over UDP and TCP, and what speaks its format: multicast DNS
// (RFC 6762) and LLMNR (RFC 4795). Records: RFC 1035, 1183 (RP, AFSDB), 1876 (LOC), 2782 (SRV), 3403 (NAPTR), 3596
// (AAAA), 4034 (DS, DNSKEY, RRSIG, NSEC), 4255 (SSHFP), 5155 (NSEC3), 6672 (DNAME), 6698 (TLSA), 6891 (OPT), 7043
// (EUI48), 7929 (OPENPGPKEY), 8659 (CAA), 8945 (TSIG), 9460 (SVCB, HTTPS).
package dns

import (
	"fmt"
	"strings"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("dns", "DNS", "Domain Name System: names and what belongs to them.").
	Summary("Domain Name System").Color(dissect.HueCyan)

var (
	fLength = proto.Uint16("length", "Length", "Length of the message on a stream.")
	fID     = proto.Uint16("id", "Transaction ID", "Joins question and answer.").Hex()
	fKind   = proto.Kind("type", "Message type", types, "Question or answer, by its opcode.").Dec().Derived().Wordless()
	fQCount = proto.Uint16("count.queries", "Questions", "How many questions follow.")
	fACount = proto.Uint16("count.answers", "Answer RRs", "How many answers follow.")
	fNCount = proto.Uint16("count.auth_rr", "Authority RRs", "How many records about authorities follow.")
	fXCount = proto.Uint16("count.add_rr", "Additional RRs", "How many further records follow.")
	fZones  = proto.Uint16("count.zones", "Zones", "How many zones are named.")
	fPrereq = proto.Uint16("count.prerequisites", "Prerequisites", "How many records must be there, or must not.")
	fUpdate = proto.Uint16("count.updates", "Updates", "How many records change.")

	fQueries = proto.Group("queries", "Queries", "The questions.")
	fQuery   = proto.Group("qry", "Query", "One question.").
			Summary("{dns.qry.name}: type {dns.qry.type:name}, class {dns.qry.class:name}")
	fQName   = proto.String("qry.name", "Name", "The name asked for.")
	fQLen    = proto.Uint16("qry.name.len", "Name Length", "Length of the name as text.").Derived()
	fQLabels = proto.Uint16("count.labels", "Label Count", "How many labels the name has.").Derived()
	fQType   = proto.Uint16("qry.type", "Type", "The sort of record asked for.").Named(recordTypes).Format(typeText)
	fQClass  = proto.Uint16("qry.class", "Class", "The class asked for.").Hex().Named(classes)
	fQClass7 = proto.Uint16("qry.class", "Class", "The class asked for, without the bit above it.").Hex().Named(classes).
			Masked(0x7fff)
	fQU = proto.Bool("qry.qu", "\"QU\" question", "One answer, sent to the asker alone, is enough.").Wide(2).
		Masked(0x8000).TrueFalse("True", "False")

	fAnswers = proto.Group("answers", "Answers", "The answers.")
	fAuth    = proto.Group("authorities", "Authoritative nameservers", "Records about who owns the name.")
	fAdd     = proto.Group("additionals", "Additional records", "Further records.")

	fInTime = proto.Span("time", "Time", "Time from the question to the answer.").Derived()
	fRespIn = proto.FrameRef("response_in", "Response In", "The frame with the answer.")
	fRespTo = proto.FrameRef("response_to", "Request In", "The frame with the question.")
	fAgain  = proto.Bool("retransmission", "Retransmission", "The message was sent before.").TrueFalse("True", "False").
		Derived()
	fAskedIn = proto.FrameRef("retransmit_request_in", "Retransmitted request. Original request in",
		"The frame in which the question was asked first.")
	fToldIn = proto.FrameRef("retransmit_response_in", "Retransmitted response. Original response in",
		"The frame in which the answer came first.")
	fUnasked = proto.Bool("unsolicited", "Unsolicited", "No question for the answer was captured.").
			TrueFalse("True", "False").Derived()
	fRest     = proto.Bytes("extraneous.data", "Extraneous Data Bytes", "Bytes behind the last record.").Unknown()
	fRestSize = proto.Int32("extraneous.length", "Extraneous Data Length", "How many bytes these are.").Derived()

	nName = proto.Expert("name.bad", dissect.Error, "A name is wrong: it points forward or in circles, or is too long").
		About(dissect.AboutMalformed)
	nTotal  = proto.Expert("counts.bad", dissect.Warn, "The message ends before the records that its header announces")
	nAskedA = proto.Expert("retransmit_request", dissect.Warn, "DNS query retransmission")
	nToldA  = proto.Expert("retransmit_response", dissect.Warn, "DNS response retransmission")
	nRest   = proto.Expert("extraneous", dissect.Hint, "Extraneous data").About(dissect.AboutUndecoded)
	nTTL    = proto.Expert("ttl.high_bit_set", dissect.Warn, "The uppermost bit of the TTL is set (RFC 2181, section 8)")
)

// Multicast DNS and LLMNR are protocols of their own with the fields of DNS.
var (
	mdns = dissect.NewProtocol("mdns", "MDNS",
		"Multicast Domain Name System: names of the neighbourhood, without a server.").
		Summary("Multicast Domain Name System").Color(dissect.HueCyan).SharesFields(proto)
	llmnr = dissect.NewProtocol("llmnr", "LLMNR",
		"Link-local Multicast Name Resolution: Windows' way to find a neighbour's name.").
		Summary("Link-local Multicast Name Resolution").Color(dissect.HueCyan).SharesFields(proto)
)

// Plugin attaches DNS to its port.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Statistics: statistics, Dissect: message, UDP: []uint16{53}, TCP: []uint16{53},
		Message: frame, Guess: guess, Fits: fits,
		// DNS over TLS (RFC 7858)
		On: []dissect.Key{{Table: tables.TLSPort, Value: 853}, {Table: tables.TLSALPN, Value: dissect.Word("dot")}},
	}
}

// MDNS attaches multicast DNS to its port (RFC 6762 section 5).
func MDNS() dissect.Plugin {
	return dissect.Plugin{Protocol: mdns, Dissect: message, UDP: []uint16{mdnsPort}, Fits: fits}
}

// LLMNR attaches Link-local Multicast Name Resolution to its port (RFC 4795 section 2.3).
func LLMNR() dissect.Plugin {
	return dissect.Plugin{Protocol: llmnr, Dissect: message, UDP: []uint16{llmnrPort}, TCP: []uint16{llmnrPort},
		Message: frame, Fits: fits}
}

const (
	mdnsPort  = 5353
	llmnrPort = 5355
)

// frame cuts messages from a stream: two bytes of length stand in front of each.
func frame(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	return 2 + int(b[0])<<8 + int(b[1])
}

func message(d *dissect.D) {
	if d.Ends().Transport() == dissect.TableTCP {
		if !fits(d) { // the length in front was there alone when the connection was taken for DNS
			d.Reject()
			return
		}
		d.Uint(fLength)
	}
	m := reader{d: d, start: d.Pos(), data: d.Data()}
	m.mdns = d.Ends().Transport() == dissect.TableUDP && (d.Src.Port == mdnsPort || d.Dst.Port == mdnsPort)
	m.llmnr = !m.mdns && (d.Src.Port == llmnrPort || d.Dst.Port == llmnrPort)
	id := d.Uint(fID)
	word := d.PeekUint(0, 2)
	response := word&0x8000 != 0
	kind := word >> 11 & 15
	if response {
		kind += 16
	}
	if d.Left() >= 2 {
		d.SetKind(fKind, kind)
		m.title(response)
	}
	m.flags(word)
	heads := [4]*dissect.Field{fQCount, fACount, fNCount, fXCount}
	if word>>11&15 == opUpdate {
		heads = [4]*dissect.Field{fZones, fPrereq, fUpdate, fXCount}
	}
	var counts [4]uint64
	for i, f := range heads {
		counts[i] = d.Uint(f)
	}
	if d.Short() {
		return
	}
	ex := m.exchange(id, response)
	intro(d, id, word, response)
	m.section(fQueries, counts[0], m.question)
	for i, f := range []*dissect.Field{fAnswers, fAuth, fAdd} {
		m.section(f, counts[i+1], m.record)
	}
	if n := d.Left(); n > 0 && !m.bad && !d.Short() {
		d.Expert(nRest)
		d.Set(fRestSize, uint64(n))
	}
	d.Rest(fRest)
	m.links(ex, response)
}

func intro(d *dissect.D, id, word uint64, response bool) {
	if !d.Info().Wanted() {
		return
	}
	op := opcodes[word>>11&15]
	if op == "" {
		op = fmt.Sprintf("Unknown operation (%d)", word>>11&15)
	}
	if response {
		op += " response"
	}
	d.Info().Setf("%s 0x%04x", op, id)
	if rcode := word & 15; response && rcode != 0 {
		name := rcodes[rcode]
		if name == "" {
			name = fmt.Sprintf("Unknown (%d)", rcode)
		}
		d.Info().Setf("%s", name)
	}
}

// reader holds what names need: where the message starts, as compression pointers count from there.
type reader struct {
	d     *dissect.D
	start int
	data  []byte
	bad   bool   // a name was wrong: the rest cannot be trusted
	jumps int    // compression pointers followed in this message
	mdns  bool   // classes have a bit of their own above them
	llmnr bool   // flags have other meanings
	owner string // whose the record being read is, where somebody asks
}

// section reads the announced number of questions or records.
func (m *reader) section(f *dissect.Field, n uint64, one func()) {
	if n == 0 || m.bad {
		return
	}
	m.d.In(f, func() {
		for ; n > 0 && !m.bad; n-- {
			if !m.d.More() {
				if !m.d.Short() && !m.d.CutShort() {
					m.d.Expert(nTotal)
				}
				m.bad = true
				return
			}
			one()
		}
	})
}

func (m *reader) question() {
	d := m.d
	d.In(fQuery, func() {
		measured := d.Wanted(fQLen) || d.Wanted(fQLabels)
		at := m.d.Pos()
		name := m.nameAnd(fQName, measured)
		if measured {
			m.measure(name, at)
		}
		kind := d.Uint(fQType)
		class := d.PeekUint(0, 2)
		if m.mdns {
			d.Bits(fQClass7, fQU)
		} else {
			d.Uint(fQClass)
		}
		if d.Info().Wanted() && !d.Short() {
			switch {
			case m.mdns && class&0x8000 != 0:
				name += ", \"QU\" question"
			case m.mdns:
				name += ", \"QM\" question"
			}
			d.Info().Setf("%s %s", typeName(kind), name)
		}
	})
}

// measure gives the length and the number of labels of a name, as Wireshark counts them.
func (m *reader) measure(name string, at int) {
	labels, n := strings.Count(name, ".")+1, m.d.Pos()-at
	m.d.Put(fQLen, uint64(len(name)), at, n)
	m.d.Put(fQLabels, uint64(labels), at, n)
}

// title ends the text of the protocol's node.
func (m *reader) title(response bool) {
	text := " (query)"
	if response {
		text = " (response)"
	}
	for _, p := range [...]*dissect.Protocol{proto, mdns, llmnr} {
		m.d.Suffix(p.Self(), text)
	}
}

func typeName(v uint64) string {
	if s, ok := recordTypes[v]; ok {
		return s
	}
	return fmt.Sprintf("Unknown (%d)", v)
}
