package protocols

import (
	"strings"
	"testing"

	"remora/dissect"
)

// kindsOf are the packet types by which people filter and count, for every protocol that has some: the field, and names
// that it must have for some of its values.
var kindsOf = map[string]struct{ field, names string }{
	"aoe2": {"aoe2.type", ""}, "arp": {"arp.opcode", "request, reply"}, "bt-dht": {"bt-dht.type", ""},
	"bthci_cmd": {"bthci_cmd.opcode", ""}, "bthci_evt": {"bthci_evt.code", ""},
	"browser": {"browser.command", "Host Announcement"}, "lanman": {"lanman.function_code", "NetServerEnum2"},
	"chap":   {"chap.code", "Challenge, Response, Success, Failure"},
	"dhcp":   {"dhcp.option.dhcp", "Discover, Offer, Request, ACK"},
	"dhcpv6": {"dhcpv6.msgtype", "Solicit, Advertise, Reply"}, "dns": {"dns.type", "QUERY, RESPONSE"},
	"dplay": {"dplay.type", ""}, "dtls": {"dtls.type", "Client Hello"}, "eap": {"eap.code", "Request, Response, Success"},
	"eapol": {"eapol.type", "Key, Start"}, "dccp": {"dccp.type", "Request, Reset"},
	"ftp": {"ftp.type", "USER, RETR"}, "gopacket": {"gopacket.type", ""}, "hci_h4": {"hci_h4.type", ""},
	"http": {"http.type", "GET, POST, 200 OK, 404 Not Found"}, "http2": {"http2.type", "HEADERS, DATA, SETTINGS"},
	"http3":  {"http3.type", "HEADERS, DATA, SETTINGS"},
	"icmp":   {"icmp.type", "Echo (ping) request, Echo (ping) reply"},
	"icmpv6": {"icmpv6.type", "Neighbor Solicitation, Router Advertisement"},
	"igmp":   {"igmp.type", "Membership Query, Membership Report"}, "imap": {"imap.type", "LOGIN, FETCH"},
	"irc":      {"irc.type", "PRIVMSG, JOIN"},
	"isakmp":   {"isakmp.exchangetype", "Aggressive, IKE_SA_INIT, IKE_AUTH"},
	"kaillera": {"kaillera.type", ""}, "kerberos": {"kerberos.msg_type", ""}, "kailleralist": {"kailleralist.type", ""},
	"mount": {"mount.type", ""}, "nbdgm": {"nbdgm.type", ""},
	"nbns": {"nbns.flags.opcode", ""}, "nbss": {"nbss.type", ""}, "nfs": {"nfs.procedure", ""},
	"ntlmssp": {"ntlmssp.messagetype", ""}, "ntp": {"ntp.flags.mode", "client, server"},
	"openvpn": {"openvpn.opcode", ""}, "ospf": {"ospf.msg", "Hello Packet"}, "pap": {"pap.code", ""},
	"pop": {"pop.type", "USER, RETR"}, "portmap": {"portmap.type", ""},
	"ppp": {"ppp.code", "Configuration Request"}, "pppoe": {"pppoe.code", ""}, "quic": {"quic.type", "Initial"},
	"radius":  {"radius.code", "Access-Request, Access-Accept"},
	"realnet": {"realnet.type", ""}, "rip": {"rip.command", "Request, Response"},
	"ripng": {"ripng.cmd", "Request, Response"}, "rpc": {"rpc.msgtyp", "Call, Reply"},
	"rtcp": {"rtcp.pt", "Sender Report, Receiver Report"}, "rtp": {"rtp.p_type", "ITU-T G.711 PCMU"},
	"rtpevent": {"rtpevent.event_id", "DTMF Zero 0"}, "rtsp": {"rtsp.type", ""},
	"sctp": {"sctp.chunk_type", "DATA, INIT"}, "sip": {"sip.type", "INVITE, BYE, OK"}, "smb": {"smb.cmd", ""},
	"smb2": {"smb2.cmd", ""}, "smtp": {"smtp.type", "EHLO, DATA"},
	"snmp": {"snmp.data", "get-request, get-response"}, "soaprun": {"soaprun.type", ""}, "ssh": {"ssh.message_code", ""},
	"stp":  {"stp.type", "Configuration"},
	"stun": {"stun.type", "Binding Request"}, "classicstun": {"classicstun.type", "Binding Request"},
	"syslog": {"syslog.level", ""}, "tcp": {"tcp.type", "SYN, FIN, RST, DATA, ACK"}, "telnet": {"telnet.type", ""},
	"tftp": {"tftp.opcode", "Read Request, Data Packet"}, "tls": {"tls.type", "Client Hello, Server Hello"},
	"touhou": {"touhou.type", ""}, "usb": {"usb.urb_type", ""},
	"vrrp": {"vrrp.type", ""}, "websocket": {"websocket.type", "Text, Binary, Ping"}, "wg": {"wg.type", ""},
	"wlan": {"wlan.fc.type_subtype", "Beacon frame"},

	"edp": {"edp.tlv.type", ""}, "macc": {"macc.opcode", ""}, "ndp": {"ndp.type", ""}, "slow": {"slow.subtype", ""},
	"ccp": {"ppp.code", ""}, "ipcp": {"ppp.code", ""}, "ipv6cp": {"ppp.code", ""}, "lcp": {"ppp.code", ""},
	"llmnr": {"dns.type", ""}, "mdns": {"dns.type", ""},
	"pppoed": {"pppoe.code", ""}, "ssdp": {"http.type", "M-SEARCH, NOTIFY"},

	"ldap": {"ldap.protocolOp", "bindRequest, searchRequest"}, "dcerpc": {"dcerpc.pkt_type", "Request, Response, Bind"},
	"atsvc": {"atsvc.opnum", ""}, "dnsserver": {"dnsserver.opnum", ""}, "drsuapi": {"drsuapi.opnum", ""},
	"dssetup": {"dssetup.opnum", ""},
	"efs":     {"efs.opnum", ""}, "epm": {"epm.opnum", ""}, "eventlog": {"eventlog.opnum", ""},
	"frsrpc":   {"frsrpc.opnum", ""},
	"frstrans": {"frstrans.opnum", ""}, "fsrvp": {"fsrvp.opnum", ""}, "initshutdown": {"initshutdown.opnum", ""},
	"iremotewinspool": {"iremotewinspool.opnum", ""}, "isystemactivator": {"isystemactivator.opnum", ""},
	"lsarpc": {"lsarpc.opnum", ""},
	"mdssvc": {"mdssvc.opnum", ""}, "messenger": {"messenger.opnum", ""}, "mgmt": {"mgmt.opnum", ""},
	"netdfs": {"netdfs.opnum", ""},
	"nspi":   {"nspi.opnum", ""}, "oxid": {"oxid.opnum", ""}, "remunk": {"remunk.opnum", ""},
	"rpc_browser": {"rpc_browser.opnum", ""},
	"netlogon":    {"netlogon.opnum", ""}, "rpc_netlogon": {"netlogon.opnum", ""}, "samr": {"samr.opnum", ""},
	"spoolss": {"spoolss.opnum", ""}, "srvsvc": {"srvsvc.opnum", ""},
	"svcctl": {"svcctl.opnum", ""}, "taskschedulerservice": {"taskschedulerservice.opnum", ""},
	"trksvr": {"trksvr.opnum", ""},
	"winreg": {"winreg.opnum", ""}, "witness": {"witness.opnum", ""}, "wkssvc": {"wkssvc.opnum", ""},
}

// kindless are the protocols whose packets are all of one type, or that only carry others.
const kindless = " frame eth vlan ieee8021ad llc sll null raw radiotap wlan_radio wlan_elements bthci_acl bthci_sco " +
	"mime_dlt file-pcapng fddi tr fr pktap exported_pdu ipx bthci_iso btl2cap ip ipv6 udp mpls gre erspan vxlan geneve " +
	"teredo wlan_encap wlan.mgt " +
	"lldp cdp mstp wlan_rsna_eapol pppoes realnet_built realnet_doc mime_multipart urlencoded-form data-text-lines json " +
	"xml media ftp-data esp ah udpencap git grpc protobuf communityid png image-jfif image-gif " +
	"x509af x509if x509sat x509ce imf sdp srtp lacp wol udt gss-api spnego spnego-krb5 mailslot data "

// TestKinds holds every protocol against the list: one that is new must have a packet type, or be among those without.
func TestKinds(t *testing.T) {
	for _, plugin := range All() {
		p := plugin.Protocol
		name, kind := p.Name(), p.KindField()
		want, ok := kindsOf[name]
		switch {
		case !ok && !strings.Contains(kindless, " "+name+" "):
			t.Errorf("%s is not listed: which field are its packet types, if any?", name)
		case !ok && kind != nil && !strings.HasPrefix(name, "realnet_") && name != "srtp" && name != "pppoes" &&
			name != "wlan_elements" && name != "wlan_encap":
			t.Errorf("%s has the packet types %s, but is listed as without", name, kind.Name())
		case ok && kind == nil:
			t.Errorf("%s has no packet types, want %s", name, want.field)
		case ok && kind.Name() != want.field:
			t.Errorf("the packet types of %s are %s, want %s", name, kind.Name(), want.field)
		case ok:
			typesNamed(t, kind, want.names)
		}
	}
}

// typesNamed looks for the names among those of the field's values.
func typesNamed(t *testing.T, kind *dissect.Field, names string) {
	known := map[string]bool{}
	for v, name := range kind.Values() {
		known[name] = true
		if strings.TrimSpace(name) == "" {
			t.Errorf("%s has no name for %d", kind.Name(), v)
		}
	}
	if len(known) == 0 && kind.Name() != "gopacket.type" {
		t.Errorf("%s names no type", kind.Name())
	}
	for name := range strings.SplitSeq(names, ", ") {
		if name != "" && !known[name] {
			t.Errorf("%s has no type %q", kind.Name(), name)
		}
	}
}
