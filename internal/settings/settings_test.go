package settings

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/filter"
	"remora/internal/userdirs"
	"remora/protocols"
	"remora/ui"
	"remora/ui/act"
)

// writeSettings writes files of settings for this test, by their names below the folder.
func writeSettings(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	t.Setenv("SUDO_UID", "")
	for name, text := range files {
		path := filepath.Join(dir, "remora", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "remora")
}

// checked reads the settings and holds them against all there is.
func checked(t *testing.T, profile string) (Files, error) {
	t.Helper()
	reg, err := dissect.NewRegistry(protocols.All()...)
	if err != nil {
		t.Fatal(err)
	}
	files, err := Read(profile)
	if err == nil {
		err = files.Check(reg, filter.Options{}, true)
	}
	return files, err
}

// TestWrongSettingsAreTold goes through everything that can be said against a file of settings.
func TestWrongSettingsAreTold(t *testing.T) {
	rule := "[[coloring]]\nname = \"a\"\n"
	for text, want := range map[string]string{
		"theme = \n":        "config.toml, line 1: ",
		"\nthem = 1\n":      "line 2: there is no setting called them; did you mean theme?",
		"nosuchthing = 1\n": "line 1: there is no setting called nosuchthing; remora --print-config lists them all",
		"# x\nascii = 3\n":  "line 2: ascii: it is true or false, not the number 3",
		"mouse = \"no\"":    `mouse: it is true or false, not the text "no"`,
		"theme = true":      "theme: it is a text in quotes, not true",
		"columns = \"No.\"": `columns: it is a list of texts, as in ["a", "b"], not the text "No."`,
		"columns = [1, 2]":  `columns: it is a list of texts, as in ["a", "b"], not a list of something else`,
		"keys = 1": "keys: it is a table: write [keys], and its settings on lines of their own, not the " +
			"number 1",
		"[keys]\na.b = \"j\"":                        `line 2: keys, "a": a name with a point in it is written in quotes`,
		"[keys]\n\nJ = 1":                            `line 3: keys, "J": it is a text in quotes, not the number 1`,
		"coloring = true":                            "coloring: it is written as [[coloring]], once for each rule",
		"theme = \"drak\"":                           `line 1: theme: there is no theme called "drak"; did you mean dark?`,
		"theme = \"solarized\"":                      "the themes are dark, light, high-contrast, 16",
		"time = \"x\"":                               `time: there is no time format called "x"; the formats are`,
		"\n\ncolumns = [\n\"No.\",\n\"udp.lenght\"]": `line 5: columns: "udp.lenght" is neither a title of a column nor a field; did you mean udp.length?`,
		"columns = [\"Sourc\"]":                      "did you mean Source?",
		"decode_as = [\"udp.port==7000,tohou\"]":     `line 1: decode_as: udp.port==7000,tohou: there is no protocol called "tohou"`,
		"[colors]\nacent = \"red\"":                  `line 2: colors, "acent": there is no pen called "acent"; did you mean accent?`,
		"[colors]\naccent = \"rde\"":                 `"rde" is not a colour; did you mean red?`,
		"[colors]\naccent = \"#12345\"":              "# takes three or six hexadecimal digits",
		"[colors]\naccent = \"256\"":                 "numbers go from 0 to 255",
		"[colors]\naccent = \"red on\"":              `a colour is missing behind "on"`,
		"[colors]\naccent = \"red blue\"":            `"blue" is one colour too many`,
		"[keys]\n\"ctlr+j\" = \"packet.next\"":       `line 2: keys, "ctlr+j": there is no key called "ctlr+j"; did you mean ctrl+j?`,
		"[keys]\n# it\n'J' = \"packet.nxt\"":         `line 3: keys, "J": there is no action called "packet.nxt"; did you mean packet.next?`,
		"[favourites]\n\"a b\" = \"tcp.flgs\"":       `line 2: favourites, "a b": `,
		"[favourites]\na = \"\"":                     "a favourite is a display filter, which is missing",
		rule + "filtr = \"tcp\"": "line 3: there is no setting of a coloring rule called filtr; did " +
			"you mean filter?",
		rule + "filter = 1": "line 3: coloring rule 1, filter: it is a text in quotes, not the " +
			"number 1",
		rule + "fg = \"red\"":     "line 1: coloring rule 1, filter: a rule needs a filter",
		rule + "filter = \"tcp\"": "coloring rule 1, fg: a rule needs fg, bg or bold",
		rule + "filter = \"tcp\"\nfg = \"rde\"": "line 4: coloring rule 1, fg: \"rde\" is not a colour; did you mean " +
			"red?",
		rule + "filter = \"tcp\"\nbg = \"7x\"": "line 4: coloring rule 1, bg: ",
		rule + "filter = \"tcp\"\nbold = true\n\n" + rule +
			"fg = \"red\"\nfilter = \"tcp && ip.sorce == 1.2.3.4\"": "line 9: coloring rule 2, filter: \"ip.sorce\"",
		"[[coloring]] # [1]\nfilter = 2":                        "line 2: coloring rule 1, filter",
		rule + "fg = \"red\"\nfilter = \"ip.src == ${ip.dst}\"": "${...} asks the selected packet",
	} {
		writeSettings(t, map[string]string{"config.toml": text})
		_, err := checked(t, "")
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "config.toml, line ") {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
		if err != nil && strings.Contains(Brief(err).Error(), "\n") {
			t.Errorf("%q: %q does not fit in a line", text, Brief(err))
		}
	}
}

func TestAWrongRuleIsMarked(t *testing.T) {
	writeSettings(t, map[string]string{"config.toml": "thme = 1\nasci = 1\n"})
	if _, err := checked(t, ""); err == nil || !strings.HasPrefix(Brief(err).Error(), "config.toml, line 1: ") ||
		!strings.HasSuffix(Brief(err).Error(), " (and 1 more)") {
		t.Error(err)
	}
	writeSettings(t,
		map[string]string{"config.toml": "[[coloring]]\nfg = \"red\"\nfilter = \"tcp && ip.sorce == 1.2.3.4\"\n"})
	_, err := checked(t, "")
	if want := "\n    tcp && ip.sorce == 1.2.3.4\n           ^~~~~~~~"; err == nil ||
		!strings.HasSuffix(err.Error(), want) {
		t.Errorf("%v, want it to end in %q", err, want)
	}
	if want := "at column 8 of the filter"; err == nil || !strings.Contains(Brief(err).Error(), want) {
		t.Errorf("%v, want %q", Brief(err), want)
	}
}

func TestProfiles(t *testing.T) {
	writeSettings(t, map[string]string{
		"config.toml": "theme = \"light\"\nascii = true\ndecode_as = [\"udp.port==7000,touhou\"]\n[keys]\nJ = " +
			"\"packet.next\"\nU = \"\"\n[favourites]\na = \"tcp\"\n[[coloring]]\nfilter = \"udp\"\nfg = \"red\"\n",
		"profiles/games.toml": "theme = \"dark\"\nwhen = \"touhou\"\ndecode_as = [\"udp.port==7001,touhou\"]\n[keys]\nJ = " +
			"\"packet.previous\"\n[favourites]\nb = \"udp\"\n[[coloring]]\nfilter = \"touhou\"\nfg = \"blue\"\n",
		"profiles/wrong.toml": "[keys]\njj = \"packet.next\"\n",
		"profiles/other.toml": "# nothing\n",
	})
	files, err := checked(t, "games")
	if err != nil {
		t.Fatal(err)
	}
	s := files.Merged()
	if *s.Theme != "dark" || !*s.ASCII || strings.Join(s.DecodeAs, " ") != "udp.port==7000,touhou udp.port==7001,touhou" ||
		s.Keys["J"] != "packet.previous" || len(s.Keys) != 2 ||
		len(s.Favourites) != 2 || len(s.Coloring) != 2 || s.Coloring[0].Filter != "touhou" {
		t.Errorf("%+v", s)
	}
	if got := ProfileRules(); len(got) != 1 || got[0] != (ui.ProfileRule{Name: "games", Filter: "touhou"}) {
		t.Errorf("profiles by what is heard: %v", got)
	}
	if got := strings.Join(Profiles(), " "); got != "games other wrong" {
		t.Errorf("the profiles are %s", got)
	}
	for name, want := range map[string]string{"gmes": "there is no profile called gmes; did you mean games?",
		"zzz": "there are games, other, wrong", "../x": "called by its name alone",
		"wrong": "wrong.toml, line 2: keys, \"jj\": j does move.down at once; free it with \"j\" = \"\""} {
		if _, err := checked(t, name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	writeSettings(t, nil)
	if _, err := checked(t, "games"); err == nil || !strings.Contains(err.Error(), "save one as ") {
		t.Error(err)
	}
	if s, err := checked(t, ""); err != nil || len(s) != 0 {
		t.Errorf("%v %v", s, err)
	}
}

// TestKeysAtOdds has a profile whose keys are in order alone, and not over those of config.toml.
func TestKeysAtOdds(t *testing.T) {
	writeSettings(t,
		map[string]string{"config.toml": "[keys]\nU = \"packet.next\"\n",
			"profiles/p.toml": "theme = \"dark\"\n[keys]\nUx = \"packet.next\"\n"})
	if _, err := checked(t, "p"); err == nil ||
		!strings.Contains(err.Error(), `p.toml, line 3: keys, "Ux": U does packet.next at once`) {
		t.Error(err)
	}
}

// TestDefaultSettingsAreReal reads the printed file with its settings switched on: each must be one there is, and all
// of them must be there.
func TestDefaultSettingsAreReal(t *testing.T) {
	on := regexp.MustCompile(`(?m)^# ([a-z_]+ =|"|\[\[)`).ReplaceAllString(Text(), "$1")
	writeSettings(t, map[string]string{"config.toml": on})
	files, err := checked(t, "")
	if err != nil {
		t.Fatal(err)
	}
	s := files.Merged()
	v := reflect.ValueOf(files[0].Values)
	for i := range v.NumField() {
		if v.Field(i).IsZero() || v.Field(i).Kind() == reflect.Map && v.Field(i).Len() == 0 {
			t.Errorf("%s is not in the printed file", v.Type().Field(i).Name)
		}
	}
	if got := s.Screen().Coloring; !reflect.DeepEqual(got, ui.StandardColoring()) {
		t.Errorf("the rules in config.toml are %+v, those of the program %+v", got, ui.StandardColoring())
	}
	for name := range shape {
		if !strings.Contains(on, "\n"+name+" =") && !strings.Contains(on, "["+name+"]") {
			t.Errorf("%s is not in the printed file", name)
		}
	}
	for _, a := range act.All() {
		if !strings.Contains(Text(), " "+a.Name()+" ") {
			t.Errorf("%s is not in the printed file", a.Name())
		}
	}
	if dir, err := userdirs.Config(); err != nil || !strings.Contains(Text(), dir) {
		t.Errorf("%v", err)
	}
	writeSettings(t, map[string]string{"config.toml": Text()})
	if _, err := checked(t, ""); err != nil {
		t.Errorf("the printed file as it is: %v", err)
	}
}

// TestAllMistakesAtOnce has mistakes of every kind in two files: lines that are no TOML, settings that do not exist or
// are of another kind, and words that say nothing. Each is told once, with its line, and nothing that only follows from
// another.
func TestAllMistakesAtOnce(t *testing.T) {
	writeSettings(t, map[string]string{
		"config.toml": `theme = "drak"
mouse = "no"
names
colums = ["No."]
columns = [
  "No.",
  "Sourc", # a comment
  "udp.lenght",
]
decode_as = ["udp.port==7000,tohou", "udp.prt==1,dns"]
time = nope
[keys]
J = "packet.nxt"
K = 3
[[coloring]]
filtr = "tcp"
fg = "rde"
[[coloring]]
filter = "tcp && ip.sorce == 1.2.3.4"
bg = "red"
[[coloring]]
filter = tcp
bold = true
`,
		"profiles/p.toml": "theme = \"lihgt\"\n[keys\nX = \"program.hlep\"\n[colors]\nacent = \"red\"\n",
	})
	_, err := checked(t, "p")
	if err == nil {
		t.Fatal("nothing is wrong")
	}
	want := []string{
		`config.toml, line 1: theme: there is no theme called "drak"; did you mean dark?`,
		`config.toml, line 2: mouse: it is true or false, not the text "no"`,
		"config.toml, line 3: ",
		"config.toml, line 4: there is no setting called colums; did you mean columns?",
		`config.toml, line 7: columns: "Sourc" is neither a title of a column nor a field; did you mean Source?`,
		`config.toml, line 8: columns: "udp.lenght" is neither a title of a column nor a field; did you mean udp.length?`,
		`config.toml, line 10: decode_as: udp.port==7000,tohou: there is no protocol called "tohou"; did you mean touhou?`,
		`config.toml, line 10: decode_as: udp.prt==1,dns: there is no table called "udp.prt"; did you mean udp.port?`,
		"config.toml, line 11: ",
		`config.toml, line 13: keys, "J": there is no action called "packet.nxt"; did you mean packet.next?`,
		`config.toml, line 14: keys, "K": it is a text in quotes, not the number 3`,
		"config.toml, line 16: there is no setting of a coloring rule called filtr; did you mean filter?",
		`config.toml, line 17: coloring rule 1, fg: "rde" is not a colour; did you mean red?`,
		`config.toml, line 19: coloring rule 2, filter: "ip.sorce"`,
		"config.toml, line 22: ",
		`p.toml, line 1: theme: there is no theme called "lihgt"; did you mean light?`,
		"p.toml, line 2: ",
		`p.toml, line 5: colors, "acent": there is no pen called "acent"; did you mean accent?`,
	}
	got, _ := Brief(err).(ui.Mistakes)
	for i := range max(len(want), len(got)) {
		switch {
		case i >= len(got):
			t.Errorf("not told: %s", want[i])
		case i >= len(want):
			t.Errorf("told as well: %s", got[i])
		case !strings.HasPrefix(got[i], want[i]):
			t.Errorf("told: %s\nwant: %s", got[i], want[i])
		}
	}
	for _, line := range got {
		if name, rest, _ := strings.Cut(line, ","); !strings.Contains(err.Error(), name+","+rest) {
			t.Errorf("%q is not in %q", line, err)
		}
	}
}

// TestSyntaxThatCannotBeSkipped ends at a value of several lines that does not end: what belongs to it nobody knows.
func TestSyntaxThatCannotBeSkipped(t *testing.T) {
	for _, text := range []string{"theme = \"drak\"\ncolumns = [\n\"No.\"\nmouse = 3\n", "time = \"\"\"\nx\n",
		strings.Repeat("= 1\n", 100), "\x00", "[[[[[", "[[coloring]]\n[coloring]\n"} {
		writeSettings(t, map[string]string{"config.toml": text})
		if _, err := checked(t, ""); err == nil || !strings.Contains(err.Error(), "config.toml, line ") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
