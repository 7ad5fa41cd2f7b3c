// Package saving writes the packets that are shown to a file, beside everything else that goes on.
package saving

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"remora/capture/anonymise"
	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/ui/act"
	"remora/ui/comments"
	"remora/ui/humanize"
	"remora/ui/listed"
	"remora/ui/marks"
	"remora/ui/paint"
	"remora/ui/source"
	"remora/ui/view"
	"remora/ui/widget"
)

// Context is what saving may ask of the screen.
type Context interface {
	// Style is how the screen draws, with the keys as they are.
	Style() *widget.Style
	// File is the path of the file that is open, or "".
	File() string
	// Filter applies a display filter; "" shows all packets.
	Filter(text string)
	// Prompt asks for a line of text, Ask puts a question.
	Prompt(p view.Prompt)
	Ask(title, text string, answers ...view.Answer)
	// Notify says something in the line above the keys.
	Notify(text string)
	// Later does work beside the screen, and then what it returns.
	Later(what string, work func(ctx context.Context) (then func())) (stop func())
}

// A Saver saves the packets that are shown.
type Saver struct {
	c        Context
	packets  *listed.Packets
	marks    *marks.Marks
	comments *comments.Comments

	job     *job
	then    func() // once the save that is asked for or under way has succeeded
	replace string // a path whose file may be replaced

	anonymous bool // what is saved next is anonymised
	picked    bool // and only the packets picked are
}

// A job is a save under way.
type job struct {
	path        string
	done, total atomic.Int64 // packets looked at, and all
	stop        func()
}

// New saves packets with their marks and comments.
func New(c Context, packets *listed.Packets, m *marks.Marks, list *comments.Comments) *Saver {
	return &Saver{c: c, packets: packets, marks: m, comments: list}
}

// Busy reports whether a save is under way.
func (s *Saver) Busy() bool { return s.job != nil }

// Cancel ends the save that is under way; the target stays as it was.
func (s *Saver) Cancel() {
	if s.job != nil {
		s.job.stop()
	}
}

// Progress says how far the save is, or nothing.
func (s *Saver) Progress() string {
	j := s.job
	if j == nil {
		return ""
	}
	return "saving to " + j.path + ", " + strconv.Itoa(int(j.done.Load()*100/max(1, j.total.Load()))) + " %"
}

// Unsaved says what would be lost if this capture were closed, or "".
func (s *Saver) Unsaved() string {
	store := s.packets.Store
	if store == nil {
		return ""
	}
	switch st := store.Status(); {
	case st.Unsaved && store.Len() > 0 && st.Spool == "": // the disk space of some was given back
		return humanize.Group(store.Len()) + " unsaved packets."
	case st.Unsaved && store.Len() > 0:
		return humanize.Group(store.Len()) +
			" unsaved packets. Without saving they stay among the recovered captures for a day."
	case store.CommentsChanged():
		return "Unsaved comments."
	}
	return ""
}

// Ask asks for the file that the packets shown are saved to; it begins with a path.
func (s *Saver) Ask(path string) { s.ask(path, false) }

// ask lets those that are picked be saved alone, where some are.
func (s *Saver) ask(path string, picked bool) {
	s.picked = picked
	p := view.Prompt{
		Label: " save shown packets to: ", Text: path, Accept: s.save, Cancel: func() { s.then = nil },
	}
	if n := len(s.marks.Picked()); n > 0 && s.then == nil {
		p.Mode = func() string {
			if s.picked {
				return " save " + humanize.Of(n, "picked packet") + " to: "
			}
			return p.Label
		}
		p.Says = func(view.Typed) (string, paint.Pen) {
			return "Enter saves, Tab: " + map[bool]string{true: "those shown", false: "those picked"}[s.picked], paint.Pen{}
		}
		p.Take = func(t view.Typed) (string, bool) {
			s.picked = !s.picked
			return t.Text, true
		}
	}
	s.c.Prompt(p)
}

// AskAll asks for a file for all packets, and goes on once everything is in it.
func (s *Saver) AskAll(next func()) {
	s.then = next
	s.c.Filter("")
	s.Ask(s.place())
}

// Save saves the packets shown to a file, or to the one that is open; next, unless it is nil, follows once that is
// done. Only with force a file that is there is replaced unasked, but for the one that is open when nothing of it is
// left out.
func (s *Saver) Save(path string, force bool, next func()) {
	if s.picked = false; next != nil {
		s.then = next
	}
	path = strings.TrimSpace(path)
	if name, ok := strings.CutPrefix(path+" ", "as "); ok { // the word of other programs' menus
		if path = strings.TrimSpace(name); path == "" {
			s.Ask(s.place())
			return
		}
	}
	if path = cmp.Or(path, s.place()); force || path == s.place() {
		s.replace = source.ExpandHome(path)
	}
	s.save(path)
}

// Anonymise saves the packets shown with other addresses and names and without payload.
func (s *Saver) Anonymise(path string) {
	s.picked = false
	if path = strings.TrimSpace(path); path == "" {
		s.c.Prompt(view.Prompt{Label: " save anonymised to: ", Accept: func(path string) {
			s.anonymous = path != ""
			s.save(path)
		}})
		return
	}
	s.anonymous = true
	s.save(path)
}

// place is where packets are saved without a name: the file that is open, if all of it is shown and it can hold
// comments.
func (s *Saver) place() string {
	file := s.c.File()
	if f, _ := pcapfile.FormatOf(file); f == pcapfile.Pcap || s.packets.Filtered != nil || file == "" ||
		!s.packets.Store.CommentsChanged() || s.comments.Lost(file, nil) > 0 {
		return ""
	}
	return file
}

func (s *Saver) save(path string) {
	switch {
	case path == "":
		s.c.Notify("name a file: :w capture.pcapng")
		s.then, s.anonymous = nil, false
		return
	case s.job != nil:
		s.c.Notify("still saving to " + s.job.path + "; " + s.c.Style().Key(act.Escape) + " ends that")
		return
	}
	path = source.ExpandHome(path)
	if s.replaces(path) {
		return
	}
	if s.anonymous {
		s.start(path, s.shown())
		return
	}
	which := s.shown()
	n := s.comments.Lost(path, which)
	if n == 0 {
		s.start(path, which)
		return
	}
	next, picked := s.then, s.picked
	s.then = nil
	s.c.Ask("Save without comments?", humanize.Group(n)+
		" of the packets have comments, and pcap files hold none. A name that ends in .pcapng keeps them.",
		view.Answer{Act: act.AnswerYes, Label: "save without comments", Do: func() { s.then = next; s.start(path, which) }},
		view.Answer{Act: act.AnswerSave, Label: "choose another name", Do: func() { s.then = next; s.ask("", picked) }})
}

// replaces asks whether a file that is there may be replaced, unless somebody has said so.
func (s *Saver) replaces(path string) bool {
	info, err := os.Stat(path)
	if allowed := s.replace == path; allowed || err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		s.replace = ""
		return false
	}
	next, anonymous, picked := s.then, s.anonymous, s.picked
	s.then, s.replace, s.anonymous = nil, "", false
	s.c.Ask("Replace "+filepath.Base(path)+"?", path+" is there already: "+humanize.Bytes(info.Size())+", written "+
		source.When(info.ModTime(), time.Now())+".",
		view.Answer{Act: act.AnswerSave, Label: "choose another name", Do: func() {
			if s.then = next; anonymous {
				s.Anonymise("")
				return
			}
			s.ask(path, picked)
		}},
		view.Answer{Act: act.AnswerYes, Label: "replace it", Do: func() {
			s.then, s.replace, s.anonymous = next, path, anonymous
			s.save(path)
		}})
	return true
}

func (s *Saver) start(path string, which func(i int) bool) {
	j, store := &job{path: path}, s.packets.Store
	s.job = j
	var rewrite pcapfile.Rewriter
	if s.anonymous {
		rewrite, s.anonymous = anonymise.New(), false
	}
	number := s.numbers()
	j.stop = s.c.Later("saving", func(ctx context.Context) func() {
		n := 0
		options := pcapfile.SaveOptions{Context: ctx, Saved: &n, Rewrite: rewrite, Progress: func(done, total int) {
			j.done.Store(int64(done))
			j.total.Store(int64(total))
		}}
		err := pcapfile.SaveAs(store, path, which, options)
		return func() { s.saved(path, n, number, err) }
	})
}

// shown picks the packets that are shown now, or those that are picked; nil is all of them.
func (s *Saver) shown() func(i int) bool {
	if s.picked {
		number := s.numbers()
		return func(i int) bool { return number(dissect.FrameNum(i+1)) > 0 }
	}
	if s.packets.Filtered == nil {
		return nil
	}
	matches, n := &s.packets.Filtered.Matches, s.packets.Filtered.Matches.Len()
	return func(i int) bool {
		f := dissect.FrameNum(i + 1)
		at := sort.Search(n, func(k int) bool { return matches.At(k) >= f })
		return at < n && matches.At(at) == f
	}
}

// numbers are those that packets have in a file with what is saved now; 0 for one that is not.
func (s *Saver) numbers() func(n dissect.FrameNum) dissect.FrameNum {
	if s.picked {
		list := s.marks.Picked()
		return func(n dissect.FrameNum) dissect.FrameNum {
			at, _ := slices.BinarySearch(list, n)
			if at == len(list) || list[at] != n {
				return 0
			}
			return dissect.FrameNum(at + 1)
		}
	}
	shown := s.packets.Filtered
	return func(n dissect.FrameNum) dissect.FrameNum {
		if shown == nil {
			return n - dissect.FrameNum(s.packets.Store.First())
		}
		row := shown.Row(n)
		if row >= shown.Matches.Len() || shown.Matches.At(row) != n {
			return 0
		}
		return dissect.FrameNum(row + 1)
	}
}

// saved is the end of a save.
func (s *Saver) saved(path string, n int, number func(dissect.FrameNum) dissect.FrameNum, err error) {
	next := s.then
	s.job, s.then = nil, nil
	switch {
	case errors.Is(err, context.Canceled):
		s.c.Notify("not saved: ended before all was written; " + path + " is as it was")
	case err != nil:
		s.c.Notify("not saved: " + err.Error())
	default:
		s.c.Notify(humanize.Group(n) + " packets saved to " + path)
		if whole, err := filepath.Abs(path); err == nil {
			s.marks.Keep(whole, n, number)
		}
		if next != nil {
			next()
		}
	}
}
