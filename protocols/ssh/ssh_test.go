package ssh

import (
	"bytes"
	"crypto/md5"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/data"
	"remora/protocols/eth"
	"remora/protocols/frame"
	"remora/protocols/ip"
	"remora/protocols/tcp"
)

func plugins() []dissect.Plugin {
	return []dissect.Plugin{frame.Plugin(), eth.Plugin(), ip.Plugin(), tcp.Plugin(), Plugin(), data.Plugin()}
}

// A talk makes the segments of one connection.
type talk struct {
	port    uint16
	seq     [2]uint32
	packets []dissecttest.Packet
}

// say adds a segment; way 0 is from the client.
func (c *talk) say(dir int, payload []byte) {
	from, to, sport, dport := "192.0.2.1", "192.0.2.2", uint16(50000), c.port
	if dir == 1 {
		from, to, sport, dport = to, from, dport, sport
	}
	tcp := dissecttest.TCP(sport, dport, 1000+c.seq[dir], 1000+c.seq[1-dir], 0x18, payload)
	c.seq[dir] += uint32(len(payload))
	frame := dissecttest.Ethernet(dissecttest.IPv4(dissecttest.ProtocolTCP, from, to, tcp))
	c.packets = append(c.packets, dissecttest.Packet{Data: frame})
}

func text(s string) []byte { return append(binary.BigEndian.AppendUint32(nil, uint32(len(s))), s...) }

// packetOf wraps a message (RFC 4253 section 6).
func packetOf(message []byte) []byte {
	pad := 8 - (len(message)+5)%8
	if pad < 4 {
		pad += 8
	}
	b := binary.BigEndian.AppendUint32(nil, uint32(1+len(message)+pad))
	b = append(append(b, byte(pad)), message...)
	return append(b, make([]byte, pad)...)
}

func initOf(kex, host, ciphers, macs string) []byte {
	b := append([]byte{msgKexInit}, bytes.Repeat([]byte{0xcc}, 16)...)
	for _, l := range []string{kex, host, ciphers, ciphers, macs, macs, "none", "none", "", ""} {
		b = append(b, text(l)...)
	}
	return packetOf(append(b, 0, 0, 0, 0, 0))
}

// login is the start of a connection: versions, lists, the key exchange, and two packets that are encrypted.
func login(port uint16, kex, ciphers, macs string) *talk {
	c := &talk{port: port}
	c.say(0, []byte("SSH-2.0-OpenSSH_9.2p1\r\n"))
	c.say(1, []byte("Welcome\r\nSSH-2.0-dropbear\r\n"))
	client := initOf("other,"+kex, "ssh-ed25519", ciphers, macs)
	c.say(0, client[:100])
	c.say(0, client[100:])
	c.say(1, initOf(kex, "ssh-ed25519", ciphers, macs))
	c.say(0, packetOf(append([]byte{30}, text(strings.Repeat("p", 32))...)))
	key := append(text("ssh-ed25519"), text(strings.Repeat("k", 32))...)
	sig := append(text("ssh-ed25519"), text(strings.Repeat("s", 64))...)
	reply := append(append(append([]byte{31}, text(string(key))...), text(strings.Repeat("q", 32))...),
		text(string(sig))...)
	c.say(1, append(packetOf(reply), packetOf([]byte{msgNewKeys})...))
	c.say(0, packetOf([]byte{msgNewKeys}))
	sealed := append(binary.BigEndian.AppendUint32(nil, 16), bytes.Repeat([]byte{0xee}, 16+32)...)
	c.say(0, append(sealed, sealed...))
	return c
}

func TestLogin(t *testing.T) {
	c := login(22, "curve25519-sha256", "aes128-ctr", "hmac-sha2-256-etm@openssh.com")
	s := dissecttest.Session(t, plugins(), 1, c.packets)
	server := "curve25519-sha256;aes128-ctr;hmac-sha2-256-etm@openssh.com;none"
	sum := md5.Sum([]byte(server))
	for _, c := range []struct {
		frame        dissect.FrameNum
		field, value string
	}{
		{1, "ssh.protocol", "SSH-2.0-OpenSSH_9.2p1"}, {1, "ssh.direction", "client-to-server"},
		{2, "ssh.protocol", "SSH-2.0-dropbear"}, {2, "ssh.banner", "Welcome"},
		{4, "ssh.message_code", "Key Exchange Init (20)"}, {4, "ssh.kex_algorithms", "other,curve25519-sha256"},
		{4, "ssh.seq_num", "0"},
		{5, "ssh.kex.hasshserver_algorithms", server}, {5, "ssh.kex.hasshserver", hex.EncodeToString(sum[:])},
		{5, "ssh.kex.hassh", ""},
		{6, "ssh.ecdh.q_c", hex.EncodeToString(bytes.Repeat([]byte("p"), 32))}, {6, "ssh.seq_num", "1"},
		{7, "ssh.host_key.type", "ssh-ed25519"}, {7, "ssh.host_sig.type", "ssh-ed25519"}, {7, "ssh.ecdh.q_s_length", "32"},
		{7, "ssh.message_code", "Key Exchange Message 31 (31),New Keys (21)"},
		{9, "ssh.packet_length", "16,16"}, {9, "ssh.mac", strings.Repeat("ee", 32) + "," + strings.Repeat("ee", 32)},
	} {
		if got := dissecttest.All(s.Tree(c.frame), c.field); got != c.value {
			t.Errorf("frame %d: %s is %q, not %q", c.frame, c.field, got, c.value)
		}
	}
	for n, want := range map[dissect.FrameNum]string{
		1: "Client: Protocol (SSH-2.0-OpenSSH_9.2p1)", 4: "Client: Key Exchange Init",
		6: "Client: Elliptic Curve Diffie-Hellman Key Exchange Init",
		7: "Server: Elliptic Curve Diffie-Hellman Key Exchange Reply, New Keys",
		9: "Client: Encrypted packet (len=52), Encrypted packet (len=52)",
	} {
		if got := s.Tree(n).InfoLine(); got != want {
			t.Errorf("frame %d: the Info column is %q, not %q", n, got, want)
		}
	}
}

// The standard tests, for methods and ciphers that differ in what can be read, and on a port of its own.
func TestLooks(t *testing.T) {
	for _, c := range []*talk{
		login(22, "curve25519-sha256", "chacha20-poly1305@openssh.com", "hmac-sha1"),
		login(22, "diffie-hellman-group14-sha256", "aes128-gcm@openssh.com", "hmac-sha1"),
		login(2222, "diffie-hellman-group-exchange-sha256", "aes128-ctr", "umac-64-etm@openssh.com"),
		login(22, "none-agreed,", "", ""),
	} {
		s := dissecttest.Session(t, plugins(), 1, c.packets)
		if got := s.Tree(1).Protocol().Name(); got != "ssh" {
			t.Errorf("port %d: frame 1 is %s", c.port, got)
		}
		dissecttest.Redissections(t, s)
		dissecttest.Fields(t, s)
		dissecttest.Truncations(t, plugins(), s)
	}
}

// Where the capture begins after the key exchange, everything is encrypted.
func TestLate(t *testing.T) {
	c := &talk{port: 22}
	c.say(0, bytes.Repeat([]byte{0x9a}, 64))
	c.say(1, append([]byte{0, 0, 0, 12}, bytes.Repeat([]byte{0x9a}, 60)...))
	s := dissecttest.Session(t, plugins(), 1, c.packets)
	for n := dissect.FrameNum(1); n <= 2; n++ {
		if _, ok := dissecttest.Find(s.Tree(n), "ssh.encrypted_packet"); !ok {
			t.Errorf("frame %d shows no encrypted packet", n)
		}
	}
}

func TestDeclarations(t *testing.T) { dissecttest.Declarations(t, plugins()) }

func FuzzSSH(f *testing.F) {
	f.Add([]byte("SSH-2.0-x\r\n"), initOf("a", "b", "c", "d"))
	f.Add([]byte{0, 0, 0, 12, 200}, []byte{31})
	f.Fuzz(func(t *testing.T, a, b []byte) {
		if len(a) == 0 || len(b) == 0 || len(a)+len(b) > 4000 {
			return
		}
		c := &talk{port: 22}
		c.say(0, a)
		c.say(1, b)
		c.say(0, b)
		c.say(1, a)
		s := dissecttest.Session(t, plugins(), 1, c.packets)
		for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
			dissecttest.Sound(t, s.Tree(n))
		}
	})
}
