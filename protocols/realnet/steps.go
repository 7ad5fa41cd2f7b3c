package realnet

import "remora/dissect"

// step moves the connection on, and finds which packet of handshake or linking this one answers.
func (l *link) step(d *dissect.D, v *view, n *packetNote) {
	switch v.kind {
	case kindInit:
		if l.phase == phaseUnknown {
			l.phase, l.begun = phaseHandshaking, d.Time()
			l.join(d)
		}
		l.did(d, stepInit)
	case kindAccept:
		l.accepts(d, n)
	case kindReject:
		if n.from == fromServer {
			l.answers(d, stepInit, n)
		} else {
			l.answers(d, stepAccept, n)
		}
		l.leave(d)
		l.phase = phaseRefused
	case kindAck:
		// An Ack of the Accept tells of it where the server's side was not captured.
		if (l.phase == phaseAccepted || l.phase == phaseHandshaking) && n.from == fromClient && len(v.whole) > 2 &&
			le16(v.whole[1:]) == 1 {
			l.connect(d)
		}
	case kindDisconnection:
		l.disconnects(d, v, n)
	case kindSyncAck:
		l.syncAnswers(d, v, n)
	case kindLinkInit:
		l.did(d, stepLinkInit)
	case kindLinkTable:
		if n.first == 0 {
			l.answers(d, stepLinkInit, n)
		}
		l.did(d, stepTable)
	case kindLinkAccept:
		l.answers(d, stepTable, n)
		if l.phase != phaseLinked && l.phase != phaseClosed && l.phase != phaseRefused {
			l.phase = phaseLinked
			l.enter(d, "linked")
		}
	case kindLinkReject:
		l.answers(d, stepTable, n)
	case kindReplication:
		if l.heard[1-d.Dir] && (l.phase == phaseConnected || l.phase == phaseAccepted) {
			n.flags |= noteNotLinked
		}
	}
	if l.phase == phaseAccepted && n.from == fromClient && v.kind&0xff >= typeSync && v.kind&0xff != typeAck {
		l.connect(d) // it goes on as if connected: its Ack was not captured
	}
}

func (l *link) connect(d *dissect.D) {
	l.phase, l.since = phaseConnected, d.Time()
	l.enter(d, "connected")
}

// did keeps a packet that another one may answer.
func (l *link) did(d *dissect.D, step int) { l.steps[step] = exchange{d.Frame, d.Time()} }

// answers links a packet to the last one of a step.
func (l *link) answers(d *dissect.D, step int, n *packetNote) {
	if e := l.steps[step]; e.frame != 0 {
		n.prev = e.frame
		n.flags |= noteAnswers
		d.Link(e.frame, fAnsweredIn, nil)
	}
}

// accepts takes an Accept: the server's answer to the Init, or as built the client's answer to that.
func (l *link) accepts(d *dissect.D, n *packetNote) {
	if n.from == fromClient {
		l.answers(d, stepAccept, n)
		if l.phase <= phaseAccepted {
			l.connect(d)
		}
		return
	}
	l.answers(d, stepInit, n)
	if k := l.steps[stepInit]; k.frame == 0 { // the Init came before the conversation was known
		lastInits.FirstPass(d, func(k *lastInit) none {
			if k.frame != 0 && k.dir != d.Dir && d.Time()-k.time <= initTime {
				l.steps[stepInit] = exchange{k.frame, k.time}
				l.begun = k.time
			}
			return none{}
		})
		l.answers(d, stepInit, n)
	}
	if l.phase == phaseUnknown {
		l.join(d)
	}
	if l.phase <= phaseHandshaking {
		l.phase = phaseAccepted
	}
	l.did(d, stepAccept)
}

// disconnects ends the connection. A server that answers a packet of a stranger with a notice ends nothing.
func (l *link) disconnects(d *dissect.D, v *view, n *packetNote) {
	if l.stray.frame != 0 && !d.Stream().Cut() && n.first == 0 && n.from == fromServer &&
		d.Time()-l.stray.time <= flyingTime {
		n.prev = l.stray.frame
		n.flags |= noteAnswers | noteNotice
		d.Link(n.prev, fAnsweredIn, nil)
		l.stray = exchange{}
	}
	if v.layout == layoutBuilt && len(v.whole) == 4 && v.whole[3] == 0 &&
		(l.phase == phaseConnected || l.phase == phaseAccepted) {
		l.sendOff(d, v)
	}
	l.leave(d)
	if l.phase != phaseClosed {
		l.closed = closing{d.Time(), d.Dir}
		if l.since != 0 {
			v.times.lasted = d.Time() - l.since
			v.times.flags |= timeLasted
		}
		if l.heard[1-d.Dir] {
			v.rare.open = l.sides[0].unacked(d) + l.sides[1].unacked(d)
		}
	}
	l.phase = phaseClosed
}

// syncAnswers links a Sync Acknowledgement to the sync packet whose number it has
func (l *link) syncAnswers(d *dissect.D, v *view, n *packetNote) {
	if len(v.whole) < 6 {
		return
	}
	if e := l.sides[1-d.Dir].find(le16(v.whole[4:]), d.Time()); e != nil && e.typ == typeSync {
		n.prev, l.clock.asked = e.last, e.lastAt
		n.flags |= noteAnswers
		d.Link(e.last, fAnsweredIn, nil)
	}
}
