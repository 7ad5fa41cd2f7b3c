package dissect

// choose decides in the first pass which plugin takes the payload of a conversation.
func (d *D) choose(t Table, srcPort, dstPort uint16) step {
	c := d.conv
	if c == nil {
		return step{noPlugin, ByTable}
	}
	if c.plugin == noPlugin {
		d.recognise(c, t, srcPort, dstPort)
	}
	return step{c.plugin, c.reason}
}

// recognise asks people (decode as), ports, known endpoints and contents, in this order, what an unclaimed
// conversation is. What it finds belongs to the conversation, never to a table.
func (d *D) recognise(c *Conversation, t Table, srcPort, dstPort uint16) {
	for _, port := range [...]uint16{dstPort, srcPort} {
		if p, ok := d.s.decodeAs[Key{t, uint32(port)}]; ok {
			d.claim(c, p, ByDecodeAs)
			return
		}
	}
	low, high := min(srcPort, dstPort), max(srcPort, dstPort)
	for _, port := range [...]uint16{low, high} {
		for _, id := range d.reg.tables[t][uint32(port)] {
			if g := d.reg.plugins[id].Guess; g == nil || d.ask(id) >= Weak {
				d.claim(c, id, ByPort)
				return
			}
		}
	}
	for _, e := range [...]Endpoint{d.Src, d.Dst} {
		if id, ok := d.s.claims[e]; ok && d.ask(id) >= Weak {
			d.claim(c, id, ByEndpoint)
			return
		}
	}
	guesses := d.reg.guessUDP
	if t == TableTCP {
		guesses = d.reg.guessTCP
	}
	likely := uint16(noPlugin)
	for _, id := range guesses {
		switch conf := d.ask(id); {
		case conf == Strong:
			d.claim(c, id, ByGuess)
			return
		case conf == Likely && c.likely == id:
			d.claim(c, id, ByRepetition)
			return
		case conf == Likely && likely == noPlugin:
			likely = id
		}
	}
	c.likely = likely
}

func (d *D) ask(id uint16) Confidence {
	if g := d.reg.plugins[id].Guess; g != nil {
		return g(d)
	}
	return No
}

// claim gives the conversation to a plugin, and its ends too if the plugin lives on endpoints and knows what it saw.
func (d *D) claim(c *Conversation, id uint16, why Reason) {
	c.plugin, c.reason = id, why
	if p := &d.reg.plugins[id]; p.Endpoints && (why == ByGuess || why == ByRepetition || d.ask(id) == Strong) {
		for _, e := range [...]Endpoint{d.Src, d.Dst} {
			if len(d.s.claims) < 1<<20 {
				d.s.claims[e] = id
			}
		}
	}
}
