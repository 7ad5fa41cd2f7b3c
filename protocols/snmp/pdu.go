package snmp

import "remora/dissect"

var (
	fData     = proto.Kind("data", "data", pdus, "What the message is.").Dec().Derived().Wordless()
	fID       = proto.Int32("request_id", "request-id", "Joins request and response.")
	fStatus   = proto.Int32("error_status", "error-status", "How the request went.").Named(errors)
	fIndex    = proto.Int32("error_index", "error-index", "Which variable the error is about, counted from 1.")
	fNon      = proto.Uint32("non_repeaters", "non-repeaters", "How many variables are asked for once.")
	fMax      = proto.Uint32("max_repetitions", "max-repetitions", "How often the others are asked for.")
	fBindings = proto.Uint32("variable_bindings", "variable-bindings", "How many variables there are.").In("items").
			Derived()
	fBinding = proto.Node("VarBind_element", "VarBind", "A variable and its value.").
			Summary("{snmp.name}[: {snmp.var-bind_str}]")
	fName = proto.String("name", "Object Name", "The variable.")

	fTrapFrom = proto.String("enterprise", "enterprise", "What sort of device reports.")
	fAgent    = proto.IPv4("agent_addr", "agent-addr", "The device that reports.")
	fGeneric  = proto.Int32("generic_trap", "generic-trap", "What happened.").Named(traps)
	fSpecific = proto.Int32("specific_trap", "specific-trap", "What happened, in the device's own numbers.")
	fStamp    = proto.Uint32("time_stamp", "time-stamp",
		"When it happened, in hundredths of a second since the device was started.")

	fInt      = proto.Int64("value.int", "Value (Integer32)", "A number.")
	fOctets   = proto.Bytes("value.octets", "Value (OctetString)", "Bytes.")
	fText     = proto.String("var-bind_str", "Variable-binding-string", "The bytes as text.")
	fOIDValue = proto.String("value.oid", "Value (OID)", "An object's name.")
	fNull     = proto.Label("value.null", "Value (Null)", "No value.")
	fIPv4     = proto.IPv4("value.ipv4", "Value (IpAddress)", "An address.")
	fAddr     = proto.Bytes("value.addr", "Value (IpAddress)", "An address.")
	fU32      = proto.Int64("value.u32", "Value (Unsigned32)", "A number.")
	fG32      = proto.Int64("value.g32", "Value (Gauge32)", "A number that goes up and down.")
	fCounter  = proto.Uint64("value.counter", "Value (Counter)", "A number that goes up.")
	fTicks    = proto.Uint64("value.timeticks", "Value (Timeticks)", "Hundredths of a second.")
	fOpaque   = proto.Bytes("value.opaque", "Value (Opaque)", "Bytes.")
	fUnknown  = proto.Bytes("value.unk", "Value (Unknown)", "Bytes.")
	fNoObject = proto.Label("noSuchObject", "noSuchObject", "There is no such variable.")
	fNoInst   = proto.Label("noSuchInstance", "noSuchInstance", "There is no such row.")
	fEnd      = proto.Label("endOfMibView", "endOfMibView", "There are no further variables.")

	nAnswer = proto.Expert("varbind.response", dissect.Hint, "Response").About(dissect.AboutResponse)

	elements = [...]*dissect.Field{
		proto.Node("get_request_element", "get-request", "A request for values."),
		proto.Node("get_next_request_element", "get-next-request", "A request for the values behind these."),
		proto.Node("get_response_element", "get-response", "A response."),
		proto.Node("set_request_element", "set-request", "A request to set values."),
		proto.Node("trap_element", "trap", "A report."),
		proto.Node("getBulkRequest_element", "getBulkRequest", "A request for many values."),
		proto.Node("informRequest_element", "informRequest", "A report that wants an answer."),
		proto.Node("snmpV2_trap_element", "snmpV2-trap", "A report."),
		proto.Node("report_element", "report", "What the engine says of a message."),
	}
)

const (
	getNext  = 1
	response = 2
	trap     = 4
	getBulk  = 5
	report   = 8
	setValue = 3
	inform   = 6
)

// pdu reads what is asked, answered or reported.
func pdu(d *dissect.D) {
	tag, _, size := peekHeader(d)
	if size == 0 || tag < tagPDU || int(tag-tagPDU) >= len(elements) {
		value(d, tagPDU, func(byte, int) {})
		return
	}
	kind := uint64(tag - tagPDU)
	d.SetKind(fData, kind)
	if d.Info().Wanted() {
		d.Info().Setf("%s", pdus[kind])
	}
	var id int64
	d.Below(func() {
		group(d, elements[kind], tag, func() {
			if kind == trap {
				oldTrap(d)
				return
			}
			id = number(d, fID, tagInteger)
			if kind == getBulk {
				number(d, fNon, tagInteger)
				number(d, fMax, tagInteger)
			} else {
				number(d, fStatus, tagInteger)
				number(d, fIndex, tagInteger)
			}
			bindings(d)
		})
	})
	switch kind {
	case 0, getNext, setValue, getBulk, inform:
		d.Request(uint64(uint32(id)), fRespIn)
	case response, report:
		d.Response(uint64(uint32(id)), fRespIn, fRespTo, fTime)
	}
}

// oldTrap reads a report of version 1.
func oldTrap(d *dissect.D) {
	text := object(d, fTrapFrom)
	if d.Info().Wanted() && len(text) > 2 {
		d.Info().Setf("iso%s", text[1:])
	}
	value(d, tagAddress, func(_ byte, n int) {
		if n == 4 {
			d.IPv4(fAgent)
		}
	})
	number(d, fGeneric, tagInteger)
	number(d, fSpecific, tagInteger)
	number(d, fStamp, tagTicks)
	bindings(d)
}

// bindings reads the list of variables. Their number is worked out first.
func bindings(d *dissect.D) {
	value(d, tagSequence, func(_ byte, n int) {
		at, count := d.Pos(), uint64(0)
		for more := d.Elements(); more.Next(); {
			_, length, size := peekHeader(d)
			if size == 0 || size+length > d.Left() {
				break
			}
			d.Seek(d.Pos() + size + length)
			count++
		}
		d.Seek(at)
		d.Set(fBindings, count)
		d.Below(func() {
			for more := d.Elements(); more.Next(); {
				if !group(d, fBinding, tagSequence, func() { binding(d) }) {
					break
				}
			}
		})
	})
}

func binding(d *dissect.D) {
	text := object(d, fName)
	if d.Info().Wanted() && text != "" {
		d.Info().Setf("%s", text)
	}
	value(d, 0, func(tag byte, n int) { variable(d, tag, n) })
}

// variable reads a variable's value by its tag.
func variable(d *dissect.D, tag byte, n int) {
	at := d.Pos()
	put := func(f *dissect.Field, v uint64) {
		if n > 0 && n <= d.Left() {
			d.Put(f, v, at, n)
		}
		d.Skip(n)
	}
	signed := integer(d, n)
	unsigned := uint64(signed)
	if n < 8 {
		unsigned &= 1<<(8*max(n, 0)) - 1
	}
	switch {
	case tag == tagInteger:
		put(fInt, uint64(signed))
	case tag == tagCounter || tag == tagCounter64:
		put(fCounter, unsigned)
	case tag == tagGauge:
		put(fG32, unsigned)
	case tag == tagTicks:
		put(fTicks, unsigned)
	case tag == tagUnsigned:
		put(fU32, unsigned)
	case tag == tagOID:
		objectBody(d, fOIDValue, n)
	case tag == tagNull:
		d.Put(fNull, 0, at-2, 2)
	case tag == tagNoObject, tag == tagNoInst, tag == tagEndOfView:
		f := [...]*dissect.Field{fNoObject, fNoInst, fEnd}[tag-tagNoObject]
		d.Put(f, 0, at-2, 2)
		d.Below(func() { d.ExpertText(nAnswer, f.Label()) })
	case n == 0:
	case tag == tagAddress && n == 4:
		d.IPv4(fIPv4)
	case tag == tagAddress:
		d.Bytes(fAddr, n)
	case tag == tagOctets:
		b := d.Bytes(fOctets, n)
		if printable(b) && !d.Short() {
			d.Below(func() { d.Put(fText, 0, at, n) })
		}
	case tag == tagOpaque:
		d.Bytes(fOpaque, n)
	default:
		d.Bytes(fUnknown, n)
	}
}

// printable tells whether bytes are text.
func printable(b []byte) bool {
	for _, c := range b {
		if c < 0x20 && c != '\t' && c != '\n' && c != '\r' || c >= 0x7f {
			return false
		}
	}
	return len(b) > 0
}
