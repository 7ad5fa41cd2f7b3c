package touhou

import (
	"fmt"

	"remora/dissect"
)

// A block is the fields of one player in GAME_MATCH (5 + 2n bytes): character, skin, deck id, deck size n, n cards
// of 2 bytes, and whether pressing buttons at once is disabled.
type block struct{ group, character, skin, deck, size, card, single *dissect.Field }

var (
	fCharacter = proto.Uint8("character", "Character", "Character of either player.").Named(characters)
	fCard      = proto.Uint16("card", "Card",
		"A card of either player: 0 to 20 system, 100 and up skill, 200 and up spell cards of the character.")
	hostBlock = newBlock("match.host", "Host")
	clntBlock = newBlock("match.client", "Client")
	fStage    = proto.Uint8("match.stage", "Stage", "Where the match takes place.").Named(stages)
	fMusic    = proto.Uint8("match.music", "Music", "Number of the music; no table of them is known.")
	fSeed     = proto.Uint32("match.seed", "Random seed", "Where both games' random numbers start.").Hex()
	fMatchID  = proto.Uint8("match.id", "Match", "Number of the match in the session, from 1; 0 is none yet.")
	fMatchNo  = proto.Uint8("match.number", "Match number",
		"Which match of the session this prepares, as counted in this capture.").Derived()
)

var nOtherMatch = proto.Expert("match.differs", dissect.Error,
	"The spectator is told another match than the players settled")

func newBlock(name, who string) block {
	return block{
		group: proto.Group(name, who, who+"'s character and deck.").
			Summary(who + "[: {" + name + ".character:name}][, deck of {" + name + ".size}]"),
		character: proto.Uint8(name+".character", "Character", who+"'s character.").Named(characters).Also(fCharacter),
		skin:      proto.Uint8(name+".skin", "Skin", who+"'s palette."),
		deck:      proto.Uint8(name+".deck", "Deck", "Colour of the "+who+"'s deck, 0 to 3."),
		size: proto.Uint8(name+".size", "Deck size",
			"Cards in the deck that follow: 20, or 0 when the receiver knows them.").In("cards"),
		card: proto.Uint16(name+".card", "Card", "A card of the "+who+"'s deck.").Also(fCard),
		single: proto.Uint8(name+".single", "Simultaneous buttons disabled",
			"Whether the "+who+" has pressing buttons at once disabled.").Named(yesNo),
	}
}

// read reads a block. Without facts, character, skin and deck are garbage; without a flag, so is the last byte.
func (b block) read(d *dissect.D, facts, flag bool) (character, cards byte) {
	d.In(b.group, func() {
		if facts {
			character = byte(d.Uint(b.character))
			d.Uint(b.skin)
			d.Uint(b.deck)
		} else {
			d.Bytes(fUninit, 3)
		}
		cards = byte(d.Uint(b.size))
		for i, more := byte(0), d.Elements(); i < cards && more.Next(); i++ {
			d.Uint(b.card)
		}
		if flag {
			d.Uint(b.single)
		} else {
			d.Bytes(fUninit, 1)
		}
	})
	return character, cards
}

// A match is what GAME_MATCH says that is valid.
type match struct {
	toSpectator         bool
	host, client, stage byte
	seed                uint32
	id                  byte
	cut                 bool // the capture has no more than both characters for sure
}

// same reports whether two packets are about the same match.
func (m *match) same(o *match) bool {
	return m.cut || o.cut || m.seed == o.seed && m.host == o.host && m.client == o.client && m.stage == o.stage
}

// dissectMatch reads a GAME_MATCH in one of its three variants: from host to client without the client's deck and
// match id, from client to host with the client's deck alone, and from parent to spectator complete.
func dissectMatch(d *dissect.D, kind uint64, whole []byte) {
	if kind>>8 == clientGame {
		matchOfClient(d, kind)
		return
	}
	var m match
	hostDeck := int(at(whole, 5))
	m.toSpectator = at(whole, 10+2*hostDeck) != 0
	m.host, _ = hostBlock.read(d, true, true)
	m.client, _ = clntBlock.read(d, true, m.toSpectator)
	m.stage = byte(d.Uint(fStage))
	d.Uint(fMusic)
	m.seed = uint32(d.Uint(fSeed))
	if m.toSpectator {
		m.id = byte(d.Uint(fMatchID))
	} else {
		d.Bytes(fUninit, 1)
	}
	if m.cut = d.Short(); m.cut && (!d.CutShort() || len(whole) <= 10+2*hostDeck) {
		return
	}
	if m.toSpectator {
		d.Response(keyReplayAny<<56|uint64(1-d.Dir)<<32, fMatchIn, fRequestIn, fTime)
	}
	n := remember(d, &linkNotes, func(w *world) linkNote { kept := m; return w.match(d, &kept) })
	d.Set(fMatchNo, uint64(n.count))
	if n.flags&flagOtherMatch != 0 {
		d.Expert(nOtherMatch)
	}
	if m.cut {
		d.Info().Setf("%s", m.title())
	} else if d.Info().Wanted() {
		d.Info().Setf("%d: %s, seed %08x%s", n.count, m.title(), m.seed,
			map[bool]string{true: ", to spectator", false: ""}[m.toSpectator])
	}
}

// title is "Cirno vs Suwako at Misty Lake".
func (m *match) title() string {
	if m.cut { // the stage may be missing
		return fmt.Sprintf("%s vs %s", character(m.host), character(m.client))
	}
	return fmt.Sprintf("%s vs %s at %s", character(m.host), character(m.client), stage(m.stage))
}

// matchOfClient reads the client's packet, of which only the deck and its flag mean anything.
func matchOfClient(d *dissect.D, kind uint64) {
	hostBlock.read(d, false, false)
	_, cards := clntBlock.read(d, false, true)
	d.Bytes(fUninit, 7)
	if d.Short() {
		return
	}
	noteScene(d, kind, 0)
	if d.Info().Wanted() {
		d.Info().Setf("the client's deck, %d cards", cards)
	}
}
