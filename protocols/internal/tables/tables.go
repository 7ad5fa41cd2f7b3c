// Package tables names the tables of numbers that several protocols use: one hands on by them, the others are found in
// them. A table that one package uses alone is declared there; those of the layers that every capture has are package
// dissect's.
package tables

import "remora/dissect"

// Links and what they carry.
const (
	// WLAN has frames of 802.11: 1 with a check sequence, 2 padded behind the header, 3 both
	WLAN         dissect.Table = "wlan"
	WLANElements dissect.Table = "wlan.elements"   // 0: elements, as management frames and the data of keys have them
	LLCPayload   dissect.Table = "llc.payload"     // destination service access points that dissect.TableLLC does not have
	RawEthernet  dissect.Table = "eth.raw"         // what 802.3 carries without LLC: NetWare's own way
	LLCPID       dissect.Table = "llc.pid"         // protocols of a SNAP header of no organization below
	LLCCisco     dissect.Table = "llc.cisco_pid"   // protocols of Cisco's SNAP headers
	LLCExtreme   dissect.Table = "llc.extreme_pid" // of Extreme Networks'
	LLCNortel    dissect.Table = "llc.nortel_pid"  // of Nortel's
	PPP          dissect.Table = "ppp"             // 0: frames of PPP (RFC 1661)
	PPPProtocol  dissect.Table = "ppp.protocol"    // what they carry, by their protocol field
	GRE          dissect.Table = "gre.proto"       // what GRE carries beside what has an EtherType (RFC 2784)
	SCTPPort     dissect.Table = "sctp.port"       // what SCTP carries, by a port
)

// Who somebody is, and secrecy.
const (
	EAP dissect.Table = "eap" // 0: packets of EAP
	GSS dissect.Table = "gss" // 1: tokens of GSS-API (RFC 2743)
	// GSSPayload has at 1 what LDAP protects with GSS-API
	GSSPayload dissect.Table = "gss.payload"
	// Kerberos has at 1 messages without a length before them, and encrypted tokens of GSS-API
	Kerberos dissect.Table = "kerberos"
	ISAKMP   dissect.Table = "isakmp" // 0: messages of IKE behind the marker of UDP encapsulation (RFC 3948)
	ESP      dissect.Table = "esp"    // 0: packets of ESP in UDP
	X509     dissect.Table = "x509"   // X509Certificate and X509Name
	// TLS has records at 0, where a stream turned into TLS; in EAP, methods that say what TLS carries
	TLS          dissect.Table = "tls"
	TLSHandshake dissect.Table = "tls.handshake" // 0: handshake messages without records, as QUIC carries them
	TLSPort      dissect.Table = "tls.port"      // what TLS carries, by the server's port
	// TLSALPN has what TLS and QUIC carry, by the dissect.Word of its name in ALPN (RFC 7301)
	TLSALPN dissect.Table = "tls.alpn"
)

// What is found in the table X509.
const (
	X509Certificate = 0
	X509Name        = 1
)

// Applications.
const (
	// HTTPUpgrade has what a connection of HTTP goes on as, by the dissect.Word of its name
	HTTPUpgrade dissect.Table = "http.upgrade"
	// WebSocketGreeting has what a connection of WebSocket is known by: the dissect.Word of a whole binary message
	WebSocketGreeting dissect.Table = "websocket.greeting"
	MediaType         dissect.Table = "media_type" // bodies, by the dissect.Word of their media type in lower case
	// GRPCMessage has what messages of gRPC are, by the dissect.Word of their media type
	GRPCMessage dissect.Table = "grpc_message_type"
	// ProtobufField has what fields of Protocol Buffers carry, by the dissect.Word of their full name
	ProtobufField   dissect.Table = "protobuf_field"
	Message         dissect.Table = "message.format" // 0: messages of electronic mail (RFC 5322)
	Text            dissect.Table = "text.format"    // 0: lines of text
	NetBIOSDatagram dissect.Table = "nbdgm"          // 0: what datagrams of NetBIOS carry
	SMBMailslot     dissect.Table = "smb.mailslot"   // by the dissect.Word of the mailslot's name in upper case
	// SMBPipe has at 1 what named pipes carry, told the number of the open pipe, four bytes
	SMBPipe   dissect.Table = "smb.pipe"
	SMBLanman dissect.Table = "smb.lanman" // 1: calls through the pipe LANMAN
)
