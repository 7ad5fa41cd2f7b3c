package dissect

// An appointment is an end at which a conversation was announced in another one, as FTP announces where a file will pass.
type appointment struct {
	table Table
	end   Endpoint
}

// maxAwaited bounds the ends remembered.
const maxAwaited = 1 << 20

// Await says that what an end sends and gets over a transport, TableTCP or TableUDP, is the protocol's that Inside found:
// a packet announced it. It goes before ports and guesses, and counts for conversations that nobody knows yet. Zero is
// nothing. It counts in the first pass.
func (d *D) Await(t Table, e Endpoint, in Inner) {
	if !d.first || d.quoted || in == 0 || len(d.s.awaited) >= maxAwaited {
		return
	}
	d.s.awaited[appointment{t, e}] = uint16(in - 1)
}

// byAppointment asks what was announced of the two ends, after what people said of their ports.
func (d *D) byAppointment(c *Conversation, t Table, srcPort, dstPort uint16) bool {
	if t != c.Transport {
		return false
	}
	for _, port := range [...]uint16{dstPort, srcPort} {
		if _, ok := d.s.decodeAs[Key{t, uint32(port)}]; ok {
			return false
		}
	}
	for _, e := range [...]Endpoint{d.Dst, d.Src} {
		if id, ok := d.s.awaited[appointment{t, e}]; ok {
			d.claim(c, id, ByAppointment)
			return true
		}
	}
	return false
}

// HandOver gives the conversation's stream to the protocol under a number of a table, both ways and from the next message
// on, as mail servers do after STARTTLS. It counts in the first pass, for the protocol that the stream belongs to: what
// TLS carries cannot give it away.
func (d *D) HandOver(t Table, key uint32) {
	c := d.conv
	if !d.first || d.quoted || c == nil || c.plugin != d.plugin {
		return
	}
	if in := d.Inside(t, key); in != 0 {
		c.former, c.plugin, c.reason = Inner(c.plugin+1), uint16(in-1), ByStream
	}
}

// Former is the protocol that handed the conversation's stream over, which goes on inside the one that took it. It serves
// the first pass; zero is none.
func (d *D) Former() Inner {
	if !d.first || d.conv == nil {
		return 0
	}
	return d.conv.former
}
