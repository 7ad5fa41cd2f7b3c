package pop

import (
	"bytes"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

// maxLines bounds the lines of a message that are shown one by one, maxShown its parts.
const (
	maxLines = 1000
	maxShown = 1000
)

// part shows a part of a message. With the last the message is read whole.
func part(d *dissect.D, n note) {
	d.SetKind(fKind, kindData)
	size := d.Left()
	showLines(d)
	if n.Part == partOf {
		if d.Info().Wanted() {
			d.Info().Setf("S: DATA fragment, %d bytes", size)
		}
		d.Skip(size)
		d.Links().ShowForward(fWhole)
		return
	}
	size -= len(dot)
	switch {
	case n.Count > 0:
		together(d, n)
		d.Skip(size + len(dot))
	case n.Size == 0 && size > 0: // it came in this packet alone
		d.Within(size, func() { letter(d, n.Quiet) })
		d.Skip(len(dot))
	default:
		d.Skip(size + len(dot))
	}
}

// showLines shows the lines of the part.
func showLines(d *dissect.D) {
	if !d.Wanted(fData) {
		return
	}
	b, at := d.Data(), d.Pos()
	for n, p := 0, (dissect.Progress{}); len(b) > 0 && p.Down(len(b)); n++ {
		size := bytes.IndexByte(b, '\n') + 1
		if size == 0 || n >= maxLines {
			size = len(b)
		}
		d.Put(fData, 0, at, size)
		at, b = at+size, b[size:]
	}
}

// letter reads a message, and names its format behind this protocol in the Protocol column, unless the answer that brings it
// stands there already.
func letter(d *dissect.D, quiet bool) {
	if quiet {
		d.Info().Suppress(func() { d.Next(tables.Message, 0) })
		return
	}
	if d.Next(tables.Message, 0) {
		d.Info().KeepProtocol()
		d.Info().Protocol("POP/IMF")
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
		d.In(fParts, func() {
			at := 0
			for _, r := range places[:min(len(places), maxShown)] {
				d.Put(fPartIn, uint64(r.In), at, int(r.Len))
				at += int(r.Len)
			}
			d.Set(fCount, uint64(n.Count))
			d.Set(fLength, uint64(n.Size))
		})
		if d.More() {
			letter(d, false)
		}
	})
}
