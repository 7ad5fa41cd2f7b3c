package capture

import "net/netip"

// An Interface is where packets were captured: a network interface of this or another machine.
type Interface struct {
	Name        string
	Description string
	File        string // of several files that are read as one: which
	Filter      string // the capture filter, as text
	LinkType    int    // LINKTYPE_ value, as in pcap and pcapng files
	SnapLen     uint32 // longest packet kept, in bytes; 0: no limit

	// TimeResolution is the unit of the file's time stamps in pcapng's if_tsresol form: n is 10^-n seconds, with
	// the top bit set 2^-n seconds. Meta.Time is in nanoseconds whatever it is.
	TimeResolution byte
	TimeOffset     int64 // if_tsoffset: seconds that were added to the file's time stamps

	FCSLen    int // bytes of frame check sequence at the end of each packet; -1: not said
	Hardware  string
	OS        string
	MAC       []byte
	Speed     uint64 // bits per second; 0: not said
	Addresses []netip.Prefix
	Comments  []string
	Section   int // see [Store.Sections]

	BigEndian     bool // byte order of its section in a pcapng file
	PacketOptions bool // its packets are in blocks of a pcapng file, which may have options
}

// TimeDigits is how many digits after the second the time stamps can carry, 0 to 9.
func (i Interface) TimeDigits() int {
	n := int(i.TimeResolution & 0x7F)
	if i.TimeResolution&0x80 != 0 {
		n = (n*30103 + 99999) / 100000 // 2^-n needs about n·log10(2) digits
	}
	return min(n, 9)
}

// Listed reports whether the capture lists its interfaces, as pcapng files and live captures do. Files of the old
// format say nothing of theirs.
func (i *Interface) Listed() bool { return i.Name != "" || i.PacketOptions }

// A Section is one pcapng section, with what it says about where it was written.
type Section struct {
	Hardware, OS, Application string
	Comments                  []string
	BigEndian                 bool
}
