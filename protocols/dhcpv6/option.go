package dhcpv6

import (
	"bytes"
	"encoding/hex"

	"remora/dissect"
)

var (
	fOption = proto.Group("option", "Option", "One option.").Summary("{option.type:name}")
	fOType  = proto.Uint16("option.type", "Option", "Which option.").Named(optionNames)
	fLength = proto.Uint16("option.length", "Length", "Length of the option's value.")
	fValue  = proto.Bytes("option.value", "Value", "The option's value.")
	fWanted = proto.Uint16("requested_option_code", "Requested Option code", "An option that the client wants.").
		Named(optionNames)

	fDUID     = proto.Bytes("duid.bytes", "DUID", "The name of a client or server.")
	fDUIDType = proto.Uint16("duid.type", "DUID Type", "How it is named.").Named(duidTypes)
	fLLTType  = proto.Uint16("duidllt.hwtype", "Hardware type", "Sort of the network.").Named(hardware)
	fLLTTime  = proto.Time("duidllt.time", "DUID Time", "When the name was made.")
	fLLTAddr  = proto.String("duidllt.link_layer_addr", "Link-layer address", "A hardware address.")
	fLLType   = proto.Uint16("duidll.hwtype", "Hardware type", "Sort of the network.").Named(hardware)
	fLLAddr   = proto.String("duidll.link_layer_addr", "Link-layer address", "A hardware address.")
	fENPEN    = proto.Uint32("duiden.enterprise", "Enterprise ID", "Who made the name.")
	fENID     = proto.Bytes("duiden.identifier", "Identifier", "The name.")
	fUUID     = proto.Bytes("duiduuid.bytes", "UUID", "The name.")

	fIAID  = proto.Bytes("iaid", "IAID", "Which of the client's networks.")
	fT1    = proto.Uint32("iaid.t1", "T1", "Seconds until the client asks its server again.")
	fT2    = proto.Uint32("iaid.t2", "T2", "Seconds until the client asks any server.")
	fIATA  = proto.Bytes("iata", "IATA", "Which of the client's networks, for temporary addresses.")
	fAddr  = proto.IPv6("iaaddr.ip", "IPv6 address", "The address.")
	fAPref = proto.Uint32("iaaddr.pref_lifetime", "Preferred lifetime", "Seconds for which the address is preferred.")
	fAVal  = proto.Uint32("iaaddr.valid_lifetime", "Valid lifetime", "Seconds for which the address holds.")
	fPPref = proto.Uint32("iaprefix.pref_lifetime", "Preferred lifetime", "Seconds for which the prefix is preferred.")
	fPVal  = proto.Uint32("iaprefix.valid_lifetime", "Valid lifetime", "Seconds for which the prefix holds.")
	fPLen  = proto.Uint8("iaprefix.pref_len", "Prefix length", "Length of the prefix.")
	fPAddr = proto.IPv6("iaprefix.pref_addr", "Prefix address", "The prefix.")

	fStatus    = proto.Uint16("status_code", "Status Code", "How it went.").Named(statuses)
	fStatusMsg = proto.String("status_msg", "Status Message", "How it went, in the server's words.")

	fAuthProto = proto.Uint8("auth.protocol", "Protocol", "How the sender proves itself.")
	fAuthAlgo  = proto.Uint8("auth.algorithm", "Algorithm", "With which algorithm.")
	fAuthRDM   = proto.Uint8("auth.rdm", "RDM", "How repeats are found.")
	fAuthReply = proto.Bytes("auth.replay_detection", "Replay Detection", "A number against repeats.")
	fAuthInfo  = proto.Bytes("auth.info", "Authentication Information", "The proof.")

	fUserLen = proto.Uint16("userclass.length", "Length", "Length of the class.")
	fUser    = proto.Bytes("userclass.opaque_data", "Suboption", "A class of clients.")
	fVCPEN   = proto.Uint32("vendorclass.enterprise", "Enterprise ID", "Whose class it is.")
	fVCData  = proto.String("vendorclass.data", "vendor-class-data", "The class.")
	fVCLen   = proto.Uint16("vendorclass.length", "Length", "Length of the class.")
	fVOPEN   = proto.Uint32("vendoropts.enterprise", "Enterprise ID", "Whose options these are.")
	fVOCode  = proto.Uint16("vendoropts.enterprise.option_code", "Option code", "Which option.")
	fVOLen   = proto.Uint16("vendoropts.enterprise.option_length", "Option length", "Length of the option's value.")
	fVOData  = proto.Bytes("vendoropts.enterprise.option_data", "Option data", "The option's value.")
	fRIDPEN  = proto.Uint32("remoteid.enterprise", "Enterprise ID", "Whose number it is.")
	fRID     = proto.Bytes("remoteid_enterprise_id", "Remote-ID", "Where the client is connected.")

	fFQFlags = proto.Uint8("client_fqdn_flags", "Flags", "Who updates the names.").Hex()
	fFQN     = proto.Bool("clientfqdn.client.n", "N bit", "The server shall not update names.").Masked(0x04)
	fFQO     = proto.Bool("clientfqdn.server.o", "O bit", "The server did not follow the client.").Masked(0x02)
	fFQS     = proto.Bool("clientfqdn.client.s", "S bit", "The server shall update the address record.").Masked(0x01)
	fFQName  = proto.String("client_domain", "Client Domain Name", "The client's name.")
	fOTypeTx = proto.String("option.type_str", "Option", "Which option, as text.").Derived().Hidden()

	fNTPType = proto.Uint16("ntpserver.option.type", "Suboption", "How the server is told.").Named(ntpOptions)
	fNTPLen  = proto.Uint16("ntpserver.option.length", "Length", "Length of the value.")
	fNTPAddr = proto.IPv6("ntpserver.addr", "NTP Server Address", "A server.")
	fNTPCast = proto.IPv6("ntpserver.mc_addr", "NTP Multicast Address", "A group that servers send to.")
	fNTPName = proto.String("ntpserver.fqdn", "NTP Server FQDN", "A server's name.")
)

const (
	optClient  = 1
	optServer  = 2
	optIANA    = 3
	optIATA    = 4
	optIAAddr  = 5
	optORO     = 6
	optRelay   = 9
	optAuth    = 11
	optStatus  = 13
	optUser    = 15
	optVendor  = 16
	optVOpts   = 17
	optIAPD    = 25
	optPrefix  = 26
	optRemote  = 37
	optFQDN    = 39
	optNTP     = 56
	optRelayID = 53
)

// options reads options to the end of the range.
func options(d *dissect.D) {
	for more := d.Elements(); more.Next(); {
		d.In(fOption, func() {
			kind := d.Uint(fOType)
			if !d.Short() && optionNames[kind] != "" {
				d.SetText(fOTypeTx, optionNames[kind])
			}
			n := int(d.Uint(fLength))
			if d.Short() {
				return
			}
			if n > d.Left() && !d.CutShort() {
				d.Expert(nLength)
			}
			if n > 0 {
				d.Within(n, func() { option(d, kind) })
			}
		})
	}
}

// option reads an option's value.
func option(d *dissect.D, kind uint64) {
	switch f := simple[kind]; {
	case f != nil:
		values(d, f)
	case domains[kind] != nil:
		names(d, domains[kind])
	case hand[kind] != nil:
		hand[kind](d)
	case kind == optRelay:
		d.Next(relayed, 0)
		return
	case nested(d, kind):
		return
	}
	if d.More() {
		d.Rest(fValue)
	}
}

// hand are the options that simple cannot say.
var hand = map[uint64]func(d *dissect.D){
	optServer: duid, optRelayID: duid, optStatus: status, optAuth: auth, optUser: userClass, optVendor: vendorClass,
	optVOpts: vendorOptions, optFQDN: fqdn, optNTP: ntp,
	optClient: func(d *dissect.D) {
		if d.Info().Wanted() {
			d.Info().Setf("CID: %s", hex.EncodeToString(d.Data()[:min(d.Left(), 128)]))
		}
		duid(d)
	},
	optORO: func(d *dissect.D) {
		for more := d.Elements(); d.Left() >= 2 && more.Next(); {
			d.Uint(fWanted)
		}
	},
	optRemote: func(d *dissect.D) {
		d.Uint(fRIDPEN)
		d.Rest(fRID)
	},
}

// nested reads the options that hold others, and tells whether the option is one of them.
func nested(d *dissect.D, kind uint64) bool {
	switch kind {
	case optIANA, optIAPD:
		d.Bytes(fIAID, 4)
		d.Uint(fT1)
		d.Uint(fT2)
	case optIATA:
		d.Bytes(fIATA, 4)
	case optIAAddr:
		a := d.IPv6(fAddr)
		d.Uint(fAPref)
		d.Uint(fAVal)
		if d.Info().Wanted() && !d.Short() {
			d.Info().Setf("IAA: %s", a)
		}
	case optPrefix:
		d.Uint(fPPref)
		d.Uint(fPVal)
		d.Uint(fPLen)
		d.IPv6(fPAddr)
	default:
		return false
	}
	options(d)
	return true
}

// values reads a field, or several of them up to the value's end.
func values(d *dissect.D, f *dissect.Field) {
	switch f.Type() {
	case dissect.TypeString, dissect.TypeBytes:
		d.Rest(f)
	case dissect.TypeIPv6:
		for more := d.Elements(); d.Left() >= 16 && more.Next(); {
			d.IPv6(f)
		}
	default:
		for more := d.Elements(); d.Left() >= f.Size() && more.Next(); {
			d.Uint(f)
		}
	}
}

// since2000 is 2000-01-01 in seconds since 1970.
const since2000 = 946684800

// duid reads a DHCP unique identifier (RFC 8415 section 11, RFC 6355).
func duid(d *dissect.D) {
	const (
		linkAndTime = 1
		vendor      = 2
		link        = 3
		uuid        = 4
	)
	d.Put(fDUID, 0, d.Pos(), d.Left())
	switch d.Uint(fDUIDType) {
	case linkAndTime:
		d.Uint(fLLTType)
		at, seconds := d.Pos(), d.PeekUint(0, 4)
		d.Skip(4)
		if !d.Short() {
			d.Put(fLLTTime, (since2000+seconds)*1e9, at, 4)
		}
		hardwareAddress(d, fLLTAddr)
	case vendor:
		d.Uint(fENPEN)
		d.Rest(fENID)
	case link:
		d.Uint(fLLType)
		hardwareAddress(d, fLLAddr)
	case uuid:
		d.Rest(fUUID)
	}
}

// hardwareAddress reads the rest as bytes parted by colons.
func hardwareAddress(d *dissect.D, f *dissect.Field) {
	at, b := d.Pos(), d.Data()
	d.Skip(len(b))
	if len(b) == 0 || !d.Wanted(f) {
		return
	}
	text := make([]byte, 0, 3*len(b))
	for i, c := range b {
		if i > 0 {
			text = append(text, ':')
		}
		text = hex.AppendEncode(text, []byte{c})
	}
	d.PutText(f, string(text), at, len(b))
}

func status(d *dissect.D) {
	d.Uint(fStatus)
	d.Rest(fStatusMsg)
}

func auth(d *dissect.D) {
	d.Uint(fAuthProto)
	d.Uint(fAuthAlgo)
	d.Uint(fAuthRDM)
	d.Bytes(fAuthReply, 8)
	d.Rest(fAuthInfo)
}

func userClass(d *dissect.D) {
	for more := d.Elements(); more.Next(); {
		if n := int(d.Uint(fUserLen)); n > 0 {
			d.Bytes(fUser, n)
		}
	}
}

func vendorClass(d *dissect.D) {
	d.Uint(fVCPEN)
	for more := d.Elements(); more.Next(); {
		if n := int(d.Uint(fVCLen)); n > 0 {
			d.Bytes(fVCData, n)
		}
	}
}

func vendorOptions(d *dissect.D) {
	d.Uint(fVOPEN)
	for more := d.Elements(); more.Next(); {
		d.Uint(fVOCode)
		if n := int(d.Uint(fVOLen)); n > 0 {
			d.Bytes(fVOData, n)
		}
	}
}

func fqdn(d *dissect.D) {
	d.Put(fFQFlags, uint64(d.Peek(0)), d.Pos(), min(1, d.Left()))
	d.Below(func() { d.Bits(fFQN, fFQO, fFQS) })
	names(d, fFQName)
}

func ntp(d *dissect.D) {
	const (
		server = 1
		group  = 2
		name   = 3
	)
	for more := d.Elements(); more.Next(); {
		kind := d.Uint(fNTPType)
		n := int(d.Uint(fNTPLen))
		if n == 0 || d.Short() {
			continue
		}
		d.Within(n, func() {
			switch {
			case kind == server && n == 16:
				d.IPv6(fNTPAddr)
			case kind == group && n == 16:
				d.IPv6(fNTPCast)
			case kind == name:
				names(d, fNTPName)
			default:
				d.Rest(fValue)
			}
		})
	}
}

// names reads names in the format of DNS, without pointers (RFC 8415 section 10). The last may lack its root.
func names(d *dissect.D, f *dissect.Field) {
	for more := d.Elements(); more.Next(); {
		b, at := d.Data(), d.Pos()
		var text []byte
		n, whole := 0, false
		for p := (dissect.Progress{}); n < len(b) && !whole && p.Up(n); {
			size := int(b[n])
			if size >= 64 || n+1+size > len(b) {
				if !d.CutShort() {
					d.Expert(nOption)
				}
				d.Rest(fValue)
				return
			}
			text = append(text, b[n+1:n+1+size]...)
			if whole = size == 0; !whole {
				text = append(text, '.')
			}
			n += 1 + size
		}
		switch {
		case len(text) == 0:
			text = []byte(".")
		case !whole && f == fFQName: // a name without its domain
			text = text[:len(text)-1]
		}
		to := f
		// Wireshark's name for a name of one label
		if whole && bytes.Count(text, []byte(".")) == 1 && len(text) > 1 && f != fFQName {
			to = fTopLevel
		}
		d.PutText(to, string(text), at, n)
		d.Skip(n)
	}
}
