package rpc

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"net/netip"
	"strings"

	"remora/dissect"
)

// A compound is what is read of the operations of one call or reply.
type compound struct {
	shapes  map[uint64]shape
	answers bool
	handle  string // short name of the handle that the operations are about
	text    string // what the Info column says of the operation being read
	done    []operation
}

// An operation is one of a compound, for the Info column.
type operation struct {
	code uint64
	text string
}

// read reads the operations of a compound, as far as their forms are known.
func (c *compound) read(d *dissect.D) {
	for n, more := d.Uint(n4Count), d.Elements(); n > 0 && more.Next(); n-- {
		whole := true
		d.In(n4Op, func() { whole = c.operation(d) })
		if !whole {
			break
		}
	}
	c.setInfo(d)
}

// operation reads one operation and tells whether its end is known.
func (c *compound) operation(d *dissect.D) bool {
	code, status := d.Uint(n4Code), uint64(0)
	if c.text = ""; c.answers {
		if status = d.Uint(n4Status); status != 0 {
			c.text = " Status: " + status4[status]
		}
	}
	whole := status != 0 || c.body(d, code)
	if !whole {
		d.Rest(nRest)
	}
	c.done = append(c.done, operation{code, c.text})
	return whole
}

// body reads the arguments of an operation, or its results.
func (c *compound) body(d *dissect.D, code uint64) bool {
	sort := code
	if c.answers {
		sort |= 1 << 16
	}
	if read := special4[sort]; read != nil {
		return read(c, d)
	}
	s, ok := c.shapes[code]
	for j := 0; j < len(s) && !d.Short(); j++ {
		c.part(d, s[j])
	}
	if code == 20 || code == 4 && c.answers {
		c.text = "" // Wireshark leaves it out of these
	}
	if code == 9 && !c.answers && c.handle != "" {
		c.text = " FH: " + c.handle
	}
	return ok
}

// setInfo says in the Info column what the compound is for.
func (c *compound) setInfo(d *dissect.D) {
	best, first := 9, uint64(0)
	for _, op := range c.done {
		if rank := ranks[op.code]; rank < best {
			best, first = rank, op.code
		}
	}
	if best == 9 {
		return
	}
	d.Set(n4Main, first)
	if !d.Info().Wanted() {
		return
	}
	gap := " "
	for _, op := range c.done {
		if ranks[op.code] == best {
			d.Info().Setf("%s%s%s", gap, opcodes[op.code], op.text)
			gap = " | "
		}
	}
}

// part reads one part of an operation's arguments or results.
func (c *compound) part(d *dissect.D, sort byte) {
	switch sort {
	case 'A':
		v := access(d, nCheck)
		c.addText(d, "%s, [Check: %s]", c.of("FH"), rights(v))
	case 'B':
		known := access(d, nSupport)
		allowed := accessAmong(d, nRights, known)
		if denied := known &^ allowed; denied != 0 {
			c.addText(d, ", [Access Denied: %s]", rights(denied))
		}
		c.addText(d, ", [Allowed: %s]", rights(allowed))
	case 'h':
		c.handle = handle(d)
	case 'n':
		name := opaque(d, fTextLen, n4Name)
		if c.handle != "" {
			c.addText(d, " DH: %s/%s", c.handle, name)
		} else {
			c.addText(d, " %s", name)
		}
	case 's':
		c.state(d)
	case 'o':
		c.addText(d, " Offset: %d", d.Uint(n4Offset))
	case 'c':
		c.addText(d, " Len: %d", d.Uint(n4Count4))
	case 'W':
		c.addText(d, " Len: %d", len(opaque(d, fTextLen, nData)))
	case 'm':
		bitmap(d)
	case 'a':
		values4(d)
	case 'U':
		location(d)
	default:
		simple4(d, sort)
	}
}

// of names the handle that an operation is about.
func (c *compound) of(what string) string {
	if c.handle == "" {
		return ""
	}
	return " " + what + ": " + c.handle
}

// say adds to what the Info column tells of the operation.
func (c *compound) addText(d *dissect.D, format string, args ...any) {
	if d.Info().Wanted() && !d.Short() {
		c.text += fmt.Sprintf(format, args...)
	}
}

// state reads what names something opened or locked, and says its short name.
func (c *compound) state(d *dissect.D) {
	at, b := d.Pos(), d.Bytes(n4StID, 16)
	if d.Short() {
		return
	}
	d.Seek(at)
	d.Below(func() {
		d.Put(n4StHash, uint64(crc16(b)), at, 16)
		d.Uint(n4StSeq)
		d.Bytes(n4State, 12)
		d.Put(n4StMore, uint64(crc32.ChecksumIEEE(b[4:])), at+4, 12)
	})
	c.addText(d, " StateID: 0x%04x", crc16(b))
}

// crc16 is the checksum of X.25, by which Wireshark names what was opened.
func crc16(b []byte) uint16 {
	sum := uint16(0xffff)
	for _, v := range b {
		sum ^= uint16(v)
		for range 8 {
			if sum&1 != 0 {
				sum = sum>>1 ^ 0x8408
			} else {
				sum >>= 1
			}
		}
	}
	return ^sum
}

// location reads where a client is: an address, and a port in two numbers more (RFC 5665 section 5.2.3.3).
func location(d *dissect.D) {
	text := string(opaque(d, fTextLen, n4Addr))
	if parts := strings.Split(text, "."); len(parts) == 6 {
		if a, err := netip.ParseAddr(strings.Join(parts[:4], ".")); err == nil && a.Is4() {
			b := a.As4()
			d.Set(n4IPv4, uint64(binary.BigEndian.Uint32(b[:])))
		}
	}
}

// simple4 reads parts that are one field.
func simple4(d *dissect.D, sort byte) {
	switch sort {
	case 'q':
		d.Uint(n4Seq)
	case 'S':
		d.Uint(n4Stable)
	case 'R':
		opaque(d, fTextLen, nData)
	case 'l':
		opaque(d, fTextLen, nLink)
	case 'i':
		d.Uint(n4Client)
	case 'v':
		d.Uint(n4Verf)
	case 'I':
		opaque(d, fTextLen, n4ID)
	case 'p':
		d.Uint(n4Prog)
	case 'N':
		opaque(d, fTextLen, n4Net)
	case 't':
		d.Uint(n4Ident)
	case 'k':
		d.Uint(n4Cookie)
	case 'V':
		d.Uint(n4CkVerf)
	case 'd':
		d.Uint(n4Dir)
	case 'x':
		d.Uint(n4Max)
	case 'e':
		d.Uint(n4EOF)
	case 'Z':
		d.Bytes(n4Sess, 16)
	case 'L':
		d.Uint(n4Slot)
	case 'H':
		d.Uint(n4High)
	case 'K':
		d.Bool(n4Cache)
	case 'F':
		d.Uint(n4Flags)
	}
}
