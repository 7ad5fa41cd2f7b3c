package gss

import "remora/dissect"

// A pairSet are the fields of what a list of attributes and values can say (MS-NLMP section 2.2.2.1). Wireshark has
// them twice.
type pairSet struct {
	kind, size, flags, time, rest *dissect.Field
	by                            map[uint64]*dissect.Field // texts and bytes, by the attribute
}

var (
	lInfo       = ntlm.Node("challenge.target_info", "Target Info", "More on who the server is.")
	lInfoLen    = ntlm.Uint16("challenge.target_info.length", "Length", "How long it is.")
	lInfoMax    = ntlm.Uint16("challenge.target_info.maxlen", "Maxlen", "Room for it.")
	lInfoOff    = ntlm.Uint32("challenge.target_info.offset", "Offset", "Where it is, counted from the start.")
	lAnswer     = ntlm.Bytes("ntlmv2_response", "NTLMv2 Response", "The proof in its second form.")
	lProof      = ntlm.Bytes("ntlmv2_response.ntproofstr", "NTProofStr", "A hash of the password and of what follows.")
	lRVersion   = ntlm.Uint8("ntlmv2_response.rversion", "Response Version", "The form of the proof.")
	lHiVersion  = ntlm.Uint8("ntlmv2_response.hirversion", "Hi Response Version", "The newest form that the client knows.")
	lPad        = ntlm.Bytes("ntlmv2_response.pad", "padding", "Unused.")
	lZ          = ntlm.Bytes("ntlmv2_response.z", "Z", "Unused.")
	lWhen       = ntlm.Time("ntlmv2_response.time", "Time", "The client's time.")
	lChallenge  = ntlm.Bytes("ntlmv2_response.chal", "NTLMv2 Client Challenge", "A number used once, of the client.")
	targetPairs = pairsOf("challenge.target_info")
	answerPairs = pairsOf("ntlmv2_response")
)

func pairsOf(prefix string) pairSet {
	text := func(name, label, doc string) *dissect.Field {
		return ntlm.String(prefix+"."+name, label, doc).Encoded(dissect.UTF16LE)
	}
	return pairSet{
		kind:  ntlm.Uint16(prefix+".item.type", "Item Type", "What the item is about.").Hex().Named(attributes),
		size:  ntlm.Uint16(prefix+".item.length", "Item Length", "How long it is."),
		flags: ntlm.Uint32(prefix+".flags", "Flags", "What else the sender says.").Hex(),
		time:  ntlm.Time(prefix+".timestamp", "Timestamp", "The server's time."),
		rest:  ntlm.Bytes(prefix+".item.data", "Data", "An item of an unknown sort."),
		by: map[uint64]*dissect.Field{
			1:  text("nb_computer_name", "NetBIOS Computer Name", "The server's name."),
			2:  text("nb_domain_name", "NetBIOS Domain Name", "The server's domain."),
			3:  text("dns_computer_name", "DNS Computer Name", "The server's name in DNS."),
			4:  text("dns_domain_name", "DNS Domain Name", "The server's domain in DNS."),
			5:  text("dns_tree_name", "DNS Tree Name", "The tree of domains in DNS."),
			8:  ntlm.Bytes(prefix+".restrictions", "Restrictions", "The client's machine, and how far it is trusted."),
			9:  text("target_name", "Target Name", "The service that the client means."),
			10: ntlm.Bytes(prefix+".channel_bindings", "Channel Bindings", "A hash of the channel below."),
		},
	}
}

var attributes = dissect.Values{
	0: "End of list", 1: "NetBIOS computer name", 2: "NetBIOS domain name", 3: "DNS computer name", 4: "DNS domain name",
	5: "DNS tree name", 6: "Flags", 7: "Timestamp",
	8: "Restrictions", 9: "Target Name", 10: "Channel Bindings",
}

// read reads the items to the one that ends the list.
func (p *pairSet) read(d *dissect.D) {
	for more := d.Elements(); more.Next(); {
		kind := d.Uint(p.kind)
		n := min(int(d.Uint(p.size)), d.Left())
		d.Within(n, func() {
			switch f := p.by[kind]; {
			case n == 0:
			case kind == 6 && n == 4:
				d.Uint(p.flags)
			case kind == 7 && n == 8:
				windowsTime(d, p.time)
			case f != nil:
				d.Rest(f)
			}
			d.Rest(p.rest)
		})
		if kind == 0 {
			return
		}
	}
}

var (
	lVerf     = ntlm.Node("verf", "NTLMSSP Verifier", "A signature.")
	lVerfVers = ntlm.Uint32("verf.vers", "Version Number", "Always 1.")
	lVerfBody = ntlm.Bytes("verf.body", "Verifier Body", "The signature, and which of them it is.")
)

// verifier tells whether the bytes are a signature (MS-NLMP section 2.2.2.9), which has 16.
func verifier(b []byte) bool { return len(b) == 16 && little(b, 0, 4) == 1 }

// A proofReader reads one message of NTLM.
type proofReader struct {
	d     *dissect.D
	start int
	size  int
	first int // where the first of its parts begins, counted from the start
}

// proof reads one message (MS-NLMP section 2.2.1).
func proof(d *dissect.D) {
	if verifier(d.Data()) {
		d.Info().Add("")
		d.In(lVerf, func() {
			d.Uint(lVerfVers)
			d.Rest(lVerfBody)
		})
		return
	}
	p := &proofReader{d: d, start: d.Pos(), size: d.Left(), first: d.Left()}
	if d.Info().Wanted() {
		d.Info().Add(spoken(d.Data()))
	}
	d.Padded(lIdent, 8)
	switch d.Kind(lType) {
	case 1:
		flags := d.Uint(lFlags)
		p.text(lCallDom)
		p.text(lCalling)
		p.version(flags)
	case 2:
		p.text(lTarget)
		flags := d.Uint(lFlags)
		d.Bytes(lServer, 8)
		d.Bytes(lRes, 8)
		d.In(lInfo, p.info)
		p.version(flags)
	case 3:
		p.blob(lLM, p.lanman)
		p.blob(lNT, p.answer)
		p.text(lDomain)
		p.text(lUser)
		p.text(lHost)
		p.blob(lKey, nil)
		if flags := d.Uint(lFlags); d.Pos()-p.start < p.first {
			p.version(flags)
		}
		if d.Pos()-p.start+16 <= p.first {
			d.Bytes(lMIC, 16)
		}
	}
	d.Rest(lRest)
}

// place looks at where a part is. It tells whether the part is there.
func (p *proofReader) place() (off, n int, ok bool) {
	b := p.d.Data()
	n, off = int(little(b, 0, 2)), int(little(b, 4, 4))
	if ok = n > 0 && off+n <= p.size && len(b) >= 8; ok {
		p.first = min(p.first, off)
	}
	return off, n, ok
}

// text reads where a text is, and the text.
func (p *proofReader) text(f *dissect.Field) {
	d := p.d
	off, n, ok := p.place()
	if n == 0 && d.Left() >= 8 {
		d.PutText(f, "NULL", d.Pos(), 8)
		d.Skip(8)
		return
	}
	if ok {
		d.Put(f, 0, p.start+off, n)
	}
	d.Below(func() { d.Uint(lLen); d.Uint(lMax); d.Uint(lOff) })
}

// blob reads where bytes are, the bytes, and what they hold.
func (p *proofReader) blob(f *dissect.Field, inner func()) {
	d := p.d
	off, n, ok := p.place()
	switch {
	case n == 0 && d.Left() >= 8: // Wireshark shows where it would be in its place
		d.Bytes(f, 8)
		return
	case ok:
		d.Put(f, 0, p.start+off, n)
	}
	d.Below(func() { d.Uint(lBlobLen); d.Uint(lBlobMax); d.Uint(lBlobOff) })
	if ok && inner != nil {
		d.Below(func() { p.there(off, n, inner) })
	}
}

// there reads n bytes at an offset and comes back.
func (p *proofReader) there(off, n int, read func()) {
	d, back := p.d, p.d.Pos()
	d.Seek(p.start + off)
	d.Within(n, read)
	d.Seek(back)
}

// info reads where the server's description is, and the description.
func (p *proofReader) info() {
	d := p.d
	off, n, ok := p.place()
	d.Uint(lInfoLen)
	d.Uint(lInfoMax)
	d.Uint(lInfoOff)
	if ok {
		p.there(off, n, func() { targetPairs.read(d) })
	}
}

// lanman reads the old proof. Where the other one is of the second form, it begins with a number of the client.
func (p *proofReader) lanman() {
	if d := p.d; d.Left() == 24 {
		d.Bytes(lClient, 8)
	}
}

// answer reads the proof in its second form (MS-NLMP section 2.2.2.8); in the first it has 24 bytes.
func (p *proofReader) answer() {
	d := p.d
	if d.Left() <= 24 {
		return
	}
	d.Put(lAnswer, 0, d.Pos(), d.Left())
	d.Below(func() {
		d.Bytes(lProof, 16)
		d.Uint(lRVersion)
		d.Uint(lHiVersion)
		d.Bytes(lZ, 6)
		windowsTime(d, lWhen)
		d.Bytes(lChallenge, 8)
		d.Bytes(lZ, 4)
		answerPairs.read(d)
		d.Rest(lPad)
	})
}

func (p *proofReader) version(flags uint64) {
	if d := p.d; flags&0x2000000 != 0 && d.Left() >= 8 {
		d.Uint(lMajor)
		d.Uint(lMinor)
		d.Uint(lBuild)
		d.Bytes(lVerRes, 3)
		d.Uint(lRev)
	}
}
