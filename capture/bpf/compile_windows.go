package bpf

import (
	"errors"
	"sync"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcap"
)

type program struct{ bpf *pcap.BPF }

// compileMu is for libraries whose compiler is not safe for threads.
var compileMu sync.Mutex

// Compile compiles a capture filter for packets of a LINKTYPE_ and a snapshot length, with Npcap's wpcap.dll. A mistake
// comes back as a [*Error] with its own words.
func Compile(linkType, snapLen int, expr string) (*Filter, error) {
	if err := pcap.LoadWinPCAP(); err != nil {
		return nil, ErrNoLibpcap
	}
	if snapLen <= 0 {
		snapLen = MaxSnapLen
	}
	dlt := DLT(linkType)
	if dlt > 255 { // gopacket's LinkType has eight bits
		return nil, NewError(expr, "packets of this link type cannot be filtered on Windows")
	}
	compileMu.Lock()
	defer compileMu.Unlock()
	b, err := pcap.NewBPF(layers.LinkType(dlt), snapLen, expr)
	var bad *Error
	switch {
	case errors.As(err, &bad):
		return nil, err
	case err != nil:
		return nil, NewError(expr, err.Error())
	}
	return &Filter{Expr: expr, prog: program{b}}, nil
}

func (p program) matches(data []byte, length uint32) bool {
	return p.bpf.Matches(gopacket.CaptureInfo{CaptureLength: len(data), Length: int(length)}, data)
}
