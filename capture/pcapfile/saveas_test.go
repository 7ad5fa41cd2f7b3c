package pcapfile

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"remora/capture"
	"remora/capture/internal/capturetest"
	"remora/capture/internal/pcapng"
)

// everything is a pcapng file with all that saving should keep.
func everything(o capturetest.Order) []byte {
	g := &capturetest.NG{Order: o}
	g.Section(g.Option(pcapng.OptComment, []byte("about all")), g.Option(pcapng.ShbHardware, []byte("a box")),
		g.Option(pcapng.ShbOS, []byte("an OS"))).
		Interface(1, 512, g.Option(pcapng.IfName, []byte("eth0")), g.Option(pcapng.IfTSResol, []byte{3}),
			g.Option(pcapng.IfFilter, []byte("\x00port 53"))).
		Interface(113, 0, g.Option(pcapng.IfName, []byte("any")), g.Option(pcapng.IfTSResol, []byte{9}))
	g.Block(pcapng.BlockNames, capturetest.Cat(g.Option(1, []byte("\x0A\x00\x00\x01router\x00")), g.Option(0, nil)))
	g.Packet(0, 1000, 9, []byte("abc"), g.Option(pcapng.EpbFlags, o.AppendUint32(nil, 0x12)),
		g.Option(pcapng.OptComment, []byte("first")),
		g.Option(pcapng.EpbDropCount, o.AppendUint64(nil, 77)), g.Option(pcapng.EpbHash, []byte("\x02hash")),
		g.Option(0, nil))
	g.Packet(1, 2_000_000_000, 4, []byte("wxyz"))
	g.Simple(3, []byte("sss"))
	g.Block(pcapng.BlockSecrets,
		capturetest.Cat(o.AppendUint32(nil, 0x544c534b), o.AppendUint32(nil, 8), []byte("secret!!")))
	stats := capturetest.Cat(o.AppendUint32(nil, 0), o.AppendUint32(nil, 0), o.AppendUint32(nil, 5000),
		g.Option(pcapng.IsbStart, capturetest.Cat(o.AppendUint32(nil, 0), o.AppendUint32(nil, 1000))),
		g.Option(pcapng.IsbIfRecv, o.AppendUint64(nil, 99)), g.Option(0, nil))
	return g.Block(pcapng.BlockStats, stats).Bytes
}

func TestSaveKeepsEverything(t *testing.T) {
	var files [][]byte
	for name, o := range capturetest.Orders {
		src := memory(t, everything(o))
		path := filepath.Join(t.TempDir(), "out.pcapng")
		n := 0
		if err := SaveAs(src, path, nil, SaveOptions{Saved: &n, Application: "test"}); err != nil || n != 3 {
			t.Fatalf("%s: %v, %d saved", name, err, n)
		}
		s := open(t, path, capture.Options{})
		capturetest.Expect(t, s,
			[]capturetest.Sample{{Time: 1_000_000_000, Len: 9, Data: []byte("abc"), Interface: 0},
				{Time: 2_000_000_000, Len: 4, Data: []byte("wxyz"), Interface: 1},
				{Time: 2_000_000_000, Len: 3, Data: []byte("sss"), Interface: 0}})
		capturetest.NoNotices(t, s)
		if got := s.Sections(); !reflect.DeepEqual(got,
			[]capture.Section{{Hardware: "a box", OS: "an OS", Application: "test", Comments: []string{"about all"}}}) {
			t.Errorf("%s: sections %+v", name, got)
		}
		if i := s.Interface(0); i.Name != "eth0" || i.Filter != "port 53" || i.SnapLen != 512 ||
			s.Interface(1).LinkType != 113 {
			t.Errorf("%s: interface %+v", name, i)
		}
		if got := s.Comments(0); !reflect.DeepEqual(got, []string{"first"}) {
			t.Errorf("%s: comments %q", name, got)
		}
		opts, err := packetOptions(s.NewReader(), 0, false)
		le := &capturetest.NG{Order: capturetest.Orders["little"]}
		want := capturetest.Cat(le.Option(pcapng.EpbFlags, []byte{0x12, 0, 0, 0}),
			le.Option(pcapng.EpbDropCount, []byte{77, 0, 0, 0, 0, 0, 0, 0}),
			le.Option(pcapng.EpbHash, []byte("\x02hash")))
		if err != nil || !bytes.Equal(opts, want) {
			t.Errorf("%s: options %x, want %x, %v", name, opts, want, err)
		}
		b, _ := os.ReadFile(path)
		files = append(files, b)
		for _, text := range []string{"router\x00", "secret"} {
			if !bytes.Contains(b, []byte(text)) {
				t.Errorf("%s: %q was not kept", name, text)
			}
		}
		again := filepath.Join(t.TempDir(), "again.pcapng")
		if err := SaveAs(s, again, nil, SaveOptions{Application: "test"}); err != nil {
			t.Fatal(err)
		}
		if twice, _ := os.ReadFile(again); !bytes.Equal(twice, b) {
			t.Errorf("%s: saving twice changes the file\n%x\n%x", name, b, twice)
		}
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Errorf("the byte order of the source shows in the result\n%x\n%x", files[0], files[1])
	}
}

func TestSaveSomeOverTheOpenFile(t *testing.T) {
	if capturetest.Wine() {
		t.Skip("Wine renames nothing onto a file that is open")
	}
	want := capturetest.Samples(3000)
	path := capturetest.WriteTemp(t, "x.pcapng", capturetest.Pcapng(capturetest.Orders["little"], want))
	os.Chmod(path, 0o640)
	s := open(t, path, capture.Options{})
	var odd []capturetest.Sample
	for i := 1; i < len(want); i += 2 {
		odd = append(odd, want[i])
	}
	if err := SaveAs(s, path, func(i int) bool { return i%2 == 1 }, SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	capturetest.Expect(t, s, want) // still the old file
	capturetest.Expect(t, open(t, path, capture.Options{}), odd)
	if info, _ := os.Stat(path); os.PathSeparator == '/' && info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v", info.Mode())
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

func TestSaveThroughALink(t *testing.T) {
	real := capturetest.WriteTemp(t, "real.pcapng", []byte("old"))
	link := filepath.Join(t.TempDir(), "link.pcapng")
	if err := os.Symlink(real, link); err != nil || capturetest.Wine() {
		t.Skip(err)
	}
	want := capturetest.Samples(3)
	if err := SaveAs(memory(t, capturetest.Pcapng(capturetest.Orders["little"], want)), link, nil,
		SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	capturetest.Expect(t, open(t, real, capture.Options{}), want)
}

func TestFailedSaveLeavesTheTargetAlone(t *testing.T) {
	path := capturetest.WriteTemp(t, "x.pcap", []byte("precious"))
	s := memory(t, everything(capturetest.Orders["little"])) // two link types: no pcap
	if err := SaveAs(s, path, nil, SaveOptions{}); err == nil {
		t.Error("mixed link types went into a pcap file")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := SaveAs(s, path, nil, SaveOptions{Context: ctx}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if b, _ := os.ReadFile(path); string(b) != "precious" {
		t.Errorf("the target became %q", b)
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
	if err := SaveAs(s, path, func(i int) bool { return i == 1 }, SaveOptions{}); err != nil {
		t.Errorf("packets of one link type: %v", err)
	}
	capturetest.Expect(t, open(t, path, capture.Options{}),
		[]capturetest.Sample{{Time: 2_000_000_000, Len: 4, Data: []byte("wxyz"), Interface: 0}})
}

func TestProgress(t *testing.T) {
	s := memory(t, capturetest.Pcapng(capturetest.Orders["little"], capturetest.Samples(10_000)))
	var seen []int
	err := SaveAs(s, filepath.Join(t.TempDir(), "x"), nil, SaveOptions{Progress: func(done, total int) {
		if total != 10_000 {
			t.Errorf("total %d", total)
		}
		seen = append(seen, done)
	}})
	if err != nil || !reflect.DeepEqual(seen, []int{0, 4096, 8192, 10_000}) {
		t.Errorf("%v, %v", seen, err)
	}
}

func TestEmptyCommentSurvives(t *testing.T) {
	g := &capturetest.NG{Order: capturetest.Orders["big"]}
	g.Section().Interface(1, 0).Packet(0, 1, 1, []byte{1}, g.Option(pcapng.OptComment, nil), g.Option(0, nil))
	path := filepath.Join(t.TempDir(), "x")
	if err := SaveAs(memory(t, g.Bytes), path, nil, SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := open(t, path, capture.Options{}).Comments(0); !reflect.DeepEqual(got, []string{""}) {
		t.Errorf("%q", got)
	}
}
