package dcerpc

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/dissect/tap"
)

// statistics are those that DCE/RPC declares.
var statistics = []dissect.Statistic{{Name: "dcerpc,srt", Args: ",UUID,VERSION[,FILTER]",
	Help: "how long the calls of an interface took, by operation", New: newTimes}}

// newTimes is dcerpc,srt: the operations of one interface. The version has a minor one, which says nothing.
func newTimes(r *dissect.StatisticRequest) (dissect.Counter, error) {
	if len(r.Args) < 2 {
		return nil, errors.New("it takes the UUID of an interface and its version, as in " +
			"dcerpc,srt,12345778-1234-abcd-ef00-0123456789ac,1.0 for SAMR")
	}
	r.Taken = 2
	major, _, _ := strings.Cut(r.Args[1], ".")
	version, err := strconv.ParseUint(major, 10, 16)
	s := byID[parse(r.Args[0])]
	if err != nil || s == nil || uint64(s.version) != version {
		return nil, fmt.Errorf("the operations of interface %s version %s are not known here",
			dissect.Escape(r.Args[0]), dissect.Escape(r.Args[1]))
	}
	read := func(t *dissect.Tree, answer func(int, uint64, int64)) {
		took, timed := int64(0), false
		for i := range t.Nodes {
			switch v := t.Nodes[i].Val; t.Field(i) {
			case fOfOpnum:
				timed = false
			case fTime:
				took, timed = int64(v), true
			case s.opnum:
				if timed {
					answer(0, v, took)
				}
				timed = false
			}
		}
	}
	return &tap.ResponseTimes{Title: "DCERPC", Session: r.Session, Time: fTime,
		Wants: r.Session.Registry().Wants(fOfOpnum, fTime, s.opnum), Read: read,
		Tables: []*tap.DelayTable{{Filter: s.opnum.Name(), Column: "Procedure", Name: tap.ValueOr(s.opnum)}}}, nil
}
