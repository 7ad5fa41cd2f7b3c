package kaillera

import (
	"encoding/hex"
	"fmt"
	"strings"

	"remora/dissect"
)

// frameText is who a message is from or for, and its frames: "P1 f 12". Names are left to the columns of the ends, so
// that the input comes soon.
func (v *view) frameText(d *dissect.D, n *dataNote) string {
	who := v.me(d, "")
	if n.seat > 0 {
		who = fmt.Sprintf("P%d", n.seat)
	}
	if v.role == fromServer {
		who = "to " + who
	}
	if n.connection == 0 {
		return fmt.Sprintf("%s input %d", who, n.count)
	}
	text := fmt.Sprintf("%s f %d", who, n.frames)
	if c := int(n.connection); c > 1 && int(n.frames) >= c {
		text = fmt.Sprintf("%s f %d-%d", who, int(n.frames)-c+1, n.frames)
	}
	return text
}

// sayData writes game data into the Info column, frame by frame where it is short.
func (v *view) sayData(d *dissect.D, i int, n *dataNote, from string, data []byte) {
	if !v.isNew(i) {
		return
	}
	text := "nothing"
	if len(data) > 0 && zero(data) {
		text = "all zero"
	} else if len(data) > 0 {
		text = v.hexText(n, data)
	}
	v.addInfo(d, i, "%s %s%s", v.frameText(d, n), text, from)
}

func (v *view) hexText(n *dataNote, data []byte) string {
	players, frames := v.layout(n, len(data))
	if frames > 0 && n.width == n64Width {
		return n64Line(data[len(data)-players*n64Width:])
	}
	if frames == 0 || len(data) > 24 {
		if len(data) > 12 {
			return hex.EncodeToString(data[:12]) + "…"
		}
		return hex.EncodeToString(data)
	}
	var b strings.Builder
	for k := 0; k < players*frames; k++ {
		if k > 0 && k%players == 0 {
			b.WriteString(" |")
		}
		if k > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(hex.EncodeToString(data[k*int(n.width):][:n.width]))
	}
	return b.String()
}

func plural(n uint64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
