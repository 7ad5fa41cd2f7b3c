package touhou

import (
	"fmt"

	"remora/dissect"
)

var (
	fChain = proto.Uint32("chain", "Spectator value",
		"1 and 3 for each spectator in the sender's subtree, itself included; the first of a link may be uninitialised.").
		Format(chainText)
	fSpectators = proto.Uint8("spectators", "Spectators", "Spectators in the sender's subtree, by the value it sent.").
			Derived()
	fKnown = proto.Uint8("spectators.known", "Spectators known",
		"Spectators in the sender's subtree, as far as this capture shows them.").Derived()
	fParent = proto.String("parent", "Parent",
		"The program above the sender in the spectator tree (above the receiver, where the packet makes it a child).").
		Derived()
	fChildren = proto.Uint8("children", "Children", "Programs directly below the parent that the packet is about.").
			Derived()
	fDepth = proto.Uint8("depth", "Depth",
		"Steps from the host down to the child that the packet is about: the client is 1.").Derived()
	fSilence = proto.Uint32("chain.silence", "Silence",
		"How long no CHAIN came this way, where that is more than three seconds.").Derived().In("ms")
	fLost = proto.String("child.lost", "Lost child",
		"A child of the sender that sent no CHAIN for more than five seconds.").Derived()

	nLost    = proto.Expert("chain.lost", dissect.Hint, "A child sent no CHAIN for more than five seconds: it is lost")
	nCrowded = proto.Expert("children.many", dissect.Chat,
		"More children than the game gives: one to host and client, four to a spectator; perhaps some left unseen")
	nSilence  = proto.Expert("chain.late", dissect.Hint, "No CHAIN for more than three seconds: the link looked dead")
	nGarbage  = proto.Expert("chain.uninitialised", dissect.Chat, "The spectator value is not initialised")
	nDisagree = proto.Expert("chain.disagrees", dissect.Hint,
		"The spectator value says fewer spectators than this capture shows")
	nUnseen = proto.Expert("chain.unseen", dissect.Chat,
		"The spectator value says more spectators than this capture shows: it does not see all links")
)

// maxSpectators is the largest number of spectators that is believed.
const maxSpectators = 200

// spectatorsOf is the number of spectators that a CHAIN value stands for.
func spectatorsOf(v uint32) (n uint32, ok bool) {
	if v == 0 || (v-1)%3 != 0 || (v-1)/3 > maxSpectators {
		return 0, false
	}
	return (v - 1) / 3, true
}

func chainText(v uint64) string {
	if _, ok := spectatorsOf(uint32(v)); !ok {
		return fmt.Sprintf("not initialised (0x%08x)", v)
	}
	return fmt.Sprint(v)
}

// dissectChain reads a CHAIN (5 bytes): the spectator count value.
func dissectChain(d *dissect.D) {
	v := uint32(d.Uint(fChain))
	if d.Short() {
		return
	}
	count, ok := spectatorsOf(v)
	lost := remember(d, &lostNotes, func(w *world) lostNote { return w.lose(d) })
	n := remember(d, &chainNotes, func(w *world) chainNote { return w.chain(d, count, ok) })
	if n.silence > 0 {
		d.Set(fSilence, uint64(n.silence))
		d.Expert(nSilence)
	}
	if lost.child != (dissect.Endpoint{}) {
		d.SetText(fLost, lost.child.String())
		d.ExpertText(nLost, lost.child.String()+" sent no CHAIN for more than five seconds: it is lost")
	}
	if !ok {
		d.Expert(nGarbage)
		d.Info().Set("not initialised")
		return
	}
	d.Set(fSpectators, uint64(count))
	if n.inTree {
		d.Set(fKnown, uint64(n.known))
	}
	if n.disagrees {
		note := nDisagree
		if count > uint32(n.known) {
			note = nUnseen // packets of those further down are not in this capture
		}
		d.ExpertText(note, fmt.Sprintf("The value says %d spectators, this capture shows %d", count, n.known))
	}
	if d.Info().Wanted() {
		switch count {
		case 0:
			d.Info().Setf("no spectators")
		case 1:
			d.Info().Setf("1 spectator")
		default:
			d.Info().Setf("%d spectators", count)
		}
	}
}

// showTree shows the position in the spectator tree that the packet is about.
func showTree(d *dissect.D, n linkNote) {
	if n.parent == (dissect.Endpoint{}) {
		return
	}
	if d.Wanted(fParent) {
		d.SetText(fParent, n.parent.String())
	}
	d.Set(fChildren, uint64(n.children))
	if n.flags&flagCrowded != 0 {
		d.Expert(nCrowded)
	}
	if n.depth > 0 {
		d.Set(fDepth, uint64(n.depth))
	}
}
