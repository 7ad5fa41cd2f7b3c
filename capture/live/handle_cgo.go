//go:build cgo || windows

package live

import (
	"errors"
	"fmt"
	"strings"

	"github.com/google/gopacket/pcap"

	"remora/capture"
	"remora/capture/bpf"
	"remora/capture/pcapfile"
	"remora/internal/suggest"
)

// openInterface opens and activates one interface.
func openInterface(name string, opt capture.Options) (*pcap.Handle, capture.Interface, error) {
	none := capture.Interface{}
	in, err := pcap.NewInactiveHandle(name)
	if err != nil {
		return nil, none, openError(name, err)
	}
	defer in.CleanUp()
	snap := opt.SnapLen
	if snap <= 0 || snap > bpf.MaxSnapLen {
		snap = bpf.MaxSnapLen
	}
	buffer := opt.BufferMiB
	if buffer <= 0 {
		buffer = defaultBufferMiB
	}
	err = errors.Join(in.SetSnapLen(snap), in.SetTimeout(retireAfter), in.SetBufferSize(min(buffer, 1024)<<20),
		in.SetPromisc(!opt.NoPromisc && name != "any"))
	if err != nil {
		return nil, none, &capture.InterfaceError{Name: name, Text: err.Error()}
	}
	if opt.TimeStamps != "" {
		if err := setTimeStamps(in, opt.TimeStamps); err != nil {
			return nil, none, &capture.InterfaceError{Name: name, Text: err.Error()}
		}
	}
	h, err := in.Activate()
	if err != nil && strings.Contains(err.Error(), "promisc") && !opt.NoPromisc {
		opt.NoPromisc = true // a warning in libpcap, an error in gopacket
		return openInterface(name, opt)
	}
	if err != nil {
		return nil, none, openError(name, errors.Join(err, in.Error()))
	}
	link := bpf.LinkType(int(h.LinkType()))
	if opt.Filter != "" {
		if err := h.SetBPFFilter(opt.Filter); err != nil {
			h.Close()
			return nil, none, bpf.NewError(opt.Filter, err.Error())
		}
	}
	i := capture.Interface{Name: name, Filter: opt.Filter, LinkType: link, SnapLen: uint32(snap),
		TimeResolution: pcapfile.TimeResolution, FCSLen: -1}
	describe(&i)
	return h, i, nil
}

// openError tells missing rights, missing interfaces and the rest apart.
func openError(name string, err error) error {
	text := strings.TrimSpace(strings.ReplaceAll(err.Error(), "\n", ": "))
	low := strings.ToLower(text)
	switch {
	case strings.Contains(low, "permission denied") || strings.Contains(low, "not permitted"):
		return &PermissionError{name, "it needs CAP_NET_RAW"}
	case strings.Contains(low, "no such device"):
		return noSuchInterface(name)
	case strings.Contains(low, "not up"):
		return &capture.InterfaceError{Name: name, Text: fmt.Sprintf("it is down: sudo ip link set %s up", quote(name))}
	}
	return &capture.InterfaceError{Name: name, Text: text}
}

func noSuchInterface(name string) error {
	missing := fmt.Sprintf("There is no device named %q", name)
	e := &capture.InterfaceError{Text: missing + " (-D lists them)"}
	var names []string
	if list, err := Interfaces(); err == nil {
		for _, i := range list {
			names = append(names, i.Name)
		}
	}
	if e.Nearest = suggest.List(name, names); len(e.Nearest) == 0 && len(names) > 0 {
		e.Text = missing + "; there are " + strings.Join(names[:min(len(names), 8)], ", ")
	}
	return e
}
