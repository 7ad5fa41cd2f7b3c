package doctor

import (
	"errors"
	"fmt"
	"strings"

	"remora/capture/bpf"
	"remora/capture/live"
)

// without is what works where nothing can be captured.
const without = "files, pipes and ssh://HOST/IFACE work all the same"

// capturing looks at live capture.
func capturing(System) []Line {
	library := Line{Name: "library", State: Works, Found: live.LibraryVersion()}
	filters := Line{Name: "capture filters", State: Works, Found: "compile"}
	if err := bpf.Check("udp port 53"); err != nil {
		filters.State, filters.Found, filters.Do = Lacks, err.Error(), "filter with -Y, or take a build with libpcap"
	}
	rights := Line{Name: "rights", State: Works, Found: live.RightFrom()}
	if rights.Found == "" {
		rights.Found = "opening an interface will show"
	}
	may := live.CanCapture()
	switch {
	case errors.Is(may, bpf.ErrNoLibpcap):
		library.State, library.Do = Fails, "install Npcap from https://npcap.com\n"+without
		rights.State, rights.Found = Lacks, "not needed, as nothing can be captured"
	case may != nil:
		rights.State, rights.Do = Fails, advice+"\n"+without
		rights.Found, _, _ = strings.Cut(may.Error(), ":")
	}
	return append([]Line{library, filters, rights}, interfaces(may)...)
}

// interfaces counts them: their names and addresses may tell who somebody is.
func interfaces(may error) []Line {
	line := Line{Name: "interfaces", State: Works}
	all, err := live.Interfaces()
	if err != nil {
		line.State, line.Found, line.Do = Fails, "cannot be listed: "+err.Error(), "remora -D"
		return []Line{line}
	}
	var cards, addressed, loops, down, special int
	clock := ""
	for _, in := range all {
		switch {
		case in.LinkType < 0 || in.Name == "any":
			special++
		case in.Loopback:
			loops++
		case !in.Up:
			down++
		default:
			cards++
			if len(in.Addresses) > 0 {
				addressed++
			}
		}
		if clock == "" && in.Unusable == "" && in.LinkType == 1 && !in.Loopback {
			clock = in.Name
		}
	}
	line.Found = fmt.Sprintf("%d up (%d with an address), %d loopback, %d down, %d others", cards, addressed, loops, down,
		special)
	if cards+loops == 0 {
		line.State, line.Do = Fails, "remora -D lists them; in a container, give it a network"
	}
	out := []Line{line}
	if clock != "" && may == nil {
		stamps := Line{Name: "time stamps", State: Works}
		if have, err := live.TimeStampsOf(clock); err != nil {
			stamps.State, stamps.Found = Lacks, "cannot be asked for"
		} else {
			stamps.Found = strings.Join(have, ", ")
		}
		out = append(out, stamps)
	}
	return out
}
