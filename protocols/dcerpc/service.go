package dcerpc

import (
	"encoding/binary"
	"fmt"

	"remora/dissect"
)

// A service is an interface that has a name. Each is a protocol of its own, as Wireshark has them.
type service struct {
	proto   *dissect.Protocol
	names   *dissect.Protocol // whose the fields are, where they have another prefix
	id      uuid
	version uint16
	number  uint32 // its place in services, counted from 1
	opnum   *dissect.Field
	stub    *dissect.Field
	ops     dissect.Values
}

// interfaces is the table of services, by their number.
const interfaces dissect.Table = "dcerpc.interface"

// byID are the services by their UUID.
var byID = func() map[uuid]*service {
	all := map[uuid]*service{}
	for i, s := range services {
		s.number = uint32(i + 1)
		all[s.id] = s
	}
	return all
}()

// newService declares an interface: its name in filters, the prefix of its fields, its title in the Protocol column,
// what Wireshark calls it in full, its UUID, and the version that is known of it.
func newService(name, prefix, title, label, id string, version uint16, doc string, ops dissect.Values) *service {
	p := dissect.NewProtocol(name, title, doc).LittleEndian().Summary(label + "[, {" + prefix + ".opnum:name}]").
		Color(dissect.HueYellow)
	p.SharesFields(proto)
	fields := p
	if prefix != name {
		fields = dissect.NewProtocol(prefix, title, doc).LittleEndian()
		p.SharesFields(fields, proto)
	}
	return &service{
		proto: p, names: fields, id: parse(id), version: version, ops: ops,
		opnum: fields.Kind("opnum", "Operation", ops, "What is called.").Wide(2).LE().Dec().Wordless(),
		stub:  fields.Bytes("stub_data", "Stub data", "Arguments or results."),
	}
}

// serviceName is the name of an interface where a client proposes it, "" where nobody knows it.
func serviceName(id uuid) string {
	switch s := byID[id]; {
	case s == nil:
		return ""
	case s.proto.Name() == "epm":
		return "EPMv4"
	default:
		return s.proto.Title()
	}
}

// Interfaces attaches the interfaces that have names.
func Interfaces() []dissect.Plugin {
	var all []dissect.Plugin
	for _, s := range services {
		all = append(all,
			dissect.Plugin{Protocol: s.proto, Dissect: s.dissect, On: []dissect.Key{{Table: interfaces, Value: s.number}}})
		if s.names != s.proto {
			// found under no number: it only has the fields
			all = append(all, dissect.Plugin{Protocol: s.names, Dissect: s.dissect})
		}
	}
	return all
}

// dissect names one operation, and has its arguments or results as they came.
func (s *service) dissect(d *dissect.D) {
	result := d.LayerData()
	if len(result) < 9 {
		d.Rest(s.stub)
		return
	}
	opnum, answers := uint16(result[0])|uint16(result[1])<<8, result[2] != 0
	d.SetKind(s.opnum, uint64(opnum))
	if d.Info().Wanted() {
		name := s.ops[uint64(opnum)]
		if name == "" {
			name = fmt.Sprintf("Unknown operation %d", opnum)
		}
		what := "request"
		if answers {
			what = "response"
		}
		d.Info().Setf("%s %s", name, what)
	}
	if !answers {
		d.Links().ShowForward(fResponse)
	} else if from := binary.LittleEndian.Uint32(result[4:]); from != 0 {
		d.Set(fRequest, uint64(from))
	}
	if result[8] != 0 {
		d.Rest(fSealed)
		return
	}
	d.Rest(s.stub)
}
