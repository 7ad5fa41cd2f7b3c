package cli

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"remora/ui"
	"remora/ui/act"
	"remora/ui/keys"
	"remora/ui/print"
)

// TestMenusAreTrue: every key, command, flag and statistic that docs/wireshark.md names for an item of a menu is one,
// and each menu of Wireshark has its table.
func TestMenusAreTrue(t *testing.T) {
	b, err := os.ReadFile("docs/wireshark.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(b), "<!-- menus -->")
	tables, after, ok := strings.Cut(rest, "<!-- /menus -->")
	if !ok {
		t.Fatal("docs/wireshark.md has no place for the menus")
	}
	for _, menu := range []string{"File", "Edit", "View", "Go", "Capture", "Analyze", "Statistics", "Telephony",
		"Wireless",
		"Tools", "Help"} {
		if !strings.Contains(tables, "\n| "+menu+" | here |\n") {
			t.Errorf("the menu %s has no table", menu)
		}
	}
	checked := 0
	for _, code := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(tables+after, -1) {
		if problem := namedProblem(t, code[1]); problem != "" {
			t.Errorf("`%s` %s", code[1], problem)
		}
		checked++
	}
	if checked < 150 {
		t.Errorf("only %d are named", checked)
	}
	for _, wrong := range []string{"gQ", ":nothing", "--nothing", "-z nothing,tree"} {
		if namedProblem(t, wrong) == "" {
			t.Errorf("%s is taken for something that there is", wrong)
		}
	}
}

// namedProblem says what is wrong with what the menus name, or nothing.
func namedProblem(t *testing.T, code string) string {
	t.Helper()
	switch {
	case strings.HasPrefix(code, "-z "):
		reg, err := registry()
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range print.Statistics(reg) {
			if name := strings.TrimPrefix(code, "-z "); s[0] == name || strings.HasPrefix(s[0], name+",") ||
				strings.HasPrefix(s[0], name+"[") || strings.Contains(s[1], name+" ") {
				return ""
			}
		}
		return "is no statistic"
	case strings.HasPrefix(code, "--"):
		if command(&options{}).PersistentFlags().Lookup(code[2:]) == nil {
			return "is no flag"
		}
	case len(code) == 2 && code[0] == '-':
		if command(&options{}).PersistentFlags().ShorthandLookup(code[1:]) == nil {
			return "is no flag"
		}
	case strings.HasPrefix(code, ":") && len(code) > 1:
		for _, c := range ui.Commands() {
			if name, _, _ := strings.Cut(c.Keys, " "); name == code {
				return ""
			}
		}
		return "is no command"
	default:
		return keyProblem(code)
	}
	return ""
}

// keyProblem says what is wrong with a key, or nothing. A number may stand in front of it.
func keyProblem(code string) string {
	name, err := keys.Parse(strings.TrimLeftFunc(code, unicode.IsDigit))
	first, _, _ := strings.Cut(name, " ")
	switch {
	case err != nil:
		return err.Error()
	case keys.Standard.Does[name] == act.None && !act.TakesLetter(keys.Standard.Does[first]):
		return "is no key"
	}
	return ""
}
