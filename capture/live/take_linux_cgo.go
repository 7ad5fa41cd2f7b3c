//go:build cgo && linux

package live

/*
#include <endian.h>
#include <stdlib.h>
#include <stdint.h>
#include <string.h>
#include <pcap.h>

// A batch is some packets as enhanced packet blocks of pcapng, one behind the other. Going from Go to C and back costs
// as much as a packet itself, so many come at once.
struct batch {
	int n, max, failed;
	uint32_t used, iface, snap;
	int64_t unit;         // nanoseconds per unit of the fraction
	int64_t last;         // time of the last packet
	unsigned char *bytes; // max times the longest block, used from the front
};

static void keep(u_char *user, const struct pcap_pkthdr *h, const u_char *data) {
	struct batch *b = (struct batch *)user;
	if (b->n >= b->max) return;
	uint32_t caplen = h->caplen < b->snap ? h->caplen : b->snap;
	uint32_t padded = (caplen + 3) & ~3u, total = htole32(padded + 32);
	uint64_t at = (uint64_t)((int64_t)h->ts.tv_sec * 1000000000 + (int64_t)h->ts.tv_usec * b->unit);
	uint32_t head[7] = {
		htole32(6), total, htole32(b->iface), htole32((uint32_t)(at >> 32)), htole32((uint32_t)at),
		htole32(caplen), htole32(h->len)};
	unsigned char *p = b->bytes + b->used;
	memcpy(p, head, 28);
	memset(p + 28 + padded - (padded > 0 ? 4 : 0), 0, 4); // padding, when there is some; the rest is written over
	memcpy(p + 28, data, caplen);
	memcpy(p + 28 + padded, &total, 4);
	b->used += padded + 32;
	b->last = (int64_t)at;
	b->n++;
}

// take fetches what is there, at most a batch. It returns the number of packets, or what pcap_dispatch says when there
// is none. A failure behind some packets is returned by the next call.
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

	"remora/capture"
	"remora/capture/pcapfile"
)

// A ringTaker takes packets from a handle that gopacket has opened. gopacket waits for packets in C, which keeps
// the runtime's monitor thread busy: three percent of a core on a silent interface. Here the goroutine waits in the
// runtime's own poller, wakes up when the kernel hands over packets, and can be told to stop at once.
type ringTaker struct {
	p    *C.pcap_t
	b    *C.struct_batch
	fd   C.int
	f    *os.File
	conn syscall.RawConn
	ctx  context.Context
}

// handleOf is libpcap's handle behind gopacket's, or nil.
func handleOf(h *pcap.Handle) *C.pcap_t {
	field := reflect.ValueOf(h).Elem().FieldByName("cptr")
	if !field.IsValid() || field.Kind() != reflect.Pointer || field.IsNil() {
		return nil
	}
	return (*C.pcap_t)(field.UnsafePointer())
}

// setDatalink chooses a link type, by its DLT_ value. Gopacket's own way knows those below 256 alone.
func setDatalink(h *pcap.Handle, dlt int) error {
	if p := handleOf(h); p != nil && C.pcap_set_datalink(p, C.int(dlt)) != 0 {
		return errors.New(C.GoString(C.pcap_geterr(p)))
	}
	return nil
}

// datalink is the link type of a handle, as a DLT_ value.
func datalink(h *pcap.Handle) int {
	if p := handleOf(h); p != nil {
		return int(C.pcap_datalink(p))
	}
	return int(h.LinkType())
}

// newTaker falls back to gopacket's own way where this one is not to be had.
func newTaker(ctx context.Context, h *pcap.Handle, iface int) taker {
	r := &ringTaker{p: handleOf(h), ctx: ctx}
	if r.p == nil {
		return &plainTaker{h: h, iface: iface}
	}
	r.fd = C.pcap_get_selectable_fd(r.p)
	fd, err := unix.FcntlInt(uintptr(r.fd), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return &plainTaker{h: h, iface: iface}
	}
	r.f = os.NewFile(uintptr(fd), "packets")
	if r.conn, err = r.f.SyscallConn(); err == nil {
		err = r.f.SetReadDeadline(time.Time{}) // refused when the runtime cannot wait for this descriptor
	}
	if err != nil {
		r.f.Close()
		return &plainTaker{h: h, iface: iface}
	}
	if r.b = newBatch(r.p, iface); r.b == nil {
		r.f.Close()
		return &plainTaker{h: h, iface: iface}
	}
	context.AfterFunc(ctx, func() { r.f.SetReadDeadline(time.Unix(1, 0)) })
	return r
}

func (r *ringTaker) close() {
	r.f.Close()
	freeBatch(r.b)
}

// batchPackets is the longest batch. Pages of it that no packet touches take no memory.
const batchPackets = 256

// newBatch makes room for packets of the handle's snapshot length, or returns nil when there is none.
func newBatch(p *C.pcap_t, iface int) *C.struct_batch {
	snap := max(1, int(C.pcap_snapshot(p)))
	if snap > capture.MaxCapLen {
		return nil
	}
	b := (*C.struct_batch)(C.calloc(1, C.sizeof_struct_batch))
	if b == nil {
		return nil
	}
	longest := pcapfile.PacketBlockSize(snap)
	b.max, b.snap, b.iface, b.unit = C.int(max(1, min(batchPackets, 64<<20/longest))), C.uint32_t(snap), C.uint32_t(iface),
		1000
	if C.pcap_get_tstamp_precision(p) == C.PCAP_TSTAMP_PRECISION_NANO {
		b.unit = 1
	}
	b.bytes = (*C.uchar)(C.malloc(C.size_t(b.max) * C.size_t(longest)))
	if b.bytes == nil {
		freeBatch(b)
		return nil
	}
	return b
}

func freeBatch(b *C.struct_batch) {
	C.free(unsafe.Pointer(b.bytes))
	C.free(unsafe.Pointer(b))
}

func (r *ringTaker) take() C.int { return C.take(r.p, r.b) }

func (r *ringTaker) next(patience time.Duration) (b packetBatch, err error) {
	got := r.take()
	if got == 0 && patience > 0 {
		if got, err = r.wait(patience); err != nil {
			return b, err
		}
	}
	switch {
	case got == 0:
		return b, errSilence
	case got < 0:
		return b, errors.New(C.GoString(C.pcap_geterr(r.p)))
	}
	return packetBatch{unsafe.Slice((*byte)(unsafe.Pointer(r.b.bytes)), int(r.b.used)), int(r.b.n)}, nil
}

// refuse has the kernel take no more packets. What it holds can still be taken.
func (r *ringTaker) refuse() bool {
	none := []unix.SockFilter{{Code: unix.BPF_RET | unix.BPF_K}}
	prog := &unix.SockFprog{Len: 1, Filter: &none[0]}
	return unix.SetsockoptSockFprog(int(r.fd), unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, prog) == nil
}

// wait waits in the runtime's poller until a packet is there or patience ends. It tries to take one inside the poller's
// callback: a packet that came between a try and the wait would not wake it.
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
