package archtest

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	"remora/dissect"
	"remora/protocols"
)

// words are names of protocols that are words of other things, too: forms of output, keys, columns of tables, modes of
// follow.
var words = []string{"data", "end", "json", "name", "null", "raw", "dir", "role", "ssh", "talk", "_ws"}

// literal lists the files that still name single protocols or fields, with the protocols. The list may only get
// shorter.
var literal = map[string][]string{
	"dissect/filter/unexpected.go": {"vlan", "mpls"},            // words of capture filters
	"dissect/plugin.go":            {"llc", "ip", "udp", "tcp"}, // names of tables
}

// TestNoProtocolByName: the screen and the engine find what protocols declare through the registry, and name no field
// or protocol. The engine's own, those of frame and the columns are everybody's.
func TestNoProtocolByName(t *testing.T) {
	reg, err := dissect.NewRegistry(protocols.All()...)
	if err != nil {
		t.Fatal(err)
	}
	needed := map[string]map[string]bool{}
	sources(t, func(folder, name string, file *ast.File) {
		if first, _, _ := strings.Cut(folder, "/"); first != "ui" && first != "dissect" || folder == "dissect/dissecttest" {
			return
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if _, ok := n.(*ast.ImportSpec); ok {
				return false
			}
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(lit.Value)
			if err != nil || reg.Field(text) == nil {
				return true
			}
			protocol, _, _ := strings.Cut(text, ".")
			switch {
			case slices.Contains(words, protocol) || protocol == "frame":
			case slices.Contains(literal[name], protocol):
				if needed[name] == nil {
					needed[name] = map[string]bool{}
				}
				needed[name][protocol] = true
			default:
				t.Errorf("%s names %q: let the protocol declare what is wanted of it, and find it through the registry", name, text)
			}
			return true
		})
	})
	for name, list := range literal {
		for _, protocol := range list {
			if !needed[name][protocol] {
				t.Errorf("%s does not name %s any more: take it from the list", name, protocol)
			}
		}
	}
}
