//go:build cgo && linux

package capture

/*
#include <stdlib.h>
#include <stdint.h>
#include <pcap.h>

struct taken {
	int64_t sec, frac;
	uint32_t caplen, len;
	const unsigned char *data;
};

// take is pcap_next_ex with the header unpacked.
static int take(pcap_t *p, struct taken *t) {
	struct pcap_pkthdr *h;
	int r = pcap_next_ex(p, &h, &t->data);
	if (r > 0) {
		t->sec = h->ts.tv_sec;
		t->frac = h->ts.tv_usec;
		t->caplen = h->caplen;
		t->len = h->len;
	}
	return r;
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
	t    *C.struct_taken
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
	r.t = (*C.struct_taken)(C.calloc(1, C.sizeof_struct_taken))
	context.AfterFunc(ctx, func() { r.f.SetReadDeadline(time.Unix(1, 0)) })
	return r
}

func (r *ringTaker) close() {
	r.f.Close()
	C.free(unsafe.Pointer(r.t))
}

func (r *ringTaker) next(patience time.Duration) (p livePacket, err error) {
	got := C.take(r.p, r.t)
	if got == 0 {
		if got, err = r.wait(patience); err != nil {
			return p, err
		}
	}
	if got < 0 {
		return p, errors.New(C.GoString(C.pcap_geterr(r.p)))
	}
	t := r.t
	return livePacket{
		data: unsafe.Slice((*byte)(unsafe.Pointer(t.data)), int(t.caplen)),
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
		got = C.take(r.p, r.t)
		return got != 0
	})
	if err == nil {
		return got, nil
	}
	if got = C.take(r.p, r.t); got != 0 { // an interface that is gone is noticed by asking
		return got, nil
	}
	return 0, errSilence
}
