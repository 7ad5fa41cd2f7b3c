package calls

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
	"remora/ui/view/viewtest"
)

// drawn is what a Ladder was asked to draw.
type drawn struct {
	title  string
	frames []dissect.FrameNum
	notes  map[dissect.FrameNum]string
}

func (d *drawn) ladder(title string, frames []dissect.FrameNum, notes map[dissect.FrameNum]string) {
	*d = drawn{title, frames, notes}
}

func voice(t *testing.T, w, h int, streams bool) (*viewtest.Screen, *drawn) {
	t.Helper()
	x, d := viewtest.OpenFile(t, protocols.All(), "../../../fixtures/captures/lan/voice.pcap", w, h), &drawn{}
	return x.Show(New(x, d.ladder, streams)), d
}

// TestACallWithItsStreams: a call is listed with its state and streams, and its flow graph has the messages and one
// arrow for each stream.
func TestACallWithItsStreams(t *testing.T) {
	x, d := voice(t, 120, 20, false)
	x.Has("sip:alice@example.com", "sip:bob@192.0.2.11", "completed", "1 call, 2 RTP streams")
	x.Keys("<enter>")
	if len(d.frames) != 10 || len(d.notes) != 2 || !strings.Contains(d.title, "alice") {
		t.Errorf("the ladder of %q has %v with %v", d.title, d.frames, d.notes)
	}
	if note := d.notes[7]; !strings.Contains(note, "G.711 PCMU, 51 packets, 0 lost") {
		t.Errorf("the stream that begins at packet 7: %q", note)
	}
	x.Keys("<tab>").Has("RTP streams", "192.0.2.11:10008", "0x033aea48", "51", "0 (0.0%)")
	x.Keys("G<enter>")
	if x.View != nil || x.Scope().Session.Passed() == 0 {
		t.Error("Enter does not lead to the stream's first packet")
	}
}

// TestNarrowEndsAreWhole: on a screen of 80 columns ends stand with their ports, as nothing else needs the room.
func TestNarrowEndsAreWhole(t *testing.T) {
	x, _ := voice(t, 80, 20, true)
	x.Has("192.0.2.11:10008", "Destination", "G.711 PCMU", "0 (0.0%)", "jitter")
}

// TestStreamsAsTshark: lost packets and jitter are tshark's.
func TestStreamsAsTshark(t *testing.T) {
	tshark, err := exec.LookPath("tshark")
	if err != nil {
		t.Skip("no tshark")
	}
	out, err := exec.Command(tshark, "-q", "-r", "../../../fixtures/captures/lan/voice.pcap", "-z", "rtp,streams").Output()
	if err != nil {
		t.Fatal(err)
	}
	x, _ := voice(t, 200, 20, true)
	sheet := x.View.(*View).Sheet()
	for _, row := range sheet.Rows() {
		jitter := fmt.Sprintf("%.3f", row[7])
		if !strings.Contains(string(out), jitter) || !strings.Contains(string(out), fmt.Sprintf("%.3f", row[8])) {
			t.Errorf("tshark has no stream with a mean jitter of %s:\n%s", jitter, out)
		}
	}
}

// TestSoundIsSaved: both directions of a call are the sides of a stereo sound, one stream is a mono one.
func TestSoundIsSaved(t *testing.T) {
	x, _ := voice(t, 120, 20, false)
	path := filepath.Join(t.TempDir(), "call.wav")
	x.Keys("w").Type(path)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err, x.Notice)
	}
	le := binary.LittleEndian
	channels, rate, size := le.Uint16(b[22:]), le.Uint32(b[24:]), int(le.Uint32(b[40:]))
	// 51 packets of 160 samples; the second stream begins 0.47 ms later, which are 3 samples
	if string(b[:4]) != "RIFF" || channels != 2 || rate != 8000 || size != 4*(51*160+3) || len(b) != 44+size {
		t.Errorf("%q: %d channels, %d Hz, %d bytes of %d", b[:12], channels, rate, size, len(b))
	}
	path = filepath.Join(t.TempDir(), "one.au")
	x.Keys("<tab>w").Type(path)
	if b, err = os.ReadFile(path); err != nil {
		t.Fatal(err, x.Notice)
	}
	if be := binary.BigEndian; string(b[:4]) != ".snd" || be.Uint32(b[12:]) != 3 || be.Uint32(b[20:]) != 1 ||
		len(b) != 24+2*51*160 {
		t.Errorf("% x, %d bytes", b[:24], len(b))
	}
	raw := filepath.Join(t.TempDir(), "one.raw")
	x.Keys("w").Type(raw)
	if b, err := os.ReadFile(raw); err != nil || len(b) != 51*160 {
		t.Errorf("%d bytes of payload (%v): %s", len(b), err, x.Notice)
	}
	x.View.(*View).media[0].Payload = 4
	if x.Keys("w").Type(path); !strings.Contains(x.Notice, "G.723 is not decoded here") {
		t.Error(x.Notice)
	}
	x.View.(*View).media[0].Payload = 0
	if x.Keys("w").Type(path); !strings.Contains(x.Question, "is there already") {
		t.Errorf("a file is replaced: %s", x.Notice)
	}
}

func sip(src, dst byte, first, id, cseq string) []byte {
	return viewtest.UDP(src, dst, 5060, 5060, first+"\r\nVia: SIP/2.0/UDP 10.0.0.1;branch=z9hG4bK"+id+
		"\r\nFrom: <sip:ann@a.example>;tag=1\r\nTo: <sip:bob@b.example>\r\nCall-ID: "+id+"\r\nCSeq: 1 "+cseq+
		"\r\nContent-Length: 0\r\n\r\n")
}

// TestLegsOfACall: a host that passes a call on begins another leg of it; what it has nothing to do with is another
// call.
func TestLegsOfACall(t *testing.T) {
	list := dissecttest.Packets(
		sip(1, 2, "INVITE sip:bob@b.example SIP/2.0", "leg-a", "INVITE"),
		sip(2, 3, "INVITE sip:bob@b.example SIP/2.0", "leg-b", "INVITE"),
		sip(7, 8, "INVITE sip:bob@b.example SIP/2.0", "apart", "INVITE"),
		sip(3, 2, "SIP/2.0 180 Ringing", "leg-b", "INVITE"), sip(2, 1, "SIP/2.0 180 Ringing", "leg-a", "INVITE"),
		sip(8, 7, "SIP/2.0 486 Busy Here", "apart", "INVITE"),
		sip(1, 2, "REGISTER sip:b.example SIP/2.0", "none", "REGISTER"))
	x, d := viewtest.Open(t, protocols.All(), list, 120, 20), &drawn{}
	x.Show(New(x, d.ladder, false)).Has("2 calls", "ringing", "rejected")
	x.Keys("<enter>")
	if got := fmt.Sprint(d.frames); got != "[1 2 4 5]" {
		t.Errorf("the call with two legs has packets %s", got)
	}
	x.Keys("j<enter>")
	if got := fmt.Sprint(d.frames); got != "[3 6]" {
		t.Errorf("the other call has packets %s", got)
	}
}

// TestLegsThatNameEachOther: a leg whose X-Call-ID is another's Call-ID is of the same call, whoever it is between.
func TestLegsThatNameEachOther(t *testing.T) {
	list := dissecttest.Packets(
		sip(1, 2, "INVITE sip:bob@b.example SIP/2.0", "leg-a", "INVITE"),
		sip(7, 8, "INVITE sip:eve@c.example SIP/2.0\r\nX-Call-ID: leg-a", "leg-b", "INVITE"),
		sip(9, 6, "INVITE sip:eve@c.example SIP/2.0\r\nX-CID: leg-a", "leg-c", "INVITE"),
		sip(8, 7, "SIP/2.0 180 Ringing", "leg-b", "INVITE"),
		sip(4, 5, "INVITE sip:dan@d.example SIP/2.0", "apart", "INVITE"))
	x, d := viewtest.Open(t, protocols.All(), list, 120, 20), &drawn{}
	x.Show(New(x, d.ladder, false)).Has("2 calls").Keys("<enter>")
	if got := fmt.Sprint(d.frames); got != "[1 2 3 4]" {
		t.Errorf("the call with three legs has packets %s", got)
	}
}

// TestCodecsOfDescriptions: what a payload type stands for is what the call says; G.726 and G.722 become sound, with
// twice as many samples of the latter as its clock tells, and of other codecs the payload can be taken.
func TestCodecsOfDescriptions(t *testing.T) {
	body := "v=0\r\no=- 1 1 IN IP4 10.0.0.1\r\ns=-\r\nc=IN IP4 10.0.0.1\r\nt=0 0\r\nm=audio 4000 RTP/AVP 97 98 9\r\n" +
		"a=rtpmap:97 G726-32/8000\r\na=rtpmap:98 iLBC/8000\r\n"
	packets := [][]byte{viewtest.UDP(1, 2, 5060, 5060, "INVITE sip:bob@b.example SIP/2.0\r\n"+
		"Via: SIP/2.0/UDP 10.0.0.1;branch=z9hG4bKa\r\nFrom: <sip:ann@a.example>;tag=1\r\nTo: <sip:bob@b.example>\r\n"+
		"Call-ID: a\r\nCSeq: 1 INVITE\r\nContent-Type: application/sdp\r\nContent-Length: "+strconv.Itoa(len(body))+
		"\r\n\r\n"+body)}
	for kind, ssrc := range map[byte]string{97: "\x00\x00\x00\x01", 98: "\x00\x00\x00\x02", 9: "\x00\x00\x00\x03"} {
		for i := range byte(5) {
			packets = append(packets, viewtest.UDP(2, 1, 4002, 4000, "\x80"+string([]byte{kind, 0, i, 0, 0, 0, i * 50})+
				ssrc+strings.Repeat("\xff", 25)))
		}
	}
	x := viewtest.Open(t, protocols.All(), dissecttest.Packets(packets...), 120, 20)
	x.Show(New(x, (&drawn{}).ladder, true)).Has("G726-32", "iLBC", "G.722", "3 RTP streams")
	v, dir := x.View.(*View), t.TempDir()
	for i := range v.media {
		path := filepath.Join(dir, v.media[i].Form+".wav")
		want := map[uint8]int{97: 5 * 50, 9: 2*4*50 + 50}[v.media[i].Payload]
		x.Keys("gg" + strings.Repeat("j", i) + "w").Type(path)
		b, err := os.ReadFile(path)
		if want == 0 {
			if err == nil || !strings.Contains(x.Notice, "iLBC is not decoded here") {
				t.Error(x.Notice)
			}
			continue
		}
		if err != nil || len(b) != 44+2*want {
			t.Errorf("%s: %d bytes, want %d samples (%v): %s", v.media[i].Codec(), len(b), want, err, x.Notice)
		}
	}
}

// TestCallsFitEverySize: the columns stay within the screen.
func TestCallsFitEverySize(t *testing.T) {
	for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 36}, {200, 50}} {
		for _, streams := range []bool{false, true} {
			x, _ := voice(t, size[0], size[1], streams)
			x.Has("1 call", map[bool]string{true: "51", false: "completed"}[streams])
		}
	}
}
