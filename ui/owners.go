package ui

import (
	"context"
	"fmt"
	"net/netip"
	"strings"

	"remora/dissect"
	"remora/internal/sockets"
)

// showOwners says which process of this machine has the sockets of the selected packet, as they are now.
func showOwners(m *model, _ string) {
	s, n := m.packets.Session, m.selected.Frame
	if s == nil || n == 0 || s.ConversationOf(n) == 0 {
		m.foot.Notice = "this packet belongs to no conversation"
		return
	}
	conv := s.Conversation(s.ConversationOf(n))
	if conv.Transport != dissect.TableTCP && conv.Transport != dissect.TableUDP {
		m.foot.Notice = "only TCP and UDP have sockets that the kernel tells of"
		return
	}
	end := func(e dissect.Endpoint) netip.AddrPort { return netip.AddrPortFrom(e.Addr.Netip().Unmap(), e.Port) }
	a, b, tcp := end(conv.A), end(conv.B), conv.Transport == dissect.TableTCP
	(viewContext{m}).Later("looking for processes", func(context.Context) func() {
		found, err := sockets.Owners(sockets.Socket{TCP: tcp, Local: a, Peer: b}, sockets.Socket{TCP: tcp, Local: b, Peer: a})
		return func() { m.foot.Notice = ownersText([2]netip.AddrPort{a, b}, found, err) }
	})
}

func ownersText(ends [2]netip.AddrPort, found [][]sockets.Owner, err error) string {
	var out []string
	for i := 0; i < len(found) && err == nil; i++ {
		for _, o := range found[i] {
			out = append(out, fmt.Sprintf("%s is %s", ends[i], dissect.Escape(o.String())))
		}
	}
	switch {
	case err != nil:
		return err.Error()
	case len(out) == 0:
		return "no process here has a socket of this conversation now; those of root and of other users are not seen"
	}
	return strings.Join(out, "   ")
}
