package broker

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"remora/internal/sibling"
)

var echo = NewProgram("echo", func(text string) (*exec.Cmd, error) {
	if text == "" {
		return nil, errors.New("nothing to say")
	}
	return exec.Command("sh", "-c", `cat; echo "$0"; exec sleep 60`, text), nil
})

// TestMain lets the test binary play the broker.
func TestMain(m *testing.M) {
	begins := func(with string) []Recognizer {
		return []Recognizer{func(f io.ReaderAt, _ int64) bool {
			head := make([]byte, len(with))
			f.ReadAt(head, 0)
			return string(head) == with
		}}
	}
	lends := Lends{Services: []Service{echo.Call}, Readable: begins("packets"), Kept: begins("0000 ")}
	if code, asked := RunProcess(os.Args[1:], lends); asked {
		os.Exit(code)
	}
	os.Exit(m.Run())
}

// started starts a broker for the test, which works in a folder of its own.
func started(t *testing.T, b Bounds) (dir string) {
	t.Helper()
	dir = t.TempDir()
	t.Chdir(dir)
	t.Setenv("TMPDIR", dir)
	if err := Start(b); err != nil {
		t.Fatal(err)
	}
	l := running.Load()
	if l == nil {
		t.Skip("there is no broker on this system")
	}
	t.Cleanup(func() {
		running.Store(nil)
		l.master.CloseWrite()
		<-l.gone
		l.master.Close()
	})
	return dir
}

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func holds(t *testing.T, path, want string) {
	t.Helper()
	if b, err := os.ReadFile(path); err != nil || string(b) != want {
		t.Errorf("%s holds %q (%v), want %q", path, b, err, want)
	}
}

// lend asks the broker to open a file; without one, its first bytes come.
func lend(path string) (text, head string, err error) {
	b, lent, err := openFile.Ask(path)
	if err != nil || len(lent) == 0 {
		return "", string(b), err
	}
	defer lent[0].Close()
	all, err := io.ReadAll(lent[0])
	return string(all), "", err
}

func TestLendsToRead(t *testing.T) {
	settings, named := t.TempDir(), write(t, filepath.Join(t.TempDir(), "keys"), "secrets of TLS")
	dir := started(t, Bounds{Settings: settings, Read: []string{named}})
	for path, want := range map[string]string{
		write(t, filepath.Join(dir, "a"), "packets and more"):                "packets and more",
		write(t, filepath.Join(dir, "dump.txt"), "0000 45 00"):               "0000 45 00",
		write(t, filepath.Join(settings, "config.toml"), "theme = 'dark'"):   "theme = 'dark'",
		write(t, filepath.Join(settings, "profiles", "x.toml"), "# nothing"): "# nothing",
		named: "secrets of TLS",
		"a":   "packets and more", // in the folder of the broker
	} {
		if got, _, err := lend(path); err != nil || got != want {
			t.Errorf("%s gives %q (%v)", path, got, err)
		}
	}
	write(t, filepath.Join(dir, "id_ed25519"), "-----BEGIN OPENSSH PRIVATE KEY-----")
	for _, path := range []string{"id_ed25519", filepath.Join(settings, "..", filepath.Base(dir), "id_ed25519")} {
		if text, head, _ := lend(path); text != "" || head != "" && head != "-----BEGIN OPENS" {
			t.Errorf("%s gives %q %q", path, text, head)
		}
	}
	for path, want := range map[string]error{"missing": fs.ErrNotExist, "/dev/zero": nil, dir: nil} {
		if text, head, err := lend(path); err == nil || want != nil && !errors.Is(err, want) || text+head != "" {
			t.Errorf("%s gives %q %q (%v)", path, text, head, err)
		}
	}
}

// TestDrafts makes files of all kinds: they are at their places whole or not at all, and what is no capture is replaced
// by none.
func TestDrafts(t *testing.T) {
	settings := filepath.Join(t.TempDir(), "new", "settings")
	dir := started(t, Bounds{Settings: settings})
	write(t, filepath.Join(dir, "old.pcap"), "packets")
	write(t, filepath.Join(dir, "letter"), "dear you")
	write(t, filepath.Join(dir, "dump.txt"), "0000 45 00")
	write(t, filepath.Join(dir, "empty"), "")
	if err := os.Symlink("letter", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path string
		kind Kind
		ok   bool
	}{
		{"new.csv", Export, true}, {"letter", Export, false}, {"old.pcap", Export, false},
		{"new.pcap", Capture, true}, {"old.pcap", Capture, true}, {"empty", Capture, true}, {"letter", Capture, false},
		{"dump.txt", Capture, false},
		{"link", Capture, false}, {".bashrc", Capture, false}, {".config/x.pcap", Capture, false},
		{".profile", Export, false},
		{"/etc/remora-test.pcap", Capture, false}, {"/etc/cron.d/remora-test", Export, false},
		{filepath.Join(settings, "config.toml"), Settings, true}, {filepath.Join(settings, "other"), Settings, false},
		{filepath.Join(settings, "dissectors", "mine.ksy"), Settings, true},
		{filepath.Join(settings, "dissectors", "mine.lua"), Settings, false},
		{filepath.Join(settings, "mine.ksy"), Settings, false},
		{"letter.toml", Settings, false}, {"missing/x.pcap", Capture, false},
	} {
		d, err := Create(c.path, c.kind)
		if (err == nil) != c.ok {
			t.Errorf("%s, kind %d: %v", c.path, c.kind, err)
		}
		if err != nil {
			continue
		}
		before, _ := os.ReadFile(c.path)
		d.WriteString("packets, new")
		if now, _ := os.ReadFile(c.path); !bytes.Equal(now, before) {
			t.Errorf("%s holds %q before it is kept", c.path, now)
		}
		if err := d.Keep(); err != nil {
			t.Errorf("%s: %v", c.path, err)
		}
		holds(t, c.path, "packets, new")
	}
	holds(t, "letter", "dear you")
	d, err := Create("", Copied)
	if err != nil || filepath.Dir(d.Path) != dir {
		t.Fatal(d, err)
	}
	if err := d.Keep(); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(d.Path); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info, err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*tmp")); len(left) > 0 {
		t.Errorf("left are %q", left)
	}
}

// TestWhatCameMeanwhileStays has a file appear at the place of one that is being written, and a capture become
// something else.
func TestWhatCameMeanwhileStays(t *testing.T) {
	dir := started(t, Bounds{})
	write(t, filepath.Join(dir, "old.pcap"), "packets")
	for path, kind := range map[string]Kind{"x.csv": Export, "x.pcap": Capture, "old.pcap": Capture} {
		d, err := Create(path, kind)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, path), "dear you")
		if err := d.Keep(); err == nil || path != "old.pcap" && !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s is kept: %v", path, err)
		}
		holds(t, path, "dear you")
	}
	d, err := Create("dropped.pcap", Capture)
	if err != nil {
		t.Fatal(err)
	}
	d.Drop()
	if left, _ := filepath.Glob(filepath.Join(dir, ".*tmp")); len(left) > 0 {
		t.Errorf("left are %q", left)
	}
}

// TestExportsReplaceTheirOwn: what was exported in this run is replaced where somebody said so, and nothing else is,
// not even at the same place.
func TestExportsReplaceTheirOwn(t *testing.T) {
	dir := started(t, Bounds{})
	write(t, filepath.Join(dir, "letter"), "dear you")
	export := func(path, text string, kind Kind) error {
		d, err := Create(path, kind)
		if err != nil {
			return err
		}
		d.WriteString(text)
		return d.Keep()
	}
	for _, text := range []string{"one", "two", "three"} {
		if err := export("table.csv", text, Replacing); err != nil {
			t.Fatal(err)
		}
		holds(t, "table.csv", text)
	}
	if err := export("table.csv", "four", Export); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	for _, path := range []string{"letter", ".profile", "/etc/remora-test"} {
		if err := export(path, "mine", Replacing); err == nil {
			t.Errorf("%s is written", path)
		}
	}
	d, err := Create("table.csv", Replacing)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "table.csv"), "dear you")
	if err := d.Keep(); err == nil {
		t.Error("what came meanwhile is replaced")
	}
	holds(t, "table.csv", "dear you")
	if err := export("table.csv", "mine", Replacing); err == nil {
		t.Error("what was changed since is replaced")
	}
}

// TestOutputs are files that grow: those that were made in this run, and no others, may be emptied and removed again.
func TestOutputs(t *testing.T) {
	named := write(t, filepath.Join(t.TempDir(), ".named"), "whatever")
	dir := started(t, Bounds{Write: []string{named}})
	write(t, filepath.Join(dir, "letter"), "dear you")
	for _, path := range []string{named, "ring_1", "ring_1", os.DevNull} {
		f, err := OpenOutput(path)
		if err != nil {
			t.Fatal(path, err)
		}
		if _, err := f.WriteString("not yet packets"); err != nil || f.Name() != path {
			t.Error(f.Name(), err)
		}
		f.Close()
	}
	holds(t, "ring_1", "not yet packets")
	for _, path := range []string{"letter", ".bashrc", "/etc/remora-test", "/dev/tty"} {
		if f, err := OpenOutput(path); err == nil {
			t.Errorf("%s is open: %v", path, f)
		}
	}
	if err := Remove("letter"); !errors.Is(err, fs.ErrPermission) {
		t.Error(err)
	}
	if err := Remove("ring_1"); err != nil {
		t.Error(err)
	}
	holds(t, "letter", "dear you")
}

func TestPrograms(t *testing.T) {
	started(t, Bounds{})
	in, text, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	said, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p, err := echo.Start("last", in, out, nil)
	in.Close()
	out.Close()
	if err != nil {
		t.Fatal(err)
	}
	text.WriteString("first ")
	text.Close()
	want := make([]byte, 10)
	if _, err := io.ReadFull(said, want); err != nil || string(want) != "first last" {
		t.Errorf("%q (%v)", want, err)
	}
	p.Terminate()
	if err := p.Wait(); err == nil || !strings.Contains(err.Error(), "terminated") {
		t.Error(err)
	}
	if _, err := echo.Start("", nil, nil, nil); err == nil || err.Error() != "nothing to say" {
		t.Error(err)
	}
	other := NewProgram("sh", func(string) (*exec.Cmd, error) { return nil, nil })
	if _, err := other.Start("", nil, nil, nil); err == nil {
		t.Error("what is no service of the broker's was started")
	}
}

// TestFlood asks for more at once than the broker does, leaves requests unfinished, and begins more files than it
// keeps: it answers afterwards, and holds no more files open than before.
func TestFlood(t *testing.T) {
	dir := started(t, Bounds{})
	write(t, filepath.Join(dir, "a"), "packets")
	l := running.Load()
	open := func() int {
		all, _ := filepath.Glob(filepath.Join("/proc", childOf(t, os.Getpid()), "fd", "*"))
		return len(all)
	}
	before := open()
	var wg sync.WaitGroup
	for range 2000 {
		wg.Go(func() {
			if text, _, err := lend("a"); err != nil || text != "packets" {
				t.Errorf("%q (%v)", text, err)
			}
		})
	}
	wg.Wait()
	for range mostAtOnce - 1 { // all but one of its turns wait for requests that do not come
		mine, its, err := sibling.Pair()
		if err != nil {
			t.Fatal(err)
		}
		defer mine.Close()
		if err := sibling.Send(l.master, []byte{0}, its); err != nil {
			t.Fatal(err)
		}
		its.Close()
	}
	if text, _, err := lend("a"); err != nil || text != "packets" {
		t.Errorf("%q (%v)", text, err)
	}
	if _, _, err := openFile.Ask(strings.Repeat("x", maxRequest)); err == nil {
		t.Error("a request without bound was sent")
	}
	begun := 0
	for range 2 * mostKept {
		if d, err := Create("new"+string(rune('a'+begun%26))+strings.Repeat("x", begun/26), Capture); err == nil {
			defer d.Close()
			begun++
		}
	}
	if begun != mostKept {
		t.Errorf("%d files were begun, want %d", begun, mostKept)
	}
	for range 1000 {
		if open() <= before+mostAtOnce {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d files are open in the broker, before it were %d", open(), before)
}

// childOf is the one child of a process.
func childOf(t *testing.T, pid int) string {
	t.Helper()
	out, err := exec.Command("pgrep", "-P", strconv.Itoa(pid), "-f", processArg).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// TestTheBrokerIsGone kills the broker: what is asked of it fails with one error, and says so at once.
func TestTheBrokerIsGone(t *testing.T) {
	dir := started(t, Bounds{})
	write(t, filepath.Join(dir, "a"), "packets")
	d, err := Create("x.pcap", Capture)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("kill", "-9", childOf(t, os.Getpid())).CombinedOutput(); err != nil {
		t.Fatalf("%s", out)
	}
	<-Gone()
	if _, _, err := lend("a"); !errors.Is(err, ErrGone) {
		t.Error(err)
	}
	if err := d.Keep(); !errors.Is(err, ErrGone) {
		t.Error(err)
	}
	if _, err := echo.Start("x", nil, nil, nil); !errors.Is(err, ErrGone) {
		t.Error(err)
	}
}

// TestTheScreenIsGone hangs up: the broker ends the programs that it ran, removes what was not finished, and ends.
func TestTheScreenIsGone(t *testing.T) {
	dir := started(t, Bounds{})
	if _, err := Create("x.pcap", Capture); err != nil {
		t.Fatal(err)
	}
	said, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := echo.Start("x", nil, out, nil); err != nil {
		t.Fatal(err)
	}
	out.Close()
	if _, err := io.ReadFull(said, make([]byte, 2)); err != nil {
		t.Fatal(err)
	}
	l := running.Load()
	l.master.CloseWrite()
	<-l.gone
	if text, err := io.ReadAll(said); err != nil || len(text) > 0 { // it comes to an end once the program has
		t.Errorf("%q (%v)", text, err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*tmp")); len(left) > 0 {
		t.Errorf("left are %q", left)
	}
}

// TestInPlace does the same without a broker.
func TestInPlace(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, filepath.Join(dir, "letter"), "dear you")
	d, err := Create("letter", Capture)
	if err != nil {
		t.Fatal(err)
	}
	d.WriteString("packets")
	if err := d.Keep(); err != nil {
		t.Error(err)
	}
	holds(t, "letter", "packets")
	if _, err := Create("letter", Export); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	f, err := Open("letter")
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if _, err := Open("missing"); !errors.Is(err, syscall.ENOENT) {
		t.Error(err)
	}
}

// TestLinkNew is how files get names where the kernel cannot rename without replacing.
func TestLinkNew(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, to := range []string{"b", "c"} {
		write(t, "a", "packets")
		if to == "c" {
			write(t, "c", "dear you")
		}
		if err := linkNew("a", to); (to == "c") != errors.Is(err, fs.ErrExist) {
			t.Error(to, err)
		}
	}
	holds(t, "b", "packets")
	holds(t, "c", "dear you")
}
