// Package objects lists the files that packets carry, and saves them: bodies of HTTP, files of SMB, FTP and TFTP, and
// mails.
package objects

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"remora/dissect"
	"remora/ui/act"
	"remora/ui/export"
	"remora/ui/humanize"
	"remora/ui/print"
	"remora/ui/source"
	"remora/ui/view"
	"remora/ui/widget"
)

// A View lists the objects of all packets, whatever filter is on.
type View struct {
	c     view.Context
	table widget.Table
	find  string // only those with this text are listed

	of      *dissect.Session
	found   *collection
	stop    func()
	objects []found
	upTo    dissect.FrameNum
	saving  bool
}

// New is the objects of the capture that is open.
func New(c view.Context) *View { return &View{c: c} }

// Open begins to look for objects.
func (v *View) Open() { v.begin() }

func (v *View) begin() {
	now := v.c.Scope()
	if v.of == now.Session && v.stop != nil {
		return
	}
	v.Close()
	*v = View{c: v.c, of: now.Session, found: newCollection(now.Session), find: v.find}
	found, guard := v.found, v.of.Guard()
	now.Filtered = nil
	v.stop = v.c.Go("looking for objects", func(ctx context.Context) {
		now.Each(ctx, func(frames []dissect.FrameNum, upTo dissect.FrameNum) {
			at := 0
			guard.Run(func(l *dissect.Dissector) { // again when a dissector hangs, with the frame that it hangs in
				for ; at < len(frames); at++ {
					found.packet(l, frames[at], keepHead)
				}
			})
			found.mu.Lock()
			found.upTo = upTo
			found.mu.Unlock()
		})
	})
}

// Close ends the search.
func (v *View) Close() {
	if v.stop != nil {
		v.stop()
		v.stop = nil
	}
}

func (v *View) refresh() {
	v.begin()
	if upTo := v.found.progress(); upTo != v.upTo || v.objects == nil {
		v.take()
	}
}

// take lists what was found so far.
func (v *View) take() {
	all, upTo := v.found.objects()
	v.objects, v.upTo = []found{}, upTo
	for i := range all {
		if v.find == "" || all[i].matches(strings.ToLower(v.find)) {
			v.objects = append(v.objects, all[i])
		}
	}
}

// at is the object under the cursor, or nil.
func (v *View) at() *found {
	if v.table.Cur < len(v.objects) {
		return &v.objects[v.table.Cur]
	}
	return nil
}

// Update handles the keys that move in the list, narrow it, save objects and go to a packet.
func (v *View) Update(a act.Action, n int) bool {
	v.refresh()
	switch {
	case v.table.Update(a, n, len(v.objects), view.Height(v.c)-8):
	case a == act.Filter:
		v.c.Prompt(view.Prompt{Label: " only objects with: ", Text: v.find, Accept: func(text string) {
			v.find = text
			v.table = widget.Table{}
			v.take()
		}})
	case v.at() == nil:
		return false
	case a == act.Open:
		n := v.at().Frame
		v.c.List().Show()
		v.c.GoTo(n)
	case a == act.Save:
		v.c.Prompt(view.Prompt{Label: " save this to (FOLDER/ saves all listed): ",
			Text: print.FileName(&v.at().Object, 0), Accept: v.save, Forget: true})
	default:
		return false
	}
	return true
}

// save writes the object under the cursor to a file, or all that are listed to a folder.
func (v *View) save(path string) {
	o := v.at()
	if path == "" || o == nil {
		return
	}
	wanted, all := []found{*o}, strings.HasSuffix(path, "/") || strings.HasSuffix(path, string(filepath.Separator))
	if all {
		wanted = append([]found(nil), v.objects...)
	}
	path = source.ExpandHome(path)
	s, upTo := v.of, v.upTo
	v.saving = true
	write := func(ctx context.Context, path string, replace bool) (string, error) {
		to := []string{path}
		if all {
			to = namesIn(path, wanted)
		}
		for _, name := range to {
			if _, err := os.Lstat(name); err == nil && !replace { // nothing is written before somebody is asked
				return "", export.ErrExist{Path: name}
			}
		}
		data, err := contents(ctx, s, upTo, wanted)
		n, bytes := 0, 0
		for i := 0; i < len(data) && err == nil; i++ {
			if _, err = view.Bytes(data[i], "")(ctx, to[i], replace); err == nil {
				n++
				bytes += len(data[i])
			}
		}
		return humanize.Of(n, "object") + ", " + humanize.Bytes(int64(bytes)), err
	}
	view.Saving{Path: path, Label: " save to: ", Write: write, Done: func() { v.saving = false }}.Save(v.c)
}

// namesIn are the paths of objects in a folder.
func namesIn(folder string, objects []found) (out []string) {
	names := map[string]int{}
	for i := range objects {
		out = append(out, filepath.Join(folder, freshName(&objects[i].Object, names)))
	}
	return out
}

// freshName is a file's name that none of the others saved with it has.
func freshName(o *dissect.Object, names map[string]int) string {
	plain := print.FileName(o, 0)
	n := names[plain]
	names[plain]++
	name := print.FileName(o, n)
	if name == "." || name == ".." {
		name = "object"
	}
	return name
}

// FindLine puts the cursor on the next line that holds a text, or the one before.
func (v *View) FindLine(text string, step int) bool { return v.table.Find(text, step) }

// Click selects an object.
func (v *View) Click(_, y int) { v.table.Click(y-2, len(v.objects)) }

// Wheel moves by n objects.
func (v *View) Wheel(n int) { v.table.Wheel(n) }

// Keys are the keys that matter here, each with what it does.
func (v *View) Keys() [][2]string {
	return [][2]string{{"w", "save"}, {"Enter", "its packet"}, {"/", "narrow"}, {"e", "export the list"}, {"q", "back"}}
}

// Status says how many objects there are, and how far they are looked for.
func (v *View) Status() string {
	text := humanize.Of(len(v.objects), "object")
	if v.find != "" {
		text += " with " + dissect.Escape(v.find)
	}
	if v.of != nil && int(v.upTo) < v.of.Passed() {
		text += ", looked up to packet " + humanize.Group(int(v.upTo))
	}
	return text
}

// Busy reports whether objects are still looked for or saved.
func (v *View) Busy() bool {
	return v.of != v.c.Scope().Session || v.saving || int(v.upTo) < v.of.Passed()
}

// Sheet has a row for each object listed.
func (v *View) Sheet() export.Sheet {
	v.refresh()
	list := v.objects
	return export.New("objects", []string{"packet", "protocol", "host", "type", "bytes", "name"}, func() (out [][]any) {
		for i := range list {
			o := &list[i]
			out = append(out, []any{o.Frame, o.proto, dissect.Escape(o.Host), dissect.Escape(o.Type), o.size,
				dissect.Escape(o.Name)})
		}
		return out
	})
}
