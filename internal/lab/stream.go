package lab

import "fmt"

// Framing is how the messages of a stream are told apart: a number at an offset of each says how long it is.
type Framing struct {
	Off, Size int
	Little    bool
	Plus      int // bytes of a message beyond the number
}

// String is the framing in words.
func (f Framing) String() string {
	order := "big-endian"
	if f.Little {
		order = "little-endian"
	}
	return fmt.Sprintf("a length of %d bytes, %s, at byte %d, and %d bytes more", f.Size, order, f.Off, f.Plus)
}

// Frame finds the framing of streams: one by which most of them fall into whole messages.
func Frame(streams [][]byte) (Framing, bool) {
	best, most := Framing{}, 0
	for off := range 9 {
		for _, size := range []int{4, 2, 1} {
			for _, little := range []bool{true, false} {
				for plus := 0; plus <= off+size+8; plus++ {
					f := Framing{off, size, little, plus}
					if n := f.evidence(streams); n > most {
						best, most = f, n
					}
				}
				if size == 1 {
					break
				}
			}
		}
	}
	return best, most >= 64
}

// evidence is how many bits speak for the framing: numbers of four bytes are hardly ever as small as a length is by
// chance, those of one byte always are; and a stream rarely ends where a message does.
func (f Framing) evidence(streams [][]byte) (bits int) {
	whole, other, all := 0, 0, 0
	for _, b := range streams {
		all += len(b)
		n, left := f.Cut(b)
		if len(n) == 0 || left > maxLeft {
			other += len(b)
			continue
		}
		bits += len(n) * max(0, 8*f.Size-12)
		if left == 0 {
			whole++
			bits += 8
		}
	}
	if other*5 > all*2 || f.Size == 1 && whole < len(streams) { // a capture has other streams, too
		return 0
	}
	return bits
}

// holds tells whether some bytes are of the length.
func (f *Framing) holds(off, size int) bool {
	return f != nil && off < f.Off+f.Size && f.Off < off+size
}

// maxLeft is how much of a stream may be left: a message that had not come whole.
const maxLeft = 1500

// Cut parts a stream into messages. What is left at its end belongs to none.
func (f Framing) Cut(b []byte) (messages [][]byte, left int) {
	for len(b) >= f.Off+f.Size {
		n := int(min(value(b, f.Off, f.Size, f.Little), 1<<24)) + f.Plus
		if n < f.Off+f.Size || n > 1<<14 {
			return nil, len(b) + maxLeft
		}
		if n > len(b) {
			break
		}
		messages, b = append(messages, b[:n]), b[n:]
	}
	return messages, len(b)
}
