package ospf

import "remora/dissect"

// The types of these pieces are numbers of their own, under the name that those of others have too.
var (
	fTETLV   = proto.Uint16("tlv_type", "TLV Type", "What the piece says of the router.").Named(tlvTypes)
	fLinkTLV = proto.Uint16("tlv_type", "TLV Type", "What the piece says of the link.").Named(linkTLVs)
	fSub     = proto.Group("link_tlv", "Link TLV", "One piece of information about a link. Wireshark has no name for it.").
			Summary("{tlv_type:name}")
)

// traffic is what a router tells about itself or a link for traffic engineering (RFC 3630).
func traffic(d *dissect.D) {
	d.In(fTLV, func() {
		kind := d.Uint(fTETLV)
		value(d, int(d.Uint(fTLVLen)), func() {
			switch {
			case kind == 1 && d.Left() == 4:
				d.IPv4(fTERouter)
			case kind == 2:
				for more := d.Elements(); more.Next(); {
					d.In(fSub, func() { linkPiece(d) })
				}
			}
		})
	})
}

func linkPiece(d *dissect.D) {
	kind := d.Uint(fLinkTLV)
	value(d, int(d.Uint(fTLVLen)), func() {
		n := d.Left()
		switch {
		case kind == 1 && n == 1:
			d.Uint(fTEType)
		case n == 4:
			word(d, kind)
		case kind == 8 && n == 32:
			for more := d.Elements(); more.Next(); {
				d.Float(fTEPri)
			}
		case kind == 11 && n == 8:
			d.Uint(fTELocID)
			d.Uint(fTERemID)
		}
	})
}

func word(d *dissect.D, kind uint64) {
	switch kind {
	case 2:
		d.IPv4(fTELink)
	case 3:
		d.IPv4(fTELocal)
	case 4:
		d.IPv4(fTERemote)
	case 5:
		d.Uint(fTEMetric)
	case 6, 7:
		d.Float(fTEMax)
	case 9:
		d.Uint(fTEColor)
	}
}
