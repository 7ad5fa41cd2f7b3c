package dns

import (
	"slices"
	"strings"

	"remora/dissect"
	"remora/dissect/tap"
)

// statistics are those that DNS declares.
var statistics = []dissect.Statistic{
	{Name: "dns,tree", Args: "[,FILTER]", Help: "DNS: codes, types, questions, answers, times", New: newTree},
}

// tree is dns,tree: codes, types and classes, how long questions are, what answers hold and how long they took.
type tree struct {
	tap.ItemTree
	wants *dissect.Wants
}

// treeFields are those that the tree is made of, beside the protocol itself.
var treeFields = []*dissect.Field{fQR, fOp, fRcode, fQType, fQClass, fQName, fQCount, fACount, fNCount, fXCount,
	fInTime, fUnasked, fAgain}

// topics are the roots with what stands below them from the start.
var topics = []struct {
	name  string
	below []string
}{
	{"Total Packets", []string{"rcode", "opcodes", "Query/Response", "Query Type", "Class"}},
	{"Payload size", nil},
	{"Query Stats", []string{"Qname Len", "Label Stats"}},
	{"Response Stats", []string{"no. of questions", "no. of authorities", "no. of answers", "no. of additionals"}},
	{"Service Stats", []string{"request-response time (msec)", "no. of unsolicited responses", "no. of retransmissions"}},
}

// levels are the names of the numbers of labels.
var levels = []string{"4th Level or more", "3rd Level", "2nd Level", "1st Level"}

func newTree(r *dissect.StatisticRequest) (dissect.Counter, error) {
	t := &tree{ItemTree: tap.ItemTree{Session: r.Session, Title: "DNS"}}
	t.wants = r.Session.Registry().Wants(append(treeFields, proto.Self())...)
	for _, topic := range topics {
		root := &tap.Item{Name: topic.name}
		for _, name := range topic.below {
			root.Child(name)
		}
		t.Roots = append(t.Roots, root)
	}
	for _, name := range levels {
		t.Roots[2].Child("Label Stats").Child(name)
	}
	return t, nil
}

// A found message is where its fields stand in a tree; of a field with several the first.
type found map[*dissect.Field]int

// Add counts the messages of a packet.
func (t *tree) Add(l *dissect.Dissector, n dissect.FrameNum) {
	if !t.Session.MayHave(t.Session.LayerStackOf(n), fQR) {
		return
	}
	tr := l.Redissect(n, t.wants)
	for i := range tr.Nodes {
		if tr.Field(i) != proto.Self() || tr.IsQuoted(i) {
			continue
		}
		m := found{proto.Self(): i}
		for k := i + 1; k < tr.End(i); k++ {
			if f := tr.Field(k); slices.Contains(treeFields, f) {
				if _, met := m[f]; !met {
					m[f] = k
				}
			}
		}
		if _, whole := m[fXCount]; whole {
			t.message(tr, m)
		}
	}
}

// message counts one message.
func (t *tree) message(tr *dissect.Tree, m found) {
	at, since, total := tr.Time(), t.Session.Store().Time(0), t.Roots[0]
	number := func(f *dissect.Field) uint64 {
		if i, ok := m[f]; ok {
			return tr.Nodes[i].Val
		}
		return 0
	}
	t.Path(at, total)
	pivot := func(topic, name string) {
		it := total.Child(topic)
		t.Path(at, it, it.Child(name))
	}
	named := func(f *dissect.Field) string {
		v := number(f)
		if text := f.ValueName(v); text != "" {
			return text
		}
		return "Unknown"
	}
	response := number(fQR) != 0
	pivot("rcode", named(fRcode))
	pivot("opcodes", named(fOp))
	pivot("Query/Response", map[bool]string{false: "Query", true: "Response"}[response])
	if _, ok := m[fQType]; ok {
		pivot("Query Type", rowName(named(fQType)))
		pivot("Class", named(fQClass))
	}
	t.Roots[1].AddValue(at, since, float64(tr.Nodes[m[proto.Self()]].Len))
	if response {
		t.response(tr, m, number)
		return
	}
	i, ok := m[fQName]
	if !ok {
		return
	}
	name := tr.Text(i)
	length, labels := len(name), strings.Count(name, ".")+1
	if name == "<Root>" {
		length, labels = 0, 0
	}
	t.Roots[2].Child("Qname Len").AddValue(at, since, float64(length))
	if labels > 0 {
		t.Path(at, t.Roots[2].Child("Label Stats").Child(levels[max(0, 4-labels)]))
	}
}

// response counts what an answer holds. tshark counts each of its numbers twice.
func (t *tree) response(tr *dissect.Tree, m found, number func(*dissect.Field) uint64) {
	at, since, holds, service := tr.Time(), t.Session.Store().Time(0), t.Roots[3], t.Roots[4]
	for topic, f := range map[string]*dissect.Field{"no. of questions": fQCount, "no. of answers": fACount,
		"no. of authorities": fNCount, "no. of additionals": fXCount} {
		for range 2 {
			holds.Child(topic).AddValue(at, since, float64(number(f)))
		}
	}
	_, retransmitted := m[fAgain]
	took, answers := m[fInTime]
	switch {
	case retransmitted:
		t.Path(at, service.Child("no. of retransmissions"))
	case answers:
		service.Child("request-response time (msec)").AddValue(at, since, float64(int64(tr.Nodes[took].Val))/1e6)
	case number(fUnasked) != 0:
		t.Path(at, service.Child("no. of unsolicited responses"))
	}
}

// typeTitles are what the names of record types stand for, as tshark writes them behind the name.
var typeTitles = map[string]string{"A": "Host Address", "NS": "authoritative Name Server", "MD": "Mail Destination",
	"MF": "Mail Forwarder", "CNAME": "Canonical NAME for an alias", "SOA": "Start Of a zone of Authority",
	"MB": "MailBox domain name", "MG": "Mail Group member", "MR": "Mail Rename domain", "WKS": "Well Known Service",
	"PTR": "domain name PoinTeR", "HINFO": "host information", "MINFO": "Mailbox or mail list information",
	"MX": "Mail eXchange", "TXT": "Text strings", "RP": "Responsible Person", "AFSDB": "AFS Data Base location",
	"X25": "XX.25 PSDN address", "ISDN": "ISDN address", "RT": "Route Through", "NSAP": "NSAP address",
	"SIG": "security signature", "KEY": "security key", "PX": "X.400 mail mapping information",
	"GPOS": "Geographical Position", "AAAA": "IPv6 Address", "LOC": "Location Information", "NXT": "Next Domain",
	"EID": "Endpoint Identifier", "SRV": "Server Selection", "ATMA": "ATM Address", "NAPTR": "Naming Authority Pointer",
	"KX": "Key Exchanger", "A6": "OBSOLETE - use AAAA", "DS": "Delegation Signer", "SSHFP": "SSH Key Fingerprint",
	"RRSIG": "Resource Record Signature", "NSEC": "Next Secure", "DNSKEY": "DNS Public Key",
	"HIP": "Host Identity Protocol", "TALINK": "Trust Anchor LINK", "CDS": "Child DS",
	"CDNSKEY": "DNSKEY(s) the Child wants reflected in DS", "OPENPGPKEY": "OpenPGP Key",
	"CSYNC": "Child-to-Parent Synchronization", "SVCB": "General Purpose Service Endpoints",
	"HTTPS": "HTTPS Specific Service Endpoints", "NID": "NodeID", "L32": "Locator32", "L64": "Locator64",
	"LP": "Locator FQDN", "TKEY": "Transaction Key", "TSIG": "Transaction Signature", "IXFR": "incremental transfer",
	"AXFR": "transfer of an entire zone", "MAILA": "mail agent RRs", "MAILB": "mailbox-related RRs",
	"CAA": "Certification Authority Restriction", "TA": "DNSSEC Trust Authorities", "DLV": "DNSSEC Lookaside Validation",
	"*": "A request for all records the server/cache has available"}

// rowName is a type's name with what it stands for.
func rowName(name string) string {
	switch name {
	case "ANY":
		name = "*"
	case "NULL":
		name = "NULL RR"
	}
	if more := typeTitles[name]; more != "" {
		name += " (" + more + ")"
	}
	return name
}
