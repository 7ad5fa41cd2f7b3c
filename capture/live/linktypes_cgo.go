//go:build cgo || windows

package live

import "github.com/google/gopacket/pcap"

// askLinks asks libpcap for the forms in which an interface gives packets.
func askLinks(name string, monitor bool) (l Links, err error) {
	in, err := pcap.NewInactiveHandle(deviceName(name))
	if err != nil {
		return l, openError(name, err)
	}
	defer in.CleanUp()
	l.Monitor = in.SetRFMon(true) == nil
	if monitor && !l.Monitor {
		return l, noMonitor(name)
	}
	if l.Monitor && !monitor {
		if err := in.SetRFMon(false); err != nil {
			return l, openError(name, err)
		}
	}
	h, err := in.Activate()
	if err != nil {
		return l, openError(name, err)
	}
	defer h.Close()
	l.Types, err = typesOf(name, h)
	return l, err
}

// typesOf are the link-layer header types of an interface.
func typesOf(name string, h *pcap.Handle) (list [][2]string, err error) {
	links, err := h.ListDataLinks()
	if err != nil {
		return nil, openError(name, err)
	}
	for _, l := range links {
		list = append(list, [2]string{l.Name, l.Description})
	}
	return list, nil
}

// setLinkType chooses a link-layer header type of an interface.
func setLinkType(name string, h *pcap.Handle, asked string) error {
	have, err := typesOf(name, h)
	if err != nil {
		return err
	}
	known, ok := hasLinkType(have, asked)
	if !ok {
		return noLinkType(name, asked, have)
	}
	if err := setDatalink(h, pcap.DatalinkNameToVal(known)); err != nil {
		return openError(name, err)
	}
	return nil
}
