package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"remora/dissect"
	"remora/dissect/filter"
	"remora/internal/settings"
	"remora/internal/userdirs"
	"remora/owndissect"
	"remora/owndissect/ksy"
	"remora/owndissect/lua"
	"remora/ui"
	"remora/ui/view/lab"
)

// own is what the command line says of dissectors that people write for themselves.
type own struct {
	files    []string // --dissector
	extended []string // -X
	unsafe   bool
	set      *owndissect.Set
	taps     []*lua.Taps
	formats  *formatList
	screen   *owndissect.Screen // nil: packets are printed
	printed  *printed
	now      *atomic.Pointer[dissect.Registry] // with the dissectors as they were loaded last
}

// foldersOfScripts are the folders in which scripts lie: they may keep files there.
func (o *own) foldersOfScripts() []string {
	if o.set == nil {
		return nil
	}
	var out []string
	for _, f := range o.set.Files() {
		dir, err := filepath.Abs(filepath.Dir(f.Path))
		if err == nil && filepath.Ext(f.Path) == ".lua" && !slices.Contains(out, dir) {
			out = append(out, dir)
		}
	}
	return out
}

// dissectorFolder is where people keep their dissectors, or "".
func dissectorFolder() string {
	dir, err := userdirs.Config()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "dissectors")
}

// registry joins all protocols: those that are built in, and those that people wrote for themselves.
func (o *options) registry() (*dissect.Registry, error) {
	o.own.unsafe = o.own.unsafe || inTsharksSeat() // whoever put it in that place wants what it does
	o.own.formats = new(formatList)
	if !o.headless() {
		o.own.screen = new(owndissect.Screen)
	}
	set := owndissect.NewSet(o.languages()...)
	if err := set.AddFolder(dissectorFolder()); err != nil {
		fmt.Fprintf(os.Stderr, "remora: %s\n", harmless(err))
	}
	if home, err := os.UserHomeDir(); err == nil && inTsharksSeat() { // its plugins, too
		if err := set.AddFolder(filepath.Join(home, ".local/lib/wireshark/plugins")); err != nil {
			fmt.Fprintf(os.Stderr, "remora: %s\n", harmless(err))
		}
	}
	for _, f := range set.Files() {
		f.Unsafe = o.own.unsafe
	}
	if err := o.addNamed(set); err != nil {
		return nil, err
	}
	o.own.set, o.own.now = set, new(atomic.Pointer[dissect.Registry])
	reg, problems, err := set.Load(registry)
	o.own.now.Store(reg)
	for _, p := range problems {
		fmt.Fprintf(os.Stderr, "remora: %s\n", harmless(p))
	}
	if err == nil && set.BadNamed() && !inTsharksSeat() { // tshark goes on without it
		err = reportedError(exitUsage)
	}
	return reg, err
}

// languages are those in which dissectors are written.
func (o *options) languages() []owndissect.Language {
	if o.own.formats == nil {
		o.own.formats = new(formatList)
	}
	if o.own.printed == nil {
		o.own.printed = new(printed)
	}
	return []owndissect.Language{ksy.New(), lua.New(lua.Options{
		Printing: o.headless(),
		Screen:   o.own.screen,
		Print:    o.own.printed.add,
		NoTrees:  o.headless() && !o.tree && (o.form == "" || o.form == "text" || o.form == "fields"),
		Folders:  scriptFolders(),
		Prefs:    o.scriptPreferences(),
		Referenced: func(name string) bool {
			return o.display != "" && strings.Contains(o.display, name)
		},
		Filter: func(reg *dissect.Registry, text string) (lua.Match, []*dissect.Field, error) {
			f, err := filter.Compile(reg, text)
			if err != nil {
				return nil, nil, err
			}
			return f.MatchTree, f.Fields(), nil
		},
		Create:  createFrames,
		Formats: o.own.formats.add,
		Taps:    func(t *lua.Taps) { o.own.taps = append(o.own.taps, t) },
	})}
}

// scriptPreferences are the preferences of -o by their names.
func (o *options) scriptPreferences() map[string]string {
	out := map[string]string{}
	for _, p := range o.prefer {
		if name, value, ok := strings.Cut(p, ":"); ok {
			out[name] = strings.TrimSpace(value)
		}
	}
	return out
}

// addNamed adds the files of --dissector and -X lua_script, with the arguments that -X lua_script1, … give them.
func (o *options) addNamed(set *owndissect.Set) error {
	var named []owndissect.File
	for _, path := range o.own.files {
		named = append(named, owndissect.File{Path: path})
	}
	scripts := len(named)
	for _, x := range o.own.extended {
		if path, ok := strings.CutPrefix(x, "lua_script:"); ok {
			named = append(named, owndissect.File{Path: path})
		}
	}
	for _, x := range o.own.extended {
		word, arg, ok := strings.Cut(x, ":")
		if !ok {
			return usage("-X takes lua_script:FILE or lua_scriptN:ARGUMENT, not %q", x)
		}
		if word == "lua_script" || word == "read_format" {
			continue
		}
		if inTsharksSeat() && !strings.HasPrefix(word, "lua_script") {
			continue
		}
		n, err := strconv.Atoi(strings.TrimPrefix(word, "lua_script"))
		if err != nil || !strings.HasPrefix(word, "lua_script") {
			return usage("-X takes lua_script:FILE or lua_scriptN:ARGUMENT, not %q", x)
		}
		if n < 1 || scripts+n > len(named) {
			return usage("-X %s: there are %d scripts", x, len(named)-scripts)
		}
		f := &named[scripts+n-1]
		f.Args = append(f.Args, arg)
	}
	for _, f := range named {
		f.Named, f.Unsafe = true, o.own.unsafe
		if err := set.Add(f); err != nil {
			return usage("the dissector cannot be read: %w", err)
		}
	}
	return nil
}

// scriptFolders are what scripts are told: the folder of settings, and that of dissectors.
func scriptFolders() [2]string {
	config, err := userdirs.Config()
	if err != nil {
		return [2]string{}
	}
	home, err := os.UserHomeDir()
	if err == nil && inTsharksSeat() {
		return [2]string{config, filepath.Join(home, ".local/lib/wireshark/plugins")}
	}
	return [2]string{config, dissectorFolder()}
}

// reload has the screen look for dissectors that were saved, and load them.
func (o *options) reload() ui.Own {
	dir := dissectorFolder()
	var mu sync.Mutex
	return ui.Own{
		Scripts: o.own.screen,
		Lab:     lab.Tools{Keep: settings.KeepDescription, Traffic: func() lab.Traffic { return newTraffic() }},
		Stamp: func() string {
			mu.Lock()
			defer mu.Unlock()
			return o.own.set.Stamp(dir)
		},
		Load: func() (*dissect.Registry, []error) {
			mu.Lock()
			defer mu.Unlock()
			return o.own.again(dir, false)
		},
		Renew: func() (*dissect.Registry, error) {
			mu.Lock()
			defer mu.Unlock()
			reg, problems := o.own.again(dir, true)
			if reg == nil {
				return nil, errors.Join(problems...)
			}
			return reg, nil
		},
	}
}

// again loads the dissectors of a folder and those that are named once more; always, or where they are others now.
// There is no registry where that fails.
func (o *own) again(dir string, always bool) (*dissect.Registry, []error) {
	if err := o.set.Reread(dir); err != nil {
		return nil, []error{err}
	}
	for _, f := range o.set.Files() {
		f.Unsafe = o.unsafe
	}
	o.formats.clear()
	reg, problems, err := o.set.Load(registry)
	if err != nil {
		return nil, []error{err}
	}
	for i, p := range problems {
		problems[i] = brief(p)
	}
	if len(problems) > 0 && !always && !o.set.Changed() {
		return nil, problems
	}
	reg.Inherit(o.now.Load())
	if err := reg.LoadPreferences(); err != nil {
		return nil, []error{err}
	}
	o.now.Store(reg)
	return reg, problems
}

// brief says in one line what is wrong with a dissector, and where in which file.
func brief(err error) error {
	var told *owndissect.Error
	if errors.As(err, &told) {
		short := *told
		short.Path = filepath.Base(told.Path)
		err = &short
	}
	text, _, _ := strings.Cut(err.Error(), "\n")
	return errors.New(dissect.Escape(text))
}
