// Package pcapng dissects capture files in the pcapng format (draft-ietf-opsawg-pcapng), which are read as a packet:
// -X "read_format:MIME Files Format".
package pcapng

import (
	"encoding/binary"

	"remora/dissect"
)

// tableFile is by the first four bytes of a file.
const tableFile dissect.Table = "mime_dlt.magic"

var (
	file = dissect.NewProtocol("mime_dlt", "MIME_FILE", "A file that is read as a packet.").
		Traits(dissect.HandsOn | dissect.Underlies).Summary("MIME file")
	proto = dissect.NewProtocol("file-pcapng", "File-PCAPNG", "A capture file in the pcapng format.").
		Summary("PCAPNG File Format")
)

const (
	blockSection   = 0x0a0d0d0a
	blockInterface = 1
	blockPacket    = 6
	blockSecrets   = 10
	magic          = 0x1a2b3c4d
)

var blocks = dissect.Values{blockSection: "Section Header Block", blockInterface: "Interface Description Block",
	2: "Packet Block", 3: "Simple Packet Block", 4: "Name Resolution Block", 5: "Interface Statistics Block",
	blockPacket: "Enhanced Packet Block", 9: "systemd Journal Export Block", blockSecrets: "Decryption Secrets Block"}

var (
	fBlock = proto.Group("block", "Block", "A block of the file.").OtherName("pcapng.block").
		Summary("Block: {block.type:name}")
	fType = proto.Uint32("block.type", "Block Type", "What the block holds.").Hex().Named(blocks).
		OtherName("pcapng.block.type")
	fLength  = proto.Uint32("block.length", "Block Length", "Length of the whole block.").OtherName("pcapng.block.length")
	fTrailer = proto.Uint32("block.length_trailer", "Block Length (trailer)", "The same, at its end.").
			OtherName("pcapng.block.length_trailer")
	fData  = proto.Bytes("block.content", "Block Data", "What the block holds.").Own()
	fOrder = proto.Bytes("order", "Byte Order Magic", "In which order the section has its numbers.").
		OtherName("pcapng.section_header.byte_order_magic")
	fMajor = proto.Uint16("major", "Major Version", "Version of the format.").
		OtherName("pcapng.section_header.version.major")
	fMinor = proto.Uint16("minor", "Minor Version", "Version of the format.").
		OtherName("pcapng.section_header.version.minor")
	fWhole = proto.Int64("section_length", "Section Length", "Length of the section; -1: unknown.").
		OtherName("pcapng.section_header.section_length")
	fLink = proto.Uint16("link_type", "Link Type", "What its packets begin with.").
		OtherName("pcapng.interface_description.link_type")
	fSnap = proto.Uint32("snap_length", "Snap Length", "How much of a packet is kept.").
		OtherName("pcapng.interface_description.snap_length")
	fInterface = proto.Uint32("interface_id", "Interface", "Which interface it is of.").
			OtherName("pcapng.packet.interface_id")
	fHigh = proto.Uint32("timestamp_high", "Timestamp (High)", "Upper half of the time.").
		OtherName("pcapng.packet.timestamp_high")
	fLow = proto.Uint32("timestamp_low", "Timestamp (Low)", "Lower half of the time.").
		OtherName("pcapng.packet.timestamp_low")
	fCaptured = proto.Uint32("captured_length", "Captured Length", "How much of the packet is there.").
			OtherName("pcapng.packet.captured_length")
	fPacketLen = proto.Uint32("packet_length", "Packet Length", "How long it was.").
			OtherName("pcapng.packet.packet_length")
	fPacketData = proto.Bytes("packet_data", "Packet Data", "The packet.").OtherName("pcapng.packet.packet_data")
	fSecrets    = proto.Uint32("secrets_type", "Secrets Type", "What the secrets are.").Hex().
			Named(dissect.Values{0x544c534b: "TLS Key Log", 0x57474b4c: "WireGuard Key Log", 0x5353484b: "SSH Key Log"}).
			OtherName("pcapng.dsb.secrets_type")
	fSecretsLen = proto.Uint32("secrets_length", "Secrets Length", "How many bytes they are.").
			OtherName("pcapng.dsb.secrets_length")
	fSecretsData = proto.Bytes("secrets_data", "Secrets Data", "The secrets.").OtherName("pcapng.dsb.secrets_data")
	nLength      = proto.Expert("invalid_block_length", dissect.Error, "Invalid block length").
			About(dissect.AboutMalformed)
)

// File attaches files that are read as packets.
func File() dissect.Plugin {
	return dissect.Plugin{Protocol: file, On: []dissect.Key{{Table: dissect.TableLink, Value: dissect.LinkFile}},
		Dissect: func(d *dissect.D) {
			if d.More() {
				d.Next(tableFile, uint32(d.PeekUint(0, 4)))
			}
		}}
}

// Plugin attaches the format to what its files begin with.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: sections, On: []dissect.Key{{Table: tableFile, Value: blockSection}}}
}

// least is the length of a block that holds nothing.
const least = 12

func sections(d *dissect.D) {
	little := true
	d.Info().Set("PCAPNG File Format")
	for more := d.Elements(); d.Left() >= least && more.Next(); {
		if d.PeekUint(0, 4) == blockSection {
			little = d.PeekUint(8, 4) != magic
		}
		r := reader{d, little}
		length := int(r.peek(4, 4))
		if length < least || length%4 != 0 || length > d.Left() {
			d.Expert(nLength)
			return
		}
		d.In(fBlock, func() {
			d.Within(length, func() { r.block(length) })
		})
	}
}

// A reader reads numbers in the order of the section.
type reader struct {
	*dissect.D
	little bool
}

func (r reader) peek(at, size int) uint64 {
	v := r.PeekUint(at, size)
	if !r.little {
		return v
	}
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], v<<(64-8*size))
	return binary.BigEndian.Uint64(b[:])
}

func (r reader) number(f *dissect.Field, size int) uint64 {
	v, at := r.peek(0, size), r.Pos()
	r.Skip(size)
	if !r.Short() {
		r.Put(f, v, at, size)
	}
	return v
}

func (r reader) block(length int) {
	kind := r.number(fType, 4)
	r.number(fLength, 4)
	r.Within(length-least, func() {
		switch kind {
		case blockSection:
			r.Bytes(fOrder, 4)
			r.number(fMajor, 2)
			r.number(fMinor, 2)
			r.number(fWhole, 8)
		case blockInterface:
			r.number(fLink, 2)
			r.Skip(2)
			r.number(fSnap, 4)
		case blockPacket:
			r.number(fInterface, 4)
			r.number(fHigh, 4)
			r.number(fLow, 4)
			captured := int(r.number(fCaptured, 4))
			r.number(fPacketLen, 4)
			r.Bytes(fPacketData, min(captured, r.Left()))
		case blockSecrets:
			r.number(fSecrets, 4)
			n := int(r.number(fSecretsLen, 4))
			r.Bytes(fSecretsData, min(n, r.Left()))
		}
		if r.More() {
			r.Rest(fData)
		}
	})
	r.number(fTrailer, 4)
}
