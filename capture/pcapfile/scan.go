package pcapfile

import (
	"context"
	"encoding/binary"
	"errors"

	"remora/capture"
	"remora/capture/internal/pcapng"
)

// The scanners here are our own and not gopacket's pcapgo: the index needs the offset of every packet, nothing of
// its bytes, and must cope with what Damaged files hold. Walking a window of the file costs a few nanoseconds a
// packet and no allocation; pcapgo copies each packet, gives no offsets and stops at the first oddity.

// A format walks the records of one file format.
type format interface {
	// scan takes whole records from buf, which begins at file offset off, and appends their packets. It returns
	// how many bytes it is done with, which may lie behind the end of buf when a record can be passed unread,
	// and, when a record is cut by the end of buf, how many bytes from done on it needs to go on.
	scan(buf []byte, off int64) (done int64, need int, err error)
}

// newFormat recognizes a capture file by its first bytes, of which four are enough. It returns nil, nil when
// there are too few to say.
func newFormat(ctx context.Context, a *capture.Appender, head []byte, opt capture.Options) (format, error) {
	if len(head) < 4 {
		return nil, nil
	}
	out := &sink{a: a, ctx: ctx, most: opt.Stop.Packets, paced: opt.Pace > 0}
	if opt.Filter != "" {
		out.filter = &fileFilter{expr: opt.Filter}
	}
	if out.paced {
		a.SetPace(opt.Pace)
	}
	if binary.BigEndian.Uint32(head) == pcapng.BlockSection {
		return &ngScanner{sink: out}, nil
	}
	if f, ok := newPcap(out, head); ok {
		return f, nil
	}
	return nil, ErrNotCapture
}

// ErrNotCapture is the cause of an [Error] about what is no capture.
var ErrNotCapture = errors.New("not a capture")

// A sink is where the scanners put packets: the place of the filter, the pace and the count.
type sink struct {
	a      *capture.Appender
	ctx    context.Context
	filter *fileFilter
	paced  bool
	most   int // packets wanted; 0: all
}

// packet appends one packet. data are its bytes, off their place. It returns ErrEnough when the wanted number is
// reached.
func (k *sink) packet(time int64, iface int, off int64, length uint32, data []byte) error {
	if k.filter != nil || k.paced {
		if keep, err := k.hold(time, iface, length, data); !keep {
			return err
		}
	}
	n := k.a.Len()
	if n&1023 == 0 && !k.a.WaitForReader(k.ctx) {
		return k.ctx.Err()
	}
	if off >= capture.MaxOffset {
		return capture.Damaged("the file is longer than 256 TiB: the packets from offset %d on are not shown", off)
	}
	k.a.Append(time, iface, off, uint32(len(data)), length)
	if k.most > 0 && n+1 >= k.most {
		return capture.ErrEnough
	}
	return nil
}

// hold applies the capture filter and waits for the packet's moment.
func (k *sink) hold(time int64, iface int, length uint32, data []byte) (keep bool, err error) {
	if k.filter != nil && !k.filter.match(k.a, k.a.LinkType(iface), length, data) {
		return false, nil
	}
	if k.paced {
		k.a.Wake()
		if !k.a.Hold(k.ctx, time) {
			return false, k.ctx.Err()
		}
	}
	return true, nil
}
