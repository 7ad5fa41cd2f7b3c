package smb

import (
	"remora/dissect"
	"remora/dissect/tap"
)

// statistics are those that SMB 2 declares, oldStatistics those of SMB 1.
var (
	statistics = []dissect.Statistic{{Name: "smb2,srt", Args: "[,FILTER]",
		Help: "how long SMB took, by command; smb,srt that of SMB 1", New: newTimes}}
	oldStatistics = []dissect.Statistic{{Name: "smb,srt", New: newOldTimes}}
)

// newTimes is smb2,srt: by command.
func newTimes(r *dissect.StatisticRequest) (dissect.Counter, error) {
	return &tap.ResponseTimes{Title: "SMB2", Session: r.Session, Time: fTime,
		Wants:  r.Session.Registry().Wants(fCmd, fTime, fStatus),
		Tables: []*tap.DelayTable{{Filter: fCmd.Name(), Column: "Commands", Name: tap.ValueOr(fCmd)}},
		Read:   commandTimes(fCmd, fTime, fStatus)}, nil
}

// newOldTimes is smb,srt: by command of SMB 1, in tables of their own those of transactions. Transactions are not told
// apart by remora: their commands stand in the first table.
func newOldTimes(r *dissect.StatisticRequest) (dissect.Counter, error) {
	return &tap.ResponseTimes{Title: "SMB", Session: r.Session, Time: oTime,
		Wants: r.Session.Registry().Wants(oCmd, oTime),
		Tables: []*tap.DelayTable{
			{Filter: oCmd.Name(), Column: "Commands", Name: tap.ValueOr(oCmd)},
			{Filter: "smb.trans2.cmd", Column: "Transaction2 Commands"},
			{Filter: "smb.nt.function", Column: "NT Transaction Sub-Commands"},
		},
		Read: commandTimes(oCmd, oTime, nil)}, nil
}

// commandTimes reads packets of which each message has its status, if any, and its command in front of the time that it
// took.
func commandTimes(cmd, took, status *dissect.Field) func(t *dissect.Tree, answer func(int, uint64, int64)) {
	return func(t *dissect.Tree, answer func(int, uint64, int64)) {
		what, pending := uint64(0), false
		for i := range t.Nodes {
			switch v := t.Nodes[i].Val; t.Field(i) {
			case status:
				pending = v == statusPending
			case cmd:
				what = v
			case took:
				if !pending {
					answer(0, what, int64(v))
				}
			}
		}
	}
}
