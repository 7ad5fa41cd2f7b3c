package smtp

import (
	"remora/dissect"
	"remora/protocols/internal/mail"
)

// part shows a part of what is mailed. With the last the message is read whole.
func part(d *dissect.D, n note) {
	d.SetKind(fKind, content)
	at, size, end := d.Pos(), d.Left(), 0
	if n.Dot {
		end = len(mail.Dot)
	}
	size -= end
	d.Info().Setf("C: DATA fragment, %d bytes", size)
	if n.Part == mail.OnePart {
		mail.Lines(d, fPart, size)
		d.Skip(size)
		d.Links().ShowForward(fParts.In)
		return
	}
	if n.Number != 0 {
		d.Request(uint64(n.Number), fAnswerIn)
	}
	alone := n.Whole.Size == 0 // the whole message came in this packet
	if !alone {
		mail.Lines(d, fPart, size)
		d.Skip(size)
	}
	if n.Dot {
		d.Put(fEnd, 0, at+size, end)
	}
	switch {
	case alone && size > 0:
		d.In(fParts.Group, func() {
			d.Put(fParts.Part, uint64(d.Frame), at, size)
			d.Set(fParts.Count, 1)
			d.Set(fParts.Length, uint64(size))
		})
		d.Within(size, func() { letter(d) })
	case n.Whole.Count > 0:
		fParts.Join(d, n.Whole, func() { letter(d) })
	}
	d.Skip(end)
}

func letter(d *dissect.D) { mail.Letter(d, "SMTP/IMF") }
