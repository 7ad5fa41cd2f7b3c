package protocols

import (
	"path/filepath"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// TestProtocolColumn holds the Protocol column against what tshark 4.0 has there, for protocols that say more there
// than their own name: a version, a format that they carry, the program that is called.
func TestProtocolColumn(t *testing.T) {
	for _, c := range []struct {
		file  string
		frame dissect.FrameNum
		want  string
	}{
		{"ftp/testdata/ftp.pcap", 26, "FTP-DATA"},
		{"ftp/testdata/ftp.pcap", 194, "FTP"},
		{"rip/testdata/packets.hex", 1, "RIPv1"},
		{"rip/testdata/packets.hex", 3, "RIPv2"},
		{"dhcp/testdata/dhcp.pcap", 1, "DHCP"},
		{"dhcp/testdata/dhcp.pcap", 8, "BOOTP"},
		{"rpc/testdata/nfs.pcap", 3, "Portmap"},
		{"rpc/testdata/nfs.pcap", 10, "MOUNT"},
		{"rpc/testdata/nfs.pcap", 26, "NFS"},
		{"smb/testdata/files.pcap", 10, "SMB2"},
		{"smb/testdata/files.pcap", 121, "SMB"},
		{"sip/testdata/call.pcap", 1, "SIP/SDP"},
		{"sip/testdata/call.pcap", 2, "SIP"},
		{"rtp/testdata/rtsp.pcap", 4, "RTSP/SDP"},
		{"smtp/testdata/smtp.pcap", 28, "SMTP/IMF"},
		{"tls/testdata/openssl.pcapng", 25, "TLSv1.2"}, // its records say 1.0
		{"tls/testdata/openssl.pcapng", 61, "TLSv1.1"},
		{"tls/testdata/dtls.pcapng", 1, "DTLSv1.2"},
		{"tls/testdata/dtls.pcapng", 2, "DTLSv1.2"},
		{"ftp/testdata/authtls.pcapng", 9, "TLSv1.3"},
		{"ftp/testdata/authtls.pcapng", 11, "TLSv1.3"}, // the second hello, behind a retry
		{"gre/testdata/packets.hex", 8, "GRE"},
	} {
		path := filepath.FromSlash(c.file)
		if filepath.Ext(path) == ".hex" {
			path = dissecttest.HexPcap(t, path)
		}
		if got := dissecttest.Load(t, All(), path).Tree(c.frame).ProtocolText(); got != c.want {
			t.Errorf("%s, frame %d: the Protocol column has %q, want %q", c.file, c.frame, got, c.want)
		}
	}
}

// TestProtocolColumnOfForeignLayers has Wireshark's abbreviations for what gopacket alone decodes.
func TestProtocolColumnOfForeignLayers(t *testing.T) {
	ip := func(number byte, payload ...byte) []byte {
		return dissecttest.IPv4(number, "192.0.2.1", "192.0.2.2", payload)
	}
	esp := ip(50, 0, 0, 1, 2, 0, 0, 0, 1, 9, 9, 9, 9, 9, 9, 9, 9)
	control := []byte{0x20, 0xc0, 3, 24, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 100, 0, 0, 0, 100, 0, 0, 0, 0}
	bfd := ip(17, append([]byte{0xc0, 0, 0x0e, 0xc8, 0, 32, 0, 0}, control...)...)
	s := dissecttest.Session(t, All(), 101, dissecttest.Packets(esp, bfd, ip(200, 1, 2, 3)))
	for i, want := range []string{"ESP", "BFD Control", "IPv4"} {
		if got := s.Tree(dissect.FrameNum(i + 1)).ProtocolText(); got != want {
			t.Errorf("frame %d: the Protocol column has %q, want %q", i+1, got, want)
		}
	}
}
