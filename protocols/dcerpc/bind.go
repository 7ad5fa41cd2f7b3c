package dcerpc

import (
	"cmp"
	"fmt"

	"remora/dissect"
)

var (
	fXmit     = proto.Uint16("cn_max_xmit", "Max Xmit Frag", "The longest packet that the sender sends.")
	fRecv     = proto.Uint16("cn_max_recv", "Max Recv Frag", "The longest packet that it takes.")
	fGroup    = proto.Uint32("cn_assoc_group", "Assoc Group", "Joins connections of a client.").Hex()
	fItems    = proto.Uint8("cn_num_ctx_items", "Num Ctx Items", "How many interfaces are proposed.")
	fReserved = proto.Bytes("reserved", "Reserved", "Unused.")
	fItem     = proto.Node("cn_ctx_item", "Ctx Item", "One interface, or what was said to it.").
			Summary("Ctx Item[: Context ID:{dcerpc.cn_ctx_id}][: {dcerpc.cn_ack_result:name}]")
	fContext   = proto.Uint16("cn_ctx_id", "Context ID", "The number under which the interface is called.")
	fTransfers = proto.Uint8("cn_num_trans_items", "Num Trans Items", "How many transfer syntaxes the client can use.")
	fAbstract  = proto.Node("cn_bind_abstract_syntax", "Abstract Syntax", "The interface.")
	fInterface = proto.GUID("cn_bind_to_uuid", "Interface UUID", "The interface.")
	fIfVersion = proto.Uint16("cn_bind_if_ver", "Interface Ver", "Its version.")
	fIfMinor   = proto.Uint16("cn_bind_if_ver_minor", "Interface Ver Minor", "Its version.")
	fTransfer  = proto.Node("cn_bind_trans", "Transfer Syntax", "How arguments can be written.")
	fTransID   = proto.GUID("cn_bind_trans_id", "ID", "The transfer syntax.")
	fTransVer  = proto.Uint32("cn_bind_trans_ver", "ver", "Its version.")
	fFeatures  = proto.Uint16("cn_bind_trans_btfn", "Bind Time Features", "What else the client can do.").Hex()
	fFeature1  = proto.Bool("cn_bind_trans_btfn.01", "Security Context Multiplexing Supported",
		"Several proofs on one connection.").Wide(2).Masked(1)
	fFeature2 = proto.Bool("cn_bind_trans_btfn.02", "Keep Connection On Orphan Supported",
		"The connection outlives calls that are given up.").Wide(2).Masked(2)
	fAddrLen   = proto.Uint16("cn_sec_addr_len", "Scndry Addr len", "Length of the second address.")
	fAddr      = proto.String("cn_sec_addr", "Scndry Addr", "Where further connections go: a port or a pipe.")
	fPadding   = proto.Bytes("padding", "Padding", "Bytes that align what follows.")
	fResults   = proto.Uint8("cn_num_results", "Num results", "How many proposals are answered.")
	fResult    = proto.Uint16("cn_ack_result", "Ack result", "Whether the interface can be called.").Named(ackResults)
	fReason    = proto.Uint16("cn_ack_reason", "Ack reason", "Why not.").Named(ackReasons)
	fAckID     = proto.GUID("cn_ack_trans_id", "Transfer Syntax", "How arguments will be written.")
	fAckVer    = proto.Uint32("cn_ack_trans_ver", "Syntax ver", "Its version.")
	fReject    = proto.Uint16("cn_reject_reason", "Reject reason", "Why the proposals were refused.").Named(rejectReasons)
	fProtocols = proto.Uint8("cn_num_protocols", "Number of protocols",
		"How many versions of this protocol the server knows.")
	fProtoVer = proto.Uint8("cn_protocol_ver_major", "Protocol major version", "One of them.")
	fProtoMin = proto.Uint8("cn_protocol_ver_minor", "Protocol minor version", "One of them.")

	nRefused = proto.Expert("bind_not_acknowledged", dissect.Warn, "Bind not acknowledged").About(dissect.AboutSequence)
)

// bind reads which interfaces a client wants to call (C706 section 12.6.4.3).
func (p *pdu) bind() {
	d := p.d
	p.uint(fXmit)
	p.uint(fRecv)
	p.uint(fGroup)
	n := d.Uint(fItems)
	d.Bytes(fReserved, 3)
	if d.Info().Wanted() {
		d.Info().List(fmt.Sprintf("%d context items:", n))
	}
	for i, more := uint64(0), d.Elements(); i < n && more.Next(); i++ {
		d.In(fItem, func() { p.proposal(i > 0) })
	}
}

// proposal reads one interface and how its arguments can be written.
func (p *pdu) proposal(further bool) {
	d := p.d
	ctx := uint16(p.uint(fContext))
	n := d.Uint(fTransfers)
	d.Bytes(fReserved, 1)
	var id uuid
	var version, minor uint64
	d.In(fAbstract, func() {
		id = p.guid(fInterface)
		if p.big { // both are halves of one number
			minor = p.uint(fIfMinor)
			version = p.uint(fIfVersion)
			return
		}
		version = p.uint(fIfVersion)
		minor = p.uint(fIfMinor)
	})
	if d.Short() {
		return
	}
	p.learn(ctx, id, uint16(version))
	if name := serviceName(id); name != "" && d.Labelling() {
		d.Suffix(fAbstract, fmt.Sprintf(": %s V%d.%d", name, version, minor))
	}
	syntax := ""
	for i, more := uint64(0), d.Elements(); i < n && more.Next(); i++ {
		d.In(fTransfer, func() { syntax = p.transfer() })
	}
	if d.Info().Wanted() {
		text := fmt.Sprintf("%s V%d.%d (%s)", cmp.Or(serviceName(id), id.String()), version, minor, syntax)
		if further {
			d.Info().List(text)
		} else {
			d.Info().Setf("%s", text)
		}
	}
}

// transfer reads a transfer syntax and returns its name.
func (p *pdu) transfer() string {
	d := p.d
	at := d.Pos()
	id := p.guid(fTransID)
	if [8]byte(id[:8]) == features {
		bits := uint64(id[8]) | uint64(id[9])<<8
		d.Put(fFeatures, bits, at+8, 2)
		p.features(bits, at+8)
	}
	p.uint(fTransVer)
	return id.syntax()
}

// features shows what else one end can do, of two bytes at a place.
func (p *pdu) features(bits uint64, at int) {
	p.d.Below(func() {
		p.d.Put(fFeature1, bits, at, 2)
		p.d.Put(fFeature2, bits, at, 2)
	})
}

// bound reads what the server says to the interfaces (C706 section 12.6.4.4).
func (p *pdu) bound() {
	d := p.d
	start := d.Pos() - headerSize
	xmit := p.uint(fXmit)
	recv := p.uint(fRecv)
	p.uint(fGroup)
	if n := int(p.uint(fAddrLen)); n > 0 {
		d.Padded(fAddr, min(n, d.Left()))
	}
	if gap := (start - d.Pos()) & 3; gap > 0 {
		d.Bytes(fPadding, min(gap, d.Left()))
	}
	n := d.Uint(fResults)
	d.Bytes(fReserved, 3)
	if d.Info().Wanted() {
		d.Info().List(fmt.Sprintf("max_xmit: %d max_recv: %d, %d results:", xmit, recv, n))
	}
	for i, more := uint64(0), d.Elements(); i < n && more.Next(); i++ {
		d.In(fItem, func() { p.result(i > 0) })
	}
}

// result reads what the server says to one interface.
func (p *pdu) result(further bool) {
	d := p.d
	result := p.uint(fResult)
	if result == 3 { // the features that both can use, in the place of a reason
		at := d.Pos()
		if bits := p.uint(fFeatures); !d.Short() {
			p.features(bits, at)
		}
	} else if result == 0 {
		d.Bytes(fReserved, 2)
	} else {
		p.uint(fReason)
	}
	p.guid(fAckID)
	p.uint(fAckVer)
	if d.Info().Wanted() && !d.Short() {
		if further {
			d.Info().List(ackResults[result])
		} else {
			d.Info().Setf("%s", ackResults[result])
		}
	}
}

// refused reads why a server does not talk at all (C706 section 12.6.4.5).
func (p *pdu) refused() {
	d := p.d
	reason := p.uint(fReject)
	d.Expert(nRefused)
	if d.Info().Wanted() {
		d.Info().Setf("reason: %s", rejectReasons[reason])
	}
	if reason == 4 {
		for n, more := d.Uint(fProtocols), d.Elements(); n > 0 && more.Next(); n-- {
			d.Uint(fProtoVer)
			d.Uint(fProtoMin)
		}
	}
}
