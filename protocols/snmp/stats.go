package snmp

import (
	"remora/dissect"
	"remora/dissect/tap"
)

// statistics are those that SNMP declares.
var statistics = []dissect.Statistic{{Name: "snmp,srt", Args: "[,FILTER]",
	Help: "how long SNMP took, by what was asked", New: newTimes}}

// calls are what SNMP's requests are called, by their numbers (RFC 3416, section 3).
var calls = map[uint64]string{0: "Get", 1: "GetNext", 2: "Response", 3: "Set", 4: "Trap v1", 5: "Bulk", 6: "Inform",
	7: "Trap v2", 8: "Report"}

// pduReport is what a manager is told in place of an answer.
const pduReport = 8

// newTimes is snmp,srt: by what was asked, which stands in the request.
func newTimes(r *dissect.StatisticRequest) (dissect.Counter, error) {
	s := r.Session
	read := func(t *dissect.Tree, answer func(int, uint64, int64)) {
		asked, report := dissect.FrameNum(0), false
		for i := range t.Nodes {
			switch t.Field(i) {
			case fData:
				report = t.Nodes[i].Val == pduReport
			case fRespTo:
				asked = dissect.FrameNum(t.Nodes[i].Val)
			case fTime:
				if report || asked == 0 || int(asked) > s.Passed() || int(asked) <= s.Store().First() {
					continue
				}
				for _, k := range s.LayerStackOf(asked).Kinds {
					if k.Field == fData.ID() {
						answer(0, k.Value, int64(t.Nodes[i].Val))
						break
					}
				}
			}
		}
	}
	return &tap.ResponseTimes{Title: "SNMP", Session: s, Time: fTime, Wants: s.Registry().Wants(fData, fTime, fRespTo),
		Read: read,
		Tables: []*tap.DelayTable{{Filter: fData.Name(), Column: "Procedure",
			Name: func(v uint64) string { return calls[v] }}}}, nil
}
