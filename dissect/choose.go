package dissect

import "slices"

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
	if c.trial > 0 {
		d.try(c)
	}
	if c.plugin == noPlugin {
		if known := d.atHand(c, t, srcPort, dstPort); !known {
			if st := d.tryHeuristics(t); st.plugin != noPlugin { // those of a person go before what is built in
				return st
			}
			d.recognise(c, t)
		}
	} else if !c.owned {
		d.own(c)
	}
	return step{c.plugin, c.reason}
}

// onTrial is how many datagrams that fit, one after the other, are as good as one that says more.
const onTrial = 4

// try has another datagram of a conversation that was taken for its port speak for its protocol, or against it.
func (d *D) try(c *Conversation) {
	p := &d.reg.plugins[c.plugin]
	fits, conf := p.Fits != nil, d.ask(c.plugin)
	if fits && p.Endpoints && c.owned { // it said more than its form
		c.trial = 0
		return
	}
	if fits && conf < Likely {
		if conf = d.form(c.plugin); conf == No {
			c.misfits++
		}
	}
	switch {
	case fits && conf == No && int(c.misfits) <= max(maxMisfits-1, 1+onTrial-int(c.trial)):
	case conf == No:
		c.trial = 0
		d.refuse(c, c.plugin)
		d.s.learn(c, step{c.plugin, ByPort})
		c.plugin, c.reason, c.likely, c.owned = noPlugin, ByTable, noPlugin, false
	case conf == Weak || fits && c.trial > 1:
		c.trial--
	default:
		c.trial = 0
	}
}

// maxMisfits is how many datagrams on trial without the form of its port's protocol say that a conversation is none of
// it, if there are more than those that have it.
const maxMisfits = 2

// refuse says that the conversation is not the protocol of its port. What the capture cut off may have made it that.
func (d *D) refuse(c *Conversation, id uint16) {
	switch {
	case d.CutShort() || c.cut:
		c.doubted = 1 + id
	case c.refused == 0:
		c.refused = 1 + id
	}
}

// onPort tells how far what passes can be the protocol's that its port is of. One that claims ends, and with them other
// conversations, needs two datagrams where each says little.
func (d *D) onPort(c *Conversation, id uint16) (conf Confidence) {
	p := &d.reg.plugins[id]
	if conf = d.form(id); p.Fits != nil || p.Guess == nil {
		if c.misfits >= maxMisfits && c.refused == 1+id {
			return No
		}
		return conf
	}
	turnedOut := (c.refused == 1+id || c.doubted == 1+id) && c.Transport == TableUDP // to be none of it before
	if conf == No || conf == Weak && turnedOut {
		c.pending = 0
		return No
	}
	if conf == Weak && c.Transport == TableUDP {
		seen := 1
		if !c.looked {
			c.looked = true
			conf, seen = d.confirmed(id)
		}
		if p.Endpoints && conf == Weak && seen < 2 && c.pending != 1+id {
			c.pending = 1 + id
			return No
		}
	}
	return conf
}

// form tells what a protocol says of what passes on its own port. Where it says nothing, the port has the word.
func (d *D) form(id uint16) Confidence {
	switch p := &d.reg.plugins[id]; {
	case p.Fits != nil:
		return d.inquire(id, func(d *D) Confidence {
			if p.Fits(d) {
				return Strong
			}
			return No
		})
	case p.Guess == nil:
		return Strong
	}
	return d.ask(id)
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
			if d.form(id) != No {
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

// atHand asks people (decode as), ports and known endpoints, in this order, what an unclaimed conversation is, and
// tells whether they know. Contents come next (see recognise). What it finds belongs to the conversation, never to a
// table.
func (d *D) atHand(c *Conversation, t Table, srcPort, dstPort uint16) bool {
	if st, ok := d.s.late.known[c.beginning()]; ok && st.reason == ByPort && c.First == d.Frame {
		c.refused, c.misfits = 1+st.plugin, maxMisfits
	}
	if len(d.s.expected) > 0 && d.byAnnouncement(c, t, srcPort, dstPort) {
		return true
	}
	if id := d.wasGiven(t, dstPort, srcPort); id != noPlugin {
		d.claim(c, id, ByAnnouncement)
		return true
	}
	return !c.numbered && d.byNumber(c, t, srcPort, dstPort) || c.asked != d.s.claimed && d.byEnds(c)
}

// recognise goes by contents.
func (d *D) recognise(c *Conversation, t Table) {
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
	if t == TableUDP && c.First == d.Frame {
		c.foretold = d.expect(c)
	}
	if id := c.foretold.plugin; id != noPlugin && d.ask(id) >= Weak {
		d.claim(c, id, c.foretold.reason)
	}
}

// byNumber goes by the ports. What is attached to them never changes: where nothing is, they are not looked up again.
func (d *D) byNumber(c *Conversation, t Table, srcPort, dstPort uint16) bool {
	for _, port := range [...]uint16{dstPort, srcPort} {
		if p, ok := d.s.decodeAs[Key{t, uint32(port)}]; ok {
			d.claim(c, p, ByDecodeAs)
			return true
		}
	}
	low, high := min(srcPort, dstPort), max(srcPort, dstPort)
	for _, id := range d.reg.special {
		if d.reg.byPerson(t, low) || d.reg.byPerson(t, high) {
			break
		}
		if d.reg.plugins[id].GuessTCP == (t == TableTCP) && d.ask(id) == Strong {
			d.claim(c, id, ByGuess)
			return true
		}
	}
	attached := 0
	for _, port := range [...]uint16{low, high} {
		for _, id := range d.reg.attached(t, uint32(port)) {
			attached++
			conf := d.onPort(c, id)
			if conf == No {
				if c.pending != 1+id {
					d.refuse(c, id)
				}
				if d.reg.plugins[id].Fits != nil { // who stands behind it knows the port no better
					break
				}
				continue
			}
			d.claim(c, id, ByPort)
			if t == TableUDP && (conf == Weak || d.reg.plugins[id].Fits != nil) {
				c.trial = onTrial
			}
			return true
		}
	}
	c.numbered = attached == 0 && t == c.Transport && srcPort == d.Src.Port && dstPort == d.Dst.Port
	return false
}

// byPerson tells whether a person said what a number of a table is.
func (r *Registry) byPerson(t Table, number uint16) bool {
	if len(r.people) == 0 {
		return false
	}
	list := r.attached(t, uint32(number))
	return len(list) > 0 && slices.Contains(r.people, list[0])
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

func (d *D) ask(id uint16) Confidence { return d.inquire(id, d.reg.plugins[id].Guess) }

func (d *D) inquire(id uint16, g func(d *D) Confidence) Confidence {
	d.step(1)
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
// link to this frame, and another pass may know it (see Session.Learn).
func (d *D) claim(c *Conversation, id uint16, why Reason) {
	c.plugin, c.reason = id, why
	if c.First != d.Frame && c.Transport == TableUDP {
		d.tell(fKnownIn, c.First, d.Frame)
		if why != ByPort {
			d.s.learn(c, step{id, why})
		}
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

// unlikes keeps 1 + the protocol that the frame says its conversation is not.
var unlikes = NewStore[struct{}, uint16]()

// showUnlike says once in a conversation of data which protocol it is not, although its port is that one's.
func (d *D) showUnlike() {
	if d.conv == nil || d.quoted || d.lazy || !d.first && !d.Wanted(fUnlike) && !d.want.everywhere {
		return
	}
	c := d.conv
	note := unlikes.FirstPassIn(d, func(*struct{}) uint16 {
		if c.unlike || d.mayBecome(c) {
			return 0
		}
		c.unlike = c.refused != 0
		return c.refused
	})
	if note != 0 {
		text := ""
		if !d.bare {
			text = "Not " + d.reg.plugins[note-1].Protocol.title + ", as its port would have it"
		}
		d.ExpertText(fUnlike, text)
	}
}

// mayBecome tells whether the bytes of a stream so far are too few to say what it is not.
func (d *D) mayBecome(c *Conversation) bool {
	m := c.more.Load()
	return c.Transport == TableTCP && m != nil && m.streams[d.Dir] != nil && len(m.streams[d.Dir].early) > 0
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

// because says why the layer was dissected as it was: by what stands in it, where the plugin says so.
func (d *D) because(p *Plugin, why Reason) string {
	if p.Evidence != nil && why != ByDecodeAs {
		if text := p.Evidence(d); text != "" {
			return why.String() + "; here: " + text
		}
	}
	return why.String()
}
