package radiotap

import "remora/dissect"

var vhtKnown = []*dissect.Field{
	proto.Bool("vht.have_stbc", "STBC", "Whether it is known: STBC.").Wide(2).Masked(0x1).TrueFalse("Present", "Absent"),
	proto.Bool("vht.have_txop_ps", "TXOP_PS_NOT_ALLOWED", "Whether it is known: TXOP_PS_NOT_ALLOWED.").Wide(2).Masked(0x2).
		TrueFalse("Present", "Absent"),
	proto.Bool("vht.have_gi", "Guard interval", "Whether it is known: Guard interval.").Wide(2).Masked(0x4).
		TrueFalse("Present", "Absent"),
	proto.Bool("vht.have_sgi_nsym_da", "SGI Nsym disambiguation", "Whether it is known: SGI Nsym disambiguation.").Wide(2).
		Masked(0x8).TrueFalse("Present", "Absent"),
	proto.Bool("vht.ldpc_extra", "LDPC extra OFDM symbol", "Whether it is known: LDPC extra OFDM symbol.").Wide(2).
		Masked(0x10).TrueFalse("Present", "Absent"),
	proto.Bool("vht.have_beamformed", "Beamformed", "Whether it is known: Beamformed.").Wide(2).Masked(0x20).
		TrueFalse("Present", "Absent"),
}

// vhtFlags are what the flags mean, by the bits of the first word that say that they are known.
var vhtFlags = []*dissect.Field{
	proto.Bool("vht.stbc", "STBC", "How it is sent: STBC.").Masked(0x1).TrueFalse("On", "Off"),
	proto.Bool("vht.txop_ps", "TXOP_PS_NOT_ALLOWED", "How it is sent: TXOP_PS_NOT_ALLOWED.").Masked(0x2).
		TrueFalse("True", "False"),
	proto.Uint8("vht.gi", "Guard interval", "How it is sent: Guard interval.").Masked(0x4).
		Named(dissect.Values{0: "long", 1: "short"}),
	proto.Bool("vht.sgi_nsym_da", "SGI Nsym disambiguation", "How it is sent: SGI Nsym disambiguation.").Masked(0x8).
		TrueFalse("True", "False"),
	proto.Bool("vht.ldpc_extra", "LDPC extra OFDM symbol", "How it is sent: LDPC extra OFDM symbol.").Masked(0x10).
		TrueFalse("True", "False"),
	proto.Bool("vht.beamformed", "Beamformed", "How it is sent: Beamformed.").Masked(0x20).TrueFalse("True", "False"),
}

var fVHTWidth = proto.Uint8("vht.bw", "Bandwidth", "Bandwidth of the channel.").
	Named(dissect.Values{0: "20 MHz", 1: "40 MHz", 2: "20 MHz lower", 3: "20 MHz upper", 4: "80 MHz", 5: "40 MHz lower",
		6: "40 MHz upper", 7: "20 MHz, channel 1/4", 8: "20 MHz, channel 2/4", 9: "20 MHz, channel 3/4",
		10: "20 MHz, channel 4/4", 11: "160 MHz", 12: "80 MHz lower", 13: "80 MHz upper", 14: "40 MHz, channel 1/4",
		15: "40 MHz, channel 2/4", 16: "40 MHz, channel 3/4", 17: "40 MHz, channel 4/4", 18: "20 MHz, channel 1/8",
		19: "20 MHz, channel 2/8", 20: "20 MHz, channel 3/8", 21: "20 MHz, channel 4/8", 22: "20 MHz, channel 5/8",
		23: "20 MHz, channel 6/8", 24: "20 MHz, channel 7/8", 25: "20 MHz, channel 8/8"})

var (
	fVHTUser    = proto.Node("vht.user", "User", "How one of up to four stations is sent to.")
	fVHTGroup   = proto.Uint8("vht.gid", "Group Id", "The group of stations.")
	fVHTPartial = proto.Uint16("vht.paid", "Partial AID", "A part of the station's number.")
)

// A vhtUser are the fields of one station.
type vhtUser struct{ mcs, nss, nsts, coding *dissect.Field }

var vhtUsers = [4]vhtUser{
	{proto.Uint8("vht.mcs.0", "MCS index 0", "Code and rate: MCS index 0.").Masked(0xf0),
		proto.Uint8("vht.nss.0", "Spatial streams 0", "How many: Spatial streams 0.").Masked(0xf),
		proto.Uint8("vht.nsts.0", "Space-time streams 0", "How many with space-time coding: Space-time streams 0.").Derived(),
		proto.Uint8("vht.coding.0", "Coding 0", "Which: Coding 0.").Masked(0x1).Named(dissect.Values{0: "BCC", 1: "LDPC"})},
	{proto.Uint8("vht.mcs.1", "MCS index 1", "Code and rate: MCS index 1.").Masked(0xf0),
		proto.Uint8("vht.nss.1", "Spatial streams 1", "How many: Spatial streams 1.").Masked(0xf),
		proto.Uint8("vht.nsts.1", "Space-time streams 1", "How many with space-time coding: Space-time streams 1.").Derived(),
		proto.Uint8("vht.coding.1", "Coding 1", "Which: Coding 1.").Masked(0x2).Named(dissect.Values{0: "BCC", 1: "LDPC"})},
	{proto.Uint8("vht.mcs.2", "MCS index 2", "Code and rate: MCS index 2.").Masked(0xf0),
		proto.Uint8("vht.nss.2", "Spatial streams 2", "How many: Spatial streams 2.").Masked(0xf),
		proto.Uint8("vht.nsts.2", "Space-time streams 2", "How many with space-time coding: Space-time streams 2.").Derived(),
		proto.Uint8("vht.coding.2", "Coding 2", "Which: Coding 2.").Masked(0x4).Named(dissect.Values{0: "BCC", 1: "LDPC"})},
	{proto.Uint8("vht.mcs.3", "MCS index 3", "Code and rate: MCS index 3.").Masked(0xf0),
		proto.Uint8("vht.nss.3", "Spatial streams 3", "How many: Spatial streams 3.").Masked(0xf),
		proto.Uint8("vht.nsts.3", "Space-time streams 3", "How many with space-time coding: Space-time streams 3.").Derived(),
		proto.Uint8("vht.coding.3", "Coding 3", "Which: Coding 3.").Masked(0x8).Named(dissect.Values{0: "BCC", 1: "LDPC"})},
}

// vht is how 802.11ac sends (radiotap.org/fields/VHT): what is known, and its values, for up to four stations.
func vht(d *dissect.D) {
	known := d.Bits(fVHTKnown, vhtKnown...)
	at, flags := d.Pos(), uint64(d.Peek(0))
	claim(d, known&0x3f != 0)
	for i, f := range vhtFlags {
		if known>>i&1 != 0 {
			d.Put(f, flags, at, 1)
		}
	}
	if known&0x40 != 0 {
		d.Uint(fVHTWidth)
	} else {
		claim(d, false)
	}
	coding := uint64(d.Peek(4))
	found := false
	for i, u := range vhtUsers {
		found = station(d, u, uint64(d.Peek(0)), coding, d.Pos()+4-i, known&flags&1) || found
	}
	claim(d, found)
	if known&0x80 != 0 {
		d.Uint(fVHTGroup)
	} else {
		claim(d, false)
	}
	if known&0x100 != 0 {
		d.Uint(fVHTPartial)
	}
}

// claim passes over a byte, which fields have shown or a field for what is not known shows.
func claim(d *dissect.D, shown bool) {
	if shown {
		d.Skip(1)
	} else {
		d.Bytes(fOther, 1)
	}
}

// station reads how one station is sent to, and tells whether there is one: none is sent no streams. stbc doubles the
// streams on the air.
func station(d *dissect.D, u vhtUser, v, coding uint64, at int, stbc uint64) bool {
	here := d.Pos()
	claim(d, v&0x0f != 0)
	if v&0x0f == 0 {
		return false
	}
	d.In(fVHTUser, func() {
		d.Put(u.mcs, v, here, 1)
		d.Put(u.nss, v, here, 1)
		d.Put(u.nsts, v&0x0f<<stbc, here, 1)
		d.Put(u.coding, coding, at, 1)
	})
	return true
}
