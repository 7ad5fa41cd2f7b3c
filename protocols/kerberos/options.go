package kerberos

import (
	"strings"

	"remora/dissect"
	"remora/protocols/internal/ber"
)

// options are bits of which the first one counts most, in fields of their own (RFC 4120 section 5.2.8).
type options struct {
	bytes *dissect.Field
	bits  []*dissect.Field
}

// newOptions declares the field of all bytes, and one for each bit by its name, in order.
func newOptions(name, label, doc, prefix, bits string) options {
	o := options{bytes: proto.Bytes(name, label, doc)}
	for i, b := range strings.Fields(bits) {
		o.bits = append(o.bits,
			proto.Bool(prefix+"."+b, strings.ReplaceAll(b, ".", "-"), "One of the options.").Masked(0x80>>(i&7)).
				TrueFalse("True", "False"))
	}
	return o
}

var (
	kdcOptions = newOptions("kdc_options", "kdc-options", "What the ticket is to be like (RFC 4120 section 5.4.1).",
		"KDCOptions",
		`reserved forwardable forwarded proxiable proxy allow.postdate postdated unused7
renewable unused9 unused10 opt.hardware.auth unused12 unused13 constrained.delegation canonicalize
request.anonymous unused17 unused18 unused19 unused20 unused21 unused22 unused23
unused24 unused25 disable.transited.check renewable.ok enc.tkt.in.skey unused29 renew validate`)
	shownOptions = newOptions("ap_options", "ap-options", "What the server is to do (RFC 4120 section 5.5.1).",
		"APOptions", "reserved use.session.key mutual.required")
	fPadding = proto.Uint8("padding", "Padding", "How many bits at the end do not count.").Hidden()
)

// read reads a bit string with options.
func (o options) read(d *dissect.D) {
	asn.Value(d, ber.BitString, func(byte, int) {
		d.Uint(fPadding)
		at, b := d.Pos(), d.Data()
		if len(b) == 0 {
			return
		}
		d.Rest(o.bytes)
		d.Below(func() {
			for i, f := range o.bits {
				if i/8 < len(b) {
					d.Put(f, uint64(b[i/8]), at+i/8, 1)
				}
			}
		})
	})
}

func apOptions(d *dissect.D) { shownOptions.read(d) }
