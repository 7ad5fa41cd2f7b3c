package rpc

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"strconv"

	"remora/dissect"
	"remora/dissect/tap"
	"remora/internal/sorting"
)

// statistics are those that ONC RPC declares.
var statistics = []dissect.Statistic{
	{Name: "rpc,srt", Args: ",PROGRAM,VERSION[,FILTER]",
		Help: "how long the calls of an RPC program took, by procedure; 100003,3 is NFS", New: newTimes},
	{Name: "rpc,programs", Args: "[,FILTER]", Help: "the RPC programs called, and how long they took", New: newPrograms},
}

// replyWants are the fields that tell of a call in its reply. Calls say them; replies have them from their calls.
func replyWants(s *dissect.Session) *dissect.Wants {
	return s.Registry().Wants(fTime, fProgram, fOfProg, fProgVer, fOfVer, fLayerVer, fProc, fOfProc)
}

// eachReply finds the replies of a packet whose calls are known: what was called, and how long it took.
func eachReply(t *dissect.Tree, each func(of progVer, procedure uint64, ns int64)) {
	var of progVer
	procedure := uint64(0)
	for i := range t.Nodes {
		v := t.Nodes[i].Val
		switch t.Field(i) {
		case fProgram, fOfProg:
			of, procedure = progVer{program: uint32(v)}, 0
		case fProgVer, fOfVer, fLayerVer:
			of.version = uint32(v)
		case fProc, fOfProc:
			procedure = v
		case fTime:
			each(of, procedure, int64(v))
		}
	}
}

// newTimes is rpc,srt: the procedures of one version of one program.
func newTimes(r *dissect.StatisticRequest) (dissect.Counter, error) {
	var want progVer
	for i, v := range []*uint32{&want.program, &want.version} {
		n, err := uint64(0), strconv.ErrSyntax
		if i < len(r.Args) {
			n, err = strconv.ParseUint(r.Args[i], 0, 32)
		}
		if err != nil {
			return nil, errors.New("it takes the numbers of a program and its version, as in rpc,srt,100003,3 for NFS")
		}
		*v = uint32(n)
	}
	r.Taken = 2
	field := procedureFields[want]
	if field == nil {
		return nil, fmt.Errorf("the procedures of program %d version %d are not known here", want.program, want.version)
	}
	read := func(t *dissect.Tree, answer func(int, uint64, int64)) {
		eachReply(t, func(of progVer, procedure uint64, ns int64) {
			if of == want && field.ValueName(procedure) != "" {
				answer(0, procedure, ns)
			}
		})
	}
	return &tap.ResponseTimes{Title: "RPC", Session: r.Session, Time: fTime, Wants: replyWants(r.Session), Read: read,
		Tables: []*tap.DelayTable{{Filter: field.Name(), Column: "Procedure", Name: tap.ValueOr(field)}}}, nil
}

// programTable is rpc,programs: how long each version of each program took.
type programTable struct {
	session *dissect.Session
	wants   *dissect.Wants
	rows    map[progVer]*tap.Delay
}

func newPrograms(r *dissect.StatisticRequest) (dissect.Counter, error) {
	return &programTable{session: r.Session, wants: replyWants(r.Session)}, nil
}

// Add counts the replies of a packet.
func (p *programTable) Add(l *dissect.Dissector, n dissect.FrameNum) {
	if !p.session.MayHave(p.session.LayerStackOf(n), fTime) {
		return
	}
	eachReply(l.Redissect(n, p.wants), func(of progVer, _ uint64, ns int64) { tap.DelayOf(&p.rows, of).Add(ns, n) })
}

// Print writes the table.
func (p *programTable) Print(w *bufio.Writer) {
	fmt.Fprintf(w, "\n%sONC-RPC Program Statistics:\n", tap.NarrowRule[9:])
	w.WriteString("Program    Version  Calls    Min SRT    Max SRT    Avg SRT\n")
	keys := sorting.Sorted(maps.Keys(p.rows), func(a, b progVer) int {
		return cmp.Or(cmp.Compare(a.program, b.program), cmp.Compare(a.version, b.version))
	})
	for _, k := range keys {
		number := uint64(k.program)
		name := fmt.Sprintf("%s(%d)", cmp.Or(fProgram.ValueName(number), strconv.FormatUint(number, 10)), number)
		fmt.Fprintf(w, "%-15s %2d %6d %s\n", name, k.version, p.rows[k].N, p.rows[k].Text())
	}
	w.WriteString(tap.NarrowRule)
}
