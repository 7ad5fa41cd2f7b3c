package smtp

import (
	"bytes"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

// part shows a part of what is mailed. With the last the message is read whole.
func part(d *dissect.D, n note) {
	d.SetKind(fKind, content)
	size := d.Left()
	if n.Part == partLast {
		size -= len(dot)
	}
	at := d.Pos()
	if n.Part == partOf || n.Part == partOfChunk {
		d.Info().Setf("C: DATA fragment, %d bytes", size)
		partLines(d, size)
		d.Links().ShowForward(fWhole)
		return
	}
	if n.Number != 0 {
		d.Request(uint64(n.Number), fAnswerIn)
	}
	d.Info().Setf("C: DATA fragment, %d bytes", size)
	alone := n.Size == 0 // the whole message came in this packet
	if !alone && size > 0 {
		partLines(d, size)
	}
	if n.Part == partLast {
		d.Put(fEnd, 0, at+size, len(dot))
	}
	switch {
	case alone && size > 0:
		d.In(fParts, func() {
			d.Put(fPartIn, uint64(d.Frame), at, size)
			d.Set(fCount, 1)
			d.Set(fLength, uint64(size))
		})
		d.Within(size, func() { letter(d) })
	case n.Count > 0:
		together(d, n)
	}
	if n.Part == partLast {
		d.Skip(len(dot))
	}
}

// together reads a message whose parts came in several packets.
func together(d *dissect.D, n note) {
	places := make([]dissect.Place, n.Count)
	for i := range places {
		places[i] = parts.At(d, n.First+uint32(i))
		if i == 0 || places[i].In != places[i-1].In {
			d.Link(places[i].In, fWhole, nil)
		}
	}
	d.From("Reassembled DATA", d.Stream().GatherPlaces(places), func() {
		end := d.Pos() + d.Left()
		d.In(fParts, func() {
			at := 0
			for _, r := range places[:min(len(places), maxShown)] {
				d.Put(fPartIn, uint64(r.In), at, int(r.Len))
				at += int(r.Len)
			}
			d.Set(fCount, uint64(n.Count))
			d.Set(fLength, uint64(n.Size))
		})
		if end > 0 {
			letter(d)
		}
	})
}

// letter reads a message, and names its format behind this protocol in the Protocol column.
func letter(d *dissect.D) {
	if d.Next(tables.Message, 0) {
		d.Info().KeepProtocol()
		d.Info().Protocol("SMTP/IMF")
	}
}

// maxShown bounds the parts that are listed.
const maxShown = 1000

// maxLines bounds the lines of a part that are shown one by one.
const maxLines = 1000

// partLines shows the lines of a part of size bytes.
func partLines(d *dissect.D, size int) {
	end := d.Pos() + size
	for n, more := 0, d.Elements(); d.Pos() < end && more.Next(); n++ {
		b := d.Data()[:end-d.Pos()]
		if i := bytes.IndexByte(b, '\n'); i >= 0 && n < maxLines {
			b = b[:i+1]
		}
		d.Bytes(fPart, len(b))
	}
}
