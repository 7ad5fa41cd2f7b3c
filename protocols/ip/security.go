package ip

import (
	"strconv"
	"strings"

	"remora/dissect"
)

var (
	fSecLevel = proto.Uint8("opt.sec_cl", "Classification Level", "How secret the datagram is (RFC 1108).").Hex().
			Named(dissect.Values{0x01: "Reserved 4", 0x3d: "Top secret", 0x5a: "Secret", 0x96: "Confidential",
			0x66: "Reserved 3", 0xcc: "Reserved 2", 0xab: "Unclassified", 0xf1: "Reserved 1"})
	fSecFlags = proto.Uint8("opt.sec_prot_auth_flags", "Protection Authority Flags", "Whose rules apply.").Hex()
	fSecGen   = authority("genser", "GENSER", 0x80)
	fSecSIOP  = authority("siop_esi", "SIOP-ESI", 0x40)
	fSecSCI   = authority("sci", "SCI", 0x20)
	fSecNSA   = authority("nsa", "NSA", 0x10)
	fSecDOE   = authority("doe", "DOE", 0x08)
	fSecFree  = proto.Uint8("opt.sec_prot_auth_unassigned", "Unassigned", "Bits of no meaning in the first byte.").Hex().
			Masked(0x06)
	fSecFree2 = proto.Uint8("opt.sec_prot_auth_unassigned", "Unassigned", "Bits of no meaning in the bytes behind.").Hex().
			Masked(0xfe)
	fSecMore = proto.Bool("opt.sec_prot_auth_fti", "Field Termination Indicator", "Another byte follows.").Masked(0x01).
			TrueFalse("Additional octet present", "Final octet")
	fOldLevel = proto.Uint16("opt.sec_rfc791_sec", "Security", "How secret the datagram is (RFC 791).").Hex().
			Named(dissect.Values{0: "Unclassified", 0xf135: "Confidential", 0x789a: "EFTO", 0xbc4d: "MMMM", 0x5e26: "PROG",
			0xaf13: "Restricted", 0xd788: "Secret", 0x6bc5: "Top secret", 0x35e2: "Reserved", 0x9af1: "Reserved",
			0x4d78: "Reserved", 0x24bd: "Reserved", 0x135e: "Reserved", 0x89af: "Reserved", 0xc4d6: "Reserved",
			0xe26b: "Reserved"})
	fOldComp  = proto.Uint16("opt.sec_rfc791_comp", "Compartments", "Which compartments it is for; 0 for none.")
	fOldRules = proto.String("opt.sec_rfc791_hr", "Handling Restrictions", "Who may see it: a digraph.")
	fOldGroup = proto.String("opt.sec_rfc791_tcc", "Transmission Control Code", "Which community it is of: a trigraph.")
	fExtForm  = proto.Uint8("opt.ext_sec_add_sec_info_format_code", "Additional Security Info Format Code",
		"Form of what follows.").Hex()
	fExtInfo = proto.Bytes("opt.ext_sec_add_sec_info", "Additional Security Info", "What an authority wrote.")
	fDOI     = proto.Uint32("cipso.doi", "DOI", "Who says what levels and categories mean.")
	fTag     = proto.Uint8("cipso.tag_type", "Tag Type", "Form of what follows.").
			Named(dissect.Values{1: "Restrictive Category Bitmap", 2: "Enumerated Categories", 5: "Ranged Categories",
			6: "Permissive Categories", 7: "Free Form"})
	fSense   = proto.Uint8("cipso.sensitivity_level", "Sensitivity Level", "How secret the datagram is.")
	fCats    = proto.String("cipso.categories", "Categories", "Which categories it belongs to.")
	fTagData = proto.Bytes("cipso.tag_data", "Tag data", "Content of another form.")
)

func authority(name, label string, mask uint64) *dissect.Field {
	return proto.Bool("opt.sec_prot_auth_"+name, label, "The rules of "+label+" apply.").Masked(mask).
		TrueFalse("Datagram protected in accordance with its rules", "Datagram not protected in accordance with its rules")
}

// security reads the basic security option (RFC 1108 section 2): a level and flags, more bytes of them as long as the
// lowest bit is set. One of the length that RFC 791 gives it, and of a level of its, is of that.
func security(d *dissect.D, _ byte) {
	if level := d.PeekUint(0, 2); d.Left() == 9 && fOldLevel.Values()[level] != "" {
		d.Uint(fOldLevel)
		d.Uint(fOldComp)
		d.Padded(fOldRules, 2)
		d.Padded(fOldGroup, 3)
		return
	}
	d.Uint(fSecLevel)
	for first, more, each := true, true, d.Elements(); more && each.Next(); first = false {
		at := d.Pos()
		v := d.Uint(fSecFlags)
		more = v&1 != 0
		d.Below(func() {
			if first {
				for _, f := range []*dissect.Field{fSecGen, fSecSIOP, fSecSCI, fSecNSA, fSecDOE, fSecFree} {
					d.Put(f, v, at, 1)
				}
			} else {
				d.Put(fSecFree2, v, at, 1)
			}
			d.Put(fSecMore, v, at, 1)
		})
		if first && d.Labelling() {
			d.Suffix(fSecFlags, authorities(v))
		}
	}
	if d.More() {
		d.ExpertText(nOption, "Extraneous data in option")
	}
}

// authorities are the names of the bits that are set, as they stand behind the number.
func authorities(v uint64) (text string) {
	for i, name := range []string{"GENSER", "SIOP-ESI", "SCI", "NSA", "DOE"} {
		if v&(0x80>>i) != 0 {
			text += ", " + name
		}
	}
	if v&1 != 0 {
		text += ", Field Termination Indicator"
	}
	return text
}

func extended(d *dissect.D, _ byte) {
	d.Uint(fExtForm)
	d.Rest(fExtInfo)
}

// commercial reads the commercial security option (FIPS 188): tags that each say a level and categories.
func commercial(d *dissect.D, _ byte) {
	d.Uint(fDOI)
	for more := d.Elements(); d.Left() >= 4 && more.Next(); {
		kind := d.Uint(fTag)
		n := int(d.Peek(0)) - 2
		d.Skip(1) // the tag's length, which Wireshark does not show either
		d.Within(min(max(n, 0), d.Left()), func() { tagged(d, kind) })
	}
}

func tagged(d *dissect.D, kind uint64) {
	if kind != 1 && kind != 2 && kind != 5 || d.Left() < 2 {
		d.Rest(fTagData)
		return
	}
	d.Skip(1) // alignment
	d.Uint(fSense)
	at, b := d.Pos(), d.Data()
	if len(b) == 0 {
		return
	}
	d.Skip(len(b))
	d.PutText(fCats, categories(kind, b), at, len(b))
}

// categories lists the numbers of a bit map (1), of a list of two bytes each (2), or of ranges, upper end first (5).
func categories(kind uint64, b []byte) string {
	var out []string
	switch kind {
	case 1:
		for i := range 8 * len(b) {
			if b[i/8]&(0x80>>(i%8)) != 0 {
				out = append(out, strconv.Itoa(i))
			}
		}
	case 2:
		for i := 0; i+1 < len(b); i += 2 {
			out = append(out, strconv.Itoa(int(b[i])<<8|int(b[i+1])))
		}
	default:
		for i := 0; i+1 < len(b); i += 4 {
			low := 0
			if i+3 < len(b) {
				low = int(b[i+2])<<8 | int(b[i+3])
			}
			out = append(out, strconv.Itoa(int(b[i])<<8|int(b[i+1]))+"-"+strconv.Itoa(low))
		}
	}
	return strings.Join(out, ",")
}
