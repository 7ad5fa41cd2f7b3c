package settings

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"remora/ui"
)

// mine is a file with rules and comments everywhere.
const mine = `# mine
theme = "dark" # dim

[keys]
J = "packet.next"

# Coloring by hand.

# my servers
[[coloring]]
name = "servers" # old ones
filter = 'ip.addr == 10.0.0.1'
fg = "red"

[[coloring]]
# nothing else has these
filter = "dns"
bg = "blue"
bold = true

[favourites]
a = "tcp"

# last
[[coloring]]
name = "games"
filter = "touhou || kaillera"
fg = "accent"
# the end
`

func rulesIn(t *testing.T, profile string) []ui.Rule {
	t.Helper()
	files, err := Read(profile)
	if err != nil {
		t.Fatal(err)
	}
	return files.Merged().Screen().Coloring
}

// edited writes a file, changes its rules, and returns what is in it then.
func edited(t *testing.T, text string, change func([]ui.Rule) []ui.Rule) string {
	t.Helper()
	writeSettings(t, map[string]string{"config.toml": text})
	was := rulesIn(t, "")
	if was == nil {
		was = ui.StandardColoring()
	}
	now := change(slices.Clone(was))
	path, err := KeepColoring("", was, now)
	if err != nil {
		t.Fatal(err)
	}
	if got := rulesIn(t, ""); !slices.Equal(got, now) {
		t.Errorf("the rules are %+v, want %+v", got, now)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestKeepColoring changes rules in many ways. What is not about them stays as it is, byte for byte.
func TestKeepColoring(t *testing.T) {
	replace := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(mine) }
	for name, c := range map[string]struct {
		change func(l []ui.Rule) []ui.Rule
		want   string
	}{
		"colour": {func(l []ui.Rule) []ui.Rule { l[0].Foreground = "#ff0000"; return l },
			replace(`fg = "red"`, `fg = "#ff0000"`)},
		"name": {func(l []ui.Rule) []ui.Rule { l[0].Name = `a "b"`; return l }, replace(`"servers" #`, `'a "b"' #`)},
		"filter": {func(l []ui.Rule) []ui.Rule { l[0].Filter = `http.host == "a"`; return l },
			replace(`'ip.addr == 10.0.0.1'`, `'http.host == "a"'`)},
		"unnamed": {func(l []ui.Rule) []ui.Rule { l[1].Filter = "mdns"; return l }, replace(`"dns"`, `"mdns"`)},
		"off": {func(l []ui.Rule) []ui.Rule { l[1].Off = true; return l },
			replace("bold = true\n", "bold = true\noff = true\n")},
		"not bold": {func(l []ui.Rule) []ui.Rule { l[1].Bold = false; return l },
			replace("bold = true\n", "bold = false\n")},
		"no ground": {func(l []ui.Rule) []ui.Rule { l[1].Background = ""; return l }, replace(`bg = "blue"`, `bg = ""`)},
		"deleted": {func(l []ui.Rule) []ui.Rule { return l[:2] },
			replace("# last\n[[coloring]]\nname = \"games\"\nfilter = \"touhou || kaillera\"\nfg = \"accent\"\n", "")},
		"new": {func(l []ui.Rule) []ui.Rule { return append(l, ui.Rule{Filter: "arp", Bold: true}) },
			replace("# the end", "\n[[coloring]]\nfilter = \"arp\"\nbold = true\n# the end")},
		"order": {func(l []ui.Rule) []ui.Rule { l[0], l[1] = l[1], l[0]; return l },
			replace("# my servers\n[[coloring]]\nname = \"servers\" # old ones\nfilter = 'ip.addr == 10.0.0.1'\nfg = \"red\"\n",
				"[[coloring]]\n# nothing else has these\nfilter = \"dns\"\nbg = \"blue\"\nbold = true\n",
				"[[coloring]]\n# nothing else has these\nfilter = \"dns\"\nbg = \"blue\"\nbold = true\n",
				"# my servers\n[[coloring]]\nname = \"servers\" # old ones\nfilter = 'ip.addr == 10.0.0.1'\nfg = \"red\"\n")},
	} {
		if got := edited(t, mine, c.change); got != c.want {
			t.Errorf("%s: the file is\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

// TestKeepColoringFromNothing has no rules in the file: those of the program are written out once one is other, and
// none at all stay none.
func TestKeepColoringFromNothing(t *testing.T) {
	got := edited(t, "theme = \"dark\"\n[keys]\nJ = \"packet.next\"",
		func(l []ui.Rule) []ui.Rule { return append([]ui.Rule{{Filter: "arp", Background: "22"}}, l...) })
	if !strings.HasPrefix(got, "theme = \"dark\"\n[keys]\nJ = \"packet.next\"\n\n[[coloring]]\nfilter = \"arp\"\nbg = "+
		"\"22\"\n\n[[coloring]]\nname = \"malformed\"\n") || strings.Count(got, "[[coloring]]") != 5 {
		t.Errorf("%s", got)
	}
	none := edited(t, got, func([]ui.Rule) []ui.Rule { return []ui.Rule{} })
	if !strings.HasPrefix(none, "theme = \"dark\"\ncoloring = []\n[keys]\nJ = \"packet.next\"\n") ||
		strings.Contains(none, "[[coloring]]") {
		t.Errorf("%s", none)
	}
	if again := edited(t, none,
		func([]ui.Rule) []ui.Rule { return []ui.Rule{{Filter: "arp", Bold: true}} }); strings.Contains(again, "[]") ||
		!strings.Contains(again, "[[coloring]]\nfilter = \"arp\"\nbold = true\n") {
		t.Errorf("%s", again)
	}
	printed := edited(t, Text(), func(l []ui.Rule) []ui.Rule { l[1].Foreground = "red"; return l })
	for line := range strings.Lines(defaultText) {
		if !strings.Contains(printed, line) {
			t.Errorf("%q of the printed file is gone", line)
		}
	}
}

// TestKeepColoringInProfiles writes each rule into its own file.
func TestKeepColoringInProfiles(t *testing.T) {
	files := map[string]string{"config.toml": "[[coloring]]\nfilter = \"udp\"\nfg = \"red\"\n",
		"profiles/games.toml": "# games\n[[coloring]]\nfilter = \"touhou\"\nfg = \"blue\"\n"}
	writeSettings(t, files)
	was := rulesIn(t, "games")
	if len(was) != 2 || was[0].Profile != "games" || was[1].Profile != "" {
		t.Fatalf("%+v", was)
	}
	dir, _ := Path()
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(filepath.Dir(dir), name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	now := append([]ui.Rule{{Filter: "kaillera", Bold: true, Profile: "games"}}, was...)
	if path, err := KeepColoring("games", was, now); err != nil || filepath.Base(path) != "games.toml" {
		t.Fatal(path, err)
	}
	if got := read("config.toml"); got != files["config.toml"] || !slices.Equal(rulesIn(t, "games"), now) {
		t.Errorf("%s; %+v", got, rulesIn(t, "games"))
	}
	moved := slices.Clone(now)
	moved[1].Profile = ""
	if _, err := KeepColoring("games", now, moved); err != nil || !slices.Equal(rulesIn(t, "games"), moved) ||
		len(rulesIn(t, "")) != 2 {
		t.Errorf("%v; %+v; %+v", err, rulesIn(t, "games"), rulesIn(t, ""))
	}
	if _, err := KeepColoring("games", moved, []ui.Rule{}); err != nil || len(rulesIn(t, "games")) != 0 ||
		rulesIn(t, "") == nil {
		t.Errorf("%v; %+v", err, rulesIn(t, "games"))
	}
	if got := read("profiles/games.toml"); !strings.HasPrefix(got, "# games\n") {
		t.Errorf("%q", got)
	}
}

// TestKeepColoringTakesNoRisk leaves files alone that are wrong, that hold others by now, or that it does not
// understand.
func TestKeepColoringTakesNoRisk(t *testing.T) {
	for text, want := range map[string]string{
		"theme = 5\n": "line 1",
		"[[coloring]]\nfilter = \"udp\"\nfg = \"red\"\n":       "holds other rules by now",
		"[[coloring]]\nfilter = \"\"\"tcp\"\"\"\nfg = \"red\"": "only you can change",
	} {
		writeSettings(t, map[string]string{"config.toml": text})
		was := []ui.Rule{{Filter: "tcp", Foreground: "red"}}
		if _, err := KeepColoring("", was, []ui.Rule{{Filter: "tcp.port == 1", Foreground: "red"}}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
		path, _ := Path()
		if b, _ := os.ReadFile(path); string(b) != text {
			t.Errorf("%q became %q", text, b)
		}
	}
}
