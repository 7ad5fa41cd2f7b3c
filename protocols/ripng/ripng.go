// Package ripng dissects the Routing Information Protocol for IPv6 (RFC 2080).
package ripng

import "remora/dissect"

var proto = dissect.NewProtocol("ripng", "RIPng",
	"Routing Information Protocol for IPv6: routers tell each other how far networks are.").
	Summary("RIPng").Color(dissect.HueMagenta)

var (
	fCommand = proto.Kind("cmd", "Command", dissect.Values{1: "Request", 2: "Response"}, "What the packet asks or tells.").
			Dec().Wordless()
	fVersion = proto.Uint8("version", "Version", "Version of the protocol.")
	fZero    = proto.Bytes("reserved", "Reserved", "Zero.")
	fEntry   = proto.Node("rte", "Route Table Entry", "One network, or where the networks behind it are reached.").
			Summary("Route Table Entry: IPv6 Prefix: {rte.ipv6_prefix}/{rte.prefix_length} Metric: {rte.metric}")
	fPrefix = proto.IPv6("rte.ipv6_prefix", "IPv6 Prefix",
		"The network, or with metric 255 the next hop of those that follow.")
	fTag    = proto.Uint16("rte.route_tag", "Route Tag", "A number for other routing protocols.").Hex()
	fLength = proto.Uint8("rte.prefix_length", "Prefix Length", "Length of the prefix in bits.")
	fMetric = proto.Uint8("rte.metric", "Metric",
		"How many hops away the network is; 16 is out of reach, 255 names a next hop.")
	fData = proto.Bytes("data", "Data", "Bytes that are no entry. Wireshark has no name for them.")
)

const entryLength = 20

// Plugin attaches RIPng to its port.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: packet, UDP: []uint16{521}, Fits: recognise}
}

// recognise takes packets of version 1 with a known command and whole entries.
func recognise(d *dissect.D) bool {
	if c := d.Peek(0); c < 1 || c > 2 || d.Peek(1) != 1 || d.Left()%entryLength != 4 && !d.CutShort() {
		return false
	}
	return true
}

func packet(d *dissect.D) {
	command := d.Kind(fCommand)
	version := d.Uint(fVersion)
	d.Bytes(fZero, 2)
	if fCommand.ValueName(command) != "" {
		d.Info().Set("Command {cmd:name}, Version {version}")
	} else if d.Info().Wanted() {
		d.Info().Setf("Command Unknown (%d), Version %d", command, version)
	}
	for more := d.Elements(); d.Left() >= entryLength && more.Next(); {
		d.In(fEntry, func() {
			d.IPv6(fPrefix)
			d.Uint(fTag)
			d.Uint(fLength)
			d.Uint(fMetric)
		})
	}
	d.Rest(fData)
}
