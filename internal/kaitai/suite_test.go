package kaitai

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// folder reads descriptions below a folder of the disk; imports that begin with a slash are below paths.
type folder struct {
	at    string
	paths []string
}

func (f folder) Read(name string) ([]byte, error) { return os.ReadFile(filepath.Join(f.at, name)) }

func (f folder) Absolute(name string) (out []string) {
	for _, p := range f.paths {
		out = append(out, p+"/"+name)
	}
	return out
}

// suite is where Kaitai's own tests are, or the test is skipped: data from elsewhere is not committed.
func suite(t *testing.T) string {
	dir := os.Getenv("REMORA_KAITAI")
	if dir == "" {
		dir = "../../../shared/kaitai"
	}
	if _, err := os.Stat(filepath.Join(dir, "spec")); err != nil {
		t.Skipf("Kaitai's tests are not here; REMORA_KAITAI names the folder with spec, formats and src: %v", err)
	}
	return dir
}

// hostCode are the specs that need code in a programming language besides the description.
var hostCode = []string{"process_custom", "process_custom_no_args", "process_repeat_usertype_dynarg_custom"}

func TestKaitaisOwnSuite(t *testing.T) {
	dir := suite(t)
	specs, err := filepath.Glob(filepath.Join(dir, "spec", "*.kst"))
	if err != nil || len(specs) == 0 {
		t.Fatalf("no specs in %s: %v", dir, err)
	}
	passed, asserts := 0, 0
	var without, code []string
	for _, name := range specs {
		id := strings.TrimSuffix(filepath.Base(name), ".kst")
		n, err := runSpec(t, dir, id)
		asserts += n
		var host *Error
		switch {
		case err == nil:
			passed++
		case errors.Is(err, os.ErrNotExist):
			without = append(without, id)
		case errors.As(err, &host) && host.Kind == NeedsHostCode && slices.Contains(hostCode, id):
			code = append(code, id)
		default:
			t.Errorf("%s: %v", id, err)
		}
	}
	t.Logf("%d of %d specs pass with %d assertions", passed, len(specs), asserts)
	t.Logf("%d need code of their own: %s", len(code), strings.Join(code, " "))
	t.Logf("%d import what this part of the suite lacks: %s", len(without), strings.Join(without, " "))
}

// load is Load for the suite; a file that the suite lacks is told apart from a mistake.
func (f folder) load(name string) (*Spec, error) {
	missing := false
	spec, err := Load(watched{f, &missing}, name)
	if missing {
		return nil, os.ErrNotExist
	}
	return spec, err
}

type watched struct {
	folder
	missing *bool
}

// standIns are written anew for files that other parts of the suite have.
var standIns = map[string]string{
	"hello_world.ksy": "meta: {id: hello_world}\nseq: [{id: one, type: u1}]",
	"integers.ksy":    "meta: {id: integers, endian: le}\nseq: [{id: magic, contents: PACK-1}, {id: uint8, type: u1}]",
	"enum_import_seq.ksy": "meta: {id: enum_import_seq, endian: le, imports: [enum_0, enum_deep]}\nseq:\n" +
		"- {id: pet_1, type: u4, enum: 'enum_0::animal'}\n" +
		"- {id: pet_2, type: u4, enum: 'enum_deep::container1::container2::animal'}",
	"ks_path/common/vlq_base128_le.ksy": "meta: {id: vlq_base128_le}\nseq: [{id: b, type: u1}]\n" +
		"instances: {value: {value: b & 0x7f}}",
}

func (w watched) Read(name string) ([]byte, error) {
	b, err := w.folder.Read(name)
	if text := standIns[name]; text != "" && err != nil { // the file itself wins
		return []byte(text), nil
	}
	if err != nil && !strings.Contains(name, "/") || strings.HasPrefix(name, "ks_path/common/") && err != nil {
		*w.missing = true
	}
	return b, err
}

func runSpec(t *testing.T, dir, id string) (asserts int, err error) {
	files := folder{filepath.Join(dir, "formats"), []string{"ks_path"}}
	spec, err := files.load(id + ".ksy")
	if err != nil {
		return 0, err
	}
	test := readSpec(t, filepath.Join(dir, "spec", id+".kst"))
	data, err := os.ReadFile(filepath.Join(dir, "src", test.Text("data")))
	if err != nil {
		return 0, err
	}
	p := NewParser(spec, DefaultLimits)
	o, parsed := p.Parse(data)
	if want := test.Get("exception"); want != nil {
		return 1, sameError(want, parsed)
	}
	var failed *Error
	if errors.As(parsed, &failed) && failed.Kind == NeedsHostCode {
		return 0, parsed
	}
	if test.Get("asserts") == nil {
		return 0, parsed
	}
	if parsed != nil && !strings.Contains(id, "eof_exception") { // debug_array_user_eof_exception looks at what there is
		return 0, parsed
	}
	l := &loader{files: files, loaded: map[string]*file{}, spec: spec}
	f := &file{name: id, root: spec.Root, visible: slices.Clone(spec.Root.file.visible), l: l}
	if imports := test.Get("imports"); imports != nil {
		for _, one := range imports.List {
			f.imports(one)
		}
		l.finish()
	}
	for _, a := range test.Get("asserts").List {
		if err := assert(p, f, o, a); err != nil {
			return asserts, err
		}
		asserts++
	}
	return asserts, nil
}

func readSpec(t *testing.T, name string) *Setting {
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	f := &file{name: name, l: &loader{spec: &Spec{}}}
	s, err := f.settings(raw)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// sameError compares an error with "ValidationNotEqualError<u1>", or with a type and a message.
func sameError(want *Setting, got error) error {
	kind, message := want.Word, want.Text("message")
	if kind == "" {
		kind = want.Text("type")
	}
	name, of, _ := strings.Cut(strings.TrimSuffix(kind, ">"), "<")
	var e *Error
	if !errors.As(got, &e) || e.Kind != name || of != "" && e.Of != of && e.Of != of+"le" && e.Of != of+"be" {
		return fmt.Errorf("got the error %+v, not %s", got, kind)
	}
	if message != "" && e.Text != message {
		return fmt.Errorf("got %q, not %q", e.Text, message)
	}
	return nil
}

func assert(p *Parser, f *file, o *Object, a *Setting) error {
	side := func(s *Setting) (Value, error) {
		if s.Word == "null" {
			return Value{}, nil
		}
		before := len(f.l.mistakes)
		n := f.expr(f.root, s)
		if len(f.l.mistakes) > before {
			return Value{}, f.l.mistakes[before]
		}
		return p.Eval(&Expr{n}, o)
	}
	got, err := side(a.Get("actual"))
	if err != nil {
		return fmt.Errorf("%s: %w", a.Text("actual"), err)
	}
	want, err := side(a.Get("expected"))
	if err != nil {
		return fmt.Errorf("%s: %w", a.Text("expected"), err)
	}
	if got.Kind == Float && want.Kind == Float && math.Abs(got.Float64()-want.Float64()) < 1e-6 {
		return nil
	}
	same, err := p.Eval(&Expr{&node{op: opBinary, sign: eq, text: "==", kids: []*node{
		{op: opConst, val: got}, {op: opConst, val: want}}}}, o)
	if err != nil || !same.flag() {
		return fmt.Errorf("%s is %v (%v), not %v (%v)", a.Text("actual"), got, got.Kind, want, want.Kind)
	}
	return nil
}
