package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"remora/dissect/dissecttest"
	"remora/ui/keymap"
)

// TestReadmeTables holds the README's tables against the program they describe.
func TestReadmeTables(t *testing.T) {
	b, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	for name, table := range map[string]string{"keys": keysTable(), "flags": flagsTable(), "protocols": protocolsTable(t)} {
		open, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->"
		before, rest, ok1 := strings.Cut(text, open)
		was, after, ok2 := strings.Cut(rest, end)
		if !ok1 || !ok2 {
			t.Fatalf("README.md has no place for the table of %s", name)
		}
		if was != table && !dissecttest.Updating() {
			t.Errorf("the README's table of %s is not true any more (make docs writes it anew)", name)
		}
		text = before + open + table + end + after
	}
	if dissecttest.Updating() {
		if err := os.WriteFile("README.md", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func keysTable() string {
	var b strings.Builder
	b.WriteString("\n| keys | what they do |\n| --- | --- |\n")
	for _, group := range keymap.Declared() {
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
