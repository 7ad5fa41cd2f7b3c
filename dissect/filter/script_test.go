package filter_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/dissect/filter"
	"remora/internal/testall"
	"remora/protocols"
)

// A scriptLine is one line of testdata/*.script:
//
//	fixture: expression => count
//	fixture: expression => error: the message
//
// and behind it, where tshark 4.0 says something else, "  # tshark: count" or "error" or "-" (do not ask) and the
// reason.
type scriptLine struct {
	place, fixture, expr, want string
	tshark, reason             string
}

const captures = "../../fixtures/captures/"

// fixtureFile is the capture of a fixture's short name.
func fixtureFile(t testing.TB, name string) string {
	for _, folder := range []string{"lan", "touhou", "kaillera"} {
		for _, ending := range []string{".pcap", ".pcapng"} {
			if path := captures + folder + "/" + name + ending; exists(path) {
				return path
			}
		}
	}
	t.Fatalf("there is no fixture %q", name)
	return ""
}

func exists(path string) bool { _, err := os.Stat(path); return err == nil }

func readScript(t testing.TB, path string) (lines []scriptLine, texts []string) {
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	texts = strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
	for i, text := range texts {
		l := scriptLine{place: fmt.Sprintf("%s:%d", path, i+1)}
		if text != "" && text[0] != '#' {
			rest, note, _ := strings.Cut(text, "  # tshark: ")
			l.tshark, l.reason, _ = strings.Cut(note, ", ")
			fixture, rest, ok := strings.Cut(rest, ": ")
			at := strings.LastIndex(rest, " =>")
			if !ok || at < 0 {
				t.Fatalf("%s: no script line: %s", l.place, text)
			}
			l.fixture, l.expr, l.want = fixture, strings.ReplaceAll(rest[:at], "¶", "\n"), strings.TrimSpace(rest[at+3:])
		}
		lines = append(lines, l)
	}
	return lines, texts
}

func scripts(t testing.TB) []string {
	paths, err := filepath.Glob("testdata/*.script")
	if err != nil || len(paths) == 0 {
		t.Fatal("no scripts", err)
	}
	return paths
}

// sessions load each fixture once.
type sessions map[string]*dissect.Session

func (s sessions) get(t testing.TB, fixture string) *dissect.Session {
	if s[fixture] == nil {
		s[fixture] = dissecttest.Load(t, protocols.All(), fixtureFile(t, fixture))
	}
	return s[fixture]
}

// outcome is what a script line says behind the arrow.
func outcome(t testing.TB, s *dissect.Session, expr string) string {
	f, err := filter.CompileWith(s.Registry(), expr, filter.Options{Zone: time.UTC})
	if err != nil {
		var e *filter.Error
		if !errors.As(err, &e) {
			t.Fatalf("%s: %v is no *filter.Error", expr, err)
		}
		return fmt.Sprintf("error: %s at %q", e.Error(), expr[e.Pos:e.End])
	}
	return strconv.Itoa(countMatches(t, s, f))
}

func countMatches(t testing.TB, s *dissect.Session, f *filter.Filter) int {
	n := 0
	err := filter.Scan(context.Background(), s, f, 1, dissect.FrameNum(s.Passed()),
		func(m []dissect.FrameNum, _ dissect.FrameNum) { n += len(m) })
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestScripts runs the scripts. With -update it writes what comes out into them.
func TestScripts(t *testing.T) {
	loaded := sessions{}
	for _, path := range scripts(t) {
		lines, texts := readScript(t, path)
		for i, l := range lines {
			if l.fixture == "" {
				continue
			}
			got := strings.ReplaceAll(outcome(t, loaded.get(t, l.fixture), l.expr), "\n", "¶")
			if got != l.want && !dissecttest.Updating() {
				t.Errorf("%s: %s\n got %s\nwant %s", l.place, l.expr, got, l.want)
			}
			texts[i] = fmt.Sprintf("%s: %s => %s", l.fixture, strings.ReplaceAll(l.expr, "\n", "¶"), got)
			if l.tshark != "" {
				texts[i] += "  # tshark: " + l.tshark + ", " + l.reason
			}
		}
		if dissecttest.Updating() {
			if err := os.WriteFile(path, []byte(strings.Join(texts, "\n")+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestOracleScripts asks tshark the same questions, and shows where it disagrees without a reason in the script. Asked
// for by name it takes every line, otherwise a few.
func TestOracleScripts(t *testing.T) {
	testall.Only(t)
	tshark, err := exec.LookPath("tshark")
	if err != nil {
		t.Skip("tshark is not installed")
	}
	if v, _ := exec.Command(tshark, "--version").Output(); !strings.HasPrefix(string(v), "TShark (Wireshark) 4.0.") {
		t.Skip("tshark is installed, but not of the series 4.0, whose language this is")
	}
	step := 100
	if strings.Contains(flag.Lookup("test.run").Value.String(), "Oracle") {
		step = 1
	}
	var wg sync.WaitGroup
	slots := make(chan struct{}, 4)
	asked := 0
	for _, path := range scripts(t) {
		lines, _ := readScript(t, path)
		for _, l := range lines {
			if l.fixture == "" || l.tshark == "-" {
				continue
			}
			if asked++; asked%step != 0 {
				continue
			}
			file := fixtureFile(t, l.fixture)
			wg.Go(func() {
				slots <- struct{}{}
				defer func() { <-slots }()
				compareWithTshark(t, tshark, file, l)
			})
		}
	}
	wg.Wait()
	t.Logf("tshark was asked %d questions", asked/step)
}

func compareWithTshark(t *testing.T, tshark, file string, l scriptLine) {
	want := l.want
	if strings.HasPrefix(want, "error") {
		want = "error"
	}
	if l.tshark != "" {
		want = l.tshark
	}
	cmd := exec.Command(tshark, "-r", file, "-n", "-Y", l.expr, "-T", "fields", "-e", "frame.number")
	cmd.Env = append(os.Environ(), "TZ=UTC")
	var complaint strings.Builder
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	got := strconv.Itoa(strings.Count(string(out), "\n"))
	if err != nil {
		got = "error"
	}
	if got != want {
		t.Errorf("%s: %s\ntshark says %s, and the script %s\n%s", l.place, l.expr, got, want,
			strings.TrimSpace(complaint.String()))
	}
}
