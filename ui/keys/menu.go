package keys

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"remora/internal/sorting"
	"remora/ui/act"
)

// A Choice is a key that may follow those pressed, and what it does in few words.
type Choice struct {
	Key   string // as people write it
	Words string
	Act   act.Action
}

// words are what the actions of sequences do, said in the few words that a small list has room for.
var words = map[act.Action]string{
	act.First: "first line", act.TabPackets: "packets", act.TabTypes: "packet types", act.TabStatistics: "statistics",
	act.TabExpert: "expert info", act.Desync: "games: desync", act.Match: "game while it runs",
	act.Objects:   "objects to export",
	act.FlowGraph: "flow graph", act.Calls: "calls and RTP", act.StreamGraph: "TCP stream graphs",
	act.Conversations: "conversations", act.Responses: "response times",
	act.FollowStream: "follow the conversation", act.Properties: "the file", act.Rates: "rates over time",
	act.Unknown: "unknown traffic",
	act.OpenAll: "open all", act.CloseAll: "close all", act.OpenBelow: "open all below", act.CloseBelow: "close all below",
	act.Open: "open or close", act.Right: "open", act.Left: "close",
	act.QuitNow: "leave without asking", act.Back: "back", act.NextPane: "next pane", act.UsualSizes: "usual sizes",
	act.MarkNext: "next marked packet", act.NoteNext: "next note", act.CommentNext: "next comment",
	act.NextTab: "next tab", act.PrevTab: "last tab",
	act.ReferenceNext: "next time reference", act.ReferencePrev: "last time reference",
	act.NextFile: "next file of the set", act.PrevFile: "last file of the set", act.FileSet: "files of the set",
	act.Close:     "close the capture",
	act.MarkShown: "pick all shown", act.UnmarkShown: "pick none shown", act.IgnoreShown: "ignore all shown",
	act.UnignoreShown: "ignore none shown", act.CommentNone: "delete all comments",
	act.ReferenceNone: "no time references",
	act.MarkPrev:      "last marked packet", act.NotePrev: "last note", act.CommentPrev: "last comment",
	act.UseThis: "this alone", act.UseNot: "all but this", act.UseAnd: "and this", act.UseOr: "or this",
	act.UseAndNot: "and not this", act.UseOrNot: "or not this", act.ColourBy: "colour this",
	act.ColoringRules: "coloring rules",
	act.WriteThis:     "write this alone", act.WriteNot: "write all but this", act.WriteAnd: "write and this",
	act.WriteOr: "write or this", act.WriteAndNot: "write and not this", act.WriteOrNot: "write or not this",
	act.CopyRow: "the row", act.CopyValue: "the value", act.CopyLine: "line of the tree", act.CopyTree: "the tree",
	act.CopyJSON: "the packet as JSON", act.CopyFilter: "the filter for this",
	act.CopyHex: "bytes, hexadecimal", act.CopyC: "bytes, for C", act.CopyGo: "bytes, for Go",
	act.CopyPython: "bytes, for Python", act.CopyBase64: "bytes, base64", act.CopyEscaped: "bytes, escaped text",
	act.CopyFile: "last copy, to a file",
}

// inTurn are the last keys of sequences in the order in which they are listed, those of most use first. Others follow
// by name.
var inTurn = map[string]string{"g": "g p t c C R n d m f l s v o i r u H F", "z": "a o c O C R M",
	"y": "y v l t j = h b c g p e f",
	"c": "y v l t j = h b c g p e f", "a": "s n a o A O H", "A": "s n a o A O", "M": "m M i I c T",
	"]": "m n c T f t", "[": "m n c T f t"}

// Choices are the keys that may follow those pressed. An action is listed once, by the first of its keys.
func (k *Map) Choices(keys string) []Choice {
	turn := strings.Fields(inTurn[keys])
	place := func(name string) int {
		if i := slices.Index(turn, strings.TrimPrefix(name, keys+" ")); i >= 0 {
			return i
		}
		return len(turn)
	}
	names := sorting.Sorted(maps.Keys(k.Does), func(a, b string) int {
		return cmp.Or(place(a)-place(b), len(a)-len(b), strings.Compare(a, b))
	})
	var out []Choice
	for _, name := range names {
		does := k.Does[name]
		rest, ok := strings.CutPrefix(name, keys+" ")
		if !ok || slices.ContainsFunc(out, func(c Choice) bool { return c.Act == does }) {
			continue
		}
		text := words[does]
		if text == "" {
			text, _, _ = strings.Cut(does.Help(), ",")
		}
		out = append(out, Choice{Label(rest), text, does})
	}
	return out
}
