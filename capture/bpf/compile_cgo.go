//go:build cgo && !windows

package bpf

/*
#cgo LDFLAGS: -lpcap
#include <stdlib.h>
#include <pcap.h>

// match runs a program over one packet.
static int match(struct bpf_program *p, const unsigned char *data, unsigned caplen, unsigned len) {
	return bpf_filter(p->bf_insns, (unsigned char *)data, len, caplen) != 0;
}
*/
import "C"

import (
	"runtime"
	"sync"
	"unsafe"
)

// gopacket's LinkType has eight bits, so its CompileBPFFilter takes LINKTYPE_LINUX_SLL2 (276) for another one.
// These few lines ask libpcap directly.

type program struct{ p *C.struct_bpf_program }

// compileMu is for old libpcap versions, whose compiler is not safe for threads.
var compileMu sync.Mutex

// Compile compiles a capture filter for packets of a LINKTYPE_ and a snapshot length. A mistake comes back
// as a [*Error] with libpcap's own words.
func Compile(linkType, snapLen int, expr string) (*Filter, error) {
	if snapLen <= 0 {
		snapLen = MaxSnapLen
	}
	dead := C.pcap_open_dead(C.int(DLT(linkType)), C.int(snapLen))
	if dead == nil {
		return nil, NewError(expr, "no memory to compile it")
	}
	defer C.pcap_close(dead)
	text := C.CString(expr)
	defer C.free(unsafe.Pointer(text))
	prog := (*C.struct_bpf_program)(C.calloc(1, C.sizeof_struct_bpf_program))
	compileMu.Lock()
	failed := C.pcap_compile(dead, prog, text, 1, C.PCAP_NETMASK_UNKNOWN) < 0
	compileMu.Unlock()
	if failed {
		defer C.free(unsafe.Pointer(prog))
		return nil, NewError(expr, C.GoString(C.pcap_geterr(dead)))
	}
	b := &Filter{Expr: expr, Steps: int(prog.bf_len), prog: program{prog}}
	runtime.AddCleanup(b, func(p *C.struct_bpf_program) {
		C.pcap_freecode(p)
		C.free(unsafe.Pointer(p))
	}, prog)
	return b, nil
}

func (p program) matches(data []byte, length uint32) bool {
	var none [1]byte
	first := &none[0]
	if len(data) > 0 {
		first = &data[0]
	}
	return C.match(p.p, (*C.uchar)(unsafe.Pointer(first)), C.uint(len(data)), C.uint(length)) != 0
}
