package links

import "remora/dissect"

var pktapProto = dissect.NewProtocol("pktap", "PKTAP",
	"The header of macOS in front of packets: interface, process.").
	LittleEndian().Traits(dissect.HandsOn | dissect.Underlies).Summary("PKTAP packet header")

// Bytes that the header has at least, and how its records are told apart.
const (
	pktapLeast  = 108
	pktapPacket = 1
)

var (
	fpLength = pktapProto.Uint32("hdrlen", "Header length", "Bytes of the header, this field among them.")
	fpRecord = pktapProto.Uint32("rectype", "Record type", "Whether a packet follows.").
			Named(dissect.Values{0: "None", pktapPacket: "Packet"})
	fpDLT       = pktapProto.Uint32("dlt", "DLT", "What the packet begins with: DLT_ of macOS.")
	fpInterface = pktapProto.String("ifname", "Interface name", "Where the packet passed.")
	fpFlags     = pktapProto.Uint32("flags", "Flags", "Direction and what else is known of the packet.").Hex()
	fpFamily    = pktapProto.Uint32("pfamily", "Protocol family", "Address family of the packet.")
	fpHeader    = pktapProto.Uint32("llhdrlen", "Link-layer header length", "Bytes of the header of the link layer.")
	fpTrailer   = pktapProto.Uint32("lltrlrlen", "Link-layer trailer length", "Bytes behind the payload.")
	fpPID       = pktapProto.Uint32("pid", "Process ID", "The process that has the socket.")
	fpCommand   = pktapProto.String("cmdname", "Command name", "What that process is called.")
	fpService   = pktapProto.Uint32("svc_class", "Service class", "Class of the traffic.")
	fpType      = pktapProto.Uint16("iftype", "Interface type", "Sort of the interface (IFT_).")
	fpUnit      = pktapProto.Uint16("ifunit", "Interface unit", "Number of the interface among its sort.")
	fpEffective = pktapProto.Uint32("epid", "Effective process ID", "The process on whose behalf that one acts.")
	fpOnBehalf  = pktapProto.String("ecmdname", "Effective command name", "What that process is called.")
	npShort     = pktapProto.Expert("hdrlen_too_short", dissect.Error, "Header length is too short").
			About(dissect.AboutMalformed)
)

// PKTAP attaches the header to its link type.
func PKTAP() dissect.Plugin {
	return dissect.Plugin{Protocol: pktapProto, Dissect: pktap, On: []dissect.Key{{Table: dissect.TableLink, Value: 258}}}
}

func pktap(d *dissect.D) {
	length := d.Uint(fpLength)
	if length < pktapLeast {
		d.Expert(npShort)
		return
	}
	record, dlt := d.Uint(fpRecord), d.Uint(fpDLT)
	d.Padded(fpInterface, 24)
	for _, f := range []*dissect.Field{fpFlags, fpFamily, fpHeader, fpTrailer, fpPID} {
		d.Uint(f)
	}
	d.Padded(fpCommand, 20)
	for _, f := range []*dissect.Field{fpService, fpType, fpUnit, fpEffective} {
		d.Uint(f)
	}
	d.Padded(fpOnBehalf, 20)
	d.Skip(int(min(length, 1<<16)) - pktapLeast)
	if record != pktapPacket || d.Short() {
		return
	}
	if dlt == 12 { // bare IP is called so by macOS, and by files otherwise
		dlt = 101
	}
	d.Next(dissect.TableLink, uint32(dlt))
}
