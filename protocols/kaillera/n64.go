package kaillera

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"

	"remora/dissect"
)

var (
	fN64Form = proto.Uint8("n64.form", "N64 input",
		"What Project64k's input of 24 bytes holds: 0x20 controller words behind a header of 12 bytes, 0x21 raw.").Hex().
		Named(dissect.Values{0x20: "controllers", 0x21: "raw"})
	fN64Pad = proto.Uint16("n64.buttons", "Buttons",
		"Buttons of an N64 controller, as its two bytes in the order of the wire.").BE().Hex().
		Format(func(v uint64) string { return fmt.Sprintf("%s (0x%04x)", n64Text(uint16(v)), v) })
	fN64X = proto.Int8("n64.x", "Stick X", "The stick to the left (negative) and right.")
	fN64Y = proto.Int8("n64.y", "Stick Y", "The stick down (negative) and up.")
)

// n64Width is the input of Project64k and its kind, per player and frame.
const (
	n64Width  = 24
	n64Header = 12
)

// n64Buttons are the bits of the two button bytes from the highest down.
var n64Buttons = [16]string{"A", "B", "Z", "Start", "↑", "↓", "←", "→", "?80", "?40", "L", "R", "C↑", "C↓", "C←", "C→"}

func n64Text(v uint16) string {
	if v == 0 {
		return "·"
	}
	var out []string
	for i, name := range n64Buttons {
		if v&(0x8000>>i) != 0 {
			out = append(out, name)
		}
	}
	return strings.Join(out, " ")
}

// isController reports whether an input has the form that Project64k gives it.
func isController(raw []byte) bool {
	return len(raw) == n64Width && (raw[0] == 0x10 || raw[0] == 0x11) && (raw[1] == 0x20 || raw[1] == 0x21)
}

// n64Line is what the players hold in one frame, for the Info column: buttons and stick of each player's first
// controller.
func n64Line(data []byte) string {
	var out []string
	for at, p := 0, (dissect.Progress{}); at+n64Width <= len(data) && p.Up(at); at += n64Width {
		raw := data[at : at+n64Width]
		switch {
		case zero(raw):
			out = append(out, "zero")
		case !isController(raw) || raw[1] != 0x20:
			out = append(out, hex.EncodeToString(raw[:6])+"…")
		default:
			text := n64Text(binary.BigEndian.Uint16(raw[n64Header:]))
			if x, y := int8(raw[n64Header+2]), int8(raw[n64Header+3]); x != 0 || y != 0 {
				text += fmt.Sprintf(" (%d, %d)", x, y)
			}
			out = append(out, text)
		}
	}
	return strings.Join(out, " / ")
}

// controller shows the buttons of an input of the width and form that Project64k has, below its bytes.
func controller(d *dissect.D, raw []byte) {
	if !isController(raw) {
		return
	}
	at := d.Pos() - n64Width
	d.Put(fN64Form, uint64(raw[1]), at+1, 1)
	if raw[1] != 0x20 {
		return
	}
	for k := n64Header; k+4 <= n64Width; k += 4 {
		if k > n64Header && zero(raw[k:k+4]) {
			continue
		}
		d.Put(fN64Pad, uint64(binary.BigEndian.Uint16(raw[k:])), at+k, 2)
		d.Put(fN64X, uint64(int64(int8(raw[k+2]))), at+k+2, 1)
		d.Put(fN64Y, uint64(int64(int8(raw[k+3]))), at+k+3, 1)
	}
}
