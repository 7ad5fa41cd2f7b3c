// Package lua runs dissectors written in Lua against the API that Wireshark's manual describes. A script runs once for
// each packet, in the first pass and in order; what it recorded then is recorded again in every re-dissection.
package lua

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	lua "github.com/yuin/gopher-lua"

	"remora/dissect"
	"remora/owndissect"
)

// Options say what scripts are told of the program's run.
type Options struct {
	Printing   bool                   // no screen is there
	NoTrees    bool                   // nobody will see whole trees
	Referenced func(name string) bool // whether the display filter names a field
	Folders    [2]string              // of the user's settings, and of the user's dissectors
	// Print is where print goes, with the packet at which the script is; 0 is none.
	Print   func(n dissect.FrameNum, text string)
	Prefs   map[string]string    // preferences by name, "proto.pref", as -o gives them
	Told    func(problem string) // errors of scripts while they run
	Taps    func(l *Taps)        // the listeners of a script, once it is loaded
	Screen  *owndissect.Screen   // what scripts show beside the packets; nil: nobody would see it
	Formats func(f *Format)      // a format of capture files that a script has registered
	// Create begins a capture file that a script writes: pcapng, or pcap.
	Create func(path string, ng bool, link int) (FrameFile, error)
	// Filter compiles a display filter for Listeners, and tells which fields it asks.
	Filter func(reg *dissect.Registry, text string) (Match, []*dissect.Field, error)
}

// New is the language.
func New(o Options) owndissect.Language { return &language{o} }

type language struct{ o Options }

// Suffix ends the names of scripts.
func (*language) Suffix() string { return ".lua" }

// machine is a script that is loaded: one for each file of a registry.
type machine struct {
	mu    sync.Mutex
	l     *lua.LState
	o     *Options
	file  *owndissect.File
	reg   *dissect.Registry
	steps *stepCounter
	classes

	protos   []*proto
	byName   map[string]*proto
	extract  []*extractor
	taps     []*listener
	formats  []*Format
	dumps    []*dumper
	posts    map[*proto]bool
	tables   map[string]*tableInfo
	loading  bool
	whole    bool // the first pass records everything
	run      *run // the packet that is being dissected
	pending  *pending
	allows   map[string]bool // files outside of the folder
	conv     map[convKey]lua.LValue
	privates map[string]string
	loaded   map[string]bool
	integers bool                      // the script has those of Lua 5.3
	unseen   map[string]*lua.LFunction // functions that scripts do not see
	threads  []*lua.LState             // for protected calls
	deep     int
	create   lua.LValue
	scratch  []byte
	dirs     []string // of modules that were loaded
	settings map[string]*setting
	owner    atomic.Pointer[dissect.D]
	books    sync.Map           // *dissect.Session -> *book
	shown    *owndissect.Script // on the screen; nil without one
	tapping  sync.Mutex         // while listeners look at packets on the screen
	tapped   tapped
}

// Load runs the script, and adds what it declared.
func (lang *language) Load(reg *dissect.Registry, f *owndissect.File) (err error) {
	m := &machine{o: &lang.o, file: f, reg: reg, byName: map[string]*proto{}, posts: map[*proto]bool{},
		tables: map[string]*tableInfo{}, conv: map[convKey]lua.LValue{}, privates: map[string]string{},
		loading: true, allows: map[string]bool{}}
	m.l = lua.NewState(lua.Options{SkipOpenLibs: true, RegistrySize: 4096, RegistryMaxSize: 1 << 20,
		RegistryGrowStep: 1 << 14, CallStackSize: 200,
		MinimizeStackMemory: true})
	m.steps = &stepCounter{}
	m.steps.grant(loadSteps)
	m.l.SetContext(m.steps)
	for _, arg := range f.Args { // what people name, scripts may read
		_, value, _ := strings.Cut(arg, "=")
		for _, p := range []string{arg, value} {
			if p != "" {
				m.allows[absolute(p)] = true
			}
		}
	}
	if lang.o.Screen != nil {
		m.shown = lang.o.Screen.Add(reg, f.Name(), m.hooks())
	}
	m.open()
	m.whole = wantsWhole.Match(f.Text)
	fn, err := m.compile(f.Path, f.Text)
	if err != nil {
		return err
	}
	m.l.SetGlobal("__FILE__", lua.LString(f.Path))
	m.l.SetGlobal("__DIR__", lua.LString(m.folder()+"/"))
	args := make([]lua.LValue, len(f.Args))
	for i, a := range f.Args {
		args[i] = lua.LString(a)
	}
	if err := m.l.CallByParam(lua.P{Fn: fn, NRet: 0, Protect: true}, args...); err != nil {
		return m.told(err)
	}
	m.loading = false
	return m.declare()
}

// wantsWhole tells of a script that what others recorded is read from columns, or as a whole, in the first pass.
var wantsWhole = regexp.MustCompile(`all_field_infos|tostring\s*\(\s*[\w.]*\.col|Listener\s*[.(]|\.cols\.\w+\s*\.\.`)

// compile makes a function of a script's text.
func (m *machine) compile(path string, text []byte) (*lua.LFunction, error) {
	source := string(text)
	if strings.HasPrefix(source, "#") { // for a shell
		source = "--" + source
	}
	source = strings.TrimPrefix(source, "\ufeff")
	s, err := parseScript(path, source)
	if err != nil {
		return nil, err
	}
	proto, err := lua.Compile(s.chunk, path)
	if err != nil {
		var bad *lua.CompileError
		if errors.As(err, &bad) {
			return nil, &owndissect.Error{Path: path, Line: bad.Line, Text: bad.Message}
		}
		return nil, err
	}
	if s.integers {
		m.openIntegers()
	}
	return m.furnished(m.l.NewFunctionFromProto(proto), s), nil
}

// furnished gives a script the functions that it does not see.
func (m *machine) furnished(fn *lua.LFunction, s *script) *lua.LFunction {
	if len(s.used) == 0 {
		return fn
	}
	t, _ := m.l.NewThread()
	t.Push(fn)
	for _, name := range s.used {
		if n, ok := s.longs[name]; ok {
			t.Push(long(n))
		} else {
			t.Push(m.unseen[name])
		}
	}
	t.Call(len(s.used), 1)
	return t.Get(-1).(*lua.LFunction)
}

var errorPlace = regexp.MustCompile(`^(.*?\.lua):(\d+): `)

// told makes an error of a script say where it was.
func (m *machine) told(err error) error {
	text := err.Error()
	var api *lua.ApiError
	if errors.As(err, &api) {
		text = api.Object.String()
		if api.Type == lua.ApiErrorRun && api.Object.Type() != lua.LTString && api.Cause != nil {
			text = api.Cause.Error()
		}
		var own *owndissect.Error
		if errors.As(api.Cause, &own) {
			return own
		}
	}
	path, line := m.file.Path, 0
	if at := errorPlace.FindStringSubmatch(text); at != nil {
		path = at[1]
		line, _ = strconv.Atoi(at[2])
		text = text[len(at[0]):]
	}
	return &owndissect.Error{Path: path, Line: line, Text: text}
}

// say reports an error of a script that runs.
func (m *machine) say(text string) {
	if m.shown != nil {
		m.shown.Print(text + "\n")
		m.o.Screen.Wish(owndissect.WantsNotice, text)
		return
	}
	if m.o.Told != nil {
		m.o.Told(text)
		return
	}
	fmt.Fprintf(os.Stderr, "remora: %s\n", dissect.Escape(text))
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// mayRead tells whether the script may open a file.
func (m *machine) mayRead(path string) bool {
	if m.file.Unsafe {
		return true
	}
	path = absolute(path)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	} else if real, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(real, filepath.Base(path))
	}
	if m.allows[path] {
		return true
	}
	for _, dir := range []string{m.folder(), m.o.Folders[1]} {
		if dir == "" {
			continue
		}
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			dir = real
		}
		if rel, err := filepath.Rel(dir, path); err == nil && rel != ".." && !strings.HasPrefix(rel, "../") {
			return true
		}
	}
	return false
}

// folder is where the script lies.
func (m *machine) folder() string { return filepath.Dir(absolute(m.file.Path)) }
