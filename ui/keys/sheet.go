package keys

import (
	"slices"
	"strings"

	"remora/ui/act"
)

// A sheet of the keys that matter most, in the few words that columns have room for. Like all that is written of keys
// it follows a person's own; a test holds every key on it against the table.

// sheet are the parts in the order in which they fill columns.
var sheet = []Group{
	{Title: "In the packet list", Keys: []Key{
		{Keys: "j k ↑ ↓", Help: "next, previous"},
		{Keys: "123G :123", Help: "packet 123"},
		{Keys: "gg G", Help: "first, last"},
		{Keys: "* #", Help: "same type"},
		{Keys: "} {", Help: "same conversation"},
		{Keys: "%", Help: "its partner"},
		{Keys: "F p", Help: "follow, freeze"},
		{Keys: "ma 'a ''", Help: "mark, go, back"},
		{Keys: "Space D", Help: "pick, compare"},
		{Keys: "t T", Help: "time, reference"},
		{Keys: "s", Help: "columns, sorting"},
		{Keys: "d ;", Help: "decode as, comment"},
		{Keys: "H gH", Help: "colours, their rules"},
	}},
	{Title: "Filter and find", Keys: []Key{
		{Keys: "/", Help: "filter"},
		{Keys: "f", Help: "facets: tick types"},
		{Keys: "= a A", Help: "use, write the field"},
		{Keys: "o x", Help: "only, hide this type"},
		{Keys: "u Esc", Help: "undo, all packets"},
		{Keys: "Ctrl-F n N", Help: "find, next, previous"},
	}},
	{Title: "Packet tree and bytes", Keys: []Key{
		{Keys: "h l Enter", Help: "close, open, go"},
		{Keys: "zR zM", Help: "all open, all closed"},
		{Keys: "K", Help: "explain the field"},
		{Keys: "C P", Help: "column, plot"},
		{Keys: "v", Help: "select bytes"},
		{Keys: "y", Help: "copy …"},
	}},
	{Title: "Go to a view", Keys: []Key{
		{Keys: "gp gt", Help: "packets, types"},
		{Keys: "gc gn", Help: "statistics, expert"},
		{Keys: "gf gd", Help: "follow, games"},
		{Keys: "gr gi", Help: "rates, file"},
		{Keys: "gC", Help: "conversations"},
		{Keys: "gR", Help: "response times"},
		{Keys: "go", Help: "export objects"},
		{Keys: "gl gv", Help: "flow graph, calls"},
		{Keys: "gs gm", Help: "TCP graphs, match"},
	}},
	{Title: "Everywhere", Keys: []Key{
		{Keys: "Tab \\ |", Help: "pane, zoom, layout"},
		{Keys: "+ - < >", Help: "size of the pane"},
		{Keys: ":", Help: "any command"},
		{Keys: "w e", Help: "save, export"},
		{Keys: "Ctrl-E Ctrl-R", Help: "stop, start anew"},
		{Keys: "Ctrl-O", Help: "another source"},
		{Keys: "Ctrl-Z", Help: "suspend"},
		{Keys: "q ZZ", Help: "back, leave"},
	}},
}

// onPackets are the parts that mean nothing in views of other things.
var onPackets = []string{"In the packet list", "Packet tree and bytes"}

// Sheet is the sheet with the keys as they are now, and what the first of each line does; without packets it leaves out
// what is about these alone.
func (k *Map) Sheet(packets bool) []Group {
	var out []Group
	for _, g := range sheet {
		if !packets && slices.Contains(onPackets, g.Title) {
			continue
		}
		now := Group{Title: g.Title}
		for _, key := range g.Keys {
			now.Keys = append(now.Keys, Key{Keys: k.Shown(key.Keys, nil), Help: key.Help, Act: firstOf(key.Keys)})
		}
		out = append(out, now)
	}
	return out
}

// firstOf is what the first key of a line does as declared.
func firstOf(keys string) act.Action {
	first, _, _ := strings.Cut(keys, " ")
	name, _ := Parse(first)
	return Standard.Does[name]
}
