// Package netbios dissects NetBIOS over UDP (RFC 1002): the name service and the datagram service's header.
package netbios

import (
	"fmt"
	"strings"

	"remora/dissect"
)

var proto = dissect.NewProtocol("nbns", "NBNS", "NetBIOS Name Service: names of Windows' neighbourhood.").
	Summary("NetBIOS Name Service").Color(dissect.HueCyan)

var (
	fID    = proto.Uint16("id", "Transaction ID", "Joins question and answer.").Hex()
	fFlags = proto.Uint16("flags", "Flags", "What the message is.").Hex()
	fResp  = proto.Bool("flags.response", "Response", "Whether this is an answer.").Wide(2).Masked(0x8000).
		TrueFalse("Message is a response", "Message is a query")
	fOpcode = proto.Kind("flags.opcode", "Opcode", opcodes, "What is done.").Wide(2).Dec().Masked(0x7800).Wordless()
	fAA     = proto.Bool("flags.authoritative", "Authoritative", "The sender owns the name.").Wide(2).Masked(0x0400).
		TrueFalse("Server is an authority for domain", "Server is not an authority for domain")
	fTC = proto.Bool("flags.truncated", "Truncated", "The message was too long.").Wide(2).Masked(0x0200).
		TrueFalse("Message is truncated", "Message is not truncated")
	fRD = proto.Bool("flags.recdesired", "Recursion desired", "The server shall ask others.").Wide(2).Masked(0x0100).
		TrueFalse("Do query recursively", "Don't do query recursively")
	fRA = proto.Bool("flags.recavail", "Recursion available", "The server asks others.").Wide(2).Masked(0x0080).
		TrueFalse("Server can do recursive queries", "Server can't do recursive queries")
	fBcast = proto.Bool("flags.broadcast", "Broadcast", "The message was sent to all.").Wide(2).Masked(0x0010).
		TrueFalse("Broadcast packet", "Not a broadcast packet")
	fRcode   = proto.Uint16("flags.rcode", "Reply code", "How it went.").Masked(0x000f).Named(rcodes)
	fQ       = proto.Uint16("count.queries", "Questions", "How many questions follow.")
	fA       = proto.Uint16("count.answers", "Answer RRs", "How many answers follow.")
	fN       = proto.Uint16("count.auth_rr", "Authority RRs", "How many records about authorities follow.")
	fX       = proto.Uint16("count.add_rr", "Additional RRs", "How many further records follow.")
	fQueries = proto.Group("queries", "Queries", "The questions.")
	fAnswers = proto.Group("answers", "Answers", "The answers.")
	fAuth    = proto.Group("authorities", "Authoritative nameservers", "Records about who owns the name.")
	fAdd     = proto.Group("additionals", "Additional records", "Further records.")
	fRecord  = proto.Group("record", "Record", "One question or record.").
			Summary("{nbns.name}: type {nbns.type:name}, class {nbns.class:name}")
	fName    = proto.String("name", "Name", "The name.")
	fType    = proto.Uint16("type", "Type", "What is asked or told of it.").Named(types)
	fClass   = proto.Uint16("class", "Class", "Always the Internet's.").Named(classes)
	fTTL     = proto.Uint32("ttl", "Time to live", "How long it holds, in seconds.")
	fLength  = proto.Uint16("data_length", "Data length", "Length of the record's data.")
	fNBFlags = proto.Uint16("nb_flags", "Name flags", "Whose name it is.").Hex()
	fNBGroup = proto.Bool("nb_flags.group", "Name type", "A group has the name.").Wide(2).Masked(0x8000).
			TrueFalse("Group name", "Unique name")
	fNBNode = proto.Uint16("nb_flags.ont", "ONT", "How the owner finds names.").Masked(0x6000).Named(nodeTypes)
	fAddr   = proto.IPv4("addr", "Addr", "The address.")
	fData   = proto.Bytes("data", "Data", "The record's data.")
	fRespIn = proto.FrameRef("response_in", "Response In", "The answer to this question.")
	fRespTo = proto.FrameRef("response_to", "Response To", "The question that this answers.")
	fTime   = proto.Span("time", "Time", "Time from question to answer.").Derived()

	nName = proto.Expert("name.bad", dissect.Error, "A name is wrong: it points forward or has a length that cannot be").
		About(dissect.AboutMalformed)
)

// Plugin attaches the name service to its port.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: message, UDP: []uint16{137}, Fits: fits}
}

// fits tells whether a header can be one of the name service.
func fits(d *dissect.D) bool {
	if d.Left() < 12 {
		return d.CutShort()
	}
	records := uint64(0)
	for at := 4; at < 12; at += 2 {
		records += d.PeekUint(at, 2)
	}
	return records <= 256 && opcodes[d.PeekUint(2, 2)>>11&15] != ""
}

const (
	typeNB     = 0x20
	typeStatus = 0x21
	opWait     = 7
)

func message(d *dissect.D) {
	start := d.Pos()
	id := d.Uint(fID)
	word := d.PeekUint(0, 2)
	flags(d, word)
	counts := [4]uint64{d.Uint(fQ), d.Uint(fA), d.Uint(fN), d.Uint(fX)}
	if d.Short() {
		return
	}
	response := word&0x8000 != 0
	if d.Info().Wanted() {
		op := opcodes[word>>11&15]
		if op == "" {
			op = fmt.Sprintf("Unknown operation (%d)", word>>11&15)
		}
		if response {
			op += " response"
		}
		if code := word & 15; response && code != 0 && rcodes[code] != "" {
			op += ", " + rcodes[code]
		}
		d.Info().Setf("%s", op)
	}
	for i, f := range [...]*dissect.Field{fQueries, fAnswers, fAuth, fAdd} {
		if counts[i] == 0 || !d.More() {
			continue
		}
		d.In(f, func() {
			for n, more := counts[i], d.Elements(); n > 0 && more.Next(); n-- {
				d.In(fRecord, func() { record(d, start, i, word) })
			}
		})
	}
	key := id | word&0x7800<<16
	if response {
		d.Response(key, fRespIn, fRespTo, fTime)
	} else {
		d.Request(key, fRespIn)
	}
	d.Rest(fData)
}

func flags(d *dissect.D, word uint64) {
	if d.Left() < 2 {
		d.Skip(2)
		return
	}
	fields := []*dissect.Field{fOpcode, fTC, fRD, fBcast}
	if word&0x8000 != 0 {
		fields = []*dissect.Field{fOpcode, fAA, fTC, fRD, fRA, fBcast, fRcode}
	}
	d.Put(fFlags, word, d.Pos(), 2)
	d.Below(func() { d.Bits(fResp, fields...) })
}

// record reads a question (section 0) or a record.
func record(d *dissect.D, start, section int, word uint64) {
	text := name(d, fName, start, section > 0)
	kind := d.Uint(fType)
	d.Uint(fClass)
	if d.Info().Wanted() && !d.Short() {
		typed := types[kind]
		if typed == "" {
			typed = "Unknown"
		}
		if section == 0 {
			d.Info().Setf("%s %s", typed, text)
		} else if section == 1 && word>>11&15 != opWait {
			d.Info().Setf("%s", typed)
		}
	}
	if section == 0 {
		return
	}
	d.Uint(fTTL)
	n := int(d.Uint(fLength))
	if n == 0 || d.Short() {
		return
	}
	d.Within(n, func() {
		switch kind {
		case typeNB:
			if word>>11&15 == opWait && n == 2 { // a request for patience repeats the flags of what it answers
				d.Uint(fFlags)
				break
			}
			addresses(d, section, owned(text, word))
		case typeStatus:
			status(d)
		}
		d.Rest(fData)
	})
}

// Operations that tell a name: an answer to a question, and what a host says of itself (RFC 1002 section 4.2.1.1).
const (
	opQuery     = 0
	opRegister  = 5
	opRefresh   = 8
	opMultihome = 15
)

// owned is the host that a record's addresses are of, or "": a name without its service, where the message says that
// hosts have it and the service is one that every host has.
func owned(text string, word uint64) string {
	host, station := strings.CutSuffix(text, "<00>")
	if !station {
		host, station = strings.CutSuffix(text, "<20>")
	}
	response, failed := word&0x8000 != 0, word&15 != 0
	switch op := word >> 11 & 15; {
	case !station || response && failed:
	case response && op == opQuery, op == opRegister, op == opRefresh, op == opMultihome:
		return host
	}
	return ""
}

// addresses reads the owners of a name; host is what they are called, where the name is of one.
func addresses(d *dissect.D, section int, host string) {
	for more := d.Elements(); d.Left() >= 6 && more.Next(); {
		group := d.PeekUint(0, 2)&0x8000 != 0
		d.Put(fNBFlags, d.PeekUint(0, 2), d.Pos(), 2)
		d.Below(func() { d.Bits(fNBGroup, fNBNode) })
		a := d.IPv4(fAddr)
		if !group && !d.Short() {
			d.Names().SetHost(a, host)
		}
		if section == 1 && d.Info().Wanted() && !d.Short() {
			d.Info().Setf("%s", a)
		}
	}
}
