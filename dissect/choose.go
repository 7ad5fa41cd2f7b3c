package dissect

// choose decides in the first pass which plugin takes the payload of a conversation.
func (d *D) choose(t Table, srcPort, dstPort uint16) step {
	c := d.conv
	if c == nil {
		return step{noPlugin, ByTable}
	}
	if t == TableUDP && c.reason != ByDecodeAs {
		for _, id := range d.reg.shared {
			if d.ask(id) == Strong {
				return step{id, ByGuess}
			}
		}
	}
	if c.plugin == noPlugin {
		d.recognise(c, t, srcPort, dstPort)
	} else if !c.owned {
		d.own(c)
	}
	return step{c.plugin, c.reason}
}

// chooseQuoted decides what a datagram that another packet quotes is: by its ports, or by what it surely is. Segments
// are not read, since their stream is not there.
func (d *D) chooseQuoted(t Table, srcPort, dstPort uint16) step {
	if t != TableUDP {
		return step{noPlugin, ByTable}
	}
	for _, port := range [...]uint16{dstPort, srcPort} {
		if p, ok := d.s.decodeAs[Key{t, uint32(port)}]; ok {
			return step{p, ByDecodeAs}
		}
	}
	for _, port := range [...]uint16{min(srcPort, dstPort), max(srcPort, dstPort)} {
		for _, id := range d.reg.attached(t, uint32(port)) {
			if g := d.reg.plugins[id].Guess; g == nil || d.ask(id) >= Weak {
				return step{id, ByPort}
			}
		}
	}
	for _, id := range d.reg.guessUDP {
		if d.ask(id) == Strong {
			return step{id, ByGuess}
		}
	}
	return step{noPlugin, ByTable}
}

// recognise asks people (decode as), ports, known endpoints and contents, in this order, what an unclaimed
// conversation is. What it finds belongs to the conversation, never to a table.
func (d *D) recognise(c *Conversation, t Table, srcPort, dstPort uint16) {
	if len(d.s.expected) > 0 && d.byAnnouncement(c, t, srcPort, dstPort) {
		return
	}
	if !c.numbered && d.byNumber(c, t, srcPort, dstPort) || c.asked != d.s.claimed && d.byEnds(c) {
		return
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

// byNumber goes by the ports. What is attached to them never changes: where nothing is, they are not looked up again.
func (d *D) byNumber(c *Conversation, t Table, srcPort, dstPort uint16) bool {
	for _, port := range [...]uint16{dstPort, srcPort} {
		if p, ok := d.s.decodeAs[Key{t, uint32(port)}]; ok {
			d.claim(c, p, ByDecodeAs)
			return true
		}
	}
	for _, id := range d.reg.special {
		if d.reg.plugins[id].GuessTCP == (t == TableTCP) && d.ask(id) == Strong {
			d.claim(c, id, ByGuess)
			return true
		}
	}
	attached := 0
	low, high := min(srcPort, dstPort), max(srcPort, dstPort)
	for _, port := range [...]uint16{low, high} {
		for _, id := range d.reg.attached(t, uint32(port)) {
			attached++
			if g := d.reg.plugins[id].Guess; g == nil || d.ask(id) >= Weak {
				d.claim(c, id, ByPort)
				return true
			}
		}
	}
	c.numbered = attached == 0 && t == c.Transport && srcPort == d.Src.Port && dstPort == d.Dst.Port
	return false
}

// byEnds goes by what is known of the two ends. They are looked up again once anything new is known of any end.
func (d *D) byEnds(c *Conversation) bool {
	known := false
	for _, e := range [...]Endpoint{d.Src, d.Dst} {
		owner, ok := d.s.claims[e]
		if ok && d.ask(owner.plugin) >= Weak {
			d.s.claims[e] = claim{owner.plugin, d.Frame}
			d.claim(c, owner.plugin, ByEndpoint)
			return true
		}
		known = known || ok
	}
	if !known {
		c.asked = d.s.claimed
	}
	return false
}

func (d *D) ask(id uint16) Confidence {
	d.step(1)
	g := d.reg.plugins[id].Guess
	if g == nil || d.hangs != nil && d.switchedOff(id) {
		return No
	}
	was := d.asking
	d.asking = id
	c := g(d)
	d.asking = was
	d.alive()
	return c
}

// claim gives the conversation to a plugin, and its ends too if the plugin lives on endpoints and knows what it saw.
// Datagrams that passed before stay what they were taken for, since the first pass sees every frame once; they get a
// link to this frame.
func (d *D) claim(c *Conversation, id uint16, why Reason) {
	c.plugin, c.reason = id, why
	if c.First != d.Frame && c.Transport == TableUDP {
		d.tell(fKnownIn, c.First, d.Frame)
	}
	if why == ByGuess || why == ByRepetition {
		d.ownEnds(c)
	} else {
		d.own(c)
	}
}

// own claims the ends of a conversation whose plugin lives on endpoints, once its packets look like it: one that was
// taken for its port may begin with packets that say little.
func (d *D) own(c *Conversation) {
	if !d.reg.plugins[c.plugin].Endpoints {
		c.owned = true
		return
	}
	switch conf := d.ask(c.plugin); {
	case conf == Strong || conf == Likely && c.likely == c.plugin:
		d.ownEnds(c)
	case conf == Likely:
		c.likely = c.plugin
	default:
		c.likely = noPlugin
	}
}

func (d *D) ownEnds(c *Conversation) {
	c.owned = true
	if !d.reg.plugins[c.plugin].Endpoints {
		return
	}
	for _, e := range [...]Endpoint{d.Src, d.Dst} {
		if len(d.s.claims) < maxClaims {
			d.s.claims[e] = claim{c.plugin, d.Frame}
			d.s.claimed++
		}
	}
}

// maxClaims bounds the endpoints that belong to plugins where memory has no limit.
const maxClaims = 1 << 20

// A claim is the plugin that an endpoint belongs to, and the frame that said so last.
type claim struct {
	plugin uint16
	since  FrameNum
}

// showKnown links a datagram that nobody took to the later one that told what its conversation is.
func (d *D) showKnown() {
	if d.first || d.quoted || d.conv == nil || !d.Wanted(fKnownIn) {
		return
	}
	if n := d.told(fKnownIn, d.conv.First); n > d.Frame {
		d.Set(fKnownIn, uint64(n))
	}
}

// Claim says that an end belongs to this plugin, because a packet named it: what it sends and gets is asked for as if
// a strong guess had claimed it. It counts in the first pass.
func (hd *Ends) Claim(e Endpoint) {
	d := (*D)(hd)
	d.claimEnd(e, d.plugin)
}

// ClaimFor is ClaimEnd for another protocol: an end that a packet names for what it sets up.
func (hd *Ends) ClaimFor(p *Protocol, e Endpoint) {
	d := (*D)(hd)
	if !d.first || d.quoted {
		return
	}
	for id := range d.reg.plugins {
		if d.reg.plugins[id].Protocol == p {
			d.claimEnd(e, uint16(id))
			return
		}
	}
}

func (d *D) claimEnd(e Endpoint, plugin uint16) {
	d.alive()
	if !d.first || d.quoted || plugin == noPlugin || len(d.s.claims) >= maxClaims {
		return
	}
	if owner, ok := d.s.claims[e]; ok && owner.plugin == plugin {
		return
	}
	d.s.claims[e] = claim{plugin, d.Frame}
	d.s.claimed++
	d.settle()
}
