package print

import (
	"bufio"
	"strings"

	"remora/dissect"
	"remora/dissect/stats"
)

// dnsTree is dns,tree: codes, types and classes, how long questions are, what answers hold and how long they took.
type dnsTree struct {
	itemTree
	fields map[string]*dissect.Field
	wants  *dissect.Wants
}

// dnsFields are what the tree is made of. The first one stands in every message.
var dnsFields = []string{"dns.flags.response", "dns", "dns.flags.opcode", "dns.flags.rcode", "dns.qry.type", "dns.qry.class", "dns.qry.name",
	"dns.count.queries", "dns.count.answers", "dns.count.auth_rr", "dns.count.add_rr", "dns.time", "dns.unsolicited", "dns.retransmission"}

// dnsTopics are the roots with what stands below them from the start.
var dnsTopics = []struct {
	name  string
	below []string
}{
	{"Total Packets", []string{"rcode", "opcodes", "Query/Response", "Query Type", "Class"}},
	{"Payload size", nil},
	{"Query Stats", []string{"Qname Len", "Label Stats"}},
	{"Response Stats", []string{"no. of questions", "no. of authorities", "no. of answers", "no. of additionals"}},
	{"Service Stats", []string{"request-response time (msec)", "no. of unsolicited responses", "no. of retransmissions"}},
}

// dnsLevels are the names of the numbers of labels.
var dnsLevels = []string{"4th Level or more", "3rd Level", "2nd Level", "1st Level"}

func newDNS(r *request) (counter, []string, error) {
	t := &dnsTree{itemTree: itemTree{s: r.s, title: "DNS"}, fields: map[string]*dissect.Field{}}
	var fields []*dissect.Field
	for _, name := range dnsFields {
		f := r.s.Registry().Field(name)
		if f == nil {
			return nil, nil, r.wrong("there is no DNS here")
		}
		t.fields[name], fields = f, append(fields, f)
	}
	t.wants = r.s.Registry().Wants(fields...)
	for _, topic := range dnsTopics {
		root := &stats.Item{Name: topic.name}
		for _, name := range topic.below {
			root.Child(name)
		}
		t.roots = append(t.roots, root)
	}
	for _, name := range dnsLevels {
		t.roots[2].Child("Label Stats").Child(name)
	}
	return t, []string{r.rest(0)}, nil
}

// A dnsMessage is where the fields of one message stand in a tree, by name; of a field with several the first.
type dnsMessage map[string]int

func (t *dnsTree) add(l *dissect.Looker, n dissect.FrameNum, _ int) {
	if !t.s.MayHave(t.s.ShapeOf(n), t.fields["dns.flags.response"]) {
		return
	}
	tree := l.Look(n, t.wants)
	for i := range tree.Nodes {
		if f := tree.Field(i); f != t.fields["dns"] || tree.IsQuoted(i) {
			continue
		}
		m := dnsMessage{"dns": i}
		for k := i + 1; k < tree.End(i); k++ {
			if name := tree.Field(k).Name(); t.fields[name] != nil {
				if _, met := m[name]; !met {
					m[name] = k
				}
			}
		}
		if _, whole := m["dns.count.add_rr"]; whole {
			t.message(tree, m)
		}
	}
}

// message counts one message.
func (t *dnsTree) message(tree *dissect.Tree, m dnsMessage) {
	at, since, total := tree.Time(), t.s.Store().Time(0), t.roots[0]
	number := func(name string) uint64 {
		if i, ok := m[name]; ok {
			return tree.Nodes[i].Val
		}
		return 0
	}
	t.path(at, total)
	pivot := func(topic, name string) {
		it := total.Child(topic)
		t.path(at, it, it.Child(name))
	}
	named := func(name string) string {
		v := number(name)
		if text := t.fields[name].ValueName(v); text != "" {
			return text
		}
		return "Unknown"
	}
	response := number("dns.flags.response") != 0
	pivot("rcode", named("dns.flags.rcode"))
	pivot("opcodes", named("dns.flags.opcode"))
	pivot("Query/Response", map[bool]string{false: "Query", true: "Response"}[response])
	if _, ok := m["dns.qry.type"]; ok {
		name := named("dns.qry.type")
		if more := dnsTypes[name]; more != "" {
			name += " (" + more + ")"
		}
		pivot("Query Type", name)
		pivot("Class", named("dns.qry.class"))
	}
	t.roots[1].AddValue(at, since, float64(tree.Nodes[m["dns"]].Len))
	if response {
		t.response(tree, m, number)
		return
	}
	i, ok := m["dns.qry.name"]
	if !ok {
		return
	}
	name := tree.Text(i)
	length, labels := len(name), strings.Count(name, ".")+1
	if name == "<Root>" {
		length, labels = 0, 0
	}
	t.roots[2].Child("Qname Len").AddValue(at, since, float64(length))
	if labels > 0 {
		t.path(at, t.roots[2].Child("Label Stats").Child(dnsLevels[max(0, 4-labels)]))
	}
}

// response counts what an answer holds. tshark counts each of its numbers twice.
func (t *dnsTree) response(tree *dissect.Tree, m dnsMessage, number func(string) uint64) {
	at, since, holds, service := tree.Time(), t.s.Store().Time(0), t.roots[3], t.roots[4]
	for topic, name := range map[string]string{"no. of questions": "dns.count.queries", "no. of answers": "dns.count.answers",
		"no. of authorities": "dns.count.auth_rr", "no. of additionals": "dns.count.add_rr"} {
		for range 2 {
			holds.Child(topic).AddValue(at, since, float64(number(name)))
		}
	}
	_, retransmitted := m["dns.retransmission"]
	took, answers := m["dns.time"]
	switch {
	case retransmitted:
		t.path(at, service.Child("no. of retransmissions"))
	case answers:
		service.Child("request-response time (msec)").AddValue(at, since, float64(int64(tree.Nodes[took].Val))/1e6)
	case number("dns.unsolicited") != 0:
		t.path(at, service.Child("no. of unsolicited responses"))
	}
}

func (t *dnsTree) print(w *bufio.Writer) {
	for _, root := range t.roots {
		root.Sort()
	}
	t.itemTree.print(w)
}

// dnsTypes are what the names of common record types stand for, as tshark writes them behind the name.
var dnsTypes = map[string]string{"A": "Host Address", "NS": "authoritative Name Server", "CNAME": "Canonical NAME for an alias", "SOA": "Start Of a zone of Authority",
	"PTR": "domain name PoinTeR", "HINFO": "host information", "MX": "Mail eXchange", "TXT": "Text strings", "AAAA": "IPv6 Address", "SRV": "Server Selection",
	"NAPTR": "Naming Authority Pointer", "DNAME": "Non-terminal DNS name redirection", "DS": "Delegation Signer", "RRSIG": "RR Signature", "NSEC": "Next SECure",
	"DNSKEY": "DNS public key", "CAA": "Certification Authority Restriction", "ANY": "All records"}
