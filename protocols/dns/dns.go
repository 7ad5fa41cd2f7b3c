// Package dns dissects the Domain Name System (RFC 1035) over UDP and TCP, and what speaks its format: multicast DNS
// (RFC 6762) and LLMNR (RFC 4795). Records: RFC 1035, 2782 (SRV), 3596 (AAAA), 6891 (OPT), 8659 (CAA).
package dns

import (
	"fmt"

	"remora/dissect"
)

var proto = dissect.NewProtocol("dns", "DNS", "Domain Name System: names and what belongs to them.").
	Called("Domain Name System ({type:name})").Hued(dissect.HueCyan)

// The derived packet types: the opcode, with 16 added for responses.
var types = dissect.Values{0: "QUERY", 1: "IQUERY", 2: "STATUS", 4: "NOTIFY", 5: "UPDATE", 16: "RESPONSE", 17: "IQUERY-RESPONSE", 18: "STATUS-RESPONSE", 20: "NOTIFY-RESPONSE", 21: "UPDATE-RESPONSE"}

var opcodes = dissect.Values{0: "Standard query", 1: "Inverse query", 2: "Server status request", 4: "Zone change notification", 5: "Dynamic update"}

var rcodes = dissect.Values{0: "No error", 1: "Format error", 2: "Server failure", 3: "No such name", 4: "Not implemented", 5: "Refused", 6: "Name exists", 7: "RRset exists", 8: "RRset does not exist", 9: "Not authoritative", 10: "Name out of zone", 16: "Bad EDNS version"}

var recordTypes = dissect.Values{1: "A", 2: "NS", 5: "CNAME", 6: "SOA", 10: "NULL", 12: "PTR", 13: "HINFO", 15: "MX", 16: "TXT", 17: "RP", 24: "SIG", 25: "KEY", 28: "AAAA", 29: "LOC", 33: "SRV", 35: "NAPTR", 39: "DNAME", 41: "OPT",
	43: "DS", 44: "SSHFP", 46: "RRSIG", 47: "NSEC", 48: "DNSKEY", 50: "NSEC3", 51: "NSEC3PARAM", 52: "TLSA", 59: "CDS", 64: "SVCB", 65: "HTTPS", 99: "SPF", 249: "TKEY", 250: "TSIG", 251: "IXFR", 252: "AXFR", 255: "ANY", 257: "CAA"}

var classes = dissect.Values{1: "IN", 3: "CH", 4: "HS", 254: "NONE", 255: "ANY"}

var flags = []dissect.Flag{
	{Name: "authoritative", Label: "Authoritative", Mask: 0x0400, Doc: "The server owns the name."},
	{Name: "truncated", Label: "Truncated", Mask: 0x0200, Doc: "The message is cut short: ask again over TCP."},
	{Name: "recdesired", Label: "Recursion desired", Mask: 0x0100, Doc: "The server should ask others."},
	{Name: "recavail", Label: "Recursion available", Mask: 0x0080, Doc: "The server can ask others."},
	{Name: "z", Label: "Z", Mask: 0x0040, Doc: "Reserved."},
	{Name: "authenticated", Label: "Answer authenticated", Mask: 0x0020, Doc: "The server has checked the data."},
	{Name: "checkdisable", Label: "Non-authenticated data", Mask: 0x0010, Doc: "Data that were not checked are welcome."},
}

var (
	fLength = proto.Uint16("length", "Length", "Length of the message on a stream.")
	fID     = proto.Uint16("id", "Transaction ID", "Joins question and answer.").Hex()
	fKind   = proto.Kind("type", "Message type", types, "Question or answer, by its opcode.").Dec().Derived().Wordless()
	fFlags  = proto.Flags16("flags", "Flags", flags, "What the message is and may.")
	fQR     = proto.Bool("flags.response", "Response", "The message is an answer.").Wide(2).Masked(0x8000).TrueFalse("Message is a response", "Message is a query")
	fOpcode = proto.Uint16("flags.opcode", "Opcode", "What is asked for.").Masked(0x7800).Named(opcodes)
	fRcode  = proto.Uint16("flags.rcode", "Reply code", "How it went.").Masked(0x000f).Named(rcodes)
	fQCount = proto.Uint16("count.queries", "Questions", "How many questions follow.")
	fACount = proto.Uint16("count.answers", "Answer RRs", "How many answers follow.")
	fNCount = proto.Uint16("count.auth_rr", "Authority RRs", "How many records about authorities follow.")
	fXCount = proto.Uint16("count.add_rr", "Additional RRs", "How many further records follow.")

	fQueries = proto.Group("queries", "Queries", "The questions.")
	fQuery   = proto.Group("qry", "Query", "One question.").Summary("{dns.qry.name}: type {dns.qry.type:name}, class {dns.qry.class:name}")
	fQName   = proto.String("qry.name", "Name", "The name asked for.")
	fQType   = proto.Uint16("qry.type", "Type", "The sort of record asked for.").Named(recordTypes)
	fQClass  = proto.Uint16("qry.class", "Class", "The class asked for; multicast DNS sets the top bit when one answer is enough.").Hex().Named(classes)

	fAnswers = proto.Group("answers", "Answers", "The answers.")
	fAuth    = proto.Group("authorities", "Authoritative nameservers", "Records about who owns the name.")
	fAdd     = proto.Group("additionals", "Additional records", "Further records.")

	fInTime = proto.Span("time", "Time", "Time from the question to the answer.").Derived()
	fRespIn = proto.FrameRef("response_in", "Response In", "The frame with the answer.")
	fRespTo = proto.FrameRef("response_to", "Request In", "The frame with the question.")
	fRest   = proto.Bytes("trailing", "Trailing data", "Bytes behind the last record.").Unknown()

	nName  = proto.Note("name.bad", dissect.Error, "A name is wrong: it points forward or in circles, or is too long")
	nTotal = proto.Note("counts.bad", dissect.Warn, "The message ends before the records that its header announces")
)

// Plugin attaches DNS, multicast DNS and LLMNR to their ports.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: message, UDP: []uint16{53, 5353, 5355}, TCP: []uint16{53}, Message: frame}
}

// frame cuts messages from a stream: two bytes of length stand in front of each.
func frame(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	return 2 + int(b[0])<<8 + int(b[1])
}

func message(d *dissect.D) {
	if d.Transport() == dissect.TableTCP {
		d.Uint(fLength)
	}
	m := reader{d: d, start: d.Pos(), data: d.Data()}
	id := d.Uint(fID)
	word := d.PeekUint(0, 2)
	response := word&0x8000 != 0
	kind := word >> 11 & 15
	if response {
		kind += 16
	}
	if d.Left() >= 2 {
		d.SetKind(fKind, kind)
	}
	at := d.Pos()
	d.Uint(fFlags)
	if !d.Short() {
		d.Below(func() {
			for _, f := range []*dissect.Field{fQR, fOpcode, fRcode} {
				d.Put(f, word, at, 2)
			}
		})
	}
	counts := [4]uint64{d.Uint(fQCount), d.Uint(fACount), d.Uint(fNCount), d.Uint(fXCount)}
	if d.Short() {
		return
	}
	link(d, id, response)
	intro(d, id, word, response)
	m.section(fQueries, counts[0], m.question)
	for i, f := range []*dissect.Field{fAnswers, fAuth, fAdd} {
		m.section(f, counts[i+1], func() { m.record(f == fAnswers) })
	}
	d.Rest(fRest)
}

// link joins question and answer. Multicast DNS has no such pairs: its ids are zero.
func link(d *dissect.D, id uint64, response bool) {
	if d.Src.Port == 5353 || d.Dst.Port == 5353 {
		return
	}
	if response {
		d.Answer(id, fRespIn, fRespTo, fInTime)
	} else {
		d.Request(id, fRespIn)
	}
}

func intro(d *dissect.D, id, word uint64, response bool) {
	if !d.Texting() {
		return
	}
	op := opcodes[word>>11&15]
	if op == "" {
		op = fmt.Sprintf("Unknown operation (%d)", word>>11&15)
	}
	if response {
		op += " response"
	}
	d.Infof("%s 0x%04x", op, id)
	if rcode := word & 15; response && rcode != 0 {
		name := rcodes[rcode]
		if name == "" {
			name = fmt.Sprintf("Unknown (%d)", rcode)
		}
		d.Infof("%s", name)
	}
}

// reader holds what names need: where the message starts, as compression pointers count from there.
type reader struct {
	d     *dissect.D
	start int
	data  []byte
	bad   bool // a name was wrong: the rest cannot be trusted
	jumps int  // compression pointers followed in this message
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
					m.d.Mark(nTotal)
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
		name := m.name(fQName)
		kind := d.Uint(fQType)
		d.Uint(fQClass)
		if d.Texting() && !d.Short() {
			d.Infof("%s %s", typeName(kind), name)
		}
	})
}

func typeName(v uint64) string {
	if s, ok := recordTypes[v]; ok {
		return s
	}
	return fmt.Sprintf("TYPE%d", v)
}
