package print

import (
	"bufio"
	"fmt"
	"strings"

	"remora/dissect"
)

// leases is dhcp,stat: how many messages of each type there were.
type leases struct {
	s      *dissect.Session
	filter string
	kind   *dissect.Field
	counts map[uint64]int
}

// leaseMessages are the types that have a line even without a packet (RFC 2132 section 9.6, RFC 4388, RFC 6926, RFC 7724),
// as tshark calls them.
var leaseMessages = []string{1: "Discover", "Offer", "Request", "Decline", "ACK", "NAK", "Release", "Inform", "Force Renew", "Lease query",
	"Lease Unassigned", "Lease Unknown", "Lease Active", "Bulk Lease Query", "Lease Query Done", "Active LeaseQuery", "Lease Query Status", "TLS"}

func newLeases(r *request) (counter, []string, error) {
	f, err := r.fieldsOf("dhcp.option.dhcp")
	if err != nil {
		return nil, nil, err
	}
	return &leases{s: r.s, filter: r.rest(0), kind: f[0], counts: map[uint64]int{}}, []string{r.rest(0)}, nil
}

func (c *leases) add(_ *dissect.Looker, n dissect.FrameNum, _ int) {
	for _, k := range c.s.ShapeOf(n).Kinds {
		if k.Field == c.kind.ID() {
			c.counts[k.Value]++
		}
	}
}

// bootRule is the rule of tshark's tables with columns of their own.
var bootRule = strings.Repeat("=", 101) + "\n"

func (c *leases) print(w *bufio.Writer) {
	fmt.Fprintf(w, "\n%sDHCP (BOOTP) Statistics:\nFilter for statistics: %s\nDHCP Message Type |Packets |\nDHCP Statistics\n", bootRule, dissect.Escape(c.filter))
	for i, name := range leaseMessages[1:] {
		fmt.Fprintf(w, "%-25s |%d |\n", name, c.counts[uint64(i+1)])
	}
	w.WriteString(bootRule)
}
