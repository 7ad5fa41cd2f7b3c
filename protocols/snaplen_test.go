package protocols

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/internal/testall"
)

// TestShortSnapLengthSaysNothingMore cuts the packets of captures to what a capture with a snap length keeps: each is
// marked, and no expert info above a chat comes of it.
func TestShortSnapLengthSaysNothingMore(t *testing.T) {
	reg, said := dissecttest.Registry(t, All()), map[string]int{}
	frames := 0
	paths := foreign(t)
	for _, game := range []string{"aoe2", "kaillera", "realnet", "soaprun", "touhou"} {
		more, err := filepath.Glob("../fixtures/captures/" + game + "/*.pcapng")
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, more...)
	}
	for i, path := range paths {
		packets, link := packetsOf(t, path)
		if len(packets) == 0 {
			continue
		}
		whole := notesOf(dissecttest.SessionOf(t, reg, link, packets))
		for k, keep := range []int{96, 64, 128, 200} {
			if k != i%4 && !testall.On() && os.Getenv("REMORA_FOREIGN") == "" {
				continue
			}
			s := dissecttest.SessionOf(t, reg, link, cutTo(packets, keep))
			frames += s.Passed()
			for n, names := range notesOf(s) {
				short := false
				for _, name := range names {
					if short = short || name == "_ws.short"; name != "_ws.short" && !slices.Contains(whole[n], name) {
						t.Errorf("%s at %d, frame %d, %s: %s", path, keep, n, s.StackPath(s.LayerStackOf(n)), name)
						said[name]++
					}
				}
				if p := packets[n-1]; !short && len(p.Data) > keep {
					t.Errorf("%s at %d, frame %d is not marked as cut", path, keep, n)
				}
			}
		}
	}
	t.Logf("%d frames: %v", frames, said)
}

// cutTo are the packets as a capture with a snap length has them.
func cutTo(packets []dissecttest.Packet, keep int) []dissecttest.Packet {
	out := slices.Clone(packets)
	for i := range out {
		if p := &out[i]; len(p.Data) > keep {
			p.Data, p.Len = p.Data[:keep], max(p.Len, len(p.Data))
		}
	}
	return out
}

// notesOf are the names of the expert infos of each frame, without the chats but the mark of cut packets.
func notesOf(s *dissect.Session) map[dissect.FrameNum][]string {
	out := map[dissect.FrameNum][]string{}
	for n := 1; n <= s.Passed(); n++ {
		out[dissect.FrameNum(n)] = nil
	}
	for i := range s.ExpertInfos() {
		e := s.ExpertInfo(i)
		if name := s.Registry().FieldByID(e.Field).Name(); e.Severity > dissect.Chat || name == "_ws.short" {
			out[e.Frame] = append(out[e.Frame], name)
		}
	}
	return out
}
