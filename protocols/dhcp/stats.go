package dhcp

import (
	"bufio"
	"fmt"

	"remora/dissect"
	"remora/dissect/tap"
)

// statistics are those that DHCP declares.
var statistics = []dissect.Statistic{{Name: "dhcp,stat", Args: "[,FILTER]", Help: "DHCP messages by type",
	New: newMessageTypes}}

// messageTypes is dhcp,stat: how many messages of each type there were.
type messageTypes struct {
	session *dissect.Session
	filter  string
	counts  map[uint64]int
}

// tableMessages are the types that have a line even without a packet (RFC 2132 section 9.6, RFC 4388, RFC 6926, RFC
// 7724), as tshark calls them.
var tableMessages = []string{1: "Discover", "Offer", "Request", "Decline", "ACK", "NAK", "Release", "Inform",
	"Force Renew", "Lease query",
	"Lease Unassigned", "Lease Unknown", "Lease Active", "Bulk Lease Query", "Lease Query Done", "Active LeaseQuery",
	"Lease Query Status", "TLS"}

func newMessageTypes(r *dissect.StatisticRequest) (dissect.Counter, error) {
	return &messageTypes{r.Session, r.Filter(), map[uint64]int{}}, nil
}

// Add counts a message.
func (c *messageTypes) Add(_ *dissect.Dissector, n dissect.FrameNum) {
	for _, k := range c.session.LayerStackOf(n).Kinds {
		if k.Field == fType.ID() {
			c.counts[k.Value]++
		}
	}
}

// Print writes the table.
func (c *messageTypes) Print(w *bufio.Writer) {
	fmt.Fprintf(w,
		"\n%sDHCP (BOOTP) Statistics:\nFilter for statistics: %s\nDHCP Message Type |Packets |\nDHCP Statistics\n",
		tap.ColumnRule, dissect.Escape(c.filter))
	for i, name := range tableMessages[1:] {
		fmt.Fprintf(w, "%-25s |%d |\n", name, c.counts[uint64(i+1)])
	}
	w.WriteString(tap.ColumnRule)
}
