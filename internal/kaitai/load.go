package kaitai

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"go.yaml.in/yaml/v3"

	"remora/internal/sorting"
)

// Files gives the files that descriptions are in, by paths with slashes.
type Files interface {
	// Read gives a file.
	Read(name string) ([]byte, error)
	// Absolute gives the places where an import may be that begins with a slash, which name is without.
	Absolute(name string) []string
}

const (
	maxFile    = 1 << 20
	maxFiles   = 200
	maxSetting = 100000 // nodes of one file
)

// file is one description that is being compiled.
type file struct {
	name    string
	root    *Type
	opaque  bool // "ks-opaque-types"
	visible []*file
	l       *loader
}

// loader compiles a description and what it imports.
type loader struct {
	files    Files
	loaded   map[string]*file
	order    []*file
	mistakes Mistakes
	spec     *Spec
	pending  []func() // what needs all types: names and expressions
	sizes    []func() // what needs all of those
}

// Load compiles the description in a file. What is wrong with it is an error of type Mistakes.
func Load(files Files, name string) (*Spec, error) {
	l := &loader{files: files, loaded: map[string]*file{}, spec: &Spec{File: name}}
	f, err := l.load(path.Clean(name))
	if err != nil {
		return nil, Mistakes{{File: name, Line: 1, Column: 1, Text: err.Error()}}
	}
	l.finish()
	if len(l.mistakes) > 0 {
		sorting.Stable(l.mistakes, func(a, b Mistake) int {
			if a.File != b.File {
				return strings.Compare(a.File, b.File)
			}
			return a.Line - b.Line
		})
		return nil, l.mistakes
	}
	l.spec.Root, l.spec.ID, l.spec.Doc = f.root, f.root.Name, f.root.Doc
	for _, one := range l.order {
		l.spec.Files = append(l.spec.Files, one.name)
	}
	return l.spec, nil
}

// finish does what waits for all types to be known, and what comes of that.
func (l *loader) finish() {
	for len(l.pending) > 0 {
		next := l.pending[0]
		l.pending = l.pending[1:]
		next()
	}
	for _, f := range l.order {
		f.root.allSizes()
	}
	for _, do := range l.sizes {
		do()
	}
}

// allSizes computes the sizes of a type and those in it: later, several goroutines ask for them.
func (t *Type) allSizes() {
	t.bitSize()
	for _, inner := range t.Types {
		inner.allSizes()
	}
}

// load reads and takes apart a file, and what it imports.
func (l *loader) load(name string) (*file, error) {
	if f := l.loaded[name]; f != nil {
		return f, nil
	}
	if len(l.loaded) == maxFiles {
		return nil, fmt.Errorf("more than %d files", maxFiles)
	}
	raw, err := l.files.Read(name)
	if err != nil {
		return nil, err
	}
	if len(raw) > maxFile {
		return nil, fmt.Errorf("%s is longer than %d bytes", name, maxFile)
	}
	f := &file{name: name, l: l}
	l.loaded[name] = f
	l.order = append(l.order, f)
	top, err := f.settings(raw)
	if err != nil {
		return nil, err
	}
	if top == nil || top.Of == nil {
		f.mistake(top, "a description begins with names: meta, seq, types …")
		top = &Setting{Of: map[string]*Setting{}, File: name, Line: 1, Column: 1}
	}
	f.description(top)
	return f, nil
}

// doubt tells of something that need not be wrong.
func (f *file) doubt(s *Setting, format string, args ...any) {
	f.l.spec.Doubts = append(f.l.spec.Doubts, Mistake{f.name, s.Line, s.Column, fmt.Sprintf(format, args...)})
}

func (f *file) mistake(s *Setting, format string, args ...any) {
	m := Mistake{f.name, 1, 1, fmt.Sprintf(format, args...)}
	if s != nil {
		m.Line, m.Column = s.Line, s.Column
	}
	if len(f.l.mistakes) < 100 {
		f.l.mistakes = append(f.l.mistakes, m)
	}
}

// settings makes settings of YAML.
func (f *file) settings(raw []byte) (*Setting, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(raw, &doc); err != nil {
		f.mistakes(err)
		return nil, nil
	}
	left := maxSetting
	if len(doc.Content) == 0 {
		return nil, nil
	}
	return f.setting(doc.Content[0], 0, &left)
}

// mistakes says where the parser of YAML stopped: its errors begin "yaml: line 3: ".
func (f *file) mistakes(err error) {
	at := &Setting{Line: 1, Column: 1}
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	if n, _ := fmt.Sscanf(text, "line %d:", &at.Line); n == 1 {
		_, text, _ = strings.Cut(text, ": ")
	}
	f.mistake(at, "%s", text)
}

func (f *file) setting(n *yaml.Node, depth int, left *int) (*Setting, error) {
	if *left--; *left < 0 || depth > 100 {
		return nil, errors.New("the file is nested too deeply or repeats too much")
	}
	s := &Setting{File: f.name, Line: n.Line, Column: n.Column}
	switch n.Kind {
	case yaml.AliasNode:
		return f.setting(n.Alias, depth+1, left)
	case yaml.ScalarNode:
		s.Word = n.Value
	case yaml.SequenceNode:
		s.List = []*Setting{}
		for _, c := range n.Content {
			e, err := f.setting(c, depth+1, left)
			if err != nil {
				return nil, err
			}
			s.List = append(s.List, e)
		}
	case yaml.MappingNode:
		s.Of = map[string]*Setting{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			name := n.Content[i].Value
			v, err := f.setting(n.Content[i+1], depth+1, left)
			if err != nil {
				return nil, err
			}
			if s.Of[name] != nil {
				f.mistake(v, "%q stands here twice", name)
			}
			s.Of[name] = v
			s.Names = append(s.Names, name)
		}
	}
	return s, nil
}

// description takes the top of a file apart.
func (f *file) description(top *Setting) {
	meta := top.Get("meta")
	id := meta.Text("id")
	if id == "" {
		id = strings.TrimSuffix(path.Base(f.name), ".ksy")
	}
	f.opaque = meta.Text("ks-opaque-types") == "true"
	f.root = &Type{Name: id, file: f, bitEndian: big_, encoding: "UTF-8"}
	f.root.Top = f.root
	if len(f.l.order) == 1 {
		f.l.spec.Title, f.l.spec.Remora = meta.Text("title"), top.Get("-remora")
	}
	f.typeBody(f.root, top)
	if imports := meta.Get("imports"); imports != nil {
		for _, one := range imports.List {
			f.imports(one)
		}
	}
}

func (f *file) imports(s *Setting) {
	name := s.Word
	if name == "" {
		f.mistake(s, "an import is a path")
		return
	}
	places := []string{path.Join(path.Dir(f.name), name) + ".ksy"}
	if strings.HasPrefix(name, "/") {
		places = f.l.files.Absolute(name[1:] + ".ksy")
	}
	var err error
	for _, p := range places {
		var got *file
		if got, err = f.l.load(path.Clean(p)); err == nil {
			f.visible = append(f.visible, got)
			return
		}
	}
	if err == nil {
		err = errors.New("there is no folder for imports that begin with a slash")
	}
	f.mistake(s, "import %s: %v", name, err)
}
