package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "remora"

// A rule says what the packages of a folder may import beside the standard library. The first rule whose folder
// matches counts. In both lists "x/…" stands for everything below x, and for x itself in what is imported.
type rule struct {
	folder string
	own    []string // packages of this module
	others []string // packages of other modules; nil forbids them, {"…"} allows any
}

var anyone = []string{"…"}

// rules are those of the whole tree: imports run from the bytes to the screen, and protocols stay apart.
var rules = []rule{
	{"internal/cli", []string{"capture/…", "dissect/…", "fixtures", "owndissect/…", "protocols", "ui/…", "internal/…"},
		anyone},
	{"internal/bench", []string{"capture", "capture/pcapfile", "dissect/…", "protocols"}, anyone},
	{"internal/oracle", []string{"capture", "capture/pcapfile", "dissect/…", "protocols", "internal/…"}, nil},
	{"internal/doctor", []string{"capture/bpf", "capture/live", "capture/spool", "internal/confine", "internal/userdirs",
		"ui/clip", "ui/humanize", "ui/paint"}, []string{"golang.org/x/sys/…"}},
	{"internal/release", nil, nil},
	{"internal/testrun", []string{"internal/testall"}, nil},
	{"internal/settings", []string{"dissect/…", "internal/…", "ui/…"}, []string{"github.com/BurntSushi/toml"}},
	{"internal/manual", []string{"capture/live", "dissect/…", "internal/…", "ui/…"},
		[]string{"github.com/spf13/pflag"}},
	{"internal/decodeas", []string{"dissect", "internal/suggest"}, nil},
	{"internal/preferences", []string{"dissect", "internal/decodeas", "internal/suggest", "internal/textfile"}, nil},
	{"internal/glossary", []string{"dissect", "internal/preferences"}, nil},
	{"internal/resolve", []string{"dissect", "internal/names"}, nil},
	{"internal/coding", nil, []string{"github.com/klauspost/compress/…", "github.com/dsnet/compress/brotli"}},
	{"internal/crypt", nil, []string{"golang.org/x/crypto/…"}},
	{"internal/names/…", []string{"internal/broker", "internal/names", "internal/textfile"},
		[]string{"github.com/andybalholm/brotli", "github.com/dsnet/compress/brotli"}},
	{"internal/confine", nil,
		[]string{"golang.org/x/net/bpf", "golang.org/x/sys/unix", "kernel.org/pub/linux/libs/security/libcap/…"}},
	{"internal/kaitai", nil, []string{"go.yaml.in/yaml/v3", "golang.org/x/text/encoding/…"}},
	{"internal/lab", nil, nil},
	{"internal/startmem", nil, []string{"github.com/google/gopacket/layers", "golang.org/x/sys/unix"}},
	{"internal/memlimit", nil, []string{"golang.org/x/sys/…"}},
	{"internal/sharing", nil, []string{"golang.org/x/sys/windows"}},
	{"internal/textfile", []string{"internal/broker"}, []string{"golang.org/x/sys/windows"}},
	{"internal/userdirs", []string{"internal/sharing", "internal/textfile"}, nil},
	{"internal/sibling", nil, []string{"golang.org/x/sys/…"}},
	{"internal/broker", []string{"internal/confine", "internal/sharing", "internal/sibling"},
		[]string{"golang.org/x/sys/unix"}},
	{"internal/capturefilter", []string{"dissect/filter"}, nil},
	{"internal/…", []string{"internal/broker", "internal/textfile"}, nil},
	{"capture", []string{"capture/internal/pcapng", "internal/column"}, nil},
	{"capture/internal/pcapng", nil, nil},
	{"capture/internal/capturetest", []string{"capture", "capture/internal/pcapng"},
		[]string{"github.com/klauspost/compress/…", "github.com/pierrec/lz4/v4"}},
	{"capture/bpf", []string{"internal/broker"}, []string{"github.com/google/gopacket/…", "golang.org/x/net/bpf"}},
	{"capture/extcap", []string{"internal/suggest", "internal/userdirs"}, nil},
	{"capture/hexdump", nil, nil},
	{"capture/anonymise", nil, nil},
	{"capture/spool", []string{"capture", "capture/internal/pcapng", "internal/sharing", "internal/userdirs"},
		[]string{"golang.org/x/sys/…"}},
	{"capture/pcapfile", []string{"capture", "capture/bpf", "capture/internal/pcapng", "capture/spool", "internal/broker",
		"internal/sharing", "internal/suggest"},
		[]string{"github.com/klauspost/compress/…", "github.com/pierrec/lz4/v4", "golang.org/x/sys/…"}},
	{"capture/live",
		[]string{"capture", "capture/bpf", "capture/extcap", "capture/internal/pcapng", "capture/pcapfile", "capture/spool",
			"internal/broker", "internal/confine", "internal/sharing", "internal/sibling", "internal/suggest",
			"internal/userdirs"},
		[]string{"github.com/google/gopacket/layers", "github.com/google/gopacket/pcap", "golang.org/x/net/bpf",
			"golang.org/x/sys/…",
			"kernel.org/pub/linux/libs/security/libcap/…"}},
	{"owndissect/ksy", []string{"dissect", "internal/kaitai", "internal/textfile", "owndissect"}, nil},
	{"owndissect/lua", []string{"dissect", "internal/textfile", "owndissect"},
		[]string{"github.com/dlclark/regexp2/…", "github.com/yuin/gopher-lua/…"}},
	{"owndissect", []string{"dissect", "internal/textfile"}, nil},
	{"dissect/dissecttest", []string{"capture", "capture/pcapfile", "dissect", "internal/testall"}, nil},
	{"dissect/filter/…", []string{"dissect", "dissect/filter/…", "internal/…"},
		[]string{"golang.org/x/text/…", "github.com/charmbracelet/x/ansi", "github.com/dlclark/regexp2/…"}},
	{"dissect/stats", []string{"capture", "dissect"}, nil},
	{"dissect/tap", []string{"dissect"}, nil},
	{"dissect/follow", []string{"dissect"}, nil},
	{"dissect/voip", []string{"dissect"}, nil},
	{"dissect", []string{"capture", "internal/…"}, []string{"golang.org/x/text/…"}},
	{"protocols/generic", []string{"dissect", "protocols/internal/tables"}, []string{"github.com/google/gopacket/…"}},
	{"protocols", []string{"dissect", "protocols/…"}, nil},
	// what protocols share, which may not import each other
	{"protocols/internal/keylog", []string{"dissect", "internal/textfile"}, nil},
	{"protocols/internal/protofile", []string{"internal/textfile"}, []string{"github.com/emicklei/proto"}},
	{"protocols/internal/geoip", []string{"dissect", "internal/textfile"}, nil},
	{"protocols/internal/ipsec", []string{"internal/crypt"}, []string{"golang.org/x/crypto/…"}},
	{"protocols/internal/privatekey", []string{"dissect", "internal/crypt", "internal/textfile"}, nil},
	{"protocols/internal/…", []string{"dissect", "internal/coding", "internal/crypt", "protocols/internal/…"}, nil},
	{"protocols/kerberos", []string{"dissect", "internal/textfile", "protocols/internal/…"}, nil},
	{"protocols/…", []string{"dissect", "dissect/tap", "internal/coding", "internal/crypt", "protocols/internal/…"},
		[]string{"golang.org/x/text/…", "github.com/klauspost/compress/…", "golang.org/x/crypto/…",
			"golang.org/x/net/http2/hpack"}},
	{"ui/act", nil, nil},
	{"ui/humanize", nil, nil},
	{"ui/fieldstats", []string{"dissect", "dissect/stats", "ui/term"}, nil},
	{"ui/compare", []string{"dissect"}, nil},
	{"ui/behaviour", []string{"dissect/…", "ui/compare"}, nil},
	{"ui/columns", []string{"dissect", "internal/suggest", "ui/humanize", "ui/widget"},
		[]string{"github.com/charmbracelet/x/ansi"}},
	{"ui/order", []string{"dissect", "ui/columns", "ui/compare", "ui/filtered", "ui/listed"}, nil},
	{"ui/listed", []string{"capture", "dissect/…", "ui/filtered", "ui/ticks"}, nil},
	{"ui/selected", []string{"dissect", "ui/compare", "ui/listed"}, nil},
	{"ui/help", []string{"dissect/filter", "ui/act", "ui/keys", "ui/paint", "ui/readline", "ui/widget"}, nil},
	{"ui/views",
		[]string{"dissect", "dissect/stats", "ui/act", "ui/compare", "ui/export", "ui/humanize", "ui/marks", "ui/paint",
			"ui/selected", "ui/source", "ui/view/…"}, nil},
	{"ui/keying", []string{"dissect", "ui/act", "ui/humanize", "ui/keys", "ui/marks", "ui/paint", "ui/widget"}, nil},
	{"ui/dialog", []string{"dissect", "ui/act", "ui/paint", "ui/view", "ui/widget"}, nil},
	{"ui/prompt", []string{"dissect", "dissect/filter", "ui/act", "ui/complete", "ui/fieldstats", "ui/humanize",
		"ui/paint", "ui/readline", "ui/term", "ui/view", "ui/widget"}, nil},
	{"ui/palette", []string{"dissect", "dissect/filter", "internal/suggest", "ui/act", "ui/complete", "ui/paint",
		"ui/source", "ui/view", "ui/widget"}, nil},
	{"ui/macros", []string{"ui/act", "ui/keys"}, nil},
	{"ui/favourites", []string{"ui/complete"}, nil},
	{"ui/set", []string{"ui/complete"}, nil},
	{"ui/moment", nil, nil},
	{"ui/jobs", nil, nil},
	{"ui/tabs", []string{"dissect", "ui/paint", "ui/widget"}, []string{"charm.land/bubbletea/…"}},
	{"ui/prefer", []string{"dissect", "internal/preferences", "internal/textfile", "ui/act", "ui/set", "ui/view"}, nil},
	{"ui/decode", []string{"dissect", "ui/act", "ui/complete", "ui/humanize", "ui/view"}, nil},
	{"ui/copying", []string{"ui/clip", "ui/export", "ui/humanize", "ui/listed", "ui/print", "ui/selected", "ui/source",
		"ui/view"}, nil},
	{"ui/undo", []string{"ui/columns", "ui/order"}, nil},
	{"ui/chooser",
		[]string{"capture", "capture/bpf", "capture/extcap", "capture/live", "dissect", "internal/broker", "ui/act",
			"ui/discovery",
			"ui/humanize", "ui/paint", "ui/plot", "ui/readline", "ui/source", "ui/view", "ui/widget"}, nil},
	{"ui/comments",
		[]string{"capture/pcapfile", "dissect", "ui/act", "ui/humanize", "ui/listed", "ui/selected", "ui/view"}, nil},
	{"ui/saving",
		[]string{"capture/anonymise", "capture/pcapfile", "dissect", "ui/act", "ui/comments", "ui/humanize", "ui/listed",
			"ui/marks", "ui/paint", "ui/print", "ui/source", "ui/view", "ui/widget"}, nil},
	{"ui/control",
		[]string{"capture", "dissect", "dissect/filter", "ui/act", "ui/complete", "ui/moment", "ui/source", "ui/view"}, nil},
	{"ui/header", []string{"dissect", "ui/act", "ui/humanize", "ui/listed", "ui/paint", "ui/widget"},
		[]string{"github.com/charmbracelet/x/ansi"}},
	{"ui/foot", []string{"capture", "dissect", "ui/act", "ui/humanize", "ui/listed", "ui/paint", "ui/source", "ui/view",
		"ui/widget"}, nil},
	{"ui/complete", []string{"dissect", "dissect/filter", "internal/suggest", "ui/fieldstats", "ui/widget"}, nil},
	{"ui/search",
		[]string{"dissect", "ui/act", "ui/complete", "ui/find", "ui/humanize", "ui/listed", "ui/paint", "ui/selected",
			"ui/view", "ui/widget"}, nil},
	{"ui/marks", []string{"capture", "dissect"}, nil},
	// no other pane
	{"ui/pane/…",
		[]string{"capture", "dissect/…", "ui/act", "ui/behaviour", "ui/columns", "ui/compare", "ui/complete", "ui/drilldown",
			"ui/filtered", "ui/humanize", "ui/inspector", "ui/listed", "ui/marks", "ui/order", "ui/paint", "ui/plot", "ui/print",
			"ui/rules", "ui/selected", "ui/source", "ui/term", "ui/ticks", "ui/typetree", "ui/view", "ui/widget"},
		[]string{"github.com/charmbracelet/x/ansi"}},
	{"ui/export", []string{"capture/pcapfile", "internal/broker"}, nil},
	{"ui/typetree", []string{"dissect/…", "ui/act", "ui/paint", "ui/ticks", "ui/widget"}, nil},
	{"ui/view/viewtest",
		[]string{"capture", "capture/pcapfile", "dissect/…", "ui/act", "ui/filtered", "ui/keys", "ui/paint", "ui/ticks",
			"ui/view", "ui/widget"},
		[]string{"github.com/charmbracelet/x/ansi"}},
	{"ui/view", []string{"capture", "dissect/…", "ui/act", "ui/complete", "ui/drilldown", "ui/export", "ui/filtered",
		"ui/humanize", "ui/paint", "ui/term", "ui/ticks", "ui/widget"}, nil},
	// no other view
	{"ui/view/lab",
		[]string{"dissect", "internal/lab", "ui/act", "ui/clip", "ui/export", "ui/humanize", "ui/paint", "ui/plot",
			"ui/view", "ui/widget"}, nil},
	{"ui/view/scripts", []string{"dissect", "owndissect", "ui/act", "ui/export", "ui/humanize", "ui/paint", "ui/view",
		"ui/widget"}, nil},
	{"ui/view/settings", []string{"dissect", "ui/act", "ui/humanize", "ui/paint", "ui/set", "ui/view", "ui/widget"}, nil},
	{"ui/view/…",
		[]string{"capture", "capture/pcapfile", "dissect/…", "ui/act", "ui/columns", "ui/compare", "ui/complete",
			"ui/drilldown", "ui/export",
			"ui/fieldstats", "ui/filtered", "internal/textfile", "ui/humanize", "ui/order", "ui/paint", "ui/plot", "ui/print",
			"ui/rules", "ui/source", "ui/term", "ui/ticks", "ui/transcript",
			"ui/typetree", "ui/view", "ui/widget"}, []string{"github.com/charmbracelet/x/ansi"}},
	{"ui/widget", []string{"dissect/…", "ui/act", "ui/humanize", "ui/keys", "ui/paint", "ui/plot"},
		[]string{"github.com/charmbracelet/x/ansi"}},
	{"ui/transcript", []string{"dissect", "dissect/follow", "ui/paint"}, nil},
	{"ui/drilldown", []string{"dissect", "dissect/stats", "ui/term", "ui/ticks"}, nil},
	{"ui/find", []string{"dissect/…", "ui/filtered"}, nil},
	{"ui/discovery", []string{"dissect/…"}, nil},
	{"ui/keys", []string{"ui/act", "internal/suggest"}, nil},
	{"ui/inspector", []string{"dissect"}, nil},
	{"ui/paint", []string{"dissect", "internal/suggest"},
		[]string{"github.com/charmbracelet/x/ansi", "golang.org/x/sys/windows", "golang.org/x/text/unicode/bidi"}},
	{"ui/plot", []string{"dissect", "ui/humanize", "ui/paint"}, nil},
	{"ui/print", []string{"capture", "capture/pcapfile", "dissect/…", "internal/…", "ui/term"}, anyone},
	{"ui/readline", []string{"dissect", "ui/act", "ui/paint"}, nil},
	{"ui/rules", []string{"dissect/…", "ui/paint"}, nil},
	{"ui/redissect", []string{"dissect/…", "ui/filtered", "ui/listed"}, nil},
	{"ui/filtered", []string{"dissect/…", "internal/column"}, nil},
	{"ui/source", []string{"capture", "capture/live", "ui/humanize", "ui/discovery"}, nil},
	{"ui/svg", []string{"ui/paint"}, nil},
	{"ui/term", []string{"dissect"}, nil},
	{"ui/ticks", []string{"dissect/…", "ui/term"}, nil},
	{"ui/clip", []string{"internal/broker", "ui/humanize"}, []string{"github.com/charmbracelet/x/ansi"}},
	{"ui", []string{"ui/…", "capture/…", "dissect/…", "internal/…"}, anyone},
	{"fixtures/make", []string{"fixtures/…", "capture", "capture/pcapfile", "capture/live"}, anyone},
	{"fixtures/…", []string{"fixtures/…"}, anyone}, // simulators are written from the sheets, not from the dissectors
	{".", []string{"internal/cli"}, nil},
}

// matches reports whether a pattern of the rules covers a folder or an import path.
func matches(pattern, name string) bool {
	below, open := strings.CutSuffix(pattern, "…")
	if !open {
		return pattern == name
	}
	return strings.HasPrefix(name+"/", below)
}

func ruleOf(folder string) (rule, bool) {
	i := slices.IndexFunc(rules, func(r rule) bool { return matches(r.folder, folder) })
	if i < 0 {
		return rule{}, false
	}
	return rules[i], true
}

// allowed reports whether packages of a rule may import a path.
func (r rule) allowed(imported string) bool {
	if own, ok := strings.CutPrefix(imported, module+"/"); ok {
		if own == "internal/sorting" { // stands for a part of the standard library
			return true
		}
		return slices.ContainsFunc(r.own, func(p string) bool { return matches(p, own) })
	}
	if first, _, _ := strings.Cut(imported, "/"); !strings.Contains(first, ".") {
		return true // the standard library
	}
	return slices.ContainsFunc(r.others, func(p string) bool { return matches(p, imported) })
}

func TestAllowed(t *testing.T) {
	for _, c := range []struct {
		folder, imported string
		want             bool
	}{
		{"capture", "remora/internal/column", true},
		{"capture", "remora/dissect", false},
		{"capture", "remora/capture/pcapfile", false},
		{"capture/spool", "remora/capture/pcapfile", false},
		{"capture/pcapfile", "remora/capture/live", false},
		{"capture/live", "remora/capture/pcapfile", true},
		{"dissect", "remora/capture/pcapfile", false},
		{"dissect", "remora/capture", true},
		{"dissect", "remora/protocols/udp", false},
		{"dissect/filter", "remora/dissect", true},
		{"dissect/filter", "remora/capture", false},
		{"dissect/dissecttest", "remora/protocols", false},
		{"protocols/udp", "remora/dissect", true},
		{"protocols/udp", "remora/dissect/filter", false},
		{"protocols/udp", "remora/protocols/ip", false},
		{"protocols/udp", "remora/capture", false},
		{"protocols/udp", "remora/dissect/stats", false},
		{"protocols/http", "remora/protocols/internal/httpbody", true},
		{"protocols/internal/httpbody", "remora/protocols/http", false},
		{"protocols/generic", "remora/protocols/internal/ber", false},
		{"dissect", "remora/protocols/internal/ber", false},
		{"protocols/udp", "golang.org/x/text/encoding/japanese", true},
		{"protocols/udp", "github.com/google/gopacket/layers", false},
		{"protocols/generic", "github.com/google/gopacket/layers", true},
		{"protocols", "remora/protocols/udp", true},
		{"ui", "remora/dissect/filter", true},
		{"ui", "remora/protocols", false},
		{"ui/print", "remora/protocols/udp", false},
		{"ui", "remora/ui/paint", true},
		{"ui/paint", "remora/ui", false},
		{"ui/print", "remora/ui", false},
		{"ui/view/types", "remora/ui", false},
		{"ui/view/types", "remora/ui/view", true},
		{"ui/view/types", "remora/ui/view/plot", false},
		{"ui/view/games", "remora/ui/filtered", true},
		{"ui/pane/hex", "remora/ui/selected", true},
		{"ui/pane/hex", "remora/ui/pane/tree", false},
		{"ui/pane/tree", "remora/ui", false},
		{"ui/plot", "remora/ui/paint", true},
		{"internal/column", "remora/capture", false},
		{"fixtures/lan", "remora/protocols", false},
		{".", "remora/internal/cli", true},
		{".", "remora/ui", false},
		{"internal/cli", "remora/ui", true},
		{".", "remora/protocols/udp", false},
		{"capture", "net/netip", true},
	} {
		r, ok := ruleOf(c.folder)
		if got := r.allowed(c.imported); !ok || got != c.want {
			t.Errorf("%s importing %s: allowed %v, want %v", c.folder, c.imported, got, c.want)
		}
	}
	if r, ok := ruleOf("elsewhere"); ok {
		t.Errorf("a new folder falls under the rule of %q; it should need one of its own", r.folder)
	}
}

// TestImports holds every Go file that is not a test, whatever its build constraints, against the rules. Tests may
// import more: those of a protocol need the layers below it.
func TestImports(t *testing.T) {
	files := 0
	sources(t, func(folder, name string, file *ast.File) {
		files++
		r, ok := ruleOf(folder)
		if !ok {
			t.Errorf("%s: no rule says what packages in %s may import; add one", name, folder)
			return
		}
		for _, spec := range file.Imports {
			if p, err := strconv.Unquote(spec.Path.Value); err != nil || !r.allowed(p) {
				t.Errorf("%s imports %s; packages in %s may not", name, p, r.folder)
			}
		}
	})
	if files < 20 {
		t.Errorf("only %d files seen: is this the tree?", files)
	}
}

// TestNothingRegistersItself looks for init functions. What exists is listed in protocols.All and handed on from there.
func TestNothingRegistersItself(t *testing.T) {
	sources(t, func(_, name string, file *ast.File) {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
				t.Errorf("%s has an init function", name)
			}
		}
	})
}

// sources parses every Go file of the tree but tests, and hands it on with its folder and its name.
func sources(t *testing.T, visit func(folder, name string, file *ast.File)) {
	t.Helper()
	root := filepath.Join("..", "..")
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		t.Fatal(err)
	}
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." &&
			(strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "_") || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		positions = token.NewFileSet()
		file, err := parser.ParseFile(positions, filepath.Join(root, filepath.FromSlash(name)), nil,
			parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		visit(path.Dir(name), name, file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
