package capture

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// everything is a pcapng file with all that saving should keep.
func everything(o order) []byte {
	g := &ng{order: o}
	g.section(g.opt(optComment, []byte("about all")), g.opt(shbHardware, []byte("a box")), g.opt(shbOS, []byte("an OS"))).
		iface(1, 512, g.opt(ifName, []byte("eth0")), g.opt(ifTSResol, []byte{3}), g.opt(ifFilter, []byte("\x00port 53"))).
		iface(113, 0, g.opt(ifName, []byte("any")), g.opt(ifTSResol, []byte{9}))
	g.block(blockNames, cat(g.opt(1, []byte("\x0A\x00\x00\x01router\x00")), g.opt(0, nil)))
	g.packet(0, 1000, 9, []byte("abc"), g.opt(epbFlags, o.AppendUint32(nil, 0x12)), g.opt(optComment, []byte("first")),
		g.opt(epbDropCount, o.AppendUint64(nil, 77)), g.opt(epbHash, []byte("\x02hash")), g.opt(0, nil))
	g.packet(1, 2_000_000_000, 4, []byte("wxyz"))
	g.simple(3, []byte("sss"))
	g.block(blockSecrets, cat(o.AppendUint32(nil, 0x544c534b), o.AppendUint32(nil, 8), []byte("secret!!")))
	stats := cat(o.AppendUint32(nil, 0), o.AppendUint32(nil, 0), o.AppendUint32(nil, 5000),
		g.opt(isbStart, cat(o.AppendUint32(nil, 0), o.AppendUint32(nil, 1000))),
		g.opt(isbIfRecv, o.AppendUint64(nil, 99)), g.opt(0, nil))
	return g.block(blockStats, stats).b
}

func TestSaveKeepsEverything(t *testing.T) {
	var files [][]byte
	for name, o := range orders {
		src := memory(t, everything(o))
		path := filepath.Join(t.TempDir(), "out.pcapng")
		n := 0
		if err := SaveAs(src, path, nil, SaveOptions{Saved: &n, Application: "test"}); err != nil || n != 3 {
			t.Fatalf("%s: %v, %d saved", name, err, n)
		}
		s := open(t, path, Options{})
		expect(t, s,
			[]sample{{1_000_000_000, 9, []byte("abc"), 0}, {2_000_000_000, 4, []byte("wxyz"), 1},
				{2_000_000_000, 3, []byte("sss"), 0}})
		noNotices(t, s)
		if got := s.Sections(); !reflect.DeepEqual(got,
			[]Section{{Hardware: "a box", OS: "an OS", Application: "test", Comments: []string{"about all"}}}) {
			t.Errorf("%s: sections %+v", name, got)
		}
		if i := s.Interface(0); i.Name != "eth0" || i.Filter != "port 53" || i.SnapLen != 512 ||
			s.Interface(1).LinkType != 113 {
			t.Errorf("%s: interface %+v", name, i)
		}
		if got := s.Comments(0); !reflect.DeepEqual(got, []string{"first"}) {
			t.Errorf("%s: comments %q", name, got)
		}
		opts, err := s.NewReader().packetOptions(0)
		le := &ng{order: orders["little"]}
		want := cat(le.opt(epbFlags, []byte{0x12, 0, 0, 0}), le.opt(epbDropCount, []byte{77, 0, 0, 0, 0, 0, 0, 0}),
			le.opt(epbHash, []byte("\x02hash")))
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
	want := samples(3000)
	path := writeTemp(t, "x.pcapng", ngBytes(orders["little"], want))
	os.Chmod(path, 0o640)
	s := open(t, path, Options{})
	var odd []sample
	for i := 1; i < len(want); i += 2 {
		odd = append(odd, want[i])
	}
	if err := SaveAs(s, path, func(i int) bool { return i%2 == 1 }, SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	expect(t, s, want) // still the old file
	expect(t, open(t, path, Options{}), odd)
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v", info.Mode())
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

func TestSaveThroughALink(t *testing.T) {
	real := writeTemp(t, "real.pcapng", []byte("old"))
	link := filepath.Join(t.TempDir(), "link.pcapng")
	if err := os.Symlink(real, link); err != nil {
		t.Skip(err)
	}
	want := samples(3)
	if err := SaveAs(memory(t, ngBytes(orders["little"], want)), link, nil, SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	expect(t, open(t, real, Options{}), want)
}

func TestFailedSaveLeavesTheTargetAlone(t *testing.T) {
	path := writeTemp(t, "x.pcap", []byte("precious"))
	s := memory(t, everything(orders["little"])) // two link types: no pcap
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
	expect(t, open(t, path, Options{}), []sample{{2_000_000_000, 4, []byte("wxyz"), 0}})
}

func TestProgress(t *testing.T) {
	s := memory(t, ngBytes(orders["little"], samples(10_000)))
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
	g := &ng{order: orders["big"]}
	g.section().iface(1, 0).packet(0, 1, 1, []byte{1}, g.opt(optComment, nil), g.opt(0, nil))
	path := filepath.Join(t.TempDir(), "x")
	if err := SaveAs(memory(t, g.b), path, nil, SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := open(t, path, Options{}).Comments(0); !reflect.DeepEqual(got, []string{""}) {
		t.Errorf("%q", got)
	}
}
