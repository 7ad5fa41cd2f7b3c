package dissect

// An announced is an end at which a conversation was announced in another one, as FTP announces where a file will pass.
type announced struct {
	table Table
	end   Endpoint
}

// maxAwaited bounds the ends remembered.
const maxExpected = 1 << 20

// Expect says that what an end sends and gets over a transport, TableTCP or TableUDP, is the protocol's that Inside
// found: a packet announced it. It goes before ports and guesses, and counts for conversations that nobody knows yet.
// Zero is nothing. It counts in the first pass.
func (hd *Ends) Expect(t Table, e Endpoint, in InnerProtocol) {
	d := (*D)(hd)
	d.alive()
	if !d.first || d.quoted || in == 0 || len(d.s.expected) >= maxExpected {
		return
	}
	d.s.expected[announced{t, e}] = claim{uint16(in - 1), d.Frame}
	d.settle()
}

// byAnnouncement asks what was announced of the two ends, after what people said of their ports.
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
