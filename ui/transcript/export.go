package transcript

import (
	"fmt"
	"io"
	"strings"

	"remora/dissect"
	"remora/dissect/follow"
)

// Write puts a whole conversation into w as it is read: messages as lines of text, hex as a dump, a C array for each
// packet, and as text the bytes themselves. way is as in Script, epoch the time that seconds count from.
func Write(w io.Writer, src Source, r Reading, way int, epoch int64) (total int, err error) {
	for i := range src.Len() {
		u := src.Unit(i)
		if way >= 0 && u.Dir != way {
			continue
		}
		b := u.Data
		switch {
		case r.ShowsMessages():
			b = []byte(messageText(&u, epoch))
		case r == Bytes:
			b = []byte(dump(&u))
		case r == Array:
			b = []byte(array(&u, i+1))
		}
		n, err := w.Write(b)
		if total += n; err != nil {
			return total, err
		}
	}
	return total, nil
}

var arrows = [2]string{"A>B", "B>A"}

// messageText is the messages of a packet as lines: seconds, packet, direction, type, what it says.
func messageText(u *follow.Unit, epoch int64) string {
	head := fmt.Sprintf("%.6f\t%d\t%s\t", float64(u.Time-epoch)/1e9, u.Frame, arrows[u.Dir&1])
	if len(u.Parts) == 0 {
		return head + dissect.Escape(u.Kind) + "\t" + u.Info + "\n"
	}
	var b strings.Builder
	for _, p := range u.Parts {
		b.WriteString(head + dissect.Escape(p.Kind) + "\t" + p.Text + "\n")
	}
	return b.String()
}

// dump is a packet's bytes as lines of hex, below a line that names the packet.
func dump(u *follow.Unit) string {
	if len(u.Data) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "packet %d %s\n", u.Frame, arrows[u.Dir&1])
	for at := 0; at < len(u.Data); at += perLine {
		b.WriteString(Hex(at, u.Data[at:min(len(u.Data), at+perLine)], ".", perLine) + "\n")
	}
	return b.String() + "\n"
}

// array is a packet's bytes as an array in C, named by a number.
func array(u *follow.Unit, number int) string {
	if len(u.Data) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "/* packet %d %s */\nstatic const unsigned char bytes_%d[%d] = {\n", u.Frame, arrows[u.Dir&1], number,
		len(u.Data))
	for at := 0; at < len(u.Data); at += perLine {
		b.WriteString("\t" + cBytes(u.Data[at:min(len(u.Data), at+perLine)]) + "\n")
	}
	return b.String() + "};\n\n"
}
