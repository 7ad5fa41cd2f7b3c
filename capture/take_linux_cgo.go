//go:build cgo && linux

package capture

/*
#include <stdlib.h>
#include <stdint.h>
#include <string.h>
#include <pcap.h>

struct taken {
	int64_t sec, frac;
	uint32_t caplen, len;
	uint32_t at; // of its bytes in the batch's
};

// A batch is some packets with a copy of their bytes. Going from Go to C and back costs as much as a packet itself, so
// many come at once; libpcap copies, too, when asked for one packet.
struct batch {
	int n, max, failed;
	uint32_t used;
	struct taken *packets; // max of them
	unsigned char *bytes;  // max times the snapshot length, used from the front
	uint32_t snap;
};

static void keep(u_char *user, const struct pcap_pkthdr *h, const u_char *data) {
	struct batch *b = (struct batch *)user;
	if (b->n >= b->max) return;
	struct taken *t = &b->packets[b->n++];
	t->sec = h->ts.tv_sec;
	t->frac = h->ts.tv_usec;
	t->caplen = h->caplen < b->snap ? h->caplen : b->snap;
	t->len = h->len;
	t->at = b->used;
	memcpy(b->bytes + b->used, data, t->caplen);
	b->used += t->caplen;
}

// take fetches what is there, at most a batch. It returns the number of packets, or what pcap_dispatch says when there
// is none. A failure behind some packets is told the next time.
static int take(pcap_t *p, struct batch *b) {
	int r = b->failed;
	b->n = 0;
	b->used = 0;
	b->failed = 0;
	if (r < 0) return r;
	r = pcap_dispatch(p, b->max, keep, (u_char *)b);
	if (b->n == 0) return r;
	if (r < 0) b->failed = r;
	return b->n;
}

#cgo noescape take
#cgo nocallback take
*/
import "C"

import (
	"context"
	"errors"
	"os"
	"reflect"
	"syscall"
	"time"
	"unsafe"

	"github.com/google/gopacket/pcap"
	"golang.org/x/sys/unix"
)

// A ringTaker takes packets from a handle that gopacket has opened. gopacket waits for packets in C, which keeps
// the runtime's monitor thread busy: three percent of a core on a silent interface. Here the goroutine waits in the
// runtime's own poller, wakes up when the kernel hands over packets, and can be told to stop at once.
type ringTaker struct {
	p    *C.pcap_t
	b    *C.struct_batch
	read int   // packets of the batch handed on
	unit int64 // nanoseconds per unit of the fraction
	f    *os.File
	conn syscall.RawConn
	ctx  context.Context
}

// newTaker falls back to gopacket's own way where this one is not to be had.
func newTaker(ctx context.Context, h *pcap.Handle) taker {
	field := reflect.ValueOf(h).Elem().FieldByName("cptr")
	if !field.IsValid() || field.Kind() != reflect.Pointer || field.IsNil() {
		return &plainTaker{h}
	}
	r := &ringTaker{p: (*C.pcap_t)(field.UnsafePointer()), ctx: ctx, unit: 1000}
	fd, err := unix.FcntlInt(uintptr(C.pcap_get_selectable_fd(r.p)), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return &plainTaker{h}
	}
	r.f = os.NewFile(uintptr(fd), "packets")
	if r.conn, err = r.f.SyscallConn(); err == nil {
		err = r.f.SetReadDeadline(time.Time{}) // refused when the runtime cannot wait for this descriptor
	}
	if err != nil {
		r.f.Close()
		return &plainTaker{h}
	}
	if C.pcap_get_tstamp_precision(r.p) == C.PCAP_TSTAMP_PRECISION_NANO {
		r.unit = 1
	}
	if r.b = newBatch(r.p); r.b == nil {
		r.f.Close()
		return &plainTaker{h}
	}
	context.AfterFunc(ctx, func() { r.f.SetReadDeadline(time.Unix(1, 0)) })
	return r
}

func (r *ringTaker) close() {
	r.f.Close()
	freeBatch(r.b)
}

// The longest batch, in packets, and about how many bytes it reserves. Pages that no packet touches take no memory.
const (
	batchPackets = 256
	batchBytes   = 8 << 20
)

// newBatch makes room for packets of the handle's snapshot length, or returns nil when there is none.
func newBatch(p *C.pcap_t) *C.struct_batch {
	snap := max(1, int(C.pcap_snapshot(p)))
	if snap > maxCapLen {
		return nil
	}
	n := max(1, min(batchPackets, batchBytes/snap))
	b := (*C.struct_batch)(C.calloc(1, C.sizeof_struct_batch))
	if b == nil {
		return nil
	}
	b.max, b.snap = C.int(n), C.uint32_t(snap)
	b.packets = (*C.struct_taken)(C.calloc(C.size_t(n), C.sizeof_struct_taken))
	b.bytes = (*C.uchar)(C.malloc(C.size_t(n) * C.size_t(snap)))
	if b.packets == nil || b.bytes == nil {
		freeBatch(b)
		return nil
	}
	return b
}

func freeBatch(b *C.struct_batch) {
	C.free(unsafe.Pointer(b.packets))
	C.free(unsafe.Pointer(b.bytes))
	C.free(unsafe.Pointer(b))
}

// take fetches the next batch when the last one is handed on whole.
func (r *ringTaker) take() C.int {
	r.read = 0
	return C.take(r.p, r.b)
}

func (r *ringTaker) next(patience time.Duration) (p livePacket, err error) {
	if r.read >= int(r.b.n) {
		got := r.take()
		if got == 0 {
			if got, err = r.wait(patience); err != nil {
				return p, err
			}
		}
		if got < 0 {
			return p, errors.New(C.GoString(C.pcap_geterr(r.p)))
		}
	}
	t := &unsafe.Slice(r.b.packets, int(r.b.n))[r.read]
	r.read++
	return livePacket{
		data: unsafe.Slice((*byte)(unsafe.Pointer(r.b.bytes)), int(r.b.used))[t.at : t.at+t.caplen : t.at+t.caplen],
		time: int64(t.sec)*second + int64(t.frac)*r.unit, len: uint32(t.len),
	}, nil
}

// wait sits in the runtime's poller until a packet is there or patience ends. The attempt belongs inside: packets
// that come between an attempt and the wait would be slept over otherwise.
func (r *ringTaker) wait(patience time.Duration) (got C.int, err error) {
	r.f.SetReadDeadline(time.Now().Add(patience))
	if r.ctx.Err() != nil { // asked to stop before the deadline was moved
		return 0, errSilence
	}
	err = r.conn.Read(func(uintptr) bool {
		got = r.take()
		return got != 0
	})
	if err == nil {
		return got, nil
	}
	if got = r.take(); got != 0 { // an interface that is gone is noticed by asking
		return got, nil
	}
	return 0, errSilence
}
