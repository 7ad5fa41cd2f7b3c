package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"remora/dissect/dissecttest"
	"remora/dissect/filter"
	"remora/protocols"
	"remora/ui/keys"
	"remora/ui/print"
)

// TestDocsTables holds the tables in docs against the program they describe.
func TestDocsTables(t *testing.T) {
	for name, table := range map[string]string{"keys": keysTable(), "flags": flagsTable(),
		"protocols": protocolsTable(t), "uncounted": uncountedList()} {
		path := filepath.Join("docs", name+".md")
		if name == "uncounted" {
			path = filepath.Join("docs", "wireshark.md")
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		open, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->"
		before, rest, ok1 := strings.Cut(string(b), open)
		was, after, ok2 := strings.Cut(rest, end)
		switch {
		case !ok1 || !ok2:
			t.Fatalf("%s has no place for its table", path)
		case was == table:
		case !dissecttest.Updating():
			t.Errorf("the table of %s is not true any more (make docs writes it anew)", path)
		default:
			text := before + open + table + end + after
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func keysTable() string {
	var b strings.Builder
	b.WriteString("\n| keys | what they do |\n| --- | --- |\n")
	for _, group := range keys.Declared() {
		fmt.Fprintf(&b, "| **%s** | |\n", group.Title)
		for _, k := range group.Keys {
			fmt.Fprintf(&b, "| `%s` | %s |\n", strings.ReplaceAll(k.Keys, "|", "\\|"), k.Help)
		}
	}
	b.WriteString("\n")
	return b.String()
}

func flagsTable() string {
	var b strings.Builder
	b.WriteString("\n| flag | what it does |\n| --- | --- |\n")
	command(&options{}).PersistentFlags().VisitAll(func(f *pflag.Flag) {
		value, text := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		if f.Value.Type() == "bool" {
			value = ""
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", strings.TrimSpace(name+" "+value), strings.ReplaceAll(text, "|", "\\|"))
	})
	b.WriteString("\n")
	return b.String()
}

// uncountedList are the statistics of tshark that are missing.
func uncountedList() string {
	return "\n`" + strings.Join(print.Uncounted(), "` `") + "`\n\n"
}

// TestUncounted holds the list of statistics that are missing against what tshark has.
func TestUncounted(t *testing.T) {
	out, err := exec.Command("tshark", "-z", "help").CombinedOutput()
	if err != nil {
		t.Skip("there is no tshark here")
	}
	s := dissecttest.Session(t, protocols.All(), 1, nil)
	for line := range strings.Lines(string(out)) {
		name := strings.TrimSpace(line)
		kind, _, _ := strings.Cut(name, ",")
		if !strings.HasPrefix(line, "     ") || slices.Contains([]string{"conv", "endpoints", "flow", "follow"}, kind) {
			continue
		}
		_, err := print.NewStatistic(s, name, filter.Options{}, false)
		missing := err != nil && (strings.Contains(err.Error(), "no such statistic") ||
			strings.Contains(err.Error(), "does not count"))
		if listed := slices.Contains(print.Uncounted(), name); missing != listed {
			t.Errorf("%s: is missing: %v, is listed: %v", name, missing, listed)
		}
	}
}

func protocolsTable(t *testing.T) string {
	reg, err := registry()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("\n| filter name | protocol | what it is | fields | packet types |\n| --- | --- | --- | --- | --- |\n")
	for _, p := range reg.Protocols() {
		kinds := ""
		if k := p.KindField(); k != nil {
			kinds = fmt.Sprintf("`%s`", k.Name())
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %d | %s |\n", p.Name(), p.Title(), p.Doc(), len(p.Fields()), kinds)
	}
	b.WriteString("\n")
	return b.String()
}
