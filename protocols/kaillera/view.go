package kaillera

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"remora/dissect"
)

// A view is a bundle while it is shown.
type view struct {
	bundle
	note     bundleNote
	many     manyNote
	out      *outcome // in the first pass only
	roster   rosterNote
	role     int
	charset  charset
	rostered bool
	quoted   bool
	info     []string
	stalled  string // what the Info column says of a stall
}

// recall gets the notes, in the first pass by feeding the state.
func (v *view) recall(d *dissect.D) {
	v.note = bundleNotes.FirstPassIn(d, func(*none) bundleNote {
		worlds.FirstPassIn(d, func(w *world) none { v.out = w.take(d, &v.bundle); return none{} })
		return v.out.bundle
	})
	v.role, v.charset = int(v.note.flags&3), charset(v.note.flags>>charsetShift)
	if d.Ends().Transport() == dissect.TableUDP && !d.Quoted() {
		if told := charset(d.Ends().Fact(factCharset)); told != charsetUnknown { // by strings of later frames, too
			v.charset = told
		}
	}
	if v.note.flags&flagMany != 0 {
		v.many = manyNotes.FirstPassIn(d, func(*none) manyNote { return v.out.many })
	}
	rosterNotes.FirstPassIn(d, func(*none) rosterNote { return v.out.roster })
}

// context shows who talks: the role of the sender, the client's name, its game.
func (v *view) context(d *dissect.D) {
	if v.role != fromUnknown {
		d.Set(fFrom, uint64(v.role))
	}
	if !d.WantedOf(proto) {
		return
	}
	if name := v.client(d); name != "" {
		d.SetText(fUserName, name)
	}
	if v.note.roster != 0 && (d.Wanted(fGameName) || d.Wanted(fGameID)) {
		if v.ros(d); v.roster.game.frame != 0 {
			if name, known := v.roster.game.bytes(d); known {
				d.SetText(fGameName, v.charset.decode(name))
			}
		}
	}
}

// client is the name of the client of this conversation.
func (v *view) client(d *dissect.D) string {
	switch v.role {
	case fromClient:
		return d.Ends().Of(d.Src).Name
	case fromServer:
		return d.Ends().Of(d.Dst).Name
	}
	return ""
}

// ros is the roster of the client's game.
func (v *view) ros(d *dissect.D) *rosterNote {
	if !v.rostered && v.note.roster != 0 {
		v.roster, v.rostered = rosterNotes.DataOf(d, v.note.roster), true
	}
	return &v.roster
}

// playerName is what a player is called: the number and, where it is known, the name.
func (v *view) playerName(d *dissect.D, player int) string {
	text := fmt.Sprintf("P%d", player)
	if player >= 1 && player <= maxSeats {
		if r := v.ros(d).names[player-1]; r.frame != 0 {
			if name := v.text(r, d); name != "" {
				text += " " + name
			}
		}
	}
	return text
}

// text is a name that was read in an earlier frame, as far as it is known.
func (v *view) text(r ref, d *dissect.D) string {
	b, _ := r.bytes(d)
	return v.charset.decode(b)
}

// str reads a string. What is no UTF-8 is decoded from the server's character set, as far as that is known by now. The
// text is returned where somebody reads the Info column.
func (v *view) str(d *dissect.D, f *dissect.Field) string {
	n := bytes.IndexByte(d.Data(), 0)
	if n < 0 || v.charset == charsetUnknown || !d.Wanted(f) && !d.Info().Wanted() || plain(d.Data()[:n]) ||
		utf8.Valid(d.Data()[:n]) {
		b := d.CString(f)
		if !d.Info().Wanted() {
			return ""
		}
		return string(b)
	}
	text := v.charset.decode(d.Data()[:n])
	d.PutText(f, text, d.Pos(), n+1)
	d.Skip(n + 1)
	return text
}

// isNew reports whether the receiver had not been sent a message before. Packets that others quote have no state: there
// all is new.
func (v *view) isNew(i int) bool { return v.note.fresh>>i&1 != 0 || v.quoted }

// mark marks a message unless it was marked before: in the datagram that it is repeated from.
func (v *view) mark(d *dissect.D, i int, note *dissect.Field) {
	if v.isNew(i) || v.many.outdated>>i&1 != 0 || v.many.conflicts>>i&1 != 0 {
		d.Expert(note)
	}
}
