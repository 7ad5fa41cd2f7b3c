//go:build cgo || windows

package live

import (
	"errors"
	"strings"

	"github.com/google/gopacket/pcap"

	"remora/capture"
	"remora/capture/bpf"
	"remora/capture/pcapfile"
)

// openInterface opens and activates one interface.
func openInterface(name string, opt capture.Options, _ []program) (device, capture.Interface, error) {
	none := capture.Interface{}
	in, err := pcap.NewInactiveHandle(deviceName(name))
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
	if opt.Monitor {
		if err := in.SetRFMon(true); err != nil {
			return nil, none, noMonitor(name)
		}
	}
	h, err := in.Activate()
	if err != nil && strings.Contains(err.Error(), "promisc") && !opt.NoPromisc {
		opt.NoPromisc = true // a warning in libpcap, an error in gopacket
		return openInterface(name, opt, nil)
	}
	if err != nil {
		return nil, none, openError(name, errors.Join(err, in.Error()))
	}
	if opt.LinkType != "" {
		if err := setLinkType(name, h, opt.LinkType); err != nil {
			h.Close()
			return nil, none, err
		}
	}
	link := bpf.LinkType(datalink(h))
	if opt.Filter != "" {
		if err := h.SetBPFFilter(opt.Filter); err != nil {
			h.Close()
			return nil, none, bpf.NewError(opt.Filter, err.Error())
		}
	}
	i := capture.Interface{Name: name, Filter: opt.Filter, LinkType: link, SnapLen: uint32(snap),
		TimeResolution: pcapfile.TimeResolution, FCSLen: -1}
	describe(&i)
	return pcapDevice{h}, i, nil
}
