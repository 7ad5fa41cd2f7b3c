package ftp_test

import (
	"testing"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// segment is an IPv4 packet with the text as TCP payload.
func segment(t *testing.T, src, dst layers.TCPPort, seq uint32, text string) []byte {
	t.Helper()
	a, b := []byte{192, 0, 2, 1}, []byte{192, 0, 2, 2}
	if src == 21 {
		a, b = b, a
	}
	ip := &layers.IPv4{Version: 4, TTL: 64, Protocol: layers.IPProtocolTCP, SrcIP: a, DstIP: b}
	tcp := &layers.TCP{SrcPort: src, DstPort: dst, Seq: seq, Ack: 1, ACK: true, PSH: true, Window: 1000}
	if err := tcp.SetNetworkLayerForChecksum(ip); err != nil {
		t.Fatal(err)
	}
	buf := gopacket.NewSerializeBuffer()
	if err := gopacket.SerializeLayers(buf, gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true}, ip, tcp,
		gopacket.Payload(text)); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func session(t *testing.T) *dissect.Session {
	return dissecttest.Session(t, protocols.All(), 101, dissecttest.Packets(
		segment(t, 21, 40000, 1, "220 ready\r\n"),
		segment(t, 40000, 21, 1, "USER ano"),
		segment(t, 40000, 21, 9, "nymous\r\nQUIT\r\n"),
		segment(t, 21, 40000, 12, "331\r\n"),
	))
}

func TestLines(t *testing.T) {
	s := session(t)
	for _, c := range []struct {
		frame       dissect.FrameNum
		field, want string
	}{
		{1, "ftp.response.code", "Service ready for new user (220)"},
		{1, "ftp.response.arg", "ready"},
		{3, "ftp.request.command", "USER"},
		{3, "ftp.request.arg", "anonymous"},
		{4, "ftp.response.code", "User name okay, need password (331)"},
	} {
		if got, _ := dissecttest.Find(s.Tree(c.frame), c.field); got != c.want {
			t.Errorf("frame %d: %s is %q, want %q", c.frame, c.field, got, c.want)
		}
	}
}

func TestHostile(t *testing.T) { dissecttest.Mutations(t, protocols.All(), session(t), 28) }

func TestStandard(t *testing.T) {
	s := session(t)
	dissecttest.Redissections(t, s)
	dissecttest.Owned(t, s)
	dissecttest.Fields(t, s)
}

// A line of a longer answer may stand without a code (RFC 959 section 4.2).
func TestContinued(t *testing.T) {
	s := dissecttest.Session(t, protocols.All(), 101, dissecttest.Packets(
		segment(t, 21, 40000, 1, "211-Features:\r\n MDTM\r\n211 End\r\n")))
	if got := dissecttest.All(s.Tree(1), "ftp.response.arg"); got == "" {
		t.Error("no answers")
	}
	if got := dissecttest.All(s.Tree(1), "ftp.request.command"); got != "" {
		t.Errorf("a line of the answer is taken for the command %q", got)
	}
}

// talk is a connection whose files pass in several ways; behind it come the connections with the files.
func talk(t *testing.T, port uint16) *dissect.Session {
	packets := dissecttest.Stream(port,
		"S:220-Welcome\r\n to this\r\n220 FTP server\r\n", "C:USER a\r\nPASS b\r\n", "S:331 More\r\n230 In\r\n",
		"C:PWD\r\n", "S:257 \"/home\" is it\r\n", "C:CWD ../pub/x\r\n", "S:250 Ok\r\n", "C:CDUP\r\n", "S:250 Ok\r\n",
		"C:PASV\r\n", "S:227 Entering Passive Mode (10,0,0,5,20,1).\r\n", "C:RETR file\r\n", "S:150 Wait\r\n",
		"S:226 Done\r\n",
		"C:EPSV\r\n", "S:229 Ok (|||5122|)\r\n", "C:LIST -a\r\n", "S:229 Bad (||5122|)\r\n", "C:EPRT |1|192.0.2.10|x|\r\n",
		"S:501 No\r\n",
		"C:PWD\r\n", "S:257 none\r\n")
	packets = append(packets, dissecttest.Stream(5121, "S:text of the file")...)
	packets = append(packets, dissecttest.Stream(5122, "S:a list")...)
	return dissecttest.Session(t, protocols.All(), 101, packets)
}

// TestPlaces follows the files, on the port of FTP and on another where the greeting tells.
func TestPlaces(t *testing.T) {
	for _, port := range []uint16{21, 2121} {
		s := talk(t, port)
		dissecttest.Check(t, s, []dissecttest.Row{
			{3, "info", "Response: 220-Welcome"},
			{3, "ftp.request.command", ""},
			{5, "ftp.response_to", "4,4"},
			{7, "ftp.current-working-directory", "/home"},
			{9, "ftp.current-working-directory", "/pub/x"},
			{11, "ftp.current-working-directory", "/pub"},
			{13, "ftp.passive.ip", "10.0.0.5"},
			{13, "ftp.passive.port", "5121"},
			{13, "ftp.passive.nat", "True"},
			{13, "ftp.command-frame", "14"},
			{14, "ftp.setup-frame", "13"},
			{14, "ftp.response_in", "15"},
			{16, "ftp.response_to", "14"},
			{16, "ftp.time", "0.002000000"},
			{18, "ftp.epsv.ip", "192.0.2.2"},
			{18, "ftp.epsv.port", "5122"},
			{29, "info", "FTP Data: 16 bytes (PASV) (RETR file)"},
			{29, "ftp-data.current-working-directory", "/pub"},
			{34, "ftp-data.command", "LIST -a"},
			{34, "ftp-data.setup-frame", "18"},
		})
		for frame, note := range map[dissect.FrameNum]string{20: "ftp.epsv.args_invalid", 21: "ftp.eprt.args_invalid",
			24: "ftp.response.pwd.invalid"} {
			if _, ok := dissecttest.Find(s.Tree(frame), note); !ok {
				t.Errorf("frame %d has no note %s", frame, note)
			}
		}
	}
}

// TestAUTH holds that what comes behind the answer to AUTH is TLS with FTP inside, and that encrypted files are TLS.
func TestAUTH(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), "testdata/authtls.pcapng")
	dissecttest.Check(t, s, []dissecttest.Row{
		{9, "tls.handshake.type", "Client Hello (1)"},
		{9, "ftp.request.command", ""},
		{19, "ftp.request.command", "PASS"},
		{28, "ftp.response.code", "Requested file action okay, completed (250)"},
		{94, "tls.handshake.type", "Client Hello (1)"},
	})
}

func TestRecordings(t *testing.T) {
	s := talk(t, 21)
	dissecttest.Redissections(t, s)
	dissecttest.Owned(t, s)
	dissecttest.Mutations(t, protocols.All(), s, 40)
}
