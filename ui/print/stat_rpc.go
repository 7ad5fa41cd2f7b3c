package print

import (
	"bufio"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"remora/dissect"
)

// sortedKeys are a map's keys in rising order.
func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// rpcProcedures are the fields that name what an RPC program can be asked, without the version behind them.
var rpcProcedures = map[uint64]string{100000: "portmap.procedure_v", 100003: "nfs.procedure_v", 100005: "mount.procedure_v"}

// An rpcReply is what is told of a call in its reply.
type rpcReply struct{ program, version, procedure uint64 }

// rpcFields are those that tell it.
type rpcFields struct {
	took  *dissect.Field
	wants *dissect.Wants
}

func (r *request) rpc() (*rpcFields, error) {
	f, err := r.fieldsOf("rpc.time", "rpc.program", "rpc.programversion", "rpc.procedure")
	if err != nil {
		return nil, err
	}
	out, reg := &rpcFields{took: f[0]}, r.s.Registry()
	var all []*dissect.Field
	for _, name := range []string{"rpc.time", "rpc.program", "rpc.programversion", "rpc.procedure"} {
		all = append(all, reg.FieldsNamed(name)...) // calls say them, replies have them from their calls
	}
	out.wants = reg.Wants(all...)
	return out, nil
}

// replies finds the replies of a packet whose calls are known.
func (f *rpcFields) replies(t *dissect.Tree, each func(c rpcReply, ns int64)) {
	var c rpcReply
	for i := range t.Nodes {
		v := t.Nodes[i].Val
		switch t.Field(i).Name() {
		case "rpc.program":
			c = rpcReply{program: v}
		case "rpc.programversion":
			c.version = v
		case "rpc.procedure":
			c.procedure = v
		case "rpc.time":
			each(c, int64(v))
		}
	}
}

// newRPC is rpc,srt: the procedures of one version of one program.
func newRPC(r *request) (counter, []string, error) {
	f, err := r.rpc()
	if err != nil {
		return nil, nil, err
	}
	var want rpcReply
	for i, v := range []*uint64{&want.program, &want.version} {
		err := strconv.ErrSyntax
		if i < len(r.args) {
			*v, err = strconv.ParseUint(r.args[i], 0, 32)
		}
		if err != nil {
			return nil, nil, r.wrong("it takes the numbers of a program and its version, as in rpc,srt,100003,3 for NFS")
		}
	}
	name := rpcProcedures[want.program] + strconv.FormatUint(want.version, 10)
	field := r.s.Registry().Field(name)
	if field == nil {
		return nil, nil, r.wrong("the procedures of program %d version %d are not known here", want.program, want.version)
	}
	c := &srt{title: "RPC", s: r.s, time: f.took, wants: f.wants, tables: []*srtTable{{filter: name, column: "Procedure", name: valueOr(field)}}}
	c.read = func(t *dissect.Tree, answer func(int, uint64, int64)) {
		f.replies(t, func(c rpcReply, ns int64) {
			if c.program == want.program && c.version == want.version && field.ValueName(c.procedure) != "" {
				answer(0, c.procedure, ns)
			}
		})
	}
	return c, []string{r.rest(2)}, nil
}

// rpcPrograms is rpc,programs: how long each version of each program took.
type rpcPrograms struct {
	s      *dissect.Session
	fields *rpcFields
	rows   map[rpcReply]*delay
}

func newRPCPrograms(r *request) (counter, []string, error) {
	f, err := r.rpc()
	if err != nil {
		return nil, nil, err
	}
	return &rpcPrograms{s: r.s, fields: f}, []string{r.rest(0)}, nil
}

func (p *rpcPrograms) add(l *dissect.Looker, n dissect.FrameNum, _ int) {
	if !p.s.MayHave(p.s.ShapeOf(n), p.fields.took) {
		return
	}
	p.fields.replies(l.Look(n, p.fields.wants), func(c rpcReply, ns int64) {
		delayOf(&p.rows, rpcReply{program: c.program, version: c.version}).add(ns, n)
	})
}

func (p *rpcPrograms) print(w *bufio.Writer) {
	fmt.Fprintf(w, "\n%sONC-RPC Program Statistics:\n", narrowRule[9:])
	w.WriteString("Program    Version  Calls    Min SRT    Max SRT    Avg SRT\n")
	keys := slices.SortedFunc(maps.Keys(p.rows), func(a, b rpcReply) int {
		return cmp.Or(cmp.Compare(a.program, b.program), cmp.Compare(a.version, b.version))
	})
	names := p.s.Registry().Field("rpc.program")
	for _, k := range keys {
		d := p.rows[k]
		name := fmt.Sprintf("%s(%d)", cmp.Or(names.ValueName(k.program), strconv.FormatUint(k.program, 10)), k.program)
		fmt.Fprintf(w, "%-15s %2d %6d %s %s %s\n", name, k.version, d.n, micros(d.low), micros(d.high), micros(d.mean()))
	}
	w.WriteString(narrowRule)
}
