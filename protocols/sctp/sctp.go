// Package sctp dissects the Stream Control Transmission Protocol (RFC 9260) with its extensions: partial reliability
// (RFC 3758), authentication (RFC 4895), dynamic addresses (RFC 5061), reconfiguration (RFC 6525) and interleaving (RFC
// 8260). Whole messages go to the tables sctp.ppi and sctp.port.
package sctp

import (
	"hash/crc32"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("sctp", "SCTP",
	"Stream Control Transmission Protocol: several streams of messages in one association.").
	Summary("Stream Control Transmission Protocol, Src Port: {srcport}, Dst Port: {dstport}").Traits(dissect.HandsOn).
	Color(dissect.HueBlue)

// TablePPID has what a message is by its payload protocol identifier; by a port it is in tables.SCTPPort.
const TablePPID dissect.Table = "sctp.ppi"

const headLength = 12

// Plugin attaches SCTP to its IP protocol number.
func Plugin() dissect.Plugin {
	return dissect.Plugin{
		Protocol: proto, Statistics: statistics, Ends: &dissect.EndLayer{Title: "SCTP", Rare: true, Ports: tables.SCTPPort},
		Dissect: packet,
		On:      []dissect.Key{{Table: dissect.TableIP, Value: 132}},
	}
}

// A packetState is what the chunks of a packet must know of it.
type packetState struct {
	from     first
	src, dst uint16
}

func packet(d *dissect.D) {
	whole := d.Data()
	var p packetState
	p.src, p.dst = uint16(d.Uint(fSrcPort)), uint16(d.Uint(fDstPort))
	d.Uint(fTag)
	sum := d.Uint(fSum)
	if d.Short() {
		return
	}
	checksum(d, whole, sum)
	if c := d.Ends().Converse(tables.SCTPPort, p.src, p.dst); c != nil && d.Wanted(fAssoc) {
		d.Set(fAssoc, uint64(c.Stream))
	}
	p.from = counts.FirstPass(d, func(s *state) first { return s.see(d.Dir, d.Data()) })
	if d.Info().Wanted() {
		d.Info().Setf("%s", summary(d, &p))
	}
	for more := d.Elements(); more.Next(); {
		chunk(d, &p)
	}
}

// checksum verifies the checksum (RFC 9260 section 6.8), whose bytes go over the line lowest first.
func checksum(d *dissect.D, whole []byte, sum uint64) {
	if !d.Wanted(fStatus) && !d.Wanted(nSum) {
		return
	}
	if d.CutShort() || d.Quoted() {
		d.Suffix(fSum, " [unverified]")
		d.Set(fStatus, 2)
		return
	}
	var zeros [4]byte
	table := crc32.MakeTable(crc32.Castagnoli)
	crc := crc32.Update(0, table, whole[:8])
	crc = crc32.Update(crc, table, zeros[:])
	crc = crc32.Update(crc, table, whole[headLength:])
	if uint64(crc>>24|crc>>8&0xff00|crc<<8&0xff0000|crc<<24) != sum {
		d.Suffix(fSum, " [incorrect]")
		d.Set(fStatus, 0)
		d.Expert(nSum)
		return
	}
	d.Suffix(fSum, " [correct]")
	d.Set(fStatus, 1)
}

// state is the number from which each direction of an association counts its chunks.
type state struct {
	known [2]bool
	base  [2]uint32
}

// first is what a packet needs of it: the numbers of its own direction and of the other.
type first struct{ Own, Other uint32 }

var counts = dissect.NewStore[state, first]()

// see learns where a direction starts to count: in the chunk that opens the association, else in its first data.
func (s *state) see(dir int, b []byte) first {
	for p := (dissect.Progress{}); len(b) >= 4 && p.Down(len(b)); {
		n := int(b[2])<<8 | int(b[3])
		switch at := startsAt[b[0]]; {
		case n < 4 || len(b) < at+4 || at == 0:
		case b[0] == chunkInit || b[0] == chunkInitAck, !s.known[dir]:
			s.known[dir], s.base[dir] = true, uint32(b[at])<<24|uint32(b[at+1])<<16|uint32(b[at+2])<<8|uint32(b[at+3])
		}
		n = max(n+3, 4) &^ 3
		if n > len(b) {
			break
		}
		b = b[n:]
	}
	return first{s.base[dir], s.base[1-dir]}
}

// startsAt is where chunks have the number of the first data chunk, or their own.
var startsAt = map[byte]int{chunkData: 4, chunkInit: 16, chunkInitAck: 16, chunkIData: 4}
