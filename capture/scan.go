package capture

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
)

// The scanners here are our own and not gopacket's pcapgo: the index needs the offset of every packet, nothing of
// its bytes, and must cope with what damaged files hold. Walking a window of the file costs a few nanoseconds a
// packet and no allocation; pcapgo copies each packet, gives no offsets and stops at the first oddity.

// A format walks the records of one file format.
type format interface {
	// scan takes whole records from buf, which begins at file offset off, and appends their packets. It returns
	// how many bytes it is done with, which may lie behind the end of buf when a record can be passed unread,
	// and, when a record is cut by the end of buf, how many bytes from done on it needs to go on.
	scan(buf []byte, off int64) (done int64, need int, err error)
}

// ErrEnough says that a stop rule holds: what was handed over is kept, nothing more is wanted.
var ErrEnough = errors.New("enough packets")

// damage ends a scan with a notice: what came before stays.
type damage struct{ text string }

func (d damage) Error() string { return d.text }

func damaged(format string, args ...any) error { return damage{fmt.Sprintf(format, args...)} }

// newFormat recognizes a capture file by its first bytes, of which four are enough. It returns nil, nil when
// there are too few to say.
func newFormat(ctx context.Context, s *Store, head []byte) (format, error) {
	if len(head) < 4 {
		return nil, nil
	}
	out := &sink{s: s, ctx: ctx}
	if s.opt.Filter != "" {
		out.filter = &fileFilter{expr: s.opt.Filter}
	}
	if s.opt.Pace > 0 {
		out.pace = newPace(s.opt.Pace)
		s.pace.Store(out.pace)
	}
	if binary.BigEndian.Uint32(head) == blockSection {
		return &pcapng{sink: out}, nil
	}
	if f, ok := newPcap(out, head); ok {
		return f, nil
	}
	return nil, errNotCapture
}

var errNotCapture = errors.New("not a capture")

// A sink is where the scanners put packets: the place of the filter, the pace and the count.
type sink struct {
	s      *Store
	ctx    context.Context
	filter *fileFilter
	pace   *pace
}

// packet appends one packet. data are its bytes, off their place. It returns ErrEnough when the wanted number is
// reached.
func (k *sink) packet(time int64, iface int, off int64, length uint32, data []byte) error {
	if k.filter != nil || k.pace != nil {
		if keep, err := k.hold(time, iface, length, data); !keep {
			return err
		}
	}
	if k.s.Len()&1023 == 0 && !k.s.wait(k.ctx) {
		return k.ctx.Err()
	}
	if off >= maxOffset {
		return damaged("the file is longer than 256 TiB: the packets from offset %d on are not shown", off)
	}
	if !k.s.append(time, iface, off, uint32(len(data)), length) || k.s.full() {
		return ErrEnough
	}
	return nil
}

// hold applies the capture filter and waits for the packet's moment.
func (k *sink) hold(time int64, iface int, length uint32, data []byte) (keep bool, err error) {
	if k.filter != nil && !k.filter.match(k.s, k.s.ifaces.all()[iface].LinkType, length, data) {
		return false, nil
	}
	if k.pace != nil {
		k.s.wake()
		if !k.pace.wait(k.ctx, time) {
			return false, k.ctx.Err()
		}
	}
	return true, nil
}

// Reading of both byte orders; the flag is a branch that always goes the same way.
func u16(b []byte, big bool) uint16 {
	if big {
		return binary.BigEndian.Uint16(b)
	}
	return binary.LittleEndian.Uint16(b)
}

func u32(b []byte, big bool) uint32 {
	if big {
		return binary.BigEndian.Uint32(b)
	}
	return binary.LittleEndian.Uint32(b)
}
