// Package pcapng has the blocks and options of pcapng files (draft-ietf-opsawg-pcapng), read in both byte orders and
// written in little-endian order.
package pcapng

// Block types of pcapng (draft-ietf-opsawg-pcapng).
const (
	BlockInterface    = 1
	BlockOldPacket    = 2
	BlockSimple       = 3
	BlockNames        = 4
	BlockStats        = 5
	BlockPacket       = 6
	BlockJournal      = 9 // an entry of systemd's journal
	BlockSecrets      = 10
	BlockSection      = 0x0A0D0D0A
	BlockCustom       = 0x00000BAD // may be copied by programs that do not know it
	BlockCustomNoCopy = 0x40000BAD // must not be copied

	// BlockEvent and the next two are events of Sysdig, system calls, as Wireshark's wiretap/pcapng_module.h numbers
	// them.
	BlockEvent      = 0x204
	BlockEvent2     = 0x216
	BlockEvent2Long = 0x221

	ByteOrderMagic = 0x1A2B3C4D

	FillerPEN = 0xFFFFFFFF // of the custom blocks with which a spool covers holes: no enterprise has this number
)

// Bytes in front of the packet in an enhanced and in a simple packet block.
const (
	EpbHeader = 28 // type, length, interface, time high, time low, captured length, length
	SpbHeader = 12 // type, length, packet length
)

// Option codes of pcapng.
const (
	OptEnd     = 0
	OptComment = 1

	ShbHardware = 2
	ShbOS       = 3
	ShbApp      = 4

	IfName        = 2
	IfDescription = 3
	IfIPv4        = 4
	IfIPv6        = 5
	IfMAC         = 6
	IfSpeed       = 8
	IfTSResol     = 9
	IfFilter      = 11
	IfOS          = 12
	IfFCSLen      = 13
	IfTSOffset    = 14
	IfHardware    = 15

	EpbFlags     = 2
	EpbHash      = 3
	EpbDropCount = 4
	EpbPacketID  = 5
	EpbQueue     = 6
	EpbVerdict   = 7

	IsbStart  = 2
	IsbEnd    = 3
	IsbIfRecv = 4
	IsbIfDrop = 5

	IsbFilterAccept  = 6
	IsbOSDrop        = 7
	IsbUserDelivered = 8
)

// maxText bounds the strings taken from options: names for people, not places to hide megabytes.
const maxText = 64 << 10
