package isakmp

import "remora/dissect"

// A set is a sort of attributes: the fields that all have, and those of the values by the attribute's type.
type set struct {
	group, format, kind, length, value *dissect.Field
	values                             map[uint64][]*dissect.Field
	duration                           uint64 // the type of a lifetime, which has any length
	durations                          [3]*dissect.Field
}

func newSet(name, title string, kinds dissect.Values) set {
	return set{
		group: proto.Group(name, title, "A property of what is agreed on."),
		format: proto.Bool(name+".format", "Format", "Whether the value stands in place of its length.").Wide(2).
			TrueFalse("Type/Value (TV)", "Type/Length/Value (TLV)").Masked(0x8000),
		kind: proto.Uint16(name+".type", "Type", "Which property it is.").Named(kinds).Masked(0x7fff).
			WholeBytes(),
		length: proto.Uint16(name+".length", "Length", "Length of the value."),
		value:  proto.Bytes(name+".value", "Value", "The value."),
	}
}

// lasting adds how long an agreement holds.
func (s set) lasting(name string, kind uint64) set {
	const doc = "For how long the agreement holds, in the unit of the attribute in front."
	s.duration = kind
	s.durations = [3]*dissect.Field{proto.Uint32(name+".life_duration", "Life Duration", doc),
		proto.Uint64(name+".life_duration64", "Life Duration", doc),
		proto.Bytes(name+".life_duration_bytes", "Life Duration", doc)}
	return s
}

// number and data declare fields of values.
func number(name, label string, names dissect.Values) []*dissect.Field {
	return []*dissect.Field{proto.Uint16(name, label, "The value.").Named(names)}
}

func data(name, label string) []*dissect.Field {
	return []*dissect.Field{proto.Bytes(name, label, "The value.")}
}

func ipv4(name, label string) []*dissect.Field {
	return []*dissect.Field{proto.IPv4("cfg.attr."+name, label, "An address for the asking peer.")}
}

func ipv6(name, label string) []*dissect.Field {
	return []*dissect.Field{proto.IPv6("cfg.attr."+name, label, "An address for the asking peer.")}
}

func words(name, label string) []*dissect.Field {
	return []*dissect.Field{proto.String("cfg.attr."+name, label, "A text.")}
}

var (
	phase1Attributes = func() set {
		s := newSet("ike.attr", "IKE Attribute", ikeAttributes).lasting("ike.attr", 12)
		s.values = map[uint64][]*dissect.Field{
			1:  number("ike.attr.encryption_algorithm", "Encryption Algorithm", encAlgorithms),
			2:  number("ike.attr.hash_algorithm", "HASH Algorithm", hashAlgorithms),
			3:  number("ike.attr.authentication_method", "Authentication Method", authMethods1),
			4:  number("ike.attr.group_description", "Group Description", groups),
			5:  number("ike.attr.group_type", "Group Type", groupTypes),
			6:  data("ike.attr.group_prime", "Group Prime"),
			7:  data("ike.attr.group_generator_one", "Group Generator One"),
			8:  data("ike.attr.group_generator_two", "Group Generator Two"),
			9:  data("ike.attr.group_curve_a", "Group Curve A"),
			10: data("ike.attr.group_curve_b", "Group Curve B"),
			11: number("ike.attr.life_type", "Life Type", lifeTypes),
			13: data("ike.attr.prf", "PRF"),
			14: number("ike.attr.key_length", "Key Length", nil),
			15: data("ike.attr.field_size", "Field Size"),
			16: data("ike.attr.group_order", "Group Order"),
			17: data("ike.attr.block_size", "Block Size"),
		}
		return s
	}()
	phase2Attributes = func() set {
		s := newSet("ipsec.attr", "IPsec Attribute", ipsecAttributes).lasting("ipsec.attr", 2)
		s.values = map[uint64][]*dissect.Field{
			1:  number("ipsec.attr.life_type", "Life Type", lifeTypes),
			3:  number("ipsec.attr.group_description", "Group Description", groups),
			4:  number("ipsec.attr.encap_mode", "Encapsulation Mode", encapModes),
			5:  number("ipsec.attr.auth_algorithm", "Authentication Algorithm", authAlgorithms),
			6:  number("ipsec.attr.key_length", "Key Length", nil),
			7:  number("ipsec.attr.key_rounds", "Key Rounds", nil),
			8:  number("ipsec.attr.cmpr_dict_size", "Compress Dictionary Size", nil),
			9:  data("ipsec.attr.cmpr_algorithm", "Compress Private Algorithm"),
			10: number("ipsec.attr.ecn_tunnel", "ECN Tunnel", nil),
			11: number("ipsec.attr.ext_seq_nbr", "Extended (64-bit) Sequence Number", nil),
			12: number("ipsec.attr.auth_key_length", "Authentication Key Length", nil),
			13: data("ipsec.attr.sig_enco_algorithm", "Signature Encoding Algorithm"),
		}
		return s
	}()
	ike2Attributes = func() set {
		s := newSet("ike2.attr", "Transform Attribute", dissect.Values{14: "Key Length"})
		s.values = map[uint64][]*dissect.Field{14: number("ike2.attr.key_length", "Key Length", nil)}
		return s
	}()
	configAttributes = func() set {
		s := newSet("cfg.attr", "Config Attribute", cfgAttributes1)
		s.values = map[uint64][]*dissect.Field{
			1: ipv4("internal_ip4_address", "INTERNAL IP4 ADDRESS"), 2: ipv4("internal_ip4_netmask", "INTERNAL IP4 NETMASK"),
			3: ipv4("internal_ip4_dns", "INTERNAL IP4 DNS"), 4: ipv4("internal_ip4_nbns", "INTERNAL IP4 NBNS"),
			5: {proto.Uint32("cfg.attr.internal_address_expiry", "INTERNAL ADDRESS EXPIRY (Secs)",
				"For how long the address holds.")},
			6: ipv4("internal_ip4_dhcp", "INTERNAL IP4 DHCP"), 7: words("application_version", "APPLICATION VERSION"),
			8: append(ipv6("internal_ip6_address", "INTERNAL IP6 ADDRESS"),
				proto.Uint8("cfg.attr.internal_ip6_address.prefix", "INTERNAL IP6 ADDRESS (PREFIX)", "Bits of the network.")),
			9:  ipv6("internal_ip6_netmask", "INTERNAL IP4 NETMASK"),
			10: ipv6("internal_ip6_dns", "INTERNAL IP6 DNS"), 11: ipv6("internal_ip6_nbns", "INTERNAL IP6 NBNS"),
			12: ipv6("internal_ip6_dhcp", "INTERNAL IP6 DHCP"),
			13: append(ipv4("internal_ip4_subnet_ip", "INTERNAL IP4 SUBNET (IP)"),
				ipv4("internal_ip4_subnet_netmask", "INTERNAL IP4 SUBNET (NETMASK)")...),
			14: {proto.Uint16("cfg.attr.supported_attributes", "SUPPORTED ATTRIBUTES", "An attribute that the peer knows.").
				Named(cfgAttributes1)},
			15: append(ipv6("internal_ip6_subnet_ip", "INTERNAL_IP6_SUBNET (IP)"),
				proto.Uint8("cfg.attr.internal_ip6_subnet_prefix", "INTERNAL_IP6_SUBNET (PREFIX)", "Bits of the network.")),
			20: ipv4("p_cscf_ip4_address", "P_CSCF_IP4_ADDRESS (IP)"),
			21: ipv6("p_cscf_ip6_address", "P_CSCF_IP6_ADDRESS (IP)"),
			16520: number("cfg.attr.xauth.type", "XAUTH TYPE",
				dissect.Values{0: "Generic", 1: "RADIUS-CHAP", 2: "OTP", 3: "S/KEY"}),
			16521: words("xauth.user_name", "XAUTH USER NAME"), 16522: words("xauth.user_password", "XAUTH USER PASSWORD"),
			16523: words("xauth.passcode", "XAUTH PASSCODE"), 16524: words("xauth.message", "XAUTH MESSAGE"),
			16525: words("xauth.challenge", "XAUTH CHALLENGE"), 16526: words("xauth.domain", "XAUTH DOMAIN"),
			16527: number("cfg.attr.xauth.status", "XAUTH STATUS", dissect.Values{0: "Fail", 1: "Success"}),
			16528: words("xauth.next_pin", "XAUTH TYPE"), 16529: words("xauth.answer", "XAUTH ANSWER"),
			28672: words("unity.banner", "UNITY BANNER"), 28674: words("unity.def_domain", "UNITY DEF DOMAIN"),
		}
		return s
	}()

	fConfigType1 = proto.Uint8("cfg.type", "Type", "Whether something is asked for or told.").Named(cfgTypes1)
	fConfigType2 = proto.Uint8("cfg.type", "Type", "Whether something is asked for or told.").Named(cfgTypes2)
	fConfigID    = proto.Uint16("cfg.identifier", "Identifier", "Number of the question.")
)

// configuration reads what one peer configures the other with.
func (r *reading) configuration() {
	d := r.d
	if r.version == 1 {
		d.Uint(fConfigType1)
		d.Bytes(fReserved, 1)
		d.Uint(fConfigID)
	} else {
		d.Uint(fConfigType2)
		d.Bytes(fReserved, 3)
	}
	attributes(d, &configAttributes)
}

// attributes reads attributes up to the end of the range.
func attributes(d *dissect.D, s *set) {
	for more := d.Elements(); more.Next(); {
		d.In(s.group, func() { s.read(d) })
	}
}

func (s *set) read(d *dissect.D) {
	kind := d.Bits(s.format, s.kind)
	long := kind&0x8000 == 0
	kind &= 0x7fff
	size := 2
	if long {
		size = int(d.Uint(s.length))
	}
	if size == 0 {
		return
	}
	at := d.Pos()
	d.Bytes(s.value, size)
	end := d.Pos()
	d.Seek(at)
	d.Within(end-at, func() { s.show(d, kind, size) })
}

// show reads the value once more, by what it is.
func (s *set) show(d *dissect.D, kind uint64, size int) {
	if kind == s.duration && s.durations[0] != nil {
		switch {
		case size <= 4:
			d.Put(s.durations[0], d.PeekUint(0, size), d.Pos(), size)
		case size <= 8:
			d.Put(s.durations[1], d.PeekUint(0, size), d.Pos(), size)
		default:
			d.Bytes(s.durations[2], size)
		}
	}
	fields := s.values[kind]
	for more := d.Elements(); len(fields) > 0 && more.Next(); {
		for _, f := range fields {
			if f.Size() > d.Left() {
				d.Skip(d.Left())
				return
			}
			read(d, f)
		}
	}
	d.Skip(d.Left())
}

func read(d *dissect.D, f *dissect.Field) {
	switch f.Type() {
	case dissect.TypeIPv4:
		d.IPv4(f)
	case dissect.TypeIPv6:
		d.IPv6(f)
	case dissect.TypeUint:
		d.Uint(f)
	default:
		d.Rest(f)
	}
}
