package stats

import (
	"strconv"

	"remora/dissect"
)

// A SyncReport is one game with what came of holding what its sides were told against each other.
type SyncReport struct {
	Game dissect.Game
	dissect.Agreement
}

// A Comparison is what came of one subject.
type Comparison = dissect.Comparison

// SyncReports are those of all games, in the order in which they began.
func SyncReports(s *dissect.Session) []SyncReport {
	var out []SyncReport
	of := s.Agreements()
	for _, g := range s.Games() {
		a := SyncReport{Game: g}
		if len(of) > 0 && of[0].Game == g.ID {
			a.Agreement, of = of[0], of[1:]
		}
		out = append(out, a)
	}
	return out
}

// Counts are the values of all subjects: told, told by two sides, and told differently.
func (a *SyncReport) Counts() (told, compared, differ uint64) {
	for _, c := range a.Subjects {
		told, compared, differ = told+c.Reported, compared+c.Compared, differ+c.Differ
	}
	return told, compared, differ
}

// Verdict is the answer in one sentence.
func (a *SyncReport) Verdict() string {
	number := func(n uint64) string { return strconv.FormatUint(n, 10) }
	switch told, compared, differ := a.Counts(); {
	case differ > 0:
		return "desync: " + number(differ) + " of " + number(compared) + " values compared differ"
	case compared > 0:
		return "In sync (" + number(compared) + " values compared)"
	case told > 0:
		return "nothing to compare: only one side is in this capture"
	}
	return "nothing to compare: no packet tells what a frame held"
}

// FirstDisagreement is the disagreement of the earliest packet, or nil.
func (a *SyncReport) FirstDisagreement() *dissect.Disagreement {
	var first *dissect.Disagreement
	for i := range a.Disagreements {
		if d := &a.Disagreements[i]; first == nil || d.Reports[1].Frame < first.Reports[1].Frame {
			first = d
		}
	}
	return first
}

// Phase is the game's phase at a packet, or "".
func (a *SyncReport) Phase(n dissect.FrameNum) (name string) {
	for _, p := range a.Game.Phases {
		if p.Since <= n {
			name = p.Name
		}
	}
	return name
}

// SubjectTitle names what was told: "P2 input", "world".
func SubjectTitle(about *dissect.Subject, of uint8) string {
	if of == 0 {
		return about.Title
	}
	return "P" + strconv.Itoa(int(of)) + " " + about.Title
}

// TickTitle names what was told of a tick: "P2 input of frame 41".
func TickTitle(d *dissect.Disagreement) string {
	return SubjectTitle(d.About, d.Of) + " of " + d.About.Tick + " " + strconv.FormatUint(uint64(d.Tick), 10)
}

// Outliers reports for each report of a disagreement whether it is an outlier: it has another value than most sides
// reported, or, among equally many, than the one reported first.
func Outliers(d *dissect.Disagreement) []bool {
	count := map[uint64]int{}
	most := d.Reports[0].Value
	for _, s := range d.Reports {
		count[s.Value]++
	}
	for _, s := range d.Reports {
		if count[s.Value] > count[most] {
			most = s.Value
		}
	}
	odd := make([]bool, len(d.Reports))
	for i, s := range d.Reports {
		odd[i] = s.Value != most
	}
	return odd
}

// SenderReceiver is who told whom in a packet: roles and names as known there, or addresses.
func SenderReceiver(s *dissect.Session, n dissect.FrameNum) (from, to string) {
	src, dst := s.EndsOf(n)
	label := func(e dissect.Endpoint) string {
		if l := s.End(e, n).Label(); l != "" {
			return l
		}
		return e.String()
	}
	return label(src), label(dst)
}
