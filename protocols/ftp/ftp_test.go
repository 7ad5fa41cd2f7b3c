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
	if err := gopacket.SerializeLayers(buf, gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true}, ip, tcp, gopacket.Payload(text)); err != nil {
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
		{1, "ftp.response.code", "220"},
		{1, "ftp.response.arg", "ready"},
		{3, "ftp.request.command", "USER"},
		{3, "ftp.request.arg", "anonymous"},
		{4, "ftp.response.code", "331"},
	} {
		if got, _ := dissecttest.Find(s.Tree(c.frame), c.field); got != c.want {
			t.Errorf("frame %d: %s is %q, want %q", c.frame, c.field, got, c.want)
		}
	}
}

func TestHostile(t *testing.T) { dissecttest.Mutations(t, protocols.All(), session(t), 28) }

func TestStandard(t *testing.T) {
	dissecttest.Run(t, protocols.All())
	s := session(t)
	dissecttest.Looks(t, s)
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
