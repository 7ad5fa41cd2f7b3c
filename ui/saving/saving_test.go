package saving

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"remora/dissect"
	"remora/protocols"
	"remora/ui/comments"
	"remora/ui/listed"
	"remora/ui/marks"
	"remora/ui/selected"
	"remora/ui/view"
	"remora/ui/view/viewtest"
)

// screen saves a sample, and remembers what was asked.
type screen struct {
	*viewtest.Screen
	saver    *Saver
	packets  *listed.Packets
	comments *comments.Comments
	file     string
	answers  []view.Answer
	changed  []dissect.FrameNum
}

func (x *screen) File() string                            { return x.file }
func (x *screen) Ask(_, _ string, answers ...view.Answer) { x.answers = answers }
func (x *screen) InTree() bool                            { return false }
func (x *screen) Changed(n dissect.FrameNum)              { x.changed = append(x.changed, n) }
func (x *screen) Refilter()                               {}
func (x *screen) Did(func())                              {}
func (x *screen) UndoKey() string                         { return "u" }
func (x *screen) Filter(text string) {
	x.Screen.Filter(text)
	x.packets.Filtered = x.Scope().Filtered
}

func open(t *testing.T) *screen {
	x := &screen{Screen: viewtest.OpenSample(t, protocols.All(), 80, 24)}
	s := x.Scope().Session
	x.packets = &listed.Packets{Session: s, Store: s.Store(), Dissector: s.Dissector()}
	x.comments = comments.New(x, x.packets, selected.New(x.packets, x.Later))
	x.saver = New(x, x.packets, marks.New(), x.comments)
	return x
}

func TestWhatIsShownIsSaved(t *testing.T) {
	x := open(t)
	path := filepath.Join(t.TempDir(), "some.pcapng")
	x.Filter("dns")
	x.Matching("dns") // until all packets are decided
	for x.packets.Filtered.Matches.Len() < 2 {
		x.Settle()
	}
	next := 0
	x.saver.Save(path, false, func() { next++ })
	if !x.saver.Busy() || !strings.HasPrefix(x.saver.Progress(), "saving to "+path) {
		t.Errorf("under way is %q", x.saver.Progress())
	}
	if x.saver.Save("other.pcap", false, nil); !strings.Contains(x.Notice, "still saving") {
		t.Error(x.Notice)
	}
	if x.Settle(); x.Notice != "2 packets saved to "+path || next != 1 || x.saver.Busy() {
		t.Errorf("%s, then %d", x.Notice, next)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
	if x.saver.Save("", false, nil); x.Notice != "name a file: :w capture.pcapng" {
		t.Error(x.Notice)
	}
}

func TestASaveThatFailsOrIsEndedGoesNoFurther(t *testing.T) {
	x := open(t)
	never := func() { t.Error("it goes on") }
	x.saver.Save(filepath.Join(t.TempDir(), "missing", "x.pcap"), false, never)
	if x.Settle(); !strings.HasPrefix(x.Notice, "not saved: ") {
		t.Error(x.Notice)
	}
	x.saver.Save(filepath.Join(t.TempDir(), "y.pcap"), false, never)
	x.saver.Cancel()
	if x.Settle(); !strings.Contains(x.Notice, "ended before all was written") {
		t.Error(x.Notice)
	}
	x.saver.AskAll(never)
	x.Asked.Cancel()
	x.saver.Save(filepath.Join(t.TempDir(), "z.pcap"), false, nil)
	if x.Settle(); !strings.Contains(x.Notice, "82 packets saved") {
		t.Error(x.Notice)
	}
}

// TestNoFileIsReplacedUnasked saves to a name that another file has.
func TestNoFileIsReplacedUnasked(t *testing.T) {
	x := open(t)
	path := filepath.Join(t.TempDir(), "other.pcapng")
	if err := os.WriteFile(path, []byte("somebody's"), 0o600); err != nil {
		t.Fatal(err)
	}
	done := 0
	save := func(force bool) {
		x.answers = nil
		x.saver.Save(path, force, func() { done++ })
		x.Settle()
	}
	is := func(what string, replaced bool) {
		t.Helper()
		if b, err := os.ReadFile(path); err != nil || (string(b) != "somebody's") != replaced {
			t.Errorf("%s: the file holds %d bytes (%v)", what, len(b), err)
		}
	}
	save(false)
	if len(x.answers) != 2 || x.answers[0].Default || x.answers[1].Default || x.saver.Busy() || done > 0 {
		t.Fatalf("asked is %v", x.answers)
	}
	is("not answered", false)
	x.answers[0].Do()
	x.Type(path) // the same name again
	is("the same name", false)
	x.answers[1].Do()
	x.Settle()
	is("replaced", true)
	if done != 1 {
		t.Errorf("what follows is done %d times", done)
	}
	if save(false); len(x.answers) == 0 {
		t.Error("leave to replace it once is taken for good")
	}
	if save(true); len(x.answers) > 0 || done != 2 {
		t.Errorf(":w! asks %v, done %d", x.answers, done)
	}
	if x.saver.Save("as", false, nil); x.Asked == nil || x.Asked.Accept == nil {
		t.Error(":save as asks for no name")
	}
	as := filepath.Join(filepath.Dir(path), "as.pcapng")
	x.saver.Save("as "+as, false, nil)
	x.Settle()
	if _, err := os.Stat(as); err != nil {
		t.Error(err)
	}
}

func TestCommentsAreNotLostUnasked(t *testing.T) {
	x := open(t)
	dir := t.TempDir()
	x.comments.Set(3, []string{"odd", "very odd"})
	if len(x.changed) != 1 || x.saver.Unsaved() != "Unsaved comments." {
		t.Errorf("changed are %v: %s", x.changed, x.saver.Unsaved())
	}
	x.file = filepath.Join(dir, "open.pcap")
	if got := x.saver.place(); got != "" {
		t.Errorf("a file without comments would be %q", got)
	}
	x.file = filepath.Join(dir, "open.pcapng")
	if got := x.saver.place(); got != x.file {
		t.Errorf("the file that is open would be %q", got)
	}
	x.saver.Save(filepath.Join(dir, "a.pcap"), false, nil)
	if x.Settle(); len(x.answers) != 2 || x.saver.Busy() {
		t.Fatalf("asked is %v", x.answers)
	}
	x.answers[1].Do()
	x.Type(filepath.Join(dir, "a.pcapng"))
	if !strings.Contains(x.Notice, "82 packets saved to ") {
		t.Error(x.Notice)
	}
}
