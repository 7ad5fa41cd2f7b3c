package protocols

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/dissect/dissecttest"
)

// TestMovedTrafficHasNoMoreErrors gives the servers of each capture's conversations ports of other protocols, at
// random, and nothing else: what was no error there is none here, and nothing becomes a game's.
func TestMovedTrafficHasNoMoreErrors(t *testing.T) {
	reg := dissecttest.Registry(t, All())
	ports := map[dissect.Table][]uint16{}
	for _, table := range []dissect.Table{dissect.TableUDP, dissect.TableTCP} {
		ports[table] = portsOf(reg, table)
	}
	rng := rand.New(rand.NewPCG(7, 8))
	frames := 0
	for _, path := range foreign(t) {
		before, link := packetsOf(t, path)
		was := errorsOf(dissecttest.SessionOf(t, reg, link, before))
		after := moved(before, link, func(table dissect.Table) uint16 { return ports[table][rng.IntN(len(ports[table]))] })
		s := dissecttest.SessionOf(t, reg, link, after)
		frames += s.Passed()
		for n, names := range errorsOf(s) {
			if len(was[n]) == 0 {
				t.Errorf("%s, frame %d, port %d, %s: %v", path, n, s.Conversation(s.ConversationOf(n)).B.Port,
					s.StackPath(s.LayerStackOf(n)), names)
			}
		}
		for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
			for _, p := range s.StackProtocols(s.LayerStackOf(n)) {
				if slices.Contains(gameProtocols, p.Name()) {
					t.Errorf("%s, frame %d: %s", path, n, s.Tree(n).InfoLine())
				}
			}
		}
	}
	t.Logf("%d frames", frames)
}

// errorsOf are the errors of a session by their frames.
func errorsOf(s *dissect.Session) map[dissect.FrameNum][]string {
	out := map[dissect.FrameNum][]string{}
	for i := range s.ExpertInfos() {
		e := s.ExpertInfo(i)
		name := s.Registry().FieldByID(e.Field).Name()
		// TCP tells of segments that overtook themselves where messages are put together: on more ports than before.
		if e.Severity == dissect.Error && name != "tcp.segment.overlap.repeated" {
			out[e.Frame] = append(out[e.Frame], name)
		}
	}
	return out
}

// packetsOf are the packets of a capture from its first interface, and their link type.
func packetsOf(t *testing.T, path string) (out []dissecttest.Packet, link int) {
	store, err := pcapfile.Open(t.Context(), path)
	if err != nil {
		return nil, 1 // what is damaged has nothing to move
	}
	defer store.Close()
	store.Wait()
	r, last := store.NewReader(), int64(0)
	link = store.InterfaceLinkType(0)
	for i := range store.Len() {
		m := store.Meta(i)
		b, err := r.Bytes(i)
		if err != nil || store.InterfaceLinkType(m.Interface) != link {
			continue
		}
		out = append(out, dissecttest.Packet{Data: slices.Clone(b), Len: int(m.Len), Gap: m.Time - last})
		last = m.Time
	}
	return out, link
}

// moved are copies of the packets in which the lower port of each conversation over IPv4 is another, or both that are
// the same.
func moved(packets []dissecttest.Packet, link int, port func(dissect.Table) uint16) []dissecttest.Packet {
	head, ok := map[int]int{1: 14, 101: 0, 113: 16}[link]
	given := map[string]uint16{}
	out := slices.Clone(packets)
	for i := range out {
		b := slices.Clone(out[i].Data)
		out[i].Data = b
		if !ok || len(b) < head+28 || b[head] != 0x45 || b[head+6]&0x3f|b[head+7] != 0 || b[head+9] != 6 && b[head+9] != 17 {
			continue
		}
		table := dissect.TableUDP
		if b[head+9] == 6 {
			table = dissect.TableTCP
		}
		at := head + 20
		source, dest := binary.BigEndian.Uint16(b[at:]), binary.BigEndian.Uint16(b[at+2:])
		ends := []string{string(b[head+12:head+16]) + string(b[at:at+2]), string(b[head+16:head+20]) + string(b[at+2:at+4])}
		slices.Sort(ends)
		key := string(table) + ends[0] + ends[1]
		if given[key] == 0 {
			given[key] = port(table)
		}
		if dest == source {
			binary.BigEndian.PutUint16(b[at+2:], given[key])
		} else if dest < source {
			at += 2
		}
		binary.BigEndian.PutUint16(b[at:], given[key])
	}
	return out
}
