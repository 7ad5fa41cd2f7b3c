package kaillera

import (
	"fmt"
	"strings"

	"remora/dissect"
)

var (
	fStall = proto.Uint32("stall", "Stall",
		"How long the server sent no new data to this client: up to this packet, which ends it, or up to now.").Derived().
		In("ms")
	fWait = proto.Group("wait", "Player", "What a player had delivered when the stall was told of.").
		Summary("P{wait.player:raw}[ {wait.name}][: newest frame {wait.frame}][, sent {wait.ago} before][, {wait.late} " +
			"late][, missing: {wait.missing}]")
	fWaitNo  = proto.Uint8("wait.player", "Player", "Number of the player.").Derived()
	fWaitWho = proto.String("wait.name", "Name", "Name of the player.").Derived()
	fWaitF   = proto.Uint32("wait.frame", "Newest frame", "Newest frame that the player sent.").Derived()
	fWaitAgo = proto.Uint32("wait.ago", "Sent before", "How long before this packet the player's newest frame was sent.").
			Derived().In("ms")
	fWaitL = proto.Uint16("wait.late", "Late", "How long the server had been silent when the player's input came.").
		Derived().In("ms")
	fMissing = proto.String("wait.missing", "Missing", "Name of a player whose input the others waited for.").Derived()

	nStalled = proto.Expert("stalled", dissect.Warn, "The server's data stood still")
	nWaiting = proto.Expert("waiting", dissect.Warn, "The server's data stands still")
)

// expertStall shows who was, or is, waited for.
func (v *view) expertStall(d *dissect.D) {
	if v.note.flags&flagStalled == 0 {
		return
	}
	n := stallNotes.FirstPassIn(d, func(*none) stallNote { return v.out.stall })
	note := nWaiting
	if n.over {
		note = nStalled
	}
	d.Set(fStall, uint64(n.ms))
	if !d.Wanted(note) && !d.Info().Wanted() && !d.WantedOf(proto) {
		d.Expert(note)
		return
	}
	text := v.stallText(d, &n)
	d.ExpertText(note, text)
	for i := range int(n.players) {
		d.In(fWait, func() { v.waitFor(d, &n, i) })
	}
	if d.Info().Wanted() {
		v.stalled = strings.ToLower(text[:1]) + text[1:]
	}
}

func (v *view) waitFor(d *dissect.D, n *stallNote, i int) {
	d.Set(fWaitNo, uint64(i+1))
	name := v.playerName(d, i+1)
	if _, bare, ok := strings.Cut(name, " "); ok {
		d.SetText(fWaitWho, bare)
	}
	if n.unseen>>i&1 == 0 {
		d.Set(fWaitF, uint64(n.frames[i]))
		d.Set(fWaitAgo, uint64(n.ago[i]))
	}
	if n.missing>>i&1 != 0 {
		if n.late[i] > 0 {
			d.Set(fWaitL, uint64(n.late[i]))
		}
		d.SetText(fMissing, name)
	}
}

// stallText says in a sentence who was waited for.
func (v *view) stallText(d *dissect.D, n *stallNote) string {
	var who []string
	for i := range int(n.players) {
		if n.missing>>i&1 == 0 {
			continue
		}
		one := v.playerName(d, i+1)
		if n.over {
			one += fmt.Sprintf(", whose input came %d ms after the server's last data", n.late[i])
		}
		who = append(who, one)
	}
	head := fmt.Sprintf("The server sent no new data for %d ms", n.ms)
	switch {
	case len(who) > 0:
		return head + ", waiting for " + strings.Join(who, "; ")
	case n.unseen != 0:
		for i := range int(n.players) {
			if n.unseen>>i&1 != 0 {
				who = append(who, v.playerName(d, i+1))
			}
		}
		return head + ", waiting for the server or for players not captured: " + strings.Join(who, ", ")
	}
	return head + "; nobody's input was missing: the server or the way to the client is at fault"
}
