package dissect

// announced is an endpoint that one conversation announced for another, as FTP's PORT does for the data connection.
type announced struct {
	table Table
	end   Endpoint
}

// maxExpected bounds the number of announced endpoints.
const maxExpected = 1 << 20

// Expect assigns traffic at an announced endpoint to a protocol, as FTP's PORT does; t is TableTCP or TableUDP, and in
// what Inner().Find returned. It goes before ports and guesses, for conversations without a protocol so far. It does
// nothing for a zero in, and in re-dissections.
func (hd *Ends) Expect(t Table, e Endpoint, in InnerProtocol) {
	d := (*D)(hd)
	d.alive()
	if !d.first || d.quoted || in == 0 || len(d.s.expected) >= maxExpected {
		return
	}
	d.s.expected[announced{t, e}] = claim{uint16(in - 1), d.Frame}
	d.settle()
}

// byAnnouncement gives the conversation to the protocol for which one of its endpoints was announced, unless the user
// has said by decode-as what its ports carry.
func (d *D) byAnnouncement(c *Conversation, t Table, srcPort, dstPort uint16) bool {
	if t != c.Transport {
		return false
	}
	for _, port := range [...]uint16{dstPort, srcPort} {
		if _, ok := d.s.decodeAs[Key{t, uint32(port)}]; ok {
			return false
		}
	}
	for _, e := range [...]Endpoint{d.Dst, d.Src} {
		if owner, ok := d.s.expected[announced{t, e}]; ok {
			d.claim(c, owner.plugin, ByAnnouncement)
			return true
		}
	}
	return false
}

// HandOver gives the conversation's stream to the protocol under a number of a table, both ways and from the next
// message on, as mail servers do after STARTTLS. It counts in the first pass, for the protocol that the stream belongs
// to: what TLS carries cannot give it away.
func (hd *InnerLayers) HandOver(t Table, key uint32) {
	d := (*D)(hd)
	d.alive()
	c := d.conv
	if !d.first || d.quoted || c == nil || c.plugin != d.plugin {
		return
	}
	if in := d.Inner().Find(t, key); in != 0 {
		c.former, c.plugin, c.reason = InnerProtocol(c.plugin+1), uint16(in-1), ByStream
		d.settle()
	}
}

// Former is the protocol that handed the conversation's stream over, which goes on inside the one that took it. It
// serves the first pass; zero is none.
func (hd *InnerLayers) Former() InnerProtocol {
	d := (*D)(hd)
	if !d.first || d.conv == nil {
		return 0
	}
	return d.conv.former
}
