package touhou

import "remora/dissect"

// A socket is the four fields of one sockaddr of 16 bytes: family (u16, always 2), port (u16, network order, unlike
// everything else), IPv4 address, and 8 bytes of uninitialised padding.
type socket struct{ group, family, port, ip, pad *dissect.Field }

var (
	fPort = proto.Uint16("port", "Port", "UDP port of any address in the packet.").BE()
	fIP   = proto.IPv4("ip", "Address", "IPv4 address of any address in the packet.")

	peerSocket   = newSocket("peer", "Peer", "The program that this datagram is sent to.")
	targetSocket = newSocket("target", "Target", "The program that the sender wants to reach, or shall try next.")
	punchSocket  = newSocket("address", "Address", "Where the receiver must send an OLLEH.")
)

func newSocket(name, label, doc string) socket {
	return socket{
		group:  proto.Group(name, label, doc).Summary(label + ": {" + name + ".ip}:{" + name + ".port}"),
		family: proto.Uint16(name+".family", "Family", "Address family: 2 is IPv4, the only one."),
		port:   proto.Uint16(name+".port", "Port", "UDP port, in network byte order.").BE().Also(fPort),
		ip:     proto.IPv4(name+".ip", "Address", "IPv4 address.").Also(fIP),
		pad:    proto.UnknownBytes(name+".padding", "Padding", "Uninitialised padding of the address structure."),
	}
}

// read reads the 16 bytes and returns the address.
func (s socket) read(d *dissect.D) (e dissect.Endpoint) {
	d.In(s.group, func() {
		d.Uint(s.family)
		e.Port = uint16(d.Uint(s.port))
		e.Addr = d.IPv4(s.ip)
		d.Bytes(s.pad, 8)
	})
	return e
}
