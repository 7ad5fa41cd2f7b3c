// Package protocols lists every protocol that remora dissects. Adding one is adding a line here.
package protocols

import (
	"slices"

	"remora/dissect"
	"remora/protocols/aoe2"
	"remora/protocols/arp"
	"remora/protocols/bluetooth"
	"remora/protocols/browser"
	"remora/protocols/cdp"
	"remora/protocols/communityid"
	"remora/protocols/data"
	"remora/protocols/dccp"
	"remora/protocols/dcerpc"
	"remora/protocols/dhcp"
	"remora/protocols/dhcpv6"
	"remora/protocols/dht"
	"remora/protocols/dns"
	"remora/protocols/eap"
	"remora/protocols/eapol"
	"remora/protocols/edp"
	"remora/protocols/erspan"
	"remora/protocols/eth"
	"remora/protocols/frame"
	"remora/protocols/ftp"
	"remora/protocols/generic"
	"remora/protocols/geneve"
	"remora/protocols/git"
	"remora/protocols/gre"
	"remora/protocols/grpc"
	"remora/protocols/gss"
	"remora/protocols/http"
	"remora/protocols/http2"
	"remora/protocols/http3"
	"remora/protocols/icmp"
	"remora/protocols/icmpv6"
	"remora/protocols/igmp"
	"remora/protocols/imap"
	"remora/protocols/imf"
	"remora/protocols/ip"
	"remora/protocols/ipsec"
	"remora/protocols/ipv6"
	"remora/protocols/ipx"
	"remora/protocols/irc"
	"remora/protocols/isakmp"
	"remora/protocols/json"
	"remora/protocols/kaillera"
	"remora/protocols/kerberos"
	"remora/protocols/ldap"
	"remora/protocols/links"
	"remora/protocols/lldp"
	"remora/protocols/macc"
	"remora/protocols/media"
	"remora/protocols/mpls"
	"remora/protocols/ndp"
	"remora/protocols/netbios"
	"remora/protocols/ntp"
	"remora/protocols/null"
	"remora/protocols/openvpn"
	"remora/protocols/ospf"
	"remora/protocols/pcapng"
	"remora/protocols/pop"
	"remora/protocols/ppp"
	"remora/protocols/pppoe"
	"remora/protocols/protobuf"
	"remora/protocols/quic"
	"remora/protocols/radiotap"
	"remora/protocols/radius"
	"remora/protocols/raw"
	"remora/protocols/realnet"
	"remora/protocols/rip"
	"remora/protocols/ripng"
	"remora/protocols/rpc"
	"remora/protocols/rtp"
	"remora/protocols/sctp"
	"remora/protocols/sip"
	"remora/protocols/sll"
	"remora/protocols/slow"
	"remora/protocols/smb"
	"remora/protocols/smtp"
	"remora/protocols/snmp"
	"remora/protocols/soaprun"
	"remora/protocols/ssh"
	"remora/protocols/stp"
	"remora/protocols/stun"
	"remora/protocols/syslog"
	"remora/protocols/tcp"
	"remora/protocols/telnet"
	"remora/protocols/teredo"
	"remora/protocols/tftp"
	"remora/protocols/tls"
	"remora/protocols/touhou"
	"remora/protocols/udp"
	"remora/protocols/udt"
	"remora/protocols/usb"
	"remora/protocols/vrrp"
	"remora/protocols/vxlan"
	"remora/protocols/websocket"
	"remora/protocols/wireguard"
	"remora/protocols/wlan"
	"remora/protocols/wol"
	"remora/protocols/xml"
)

// makers make the plugins of all protocols. The order of those that recognise their packets by looking at them is the
// order in which they are asked. A table of functions takes less room in the program than calls.
var makers = [...]func() dissect.Plugin{
	frame.Plugin,
	eth.Plugin, eth.VLAN, eth.Bridge, eth.LLC, sll.Plugin, null.Plugin, raw.Plugin,
	pcapng.File, pcapng.Plugin, dccp.Plugin, links.FDDI, links.TokenRing, links.FrameRelay, links.PKTAP, links.Exported,
	ipx.Plugin,
	radiotap.Plugin, radiotap.Radio, wlan.Plugin, wlan.Elements, wlan.Encapsulated, wlan.Management,
	usb.Plugin,
	bluetooth.H4, bluetooth.Commands, bluetooth.Events, bluetooth.ACL, bluetooth.SCO, bluetooth.ISO,
	bluetooth.L2CAP,
	arp.Plugin, ip.Plugin, ipv6.Plugin, icmp.Plugin, icmpv6.Plugin,
	udp.Plugin, tcp.Plugin, sctp.Plugin, udt.Plugin,
	stp.Plugin, stp.Multiple,
	mpls.Plugin, gre.Plugin, erspan.Plugin, vxlan.Plugin, geneve.Plugin, teredo.Plugin,
	igmp.Plugin, vrrp.Plugin, ospf.Plugin,
	lldp.Plugin, macc.Plugin, slow.Plugin, slow.LACP, wol.Plugin, cdp.Plugin, ndp.Plugin, edp.Plugin,
	eapol.Plugin, eapol.RSNA, eap.Plugin,
	pppoe.Plugin, pppoe.Discovery, pppoe.Session,
	ppp.Plugin, ppp.LCP, ppp.IPCP, ppp.IPV6CP, ppp.CCP, ppp.PAP, ppp.CHAP,
	dns.Plugin, dns.MDNS, dns.LLMNR,
	touhou.Plugin,
	kaillera.Plugin, kaillera.List,
	soaprun.Plugin,
	aoe2.Plugin, aoe2.Session,
	realnet.Plugin, realnet.AsBuilt, realnet.AsDocumented,
	http.Plugin, http.SSDP, http2.Plugin, websocket.Plugin,
	media.Multipart, media.Form, media.Text, json.Plugin, xml.Plugin, media.Plugin,
	ftp.Plugin, ftp.Data,
	ntp.Plugin,
	ssh.Plugin, quic.Plugin, http3.Plugin,
	tls.Plugin, tls.DTLS, tls.Certificate, tls.Names, tls.Texts, tls.Extensions,
	tftp.Plugin,
	wireguard.Plugin,
	ipsec.Plugin, ipsec.Authentication, ipsec.Encapsulation, isakmp.Plugin,
	openvpn.Plugin,
	syslog.Plugin,
	stun.Plugin,
	stun.Classic,
	dhcp.Plugin,
	dhcpv6.Plugin,
	snmp.Plugin,
	smtp.Plugin, pop.Plugin, imap.Plugin, imf.Plugin,
	telnet.Plugin, irc.Plugin, git.Plugin, grpc.Plugin, communityid.Plugin, protobuf.Plugin,
	radius.Plugin,
	rip.Plugin, ripng.Plugin,
	netbios.Plugin, netbios.Datagrams,
	dht.Plugin,
	sip.Plugin, rtp.Description, rtp.Plugin, rtp.Control, rtp.Event, rtp.Secure, rtp.Streaming,
	rpc.Plugin, rpc.Portmap, rpc.Mount, rpc.NFS,
	smb.Session, smb.Plugin, smb.Old, smb.Mailslot, browser.Plugin, browser.Remote,
	gss.Plugin, gss.Negotiation, gss.Kerberos, gss.NTLM,
	dcerpc.Plugin, ldap.Plugin, kerberos.Plugin,
}

// All are the plugins of all protocols.
func All() []dissect.Plugin {
	all := make([]dissect.Plugin, 0, len(makers))
	for _, m := range makers {
		all = append(all, m())
	}
	return slices.Concat(all, media.Pictures(), dcerpc.Interfaces(), []dissect.Plugin{generic.Plugin(), data.Plugin()})
}
