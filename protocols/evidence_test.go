package protocols

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"remora/capture/pcapfile"
	"slices"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/internal/testall"
)

// A flow is a conversation of a test: payloads that a client (even places) and a server (odd places) send in turn.
type flow struct {
	table    dissect.Table
	port     uint16
	payloads [][]byte
	ends     []string // who sent each: the first of them is the client; none where they take turns
	wrap     func(packet []byte) []byte
}

// packets are the frames of the flow from a client whose number makes its address and port its own.
func (f *flow) packets(client int) (out []dissecttest.Packet) {
	from, to := fmt.Sprintf("198.18.%d.%d", client>>8&255, client&255), "203.0.113.5"
	own := uint16(40000 + client%16384)
	seq := [2]uint32{1000, 5000}
	send := func(dir int, flags byte, b []byte) {
		src, dst, sport, dport := from, to, own, f.port
		if dir == 1 {
			src, dst, sport, dport = dst, src, dport, sport
		}
		var packet []byte
		if f.table == dissect.TableTCP {
			packet = dissecttest.IPv4(dissecttest.ProtocolTCP, src, dst,
				dissecttest.TCP(sport, dport, seq[dir], seq[1-dir], flags, b))
			seq[dir] += uint32(len(b)) + uint32(flags>>1&1)
		} else {
			packet = dissecttest.IPv4(dissecttest.ProtocolUDP, src, dst, dissecttest.UDP(sport, dport, b))
		}
		if f.wrap != nil {
			packet = f.wrap(packet)
		}
		out = append(out, dissecttest.Packet{Data: packet})
	}
	if f.table == dissect.TableTCP {
		send(0, 2, nil)
		send(1, 0x12, nil)
		send(0, 0x10, nil)
	}
	for i, b := range f.payloads {
		dir := i % 2
		if f.ends != nil && f.ends[i] == f.ends[0] {
			dir = 0
		} else if f.ends != nil {
			dir = 1
		}
		send(dir, 0x18, b)
	}
	return out
}

// portsOf are the ports that protocols declare in a table, sorted.
func portsOf(reg *dissect.Registry, t dissect.Table) []uint16 {
	var ports []uint16
	for _, p := range reg.Protocols() {
		for _, v := range reg.Ports(p.Name(), t) {
			if v > 0 && v < 1<<16 {
				ports = append(ports, uint16(v))
			}
		}
	}
	slices.Sort(ports)
	return slices.Compact(ports)
}

// TestRandomBytesAreData: random bytes between any port of a protocol and another are data. None of them is malformed,
// and nothing is an error; at most one note of each conversation says what it is not.
func TestRandomBytesAreData(t *testing.T) {
	reg := dissecttest.Registry(t, All())
	rng := rand.New(rand.NewPCG(1, 2))
	for _, table := range []dissect.Table{dissect.TableUDP, dissect.TableTCP} {
		for range testall.Of(2, 200) {
			var packets []dissecttest.Packet
			for i, port := range portsOf(reg, table) {
				f := flow{table: table, port: port}
				for range 6 {
					f.payloads = append(f.payloads, randomBytes(rng))
				}
				made := f.packets(i)
				packets = append(packets, made...)
			}
			saysLittle(t, dissecttest.SessionOf(t, reg, 101, packets))
		}
	}
}

// randomBytes are a few bytes, or up to 300.
func randomBytes(rng *rand.Rand) []byte {
	b := make([]byte, 1+rng.IntN(rng.IntN(300)+1))
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	return b
}

// saysLittle checks that nothing is an error, and that each conversation says at most once what it is not.
func saysLittle(t *testing.T, s *dissect.Session) {
	t.Helper()
	said := map[uint32]bool{}
	for i := range s.ExpertInfos() {
		e := s.ExpertInfo(i)
		conv := s.ConversationOf(e.Frame)
		switch {
		case e.Severity == dissect.Error:
			t.Errorf("port %d: %s: %s", s.Conversation(conv).B.Port, s.StackPath(s.LayerStackOf(e.Frame)),
				s.Registry().FieldByID(e.Field).Name())
		case s.Registry().FieldByID(e.Field).Name() == "_ws.unlike":
			if said[conv] {
				t.Errorf("port %d: it is said twice what it is not", s.Conversation(conv).B.Port)
			}
			said[conv] = true
		}
	}
	if len(said) == 0 {
		t.Error("nobody says what the bytes are not")
	}
}

// games are the ports of the games, and real-net's, which has none of its own.
var games = map[dissect.Table][]uint16{
	dissect.TableUDP: {27888, 10800, 2350, 47624, 12345}, dissect.TableTCP: {1001, 1002, 2350, 47624},
}

// gameProtocols are the filter names of what the games' packets are.
var gameProtocols = []string{"kaillera", "kailleralist", "touhou", "aoe2", "dplay", "soaprun", "realnet"}

// TestForeignTrafficIsNoGame moves the payloads of the everyday protocols to the games' ports: none becomes a game's.
func TestForeignTrafficIsNoGame(t *testing.T) {
	reg, moved := dissecttest.Registry(t, All()), 0
	for _, path := range foreign(t) {
		var packets []dissecttest.Packet
		for i, f := range flowsOf(t, path) {
			for k, port := range games[f.table] {
				f.port = port
				made := f.packets(k<<12 | i&0xfff)
				packets = append(packets, made...)
			}
		}
		s := dissecttest.SessionOf(t, reg, 101, packets)
		for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
			for _, p := range s.StackProtocols(s.LayerStackOf(n)) {
				if slices.Contains(gameProtocols, p.Name()) {
					t.Errorf("%s, frame %d to port %d: %s", path, n, s.Conversation(s.ConversationOf(n)).B.Port,
						s.Tree(n).InfoLine())
				}
			}
		}
		moved += s.Passed()
	}
	t.Logf("%d packets moved", moved)
}

// wrappings are what else the packets of a flow may lie in, with the link type of what comes out.
var wrappings = map[string]struct {
	link int
	wrap func(packet []byte) []byte
}{
	"VLAN": {1, func(p []byte) []byte {
		return append([]byte("\x02\x00\x00\x00\x00\x01\x02\x00\x00\x00\x00\x02\x81\x00\x00\x07\x08\x00"), p...)
	}},
	"GRE": {101, func(p []byte) []byte {
		return dissecttest.IPv4(47, "192.0.2.1", "192.0.2.2", append([]byte{0, 0, 8, 0}, p...))
	}},
	"IPv6": {101, func(p []byte) []byte { // in place of IPv4
		out := append([]byte{0x60, 0, 0, 0, byte((len(p) - 20) >> 8), byte(len(p) - 20), p[9], 64}, make([]byte, 32)...)
		out[8], out[24] = 0xfd, 0xfd
		copy(out[20:], p[12:16])
		copy(out[36:], p[16:20])
		return append(out, p[20:]...)
	}},
}

// TestForeignTrafficElsewhere moves payloads to the games' ports as TestForeignTrafficIsNoGame does, within other
// layers: none becomes a game's. Random bytes there are data.
func TestForeignTrafficElsewhere(t *testing.T) {
	reg := dissecttest.Registry(t, All())
	rng := rand.New(rand.NewPCG(3, 4))
	for name, in := range wrappings {
		own := flow{table: dissect.TableUDP, port: 27888, payloads: [][]byte{[]byte("HELLO0.83\x00")}, wrap: in.wrap}
		s := dissecttest.SessionOf(t, reg, in.link, own.packets(1))
		if stack := s.StackPath(s.LayerStackOf(1)); !strings.HasSuffix(stack, ":kaillera") {
			t.Errorf("the game's own packet in %s is %s", name, stack)
		}
		moved := 0
		for i, path := range foreign(t) {
			if i%5 != len(name)%5 && !testall.On() && os.Getenv("REMORA_FOREIGN") == "" {
				continue
			}
			var packets []dissecttest.Packet
			flows := flowsOf(t, path)
			for _, table := range []dissect.Table{dissect.TableUDP, dissect.TableTCP} {
				f := &flow{table: table}
				for range 6 {
					f.payloads = append(f.payloads, randomBytes(rng))
				}
				flows = append(flows, f)
			}
			for i, f := range flows {
				f.wrap = in.wrap
				for k, port := range games[f.table] {
					f.port = port
					packets = append(packets, f.packets(k<<12|i&0xfff)...)
				}
			}
			s := dissecttest.SessionOf(t, reg, in.link, packets)
			moved += s.Passed()
			for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
				stack := s.StackProtocols(s.LayerStackOf(n))
				for _, p := range stack {
					if slices.Contains(gameProtocols, p.Name()) {
						t.Errorf("%s in %s, frame %d to port %d: %s", path, name, n,
							s.Conversation(s.ConversationOf(n)).B.Port, s.Tree(n).InfoLine())
					}
				}
			}
		}
		t.Logf("%d packets moved in %s", moved, name)
	}
}

// foreign are the captures whose payloads are moved: the everyday fixtures, and those below the folder that
// REMORA_FOREIGN names.
func foreign(t *testing.T) (paths []string) {
	all, err := filepath.Glob("../fixtures/captures/lan/*.pcap*")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		if filepath.Ext(p) != ".tree" {
			paths = append(paths, p)
		}
	}
	if len(paths) == 0 {
		t.Fatal("there are no captures")
	}
	if dir := os.Getenv("REMORA_FOREIGN"); dir != "" {
		err = filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
			if e.Type().IsRegular() && strings.Contains(filepath.Ext(path), "cap") {
				paths = append(paths, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return paths
}

// flowsOf are the payloads of a capture's conversations over IPv4, Ethernet below, in their order.
func flowsOf(t *testing.T, path string) (flows []*flow) {
	store, err := pcapfile.Open(t.Context(), path)
	if err != nil {
		return nil // what is damaged has nothing to move
	}
	defer store.Close()
	store.Wait()
	r, at := store.NewReader(), map[string]*flow{}
	for i := range store.Len() {
		b, err := r.Bytes(i)
		head := 42
		if err != nil || store.InterfaceLinkType(store.Meta(i).Interface) != 1 || len(b) <= head ||
			string(b[12:15]) != "\x08\x00\x45" || b[20]&0x3f|b[21] != 0 {
			continue
		}
		table := dissect.TableUDP
		if b[23] == 6 && len(b) > 54 {
			table, head = dissect.TableTCP, 34+int(b[46]>>4)*4
		} else if b[23] != 17 {
			continue
		}
		end := min(len(b), 14+int(binary.BigEndian.Uint16(b[16:])))
		ends := []string{string(b[26:30]) + string(b[34:36]), string(b[30:34]) + string(b[36:38])}
		sender := ends[0]
		slices.Sort(ends)
		key := string(table) + ends[0] + ends[1]
		if head >= end {
			continue
		}
		f := at[key]
		if f == nil {
			f = &flow{table: table}
			at[key], flows = f, append(flows, f)
		}
		f.payloads, f.ends = append(f.payloads, slices.Clone(b[head:end])), append(f.ends, sender)
	}
	return flows
}

// TestGivenUp has the first datagram of a conversation fit the protocol of its port, and the others not: it is given
// up, and the note stands where that was known. One that lies among others changes nothing.
func TestGivenUp(t *testing.T) {
	request := append([]byte{1, 7, 0, 20}, make([]byte, 16)...)
	other := append([]byte{0x80, 96, 0, 1}, make([]byte, 60)...)
	for _, c := range []struct {
		payloads [][]byte
		want     string // of the last
	}{
		{[][]byte{request, other, other, other, other}, "data"},
		{[][]byte{request, request, other, request, request}, "radius"},
	} {
		f := flow{table: dissect.TableUDP, port: 1812, payloads: c.payloads}
		s := dissecttest.Session(t, All(), 101, f.packets(1))
		last := dissect.FrameNum(s.Passed())
		stack := s.StackPath(s.LayerStackOf(last))
		if !strings.HasSuffix(stack, ":"+c.want) {
			t.Errorf("the last datagram is %s, want %s", stack, c.want)
		}
		notes := 0
		for i := range s.ExpertInfos() {
			if s.Registry().FieldByID(s.ExpertInfo(i).Field).Name() == "_ws.unlike" {
				notes++
			}
		}
		if given := c.want == "data"; given != (notes == 1) {
			t.Errorf("%d notes say what it is not", notes)
		}
		dissecttest.Redissections(t, s)
	}
}

// TestCutBeginning begins a conversation on QUIC's port with a datagram of an older protocol that the capture cut
// short: that what follows may be QUIC is not enough then.
func TestCutBeginning(t *testing.T) {
	old := append([]byte("\xc3Q046\x50\x80\x46\xe7\x7a\xa3\x06\xea\x00\x00\x00\x01"), make([]byte, 1200)...)
	short := append([]byte{0x40}, make([]byte, 30)...)
	f := flow{table: dissect.TableUDP, port: 443, payloads: [][]byte{old, old, short, short, short, short, short, short}}
	packets := cutTo(f.packets(1), 96)
	s := dissecttest.Session(t, All(), 101, packets)
	for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
		if stack := s.StackPath(s.LayerStackOf(n)); strings.Contains(stack, "quic") {
			t.Errorf("frame %d is %s", n, stack)
		}
	}
	f.payloads = f.payloads[2:]
	s = dissecttest.Session(t, All(), 101, f.packets(1))
	if stack := s.StackPath(s.LayerStackOf(1)); !strings.HasSuffix(stack, "quic") {
		t.Errorf("without it the first datagram is %s", stack)
	}
}

// TestCutRequestOfSIP leaves a request of SIP whose first line the capture cut off to SIP, though HTTP has its method.
func TestCutRequestOfSIP(t *testing.T) {
	packets, link := packetsOf(t, "../fixtures/captures/lan/sip.pcap")
	s := dissecttest.Session(t, All(), link, cutTo(packets, 96))
	if stack := s.StackPath(s.LayerStackOf(52)); !strings.HasSuffix(stack, ":tcp:sip") {
		t.Errorf("the request is %s", stack)
	}
}
