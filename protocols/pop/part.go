package pop

import (
	"remora/dissect"
	"remora/protocols/internal/mail"
	"remora/protocols/internal/tables"
)

// part shows a part of a message. With the last the message is read whole.
func part(d *dissect.D, n note) {
	d.SetKind(fKind, kindData)
	size := d.Left()
	mail.Lines(d, fData, size)
	if n.Part == mail.OnePart {
		if d.Info().Wanted() {
			d.Info().Setf("S: DATA fragment, %d bytes", size)
		}
		d.Skip(size)
		d.Links().ShowForward(fParts.In)
		return
	}
	size -= len(mail.Dot)
	switch {
	case n.Whole.Count > 0:
		fParts.Join(d, n.Whole, func() { letter(d, false) })
	case n.Whole.Size == 0: // it came in this packet alone
		d.Within(size, func() { letter(d, n.Quiet) })
		d.Skip(len(mail.Dot))
		return
	}
	d.Skip(size + len(mail.Dot))
}

// letter reads a message, and names its format in the Protocol column unless the answer that brings it stands there
// already.
func letter(d *dissect.D, quiet bool) {
	if quiet {
		d.Info().Suppress(func() { d.Next(tables.Message, 0) })
		return
	}
	mail.Letter(d, "POP/IMF")
}
