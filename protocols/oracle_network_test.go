package protocols

import (
	"strings"
	"testing"

	"remora/dissect"
)

// networkFields are printed by remora and tshark alike.
var networkFields = strings.Fields(`
	frame.number frame.len frame.cap_len frame.encap_type frame.time_epoch frame.time_delta frame.time_relative
	frame.interface_name frame.section_number frame.marked
	eth.dst eth.src eth.addr eth.type eth.len eth.dst.ig eth.dst.lg eth.src.ig eth.ig eth.lg eth.dst.oui eth.addr.oui
	vlan.id vlan.priority vlan.dei vlan.etype ieee8021ad.id ieee8021ad.priority ieee8021ad.dei
	llc.dsap llc.ssap llc.dsap.sap llc.dsap.ig llc.ssap.cr llc.control llc.control.ftype
	sll.pkttype sll.hatype sll.halen sll.src.eth sll.etype sll.ltype sll.ifindex null.family
	arp.hw.type arp.proto.type arp.opcode arp.src.hw_mac arp.src.proto_ipv4 arp.dst.hw_mac arp.dst.proto_ipv4
	arp.isgratuitous
	ip.version ip.hdr_len ip.dsfield ip.dsfield.dscp ip.dsfield.ecn ip.len ip.id ip.flags ip.flags.df ip.flags.mf
	ip.frag_offset ip.ttl ip.proto ip.checksum ip.checksum.status
	ip.checksum_calculated ip.src ip.dst ip.addr ip.host ip.src_host ip.fragment ip.fragment.count ip.reassembled_in
	ip.reassembled.length
	ip.opt.type ip.opt.type.copy ip.opt.type.class ip.opt.type.number ip.opt.len ip.opt.ptr ip.opt.ra ip.rec_rt
	ip.empty_rt ip.opt.time_stamp ip.opt.time_stamp_addr
	icmp.type icmp.code icmp.checksum icmp.checksum.status icmp.ident icmp.ident_le icmp.seq icmp.seq_le icmp.resp_in
	icmp.resp_to icmp.resptime icmp.data_time_relative icmp.mtu icmp.unused
	ipv6.version ipv6.tclass ipv6.tclass.dscp ipv6.flow ipv6.plen ipv6.nxt ipv6.hlim ipv6.src ipv6.dst ipv6.addr
	ipv6.host ipv6.src_slaac_mac ipv6.hopopts.nxt ipv6.hopopts.len_oct ipv6.opt.type ipv6.opt.router_alert
	ipv6.fraghdr.offset ipv6.fraghdr.more ipv6.fraghdr.ident ipv6.fragment ipv6.reassembled.in ipv6.reassembled.length
	icmpv6.type icmpv6.code icmpv6.checksum icmpv6.checksum.status icmpv6.reserved icmpv6.echo.identifier
	icmpv6.echo.sequence_number icmpv6.resp_in icmpv6.resp_to icmpv6.resptime
	icmpv6.nd.ns.target_address icmpv6.nd.na.target_address icmpv6.nd.na.flag icmpv6.nd.na.flag.s
	icmpv6.nd.na.flag.rsv icmpv6.nd.ra.flag icmpv6.nd.ra.flag.prf icmpv6.nd.ra.router_lifetime
	icmpv6.opt.type icmpv6.opt.length icmpv6.opt.linkaddr icmpv6.opt.src_linkaddr icmpv6.opt.prefix
	icmpv6.opt.prefix.flag icmpv6.opt.prefix.valid_lifetime icmpv6.opt.mtu icmpv6.opt.rdnss icmpv6.opt.nonce
	icmpv6.mldr.nb_mcast_records icmpv6.mldr.mar.record_type icmpv6.mldr.mar.multicast_address
`)

// TestOracleFields holds the fields of the link and network layers against tshark's, on the captures of the fixtures.
func TestOracleFields(t *testing.T) {
	compareWithOracle(t, networkFields, func(_ string, _ int, field string) bool {
		return field == "ip.version" // tshark gives IPv6 packets one too
	})
}

// ownNames are the fields of these protocols for which Wireshark has no name of their own.
var ownNames = strings.Fields("frame.file ieee8021ad.etype sll.reserved ip.options ip.option ip.opt.data " +
	"ip.fragment.data icmp.ext.object icmp.mip icmp.mpls ipv6.ext.many ipv6.fragment.data")

// TestOracleNames checks that the fields of these protocols are called as in Wireshark.
func TestOracleNames(t *testing.T) {
	names := oracleNames(t)
	for _, n := range ownNames {
		names[n] = true
	}
	for _, p := range All() {
		if !isNetwork(p) {
			continue
		}
		for _, f := range p.Protocol.Fields() {
			if !names[f.Name()] {
				t.Errorf("tshark has no field %s", f.Name())
			}
		}
	}
}

func isNetwork(p dissect.Plugin) bool {
	switch p.Protocol.Name() {
	case "frame", "eth", "vlan", "ieee8021ad", "llc", "sll", "null", "raw", "arp", "ip", "ipv6", "icmp", "icmpv6", "data":
		return true
	}
	return false
}
