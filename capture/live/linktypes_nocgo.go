//go:build !cgo && !windows

package live

import "remora/capture"

// askLinks gives the data link type that an interface is captured with: without libpcap there is one, and no monitor
// mode.
func askLinks(name string, monitor bool) (l Links, err error) {
	if monitor {
		return l, noMonitor(name)
	}
	all, err := Interfaces()
	if err != nil {
		return l, err
	}
	for _, d := range all {
		if d.Name == name {
			text := capture.LinkTypeName(d.LinkType)
			l.Types = [][2]string{{text, text}}
			return l, nil
		}
	}
	return l, noSuchInterface(name)
}

// checkLink refuses forms of packets that an interface does not have.
func checkLink(name string, opt capture.Options) error {
	if !opt.Monitor && opt.LinkType == "" {
		return nil
	}
	l, err := askLinks(name, opt.Monitor)
	if err != nil {
		return err
	}
	if _, ok := hasLinkType(l.Types, opt.LinkType); !ok && opt.LinkType != "" {
		return noLinkType(name, opt.LinkType, l.Types)
	}
	return nil
}
