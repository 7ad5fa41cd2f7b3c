package ldap

import (
	"remora/dissect"
	"remora/dissect/tap"
)

// statistics are those that LDAP declares.
var statistics = []dissect.Statistic{{Name: "ldap,srt", Args: "[,FILTER]",
	Help: "how long LDAP took, by what was asked", New: newTimes}}

// calls are what LDAP's requests are called, by the numbers of their answers (RFC 4511, section 4.2 and on), with
// their own. Every entry that a search finds is an answer.
var calls = map[uint64]struct {
	request uint64
	name    string
}{1: {0, "Bind"}, 4: {3, "Search"}, 5: {3, "Search"}, 19: {3, "Search"}, 7: {6, "Modify"}, 9: {8, "Add"},
	11: {10, "Delete"}, 13: {12, "Modrdn"}, 15: {14, "Compare"}, 24: {23, "Extended"}}

// newTimes is ldap,srt: by what was asked, which the answer tells.
func newTimes(r *dissect.StatisticRequest) (dissect.Counter, error) {
	names := map[uint64]string{}
	for _, c := range calls {
		names[c.request] = c.name
	}
	read := func(t *dissect.Tree, answer func(int, uint64, int64)) {
		what := uint64(0)
		for i := range t.Nodes {
			switch t.Field(i) {
			case fOp:
				what = t.Nodes[i].Val
			case fTime:
				if call, ok := calls[what]; ok {
					answer(0, call.request, int64(t.Nodes[i].Val))
				}
			}
		}
	}
	return &tap.ResponseTimes{Title: "LDAP", Session: r.Session, Time: fTime,
		Wants: r.Session.Registry().Wants(fOp, fTime), Read: read,
		Tables: []*tap.DelayTable{{Filter: fOp.Name(), Column: "Procedure",
			Name: func(v uint64) string { return names[v] }}}}, nil
}
