// Package files lists the captures of a folder: their kind, size, packets and duration, and the first packets of the
// one under the cursor. One of them is opened, or another folder listed.
package files

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"remora/capture"
	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/internal/sorting"
	"remora/ui/act"
	"remora/ui/export"
	"remora/ui/humanize"
	"remora/ui/source"
	"remora/ui/view"
	"remora/ui/widget"
)

// A View lists a folder.
type View struct {
	c     view.Context
	open  func(path string)
	tab   func(path string) // opens a file in a tab of its own
	table widget.Table
	find  string   // only files with this in their names are listed
	set   []string // only these are listed; nil: all of the folder

	dir     string
	on      string // the entry that the cursor goes to once it is listed
	listing *listing
	shown   []entry
	stop    func()
	stopped func() // the preview
	preview preview
}

// An entry is a file or a folder.
type entry struct {
	name   string
	folder bool
	size   int64
	when   time.Time

	known   bool // it was looked at
	kind    string
	packets int
	more    bool // there are more packets than were counted
	span    time.Duration
}

// A listing is a folder, looked through beside the screen.
type listing struct {
	mu      sync.Mutex
	err     error
	entries []entry
	done    bool
}

// A preview is the first packets of a file.
type preview struct {
	path  string
	lines []string
	busy  bool
}

// mostCounted bounds the packets of a file that are counted, mostListed the files of a folder that are listed.
const (
	mostCounted = 2_000_000
	mostListed  = 20_000
	mostPreview = 40
)

// New lists a folder; open opens the file that is chosen, and tab does in a tab of its own.
func New(c view.Context, dir string, open, tab func(path string)) *View {
	if whole, err := filepath.Abs(source.ExpandHome(dir)); err == nil {
		dir = whole
	}
	return &View{c: c, open: open, tab: tab, dir: dir}
}

// NewSet lists the files of a set, with the cursor on one of them.
func NewSet(c view.Context, path string, set []string, open, tab func(path string)) *View {
	v := New(c, filepath.Dir(path), open, tab)
	v.set, v.on = set, filepath.Base(path)
	return v
}

// Open begins to look through the folder.
func (v *View) Open() {
	if v.stop == nil {
		v.enter(v.dir, v.on)
	}
}

// enter lists a folder, with the cursor on one of its entries.
func (v *View) enter(dir, on string) {
	v.Close()
	if dir != v.dir {
		v.set = nil
	}
	l := &listing{}
	v.dir, v.listing, v.table, v.find = dir, l, widget.Table{}, ""
	v.on = on
	v.stop = v.c.Go("looking through a folder", func(ctx context.Context) {
		l.read(dir)
		l.describe(ctx, dir)
	})
}

// read lists the folder: folders first, then files, each by name.
func (l *listing) read(dir string) {
	entries, err := os.ReadDir(dir)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.err = err
	for _, e := range entries[:min(len(entries), mostListed)] {
		info, err := os.Stat(filepath.Join(dir, e.Name()))
		if err != nil || strings.HasPrefix(e.Name(), ".") || !info.IsDir() && !info.Mode().IsRegular() {
			continue
		}
		l.entries = append(l.entries, entry{name: e.Name(), folder: info.IsDir(), size: info.Size(), when: info.ModTime()})
	}
	sorting.Stable(l.entries, func(a, b entry) int {
		if a.folder != b.folder {
			return map[bool]int{true: -1, false: 1}[a.folder]
		}
		return strings.Compare(strings.ToLower(a.name), strings.ToLower(b.name))
	})
	if parent := filepath.Dir(dir); parent != dir {
		l.entries = slices.Insert(l.entries, 0, entry{name: "..", folder: true})
	}
}

// describe looks at the files: what they are, and of captures how many packets they have.
func (l *listing) describe(ctx context.Context, dir string) {
	for i := range l.entries { // nobody else changes them
		e := l.entries[i]
		if ctx.Err() != nil {
			return
		}
		if e.folder {
			continue
		}
		e.look(ctx, filepath.Join(dir, e.name))
		l.mu.Lock()
		l.entries[i] = e
		l.mu.Unlock()
	}
	l.mu.Lock()
	l.done = true
	l.mu.Unlock()
}

func (e *entry) look(ctx context.Context, path string) {
	e.known = true
	info, err := pcapfile.Describe(path)
	if err != nil || e.size == 0 {
		return
	}
	e.kind = kindOf(info)
	store, err := pcapfile.Open(ctx, path, capture.Options{Certain: true,
		Stop: capture.StopRules{Packets: mostCounted}})
	if err != nil {
		return
	}
	defer store.Close()
	select {
	case <-store.Done():
	case <-ctx.Done():
	}
	if store.Len() == 0 {
		return
	}
	e.packets = store.Len()
	e.more = e.packets >= mostCounted
	e.span = time.Duration(store.Time(e.packets-1) - store.Time(0))
}

// take lists what was found so far.
func (v *View) take() {
	v.listing.mu.Lock()
	defer v.listing.mu.Unlock()
	v.shown = v.shown[:0]
	for _, e := range v.listing.entries {
		if v.set != nil && !slices.Contains(v.set, filepath.Join(v.dir, e.name)) {
			continue
		}
		if v.find == "" || e.folder || strings.Contains(strings.ToLower(e.name), strings.ToLower(v.find)) {
			if v.shown = append(v.shown, e); e.name == v.on {
				v.table.Cur, v.on = len(v.shown)-1, ""
			}
		}
	}
}

// Close ends the looking.
func (v *View) Close() {
	for _, stop := range []func(){v.stop, v.stopped} {
		if stop != nil {
			stop()
		}
	}
	v.stop, v.stopped, v.preview = nil, nil, preview{}
}

// at is the entry under the cursor, or nil.
func (v *View) at() *entry {
	if v.table.Cur < len(v.shown) {
		return &v.shown[v.table.Cur]
	}
	return nil
}

// Update handles the keys that move, open and narrow.
func (v *View) Update(a act.Action, n int) bool {
	v.take()
	switch e := v.at(); {
	case v.table.Update(a, n, len(v.shown), view.Height(v.c)-8):
	case a == act.Filter:
		v.c.Prompt(view.Prompt{Label: " only files with: ", Text: v.find, Accept: func(text string) {
			v.find, v.table = text, widget.Table{}
			v.take()
		}})
	case a == act.Left:
		v.up()
	case a == act.Open && e != nil && e.name == "..":
		v.up()
	case (a == act.Open || a == act.Right) && e != nil && e.folder:
		v.enter(filepath.Join(v.dir, e.name), "")
	case a == act.Open && e != nil:
		path := filepath.Join(v.dir, e.name)
		v.c.Close()
		v.open(path)
	case a == act.Time && e != nil && !e.folder:
		v.tab(filepath.Join(v.dir, e.name))
	case a == act.Quit || a == act.Escape:
		v.c.Close()
	default:
		return false
	}
	return true
}

// up lists the folder above.
func (v *View) up() {
	if parent := filepath.Dir(v.dir); parent != v.dir {
		v.enter(parent, filepath.Base(v.dir))
	}
}

// show reads the first packets of the file under the cursor beside the screen.
func (v *View) show() {
	path := ""
	if e := v.at(); e != nil && !e.folder && e.kind != "" {
		path = filepath.Join(v.dir, e.name)
	}
	if path == v.preview.path {
		return
	}
	if v.stopped != nil {
		v.stopped()
		v.stopped = nil
	}
	v.preview = preview{path: path, busy: path != ""}
	if path == "" {
		return
	}
	reg := v.c.Scope().Session.Registry()
	v.stopped = v.c.Later("reading "+filepath.Base(path), func(ctx context.Context) func() {
		lines := firstPackets(ctx, reg, path)
		return func() {
			if v.preview.path == path {
				v.preview.lines, v.preview.busy = lines, false
			}
		}
	})
}

// firstPackets are rows of a file's first packets.
func firstPackets(ctx context.Context, reg *dissect.Registry, path string) (lines []string) {
	store, err := pcapfile.Open(ctx, path, capture.Options{Certain: true, Stop: capture.StopRules{Packets: mostPreview}})
	if err != nil {
		return []string{dissect.Escape(err.Error())}
	}
	defer store.Close()
	s, err := dissect.NewSession(reg, store)
	if err != nil || s.Pass(ctx) != nil {
		return nil
	}
	s.Guard().Run(func(l *dissect.Dissector) {
		for n := dissect.FrameNum(len(lines) + 1); int(n) <= s.Passed() && ctx.Err() == nil; n++ {
			t := l.Tree(n)
			lines = append(lines, humanize.Group(int(n))+"  "+t.Src.String()+" > "+t.Dst.String()+"  "+t.ProtocolText()+"  "+
				t.Info())
		}
	})
	return lines
}

// FindLine puts the cursor on the next line that holds a text, or the one before.
func (v *View) FindLine(text string, step int) bool { return v.table.Find(text, step) }

// Click selects an entry; a second click opens it.
func (v *View) Click(_, y int) {
	if y > 1 && v.table.Top+y-2 == v.table.Cur {
		v.Update(act.Open, 0)
		return
	}
	v.table.Click(y-2, len(v.shown))
}

// Wheel moves by n lines.
func (v *View) Wheel(n int) { v.table.Wheel(n) }

// Keys are the keys that matter here, each with what it does.
func (v *View) Keys() [][2]string {
	return [][2]string{{"Enter", "open"}, {"t", "open in a tab"}, {"h", "folder above"}, {"/", "narrow"},
		{"Ctrl-F", "search"}, {"e", "export"},
		{"q", "back"}}
}

// Status says which folder it is, and what is in it.
func (v *View) Status() string {
	captures := 0
	for i := range v.shown {
		if v.shown[i].kind != "" {
			captures++
		}
	}
	text := dissect.Escape(source.ShortHome(v.dir)) + ": " + humanize.Of(captures, "capture")
	if v.find != "" {
		text += " with " + dissect.Escape(v.find)
	}
	if v.looking() {
		text += " so far"
	}
	return text
}

func (v *View) looking() bool {
	v.listing.mu.Lock()
	defer v.listing.mu.Unlock()
	return !v.listing.done
}

// Busy reports whether files are still looked at.
func (v *View) Busy() bool {
	if v.listing == nil {
		return false
	}
	v.take()
	v.show()
	return v.preview.busy || v.looking()
}

// Sheet has a row for each file.
func (v *View) Sheet() export.Sheet {
	v.take()
	list := slices.Clone(v.shown)
	return export.New("files", []string{"name", "type", "bytes", "modified", "packets", "duration_s"},
		func() (out [][]any) {
			for _, e := range list {
				if !e.folder {
					out = append(out, []any{dissect.Escape(e.name), e.kind, e.size, e.when.UTC().Format(time.RFC3339), e.packets,
						e.span.Seconds()})
				}
			}
			return out
		})
}
