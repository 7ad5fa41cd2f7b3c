// Package dhcp dissects the Dynamic Host Configuration Protocol (RFC 2131) and what it grew out of, the Bootstrap
// Protocol (RFC 951), with the options of RFC 2132 and later ones: 3004 (user class), 3046 (relay agents), 3396 and
// 1035 (domain search), 3442 (static routes), 3925 (vendors), 4361 (client identifiers), 4702 (names).
package dhcp

import (
	"fmt"

	"remora/dissect"
)

var proto = dissect.NewProtocol("dhcp", "DHCP",
	"Dynamic Host Configuration Protocol: addresses and settings for hosts.").
	Summary("Dynamic Host Configuration Protocol[ ({option.dhcp:name})]").Formerly("bootp").Color(dissect.HueYellow)

// flagsText says how the answer shall come.
func flagsText(v uint64) string {
	if v&0x8000 != 0 {
		return fmt.Sprintf("0x%04x, Broadcast flag (Broadcast)", v)
	}
	return fmt.Sprintf("0x%04x (Unicast)", v)
}

var flags = []dissect.Flag{
	{Name: "bc", Label: "Broadcast flag", Mask: 0x8000, Doc: "The answer shall be sent to all."},
}

var (
	fOp = proto.Uint8("type", "Message type", "Whether this is a request or a reply.").
		Named(dissect.Values{1: "Boot Request", 2: "Boot Reply"})
	fHType = proto.Uint8("hw.type", "Hardware type", "Sort of the client's network.").Hex().Named(hardware)
	fHLen  = proto.Uint8("hw.len", "Hardware address length", "Length of the client's hardware address.")
	fHops  = proto.Uint8("hops", "Hops", "How many relays the message went through.")
	fID    = proto.Uint32("id", "Transaction ID", "Joins the messages of one exchange.").Hex()
	fSecs  = proto.Uint16("secs", "Seconds elapsed", "How long the client has been trying.")
	fFlags = proto.Flags16("flags", "Bootp flags", flags, "Whether the answer shall be broadcast.").
		Format(flagsText)
	_       = fFlags.Bits()[0].TrueFalse("Broadcast", "Unicast")
	fMBZ    = proto.Uint16("flags.reserved", "Reserved flags", "Always 0.").Hex().Masked(0x7fff)
	fClient = proto.IPv4("ip.client", "Client IP address", "The address that the client has.")
	fYour   = proto.IPv4("ip.your", "Your (client) IP address", "The address that the client gets.")
	fNext   = proto.IPv4("ip.server", "Next server IP address", "The server to load from.")
	fRelay  = proto.IPv4("ip.relay", "Relay agent IP address", "The relay that the message went through.")
	fMAC    = proto.Ether("hw.mac_addr", "Client MAC address", "The client's hardware address.")
	fHW     = proto.Bytes("hw.addr", "Client hardware address", "The client's hardware address.")
	fHWPad  = proto.Bytes("hw.addr_padding", "Client hardware address padding", "The rest of the field.")
	fServer = proto.String("server", "Server host name", "Name of the server to load from.")
	fFile   = proto.String("file", "Boot file name", "The file to load.")
	fCookie = proto.IPv4("cookie", "Magic cookie", "Says that options follow.")
	fVendor = proto.Bytes("vendor_specific_options", "Bootp vendor specific options",
		"What the cookie does not stand in front of.")
	fIsBootp = proto.Bool("bootp", "Frame is BOOTP", "The message has no DHCP message type.").Derived().Hidden().
			TrueFalse("True", "False")
	fPad    = proto.Bytes("option.padding", "Padding", "Bytes without a meaning.")
	fOver   = proto.Group("overload", "Option overload", "Options in a field that is not needed.")
	fReqIn  = proto.FrameRef("request_in", "Request in", "The client's message that this answers.").Own()
	fRespIn = proto.FrameRef("response_in", "Response in", "The server's answer to this message.").Own()
	fTime   = proto.Span("time", "Time since request", "Time from the client's message to the answer.").Derived().Own()

	nEnd    = proto.Expert("end_option_missing", dissect.Error, "End option missing")
	nLength = proto.Expert("option.length.bad", dissect.Error, "An option's length does not go with what it is").
		About(dissect.AboutMalformed)
)

// waiting is what clients asked and what they call themselves, by transaction and hardware address.
type waiting struct {
	asked map[exchange]dissect.FrameNum
	hosts map[exchange]string
}
type exchange struct {
	id uint32
	hw [16]byte
}

// maxWaiting bounds the exchanges remembered.
const maxWaiting = 1 << 14

var exchanges = dissect.NewStore[waiting, dissect.FrameNum]()

// Plugin attaches DHCP to its ports.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Statistics: statistics, Dissect: message, UDP: []uint16{67, 68}, Fits: fits}
}

const (
	bootRequest = 1
	bootReply   = 2
	cookie      = 0x63825363
)

// fits tells whether a datagram can be a message: of one of two operations, with a hardware address that has room, and
// long enough for BOOTP.
func fits(d *dissect.D) bool {
	op := d.Peek(0)
	return (op == bootRequest || op == bootReply) && d.Peek(2) <= 16 && d.Peek(3) <= 16 &&
		(d.Left() >= 236 || d.CutShort()) && (d.Left() < 240 || d.PeekUint(236, 4) == cookie || d.Peek(2) == 6)
}

func message(d *dissect.D) {
	whole := d.Data()
	op := d.Uint(fOp)
	hardware := d.Uint(fHType)
	size := int(d.Uint(fHLen))
	d.Uint(fHops)
	id := d.Uint(fID)
	d.Uint(fSecs)
	v := d.PeekUint(0, 2)
	d.Uint(fFlags)
	d.Below(func() {
		if !d.Short() {
			d.Put(fMBZ, v, d.Pos()-2, 2)
		}
	})
	d.IPv4(fClient)
	d.IPv4(fYour)
	d.IPv4(fNext)
	d.IPv4(fRelay)
	var hw [16]byte
	copy(hw[:], d.Data())
	address(d, hardware, size)
	over := overload(d)

	field(d, fServer, 64, over&2 != 0)
	field(d, fFile, 128, over&1 != 0)
	if d.Short() {
		intro(d, op, id, 0, false)
		return
	}
	if d.PeekUint(0, 4) == cookie {
		d.IPv4(fCookie)
		dissect.Relabel(d, fCookie, "Magic cookie: DHCP")
		kind, typed := options(d, true)
		if !typed {
			d.Set(fIsBootp, 1)
		}
		intro(d, op, id, kind, typed)
		d.Rest(fPad)
	} else {
		d.Set(fIsBootp, 1)
		intro(d, op, id, 0, false)
		d.Rest(fVendor)
	}
	pair(d, whole, op, exchange{uint32(id), hw})
}

// address reads the client's hardware address, which stands in 16 bytes.
func address(d *dissect.D, hardware uint64, size int) {
	switch {
	case size == 6 && (hardware == 1 || hardware == 6):
		d.Ether(fMAC)
	case size > 0 && size <= 16:
		d.Bytes(fHW, size)
	default:
		size = 0
	}
	if size < 16 {
		d.Bytes(fHWPad, 16-size)
	}
}

// overload looks ahead for the option that says which fields hold options: 1 is the file, 2 the server's name.
func overload(d *dissect.D) byte {
	b := d.Data()
	const start = 64 + 128 + 4
	for i, p := start, (dissect.Progress{}); i+2 < len(b) && b[i] != optEnd && p.Up(i); {
		if b[i] == optPad {
			i++
			continue
		}
		if b[i] == optOverload {
			return b[i+2]
		}
		i += 2 + int(b[i+1])
	}
	return 0
}

// field reads a name in a field of n bytes, or the options in it.
func field(d *dissect.D, f *dissect.Field, n int, used bool) {
	if !used {
		empty := d.Peek(0) == 0
		if d.Padded(f, n); empty && d.Labelling() {
			dissect.Relabel(d, f, f.Label()+" not given")
		}
		return
	}
	d.In(fOver, func() {
		d.Within(n, func() {
			options(d, false)
			d.Rest(fPad)
		})
	})
}

func intro(d *dissect.D, op, id, kind uint64, typed bool) {
	if !typed {
		d.Info().Protocol("BOOTP")
	}
	switch {
	case typed && d.Info().Wanted():
		name := messages[kind]
		if name == "" {
			name = fmt.Sprintf("Unknown Message Type (0x%02x)", kind)
		}
		d.Info().Setf("DHCP %-8s - Transaction ID 0x%x", name, id)
	case op == bootRequest:
		d.Info().Set("Boot Request from {hw.mac_addr} ({hw.mac_addr})")
	case op == bootReply:
		d.Info().Set("Boot Reply")
	}
}

// pair joins a server's message with the client's last one of the same exchange: they go by different addresses.
func pair(d *dissect.D, whole []byte, op uint64, x exchange) {
	asked := exchanges.FirstPassIn(d, func(w *waiting) dissect.FrameNum {
		w.setHost(d, whole, op, x)
		if w.asked == nil || len(w.asked) >= maxWaiting {
			w.asked = map[exchange]dissect.FrameNum{}
		}
		if op == bootRequest {
			w.asked[x] = d.Frame
			return 0
		}
		return w.asked[x]
	})
	if op == bootRequest {
		d.Links().IsRequest()
		d.Links().ShowForward(fRespIn)
		return
	}
	if asked != 0 {
		d.Links().ResponseTo(asked, fRespIn, fReqIn)
		d.Packet().SetSince(fTime, asked)
	}
}

// secondsText writes a time span; all ones are forever.
func secondsText(v uint64) string {
	if v == 0xffffffff {
		return "infinity"
	}
	text := fmt.Sprintf("(%ds)", int64(v))
	sep := " "
	if int64(v) < 0 {
		v, sep = -v, " -"
	}
	for _, u := range spans {
		n := v / u.size
		if v %= u.size; n == 0 && (u.size > 1 || sep == ", ") {
			continue
		}
		if text += fmt.Sprintf("%s%d %s", sep, n, u.name); n != 1 {
			text += "s"
		}
		sep = ", "
	}
	return text
}

var spans = []struct {
	size uint64
	name string
}{{86400, "day"}, {3600, "hour"}, {60, "minute"}, {1, "second"}}
