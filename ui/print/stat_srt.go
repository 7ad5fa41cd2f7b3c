package print

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"

	"remora/dissect"
)

// A delay is how long answers took, in nanoseconds.
type delay struct {
	n              uint64
	low, high, sum int64
	lowAt, highAt  dissect.FrameNum
}

func (d *delay) add(ns int64, at dissect.FrameNum) {
	if d.n == 0 || ns < d.low {
		d.low, d.lowAt = ns, at
	}
	if d.n == 0 || ns > d.high {
		d.high, d.highAt = ns, at
	}
	d.n++
	d.sum += ns
}

func (d *delay) mean() int64 {
	if d.n == 0 {
		return 0
	}
	return d.sum / int64(d.n)
}

// micros writes nanoseconds as tshark's tables of response times do: seconds with six decimals, in ten characters.
func micros(ns int64) string {
	us := (ns + 500) / 1000
	return fmt.Sprintf("%3d.%06d", us/1e6, us%1e6)
}

// An srtTable is a table of response times by the number of what was asked.
type srtTable struct {
	filter, column string
	name           func(v uint64) string
	rows           map[uint64]*delay
}

// maxRows bounds the rows of a table: a hostile capture may ask for all numbers there are.
const maxRows = 1 << 16

func (t *srtTable) add(v uint64, ns int64, at dissect.FrameNum) { delayOf(&t.rows, v).add(ns, at) }

// delayOf is the delay of a key, which is made when there is none; what would be one too many is counted nowhere.
func delayOf[K comparable](rows *map[K]*delay, k K) *delay {
	if *rows == nil {
		*rows = map[K]*delay{}
	}
	d := (*rows)[k]
	if d == nil {
		d = &delay{}
		if len(*rows) < maxRows {
			(*rows)[k] = d
		}
	}
	return d
}

func (t *srtTable) print(w *bufio.Writer) {
	fmt.Fprintf(w, "Filter: %s\nIndex  %-22s Calls    Min SRT    Max SRT    Avg SRT    Sum SRT\n", t.filter, t.column)
	for _, v := range sortedKeys(t.rows) {
		d := t.rows[v]
		fmt.Fprintf(w, "%5d  %-22s %6d %s %s %s %s\n", v, dissect.Escape(t.name(v)), d.n, micros(d.low), micros(d.high), micros(d.mean()), micros(d.sum))
	}
}

// srt is one of the statistics named srt: how long what a protocol asks takes to be answered.
type srt struct {
	title  string
	s      *dissect.Session
	time   *dissect.Field
	wants  *dissect.Wants
	tables []*srtTable
	// read tells what each of a packet's answers answers.
	read func(t *dissect.Tree, answer func(table int, v uint64, ns int64))
}

func (c *srt) add(l *dissect.Looker, n dissect.FrameNum, _ int) {
	if !c.s.MayHave(c.s.ShapeOf(n), c.time) {
		return
	}
	c.read(l.Look(n, c.wants), func(table int, v uint64, ns int64) { c.tables[table].add(v, ns, n) })
}

func (c *srt) print(w *bufio.Writer) {
	fmt.Fprintf(w, "\n%s%s SRT Statistics:\n", narrowRule, c.title)
	for i, t := range c.tables {
		if i > 0 {
			w.WriteString("\n")
		}
		t.print(w)
	}
	w.WriteString(narrowRule[1:])
}

// fieldsOf are the fields of some names, or none when one of them does not exist.
func (r *request) fieldsOf(names ...string) ([]*dissect.Field, error) {
	var out []*dissect.Field
	for _, name := range names {
		f := r.s.Registry().Field(name)
		if f == nil {
			protocol, _, _ := strings.Cut(name, ".")
			return nil, r.wrong("there is no %s here", strings.ToUpper(protocol))
		}
		out = append(out, f)
	}
	return out, nil
}

// valueOr is a value's name, or Unknown with its number.
func valueOr(f *dissect.Field) func(v uint64) string {
	return func(v uint64) string {
		if name := f.ValueName(v); name != "" {
			return name
		}
		return "Unknown (" + strconv.FormatUint(v, 10) + ")"
	}
}

// newSMB2 is smb2,srt: by command.
func newSMB2(r *request) (counter, []string, error) {
	f, err := r.fieldsOf("smb2.cmd", "smb2.time", "smb2.nt_status")
	if err != nil {
		return nil, nil, err
	}
	cmd, took, status := f[0], f[1], f[2]
	c := &srt{title: "SMB2", s: r.s, time: took, wants: r.s.Registry().Wants(f...),
		tables: []*srtTable{{filter: "smb2.cmd", column: "Commands", name: valueOr(cmd)}}}
	c.read = commandTimes(cmd, took, status)
	return c, []string{r.rest(0)}, nil
}

// statusPending says that the answer itself comes later ([MS-ERREF] section 2.3.1).
const statusPending = 0x103

// commandTimes reads packets of which each message has its status, if any, and its command in front of the time that it took.
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

// newSMB is smb,srt: by command of SMB 1, in tables of their own those of transactions.
func newSMB(r *request) (counter, []string, error) {
	f, err := r.fieldsOf("smb.cmd", "smb.time")
	if err != nil {
		return nil, nil, err
	}
	cmd, took := f[0], f[1]
	// Transactions are not told apart by remora: their commands stand in the first table.
	c := &srt{title: "SMB", s: r.s, time: took, wants: r.s.Registry().Wants(f...), tables: []*srtTable{
		{filter: "smb.cmd", column: "Commands", name: valueOr(cmd)},
		{filter: "smb.trans2.cmd", column: "Transaction2 Commands"},
		{filter: "smb.nt.function", column: "NT Transaction Sub-Commands"},
	}}
	c.read = commandTimes(cmd, took, nil)
	return c, []string{r.rest(0)}, nil
}

// snmpCalls are what SNMP's requests are called, by their numbers (RFC 3416, section 3).
var snmpCalls = map[uint64]string{0: "Get", 1: "GetNext", 2: "Response", 3: "Set", 4: "Trap v1", 5: "Bulk", 6: "Inform", 7: "Trap v2", 8: "Report"}

// snmpReport is what a manager is told in place of an answer.
const snmpReport = 8

// newSNMP is snmp,srt: by what was asked, which stands in the request.
func newSNMP(r *request) (counter, []string, error) {
	f, err := r.fieldsOf("snmp.data", "snmp.time", "snmp.response_to")
	if err != nil {
		return nil, nil, err
	}
	kind, took, to := f[0], f[1], f[2]
	name := func(v uint64) string { return snmpCalls[v] }
	c := &srt{title: "SNMP", s: r.s, time: took, wants: r.s.Registry().Wants(f...),
		tables: []*srtTable{{filter: "snmp.data", column: "Procedure", name: name}}}
	c.read = func(t *dissect.Tree, answer func(int, uint64, int64)) {
		asked, report := dissect.FrameNum(0), false
		for i := range t.Nodes {
			switch t.Field(i) {
			case kind:
				report = t.Nodes[i].Val == snmpReport
			case to:
				asked = dissect.FrameNum(t.Nodes[i].Val)
			case took:
				if report || asked == 0 || int(asked) > r.s.Passed() {
					continue
				}
				for _, k := range r.s.ShapeOf(asked).Kinds {
					if k.Field == kind.ID() {
						answer(0, k.Value, int64(t.Nodes[i].Val))
						break
					}
				}
			}
		}
	}
	return c, []string{r.rest(0)}, nil
}

// ldapCalls are what LDAP's requests are called, by the numbers of their answers (RFC 4511, section 4.2 and on), with
// their own. Every entry that a search finds is an answer.
var ldapCalls = map[uint64]struct {
	request uint64
	name    string
}{1: {0, "Bind"}, 4: {3, "Search"}, 5: {3, "Search"}, 19: {3, "Search"}, 7: {6, "Modify"}, 9: {8, "Add"}, 11: {10, "Delete"}, 13: {12, "Modrdn"}, 15: {14, "Compare"}, 24: {23, "Extended"}}

// newLDAP is ldap,srt: by what was asked, which the answer tells.
func newLDAP(r *request) (counter, []string, error) {
	f, err := r.fieldsOf("ldap.protocolOp", "ldap.time")
	if err != nil {
		return nil, nil, err
	}
	op, took := f[0], f[1]
	names := map[uint64]string{}
	for _, c := range ldapCalls {
		names[c.request] = c.name
	}
	c := &srt{title: "LDAP", s: r.s, time: took, wants: r.s.Registry().Wants(f...),
		tables: []*srtTable{{filter: "ldap.protocolOp", column: "Procedure", name: func(v uint64) string { return names[v] }}}}
	c.read = func(t *dissect.Tree, answer func(int, uint64, int64)) {
		what := uint64(0)
		for i := range t.Nodes {
			switch t.Field(i) {
			case op:
				what = t.Nodes[i].Val
			case took:
				if call, ok := ldapCalls[what]; ok {
					answer(0, call.request, int64(t.Nodes[i].Val))
				}
			}
		}
	}
	return c, []string{r.rest(0)}, nil
}
