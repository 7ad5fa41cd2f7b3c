package ui

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"remora/capture"
	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
	"remora/ui/find"
)

// openFile opens a file as the program does.
func openFile(t *testing.T, path string, w, h int) *screen {
	t.Helper()
	store, err := pcapfile.Open(context.Background(), path, capture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	reg := dissecttest.Registry(t, protocols.All())
	s, err := dissect.NewSession(reg, store)
	if err != nil {
		t.Fatal(err)
	}
	shift := func(path string, by capture.Shift) (*capture.Store, error) {
		return pcapfile.Open(context.Background(), path, capture.Options{Shift: by})
	}
	reopen := func(path string) (*capture.Store, error) { return shift(path, capture.Shift{}) }
	x := &screen{t, newModel(context.Background(),
		Config{Registry: reg, Store: store, Session: s, File: path, Open: reopen, Shift: shift,
			Merge: func(paths []string) (*capture.Store, error) {
				return pcapfile.OpenAll(context.Background(), paths, capture.Options{})
			}})}
	t.Cleanup(x.m.closeAll)
	x.m.Update(size(w, h))
	x.settle()
	return x
}

// sample writes the packets of the tests to a file.
func sampleFile(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, dissecttest.Pcap(1, packets()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestStoryCommentAndSave writes comments, finds and filters by them, saves them, and reads them again with remora and
// tshark.
func TestStoryCommentAndSave(t *testing.T) {
	x := openFile(t, sampleFile(t, "talk.pcap"), 120, 36)
	x.keys("2G;the answer\\nis late<enter>")
	x.has("packet 2 has a comment", `Comment: the answer\nis late`)
	if got := x.m.packets.Store.Comments(1); !slices.Equal(got, []string{"the answer\nis late"}) {
		t.Fatalf("the comments are %q", got)
	}
	x.keys("jk")
	x.has("comments unsaved", `▸"     2`)
	x.keys(":comment and wrong<enter>5G;hostile \x1b]0;owned\x07 text<enter>")
	if strings.Contains(x.m.View().Content, "\x1b]0;") {
		t.Error("a comment reached the terminal as it is")
	}
	x.keys("gg]c")
	if x.m.selected.Frame != 2 {
		t.Errorf("]c went to %d", x.m.selected.Frame)
	}
	x.keys("]c[c[c")
	x.has("there is no further packet with a comment")
	x.keys(`/frame.comment contains "late"<enter>`)
	x.has("1 of 82")
	x.keys("Xgn")
	x.has("comment", "frame.comment")
	x.keys("G")
	x.has("the answer")
	x.keys("q" + "q")
	x.has("Quit?", "Unsaved comments")
	x.keys("n")
	dir := t.TempDir()
	x.keys(":w " + dir + "/lossy.pcap<enter>")
	x.has("Save without comments?", "2 of the packets")
	x.keys("n")
	path := filepath.Join(dir, "kept.pcapng")
	x.keys(":w " + path + "<enter>")
	x.has("82 packets saved")
	x.hasNot("comments unsaved")
	x.keys("q")
	if !x.m.ending.quit {
		t.Error("it asks though all is saved")
	}

	again := openFile(t, path, 120, 36)
	if got := again.m.packets.Store.Comments(1); !slices.Equal(got, []string{"the answer\nis late", "and wrong"}) {
		t.Errorf("read again, the comments are %q", got)
	}
	// Changed, taken away and saved in place.
	again.keys("2G;<enter>:w<enter>")
	again.has("name a file") // nothing was changed
	again.keys("5G;").send(keyPress("ctrl+u"))
	again.keys("<enter>:w<enter>")
	again.has("82 packets saved")
	third := openFile(t, path, 120, 36)
	if got := third.m.packets.Store.Commented(); !slices.Equal(got, []int{1}) {
		t.Errorf("packets with comments: %v", got)
	}
	tshark, err := exec.LookPath("tshark")
	if err != nil {
		return
	}
	out, err := exec.Command(tshark, "-r", path, "-Y", "frame.comment", "-T", "fields", "-e", "frame.number", "-e",
		"frame.comment").Output()
	if got := string(out); err != nil || !strings.HasPrefix(got, "2\tthe answer") || !strings.Contains(got, "and wrong") ||
		strings.Count(got, "hostile") > 0 {
		t.Errorf("tshark reads %q (%v)", got, err)
	}
}

func TestStoryIgnore(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("3Gi")
	x.has("<Ignored>", "1 packet is ignored")
	if x.m.selected.Frame != 4 {
		t.Errorf("after ignoring 3 the selected packet is %d", x.m.selected.Frame)
	}
	if c, _, _ := x.m.packets.All.All(); c.Packets != 81 {
		t.Errorf("%d packets are counted", c.Packets)
	}
	x.keys("/touhou<enter>")
	x.has("39 of 82")
	x.keys("X3G")
	x.has("3 <Ignored>", "the packet is ignored; i takes it back")
	x.keys("gt")
	x.has("39")
	x.keys("qI/touhou<enter>")
	x.has("40 of 82")
	x.keys("Xgg<space><space>i")
	if c, _, _ := x.m.packets.All.All(); c.Packets != 80 || len(x.m.packets.Ignored) != 2 {
		t.Errorf("%d packets are counted, %v ignored", c.Packets, x.m.packets.Ignored)
	}
	x.keys("i")
	if len(x.m.packets.Ignored) != 0 {
		t.Error("the same again does not take them back")
	}
}

func TestStoryFind(t *testing.T) {
	x := open(t, 120, 36, Config{})
	at := func(want dissect.FrameNum, what string) {
		t.Helper()
		if x.m.selected.Frame != want {
			t.Errorf("%s: at packet %d, want %d\n%s", what, x.m.selected.Frame, want, x.text())
		}
	}
	x.keys("<ctrl+f>owned<enter>")
	at(4, "text in the bytes")
	if x.m.selected.Byte != 46 {
		t.Errorf("the cursor of the bytes is at %d, want 46", x.m.selected.Byte)
	}
	x.keys("n")
	at(6, "n")
	x.keys("N")
	at(4, "N")
	x.keys("gg<ctrl+f>")
	x.keys("<tab>")
	x.has("find in the details:")
	x.keys("type: game_input<enter>")
	at(3, "details")
	if got := x.m.selected.Tree.Label(x.m.selected.Node); !strings.Contains(got, "GAME_INPUT") {
		t.Errorf("selected is %q", got)
	}
	x.keys("gg<ctrl+f>")
	x.keys("<tab><tab>0e:03:05<enter>")
	at(13, "bytes")
	if x.m.selected.Byte != 42 {
		t.Errorf("the cursor of the bytes is at %d, want 42", x.m.selected.Byte)
	}
	x.keys("gg<ctrl+f>")
	x.m.search.Mode = find.Pattern
	x.keys("query.*resp(onse<enter>")
	x.has("missing closing )")
	x.keys(")<enter>")
	at(2, "pattern")
	x.keys("gg<ctrl+f>")
	x.m.search.Mode = find.Filter
	x.keys("udp.dstport == 10800<esc>")
	x.keys("<ctrl+f>")
	x.keys("udp.dstport == 10800<enter>")
	at(3, "filter")
	x.hasNot("of 82")
	x.keys("n")
	at(5, "the next by the filter")
	x.keys("<ctrl+f>")
	x.m.search.Mode = find.Anything
	x.keys("nowhere to be found<enter>")
	x.has("found nowhere", ": nowhere to be found")
	x.keys("gg<ctrl+f>owned<enter>gg<ctrl+f>")
	x.has("Enter finds owned again")
	x.keys("<enter>")
	at(4, "the same again")
	x.keys("gg<ctrl+f>EXAMPLE<enter>")
	at(2, "another text takes the place of the one before")
}

func TestStoryFindInTreeAndBytes(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys("<tab>gg<ctrl+f>")
	x.has("find in the details:")
	x.keys("port: <enter>")
	label := func() string { return x.m.selected.Tree.Label(x.m.selected.Node) }
	if x.m.selected.Frame != 1 || !strings.Contains(label(), "Port") {
		t.Errorf("at %d, %q", x.m.selected.Frame, label())
	}
	first := x.m.selected.Node
	x.keys("n")
	if x.m.selected.Frame != 1 || x.m.selected.Node <= first || !strings.Contains(strings.ToLower(label()), "port") {
		t.Errorf("n: at %d, %q", x.m.selected.Frame, label())
	}
	x.keys("N")
	if x.m.selected.Node != first {
		t.Errorf("N: %q", label())
	}
	for range 20 {
		x.keys("n")
	}
	if x.m.selected.Frame < 2 || x.m.room.focus != paneTree {
		t.Errorf("n at the tree's end stays at %d", x.m.selected.Frame)
	}
	x = open(t, 120, 36, Config{}).keys("<tab><tab>gg<ctrl+f>")
	x.has("find bytes")
	x.keys(`"example<enter>`)
	if x.m.selected.Frame != 1 || x.m.selected.Byte != 59 {
		t.Errorf("at packet %d, byte %d, want 1, 59", x.m.selected.Frame, x.m.selected.Byte)
	}
}

func TestStoryGoTo(t *testing.T) {
	x := open(t, 120, 36, Config{})
	step := x.m.packets.Store.Time(1) - x.m.packets.Store.Time(0)
	if step != 1e6 {
		t.Fatalf("packets are %d ns apart", step)
	}
	for _, c := range []struct {
		script string
		want   dissect.FrameNum
	}{{":time 0.010<enter>", 11}, {":+2ms<enter>", 13}, {":time -5ms<enter>", 8}, {":time 100<enter>", 82},
		{":@0.004<enter>", 5}, {":12<enter>", 12}, {"7Gmagg3G<space>gg]m", 3}, {"]m", 7}, {"[m", 3}, {"[m", 3}} {
		if x.keys(c.script); x.m.selected.Frame != c.want {
			t.Errorf("%s goes to %d, want %d", c.script, x.m.selected.Frame, c.want)
		}
	}
	x.keys(":time yesterday<enter>")
	x.has("yesterday is no time")
	x.m.list.Clock = "u"
	first := x.m.packets.Store.Time(0)
	x.keys(":time " + unixTime(first+9e6).UTC().Format("15:04:05.999999999") + "<enter>")
	if x.m.selected.Frame != 10 {
		t.Errorf("the time of day goes to %d, want 10", x.m.selected.Frame)
	}
	x.keys(":time " + unixTime(first+19e6).UTC().Format("2006-01-02 15:04:05.999999999") + "<enter>")
	if x.m.selected.Frame != 20 {
		t.Errorf("date and time of day go to %d, want 20", x.m.selected.Frame)
	}
}

// TestStoryOpenFilterFollowCompare goes the way of somebody who looks into a capture.
func TestStoryOpenFilterFollowCompare(t *testing.T) {
	path := sampleFile(t, "game.pcap")
	x := openFile(t, path, 120, 36)
	x.has("82 packets", "DNS")
	x.keys("f")
	x.has("Touhou", "DNS")
	x.keys("f/touhou<enter>")
	x.has("40 of 82")
	x.keys(":sort -no<enter>gg")
	x.has("No.▾")
	if x.m.selected.Frame != 81 {
		t.Errorf("the first of the list turned round is %d", x.m.selected.Frame)
	}
	x.keys("gf")
	x.has("Follow", "10.0.0.1:50001")
	x.keys("q<space><space>D")
	x.has("Compare", "fields differ")
	x.keys("qX:sort<enter>gg%")
	if x.m.selected.Frame != 2 {
		t.Errorf("the answer is %d", x.m.selected.Frame)
	}
	x.keys(":w " + filepath.Join(filepath.Dir(path), "all.pcapng") + "<enter>q")
	if !x.m.ending.quit {
		t.Error("it asks")
	}
}

// TestStoryACall draws the flow graph of a call, saves its sound and filters to it.
func TestStoryACall(t *testing.T) {
	x := openFile(t, "../fixtures/captures/lan/voice.pcap", 120, 36)
	x.keys("gl")
	x.has("Flow graph", "192.0.2.11", "── INVITE ──", "114 packets between 2 ends")
	x.keys("qgv")
	x.has("sip:alice@example.com", "completed", "1 call, 2 RTP streams")
	x.keys("<enter>")
	x.has("Call from sip:alice@example.com", "G.711 PCMU, 51 packets, 0 lost", "── BYE ──")
	x.keys("qgv")
	path := filepath.Join(t.TempDir(), "call.wav")
	x.keys("w").send(keyPress("ctrl+u"))
	x.keys(path + "<enter>")
	x.has("of 2 streams saved to")
	if info, err := os.Stat(path); err != nil || info.Size() < 30_000 {
		t.Errorf("the sound: %v (%v)", info, err)
	}
	x.keys("o")
	x.has("110 of 114") // all but RTCP
}

// TestStoryStreamGraphs draws the graphs of the selected packet's stream.
func TestStoryStreamGraphs(t *testing.T) {
	x := openFile(t, "../fixtures/captures/lan/http2.pcapng", 120, 36).keys("gs")
	x.has("Sequence numbers (bytes)", "window allows")
	x.keys("v")
	x.has("Throughput (bytes/s)")
	x.keys("q:tcp-graph window<enter>")
	x.has("Window scaling (bytes)")
	x.keys("q")
	x = openFile(t, "../fixtures/captures/lan/voice.pcap", 120, 36).keys("gs")
	x.has("the selected packet is of no TCP stream")
}

// TestTheSelectedPacketStaysInView when the panes get other sizes.
func TestTheSelectedPacketStaysInView(t *testing.T) {
	for _, keys := range []string{"f", "|", "||", "-----", "++--f"} {
		x := open(t, 200, 50, Config{}).keys("13G" + keys)
		x.has("▸     13 0.012000")
	}
}

// TestStoryAnonymise saves what is shown with other addresses; a file that is there is asked about first.
func TestStoryAnonymise(t *testing.T) {
	x := openFile(t, sampleFile(t, "talk.pcap"), 120, 36)
	path := filepath.Join(t.TempDir(), "shared.pcapng")
	x.keys("/dns<enter>:anonymise " + path + "<enter>")
	x.has("2 packets saved to")
	x.keys(":anonymise " + path + "<enter>")
	x.has("Replace shared.pcapng?")
	x.keys("y")
	again := openFile(t, path, 120, 36)
	again.has("2 packets", "Standard query")
	again.hasNot("10.0.0.1:")
	again.hasNot("example")
	x.keys(":w " + path + "<enter>y") // what is saved otherwise is as it was captured
	x.has("2 packets saved to")
	openFile(t, path, 120, 36).has("www.example.org", "10.0.0.1:")
}

// TestStoryExport writes what is inside the packets shown; a file that is there is asked about first, and the layer is
// chosen with Tab.
func TestStoryExport(t *testing.T) {
	x := openFile(t, sampleFile(t, "talk.pcap"), 120, 36)
	path := filepath.Join(t.TempDir(), "inside.pcapng")
	x.keys("/dns<enter>:export-pdus 4 " + path + "<enter>")
	x.has("2 packets exported to")
	openFile(t, path, 120, 36).has("EXPORTED_PDU", "Standard query", "2 packets")
	x.keys(":strip-headers<enter>")
	x.has("export IP to:", "Tab: Ethernet")
	x.keys("<tab>")
	x.has("export Ethernet to:", "Tab: IP")
	x.keys(path + "<enter>")
	x.has("Replace inside.pcapng?")
	x.keys("y")
	x.has("2 packets exported to")
	openFile(t, path, 120, 36).has("Standard query", "2 packets")
}

// TestStoryTimeShift reads a file with other times, twice, and takes them back; what is saved has them.
func TestStoryTimeShift(t *testing.T) {
	x := openFile(t, sampleFile(t, "talk.pcap"), 120, 36)
	was := x.m.packets.Store.Time(0)
	at := func(want time.Duration) {
		t.Helper()
		if got := time.Duration(x.m.packets.Store.Time(0) - was); got != want {
			t.Errorf("shifted by %s, want %s", got, want)
		}
	}
	x.keys("/dns<enter>:time-shift +1.5s<enter>")
	at(1500 * time.Millisecond)
	x.has("2 of 82")
	x.keys(":time-shift -2s<enter>")
	at(-500 * time.Millisecond)
	path := filepath.Join(t.TempDir(), "earlier.pcapng")
	x.keys(":w " + path + "<enter>:time-shift<enter>")
	at(0)
	if got := openFile(t, path, 120, 36).m.packets.Store.Time(0) - was; got != -5e8 {
		t.Errorf("what is saved is shifted by %d ns", got)
	}
	for arg, want := range map[string]string{"soon": ":time-shift takes a span", "9 soon": "soon is no time",
		"100 12:00": "there is no packet 100", "3 12:00, 3 12:01": "both packets have the same time",
		"1 12:00:01, 9 12:00:00": "reverse order", "1 1, 2 2, 3 3": ":time-shift takes a span"} {
		x.keys(":time-shift "+arg+"<enter>").has("not shifted", want)
	}
}

// TestStoryMerge opens a file together with the one that is open, and a third one with both: all packets are saved in
// the order of their times.
func TestStoryMerge(t *testing.T) {
	file := sampleFile(t, "talk.pcap")
	x := openFile(t, file, 120, 36).keys("/dns<enter>:merge " + file + "<enter>")
	x.has("4 of 164")
	x.hasNot("follow ↓")
	x.keys("X:merge "+filepath.Join(t.TempDir(), "none.pcap")+"<enter>").has("no such file", "164 packets")
	x.keys(":merge " + file + "<enter>").has("246 packets")
	path := filepath.Join(t.TempDir(), "all.pcapng")
	x.keys(":w " + path + "<enter>").has("246 packets saved")
	out, err := exec.Command("capinfos", "-Mco", path).Output()
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip(err)
	}
	if !strings.Contains(string(out), "246") || !strings.Contains(string(out), "True") {
		t.Errorf("capinfos reads %s (%v)", out, err)
	}
}

// TestStoryTimesOfPackets sets the time of one packet and then of two, as tshark reads what is saved of it.
func TestStoryTimesOfPackets(t *testing.T) {
	x := openFile(t, sampleFile(t, "talk.pcap"), 120, 36)
	was := func(n int) int64 { return x.m.packets.Store.Time(n - 1) }
	nine, apart := was(9), was(9)-was(2)
	x.keys(":time-shift 9 +2.5s<enter>")
	if was(9) != nine+25e8 || was(9)-was(2) != apart {
		t.Errorf("packet 9 is shifted by %d ns, and stands %d ns behind packet 2", was(9)-nine, was(9)-was(2))
	}
	x.keys(":time-shift 1 2026-11-21 12:00:00, 82 2026-11-21 12:01:22<enter>")
	path := filepath.Join(t.TempDir(), "minute.pcapng")
	x.keys(":w " + path + "<enter>").has("82 packets saved")
	if got := was(82) - was(1); got != 82e9 {
		t.Errorf("the capture takes %d ns", got)
	}
	out, err := exec.Command("capinfos", "-MuT", path).Output()
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip(err)
	}
	if !strings.Contains(string(out), "82.000000") {
		t.Errorf("capinfos reads %s (%v)", out, err)
	}
}

// TestStoryCaptureFilter makes a capture filter of the display filter, and says what it cannot hold.
func TestStoryCaptureFilter(t *testing.T) {
	x := open(t, 120, 36, Config{}).keys(":capture-filter<enter>")
	x.has("no display filter is on")
	x.keys("/ip.addr == 10.0.0.1 && frame.number == 5<enter>:capture-filter<enter>")
	x.has("Capture filter: host 10.0.0.1; left out: frame.number == 5")
	x.keys(":capture-filter dns<enter>")
	if x.m.cfg.Capture.Filter != "port 53" && !strings.Contains(x.m.cfg.Capture.Filter, "port 53 or") {
		t.Errorf("the next capture has the filter %q", x.m.cfg.Capture.Filter)
	}
	x.has("dns by the usual ports")
	x.keys(":capture-filter frame.number == 5<enter>")
	x.has("capture filters cannot say that: frame.number == 5")
}

// TestStoryMacros: a key presses others, with a command among them; it is kept for the next run.
func TestStoryMacros(t *testing.T) {
	dir := t.TempDir()
	x := open(t, 120, 36, Config{State: dir}).keys(":map Q 2G/dns")
	x.send(tea.KeyPressMsg{Code: '<', Text: "<"})
	x.keys("enter").send(tea.KeyPressMsg{Code: '>', Text: ">"})
	x.keys("<enter>")
	x.has("Q: 2G/dns<enter>")
	x = open(t, 120, 36, Config{State: dir}).keys("Q")
	x.has("2 of 82")
	if x.m.selected.Frame != 2 {
		t.Errorf("at packet %d", x.m.selected.Frame)
	}
	x.keys(":map f1 view.rates<enter><f1>")
	x.has("Packets/s")
	x.keys("q:unmap Q<enter>XQ")
	x.hasNot("2 of 82")
}

// TestStoryFiles lists a folder, and opens a capture of it; a folder that is opened is listed, too.
func TestStoryFiles(t *testing.T) {
	path := sampleFile(t, "talk.pcap")
	x := openFile(t, path, 120, 36).keys(":files<enter>")
	x.has("talk.pcap", "82", "1 capture")
	x.keys("G<wait>")
	x.has("Begins with", "Standard query")
	x.keys("q:open " + filepath.Dir(path) + "<enter><wait>G<enter>")
	x.hasNot("Begins with")
}

// TestStoryProcess names the process that has a socket: this one, of a conversation on the loopback interface.
func TestStoryProcess(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the kernel tells it nowhere else")
	}
	u, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer u.Close()
	port := uint16(u.LocalAddr().(*net.UDPAddr).Port)
	one := udpPacket(1, 2, port, 9, "hello")
	copy(one[26:], []byte{127, 0, 0, 1, 127, 0, 0, 1})
	x := openPackets(t, 120, 36, Config{}, dissecttest.Packets(one)).keys(":process<enter>")
	x.has(fmt.Sprintf("127.0.0.1:%d is ui.test (%d)", port, os.Getpid()))
	open(t, 120, 36, Config{}).keys("3G:process<enter>").has("no process here has a socket of this conversation now")
}
