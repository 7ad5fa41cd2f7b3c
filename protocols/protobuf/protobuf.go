// Package protobuf dissects Protocol Buffers: messages as gRPC, HTTP and datagrams carry them. What their fields are
// called and mean is in .proto files, which preferences name; without them the numbers and the bytes are shown.
package protobuf

import (
	"bytes"
	"strings"

	"remora/dissect"
	"remora/protocols/internal/protofile"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("protobuf", "ProtoBuf", "Protocol Buffers: messages of numbered fields.").
	Summary("Protocol Buffers").Color(dissect.HueGreen)

var (
	fMessage     = proto.Group("message", "Message", "A message.").Own()
	fMessageName = proto.String("message.name", "Message Name", "The name of the protobuf message").Derived()
	fField       = proto.Group("field", "Field", "A field of a message.").Own()
	fFieldName   = proto.String("field.name", "Field Name", "The name of the field").Derived()
	fFieldType   = proto.Int32("field.type", "Field Type", "The type of the field").Named(typeNames()).Derived()
	fNumber      = proto.Uint64("field.number", "Field Number", "Field number encoded in varint")
	fWire        = proto.Uint8("field.wiretype", "Wire Type", "The Wire Type of the field.").Named(wireTypes)
	fLength      = proto.Uint64("field.value.length", "Value Length", "The length of length-delimited field value.")
	fValue       = proto.Bytes("field.value", "Value", "The wire type determines value format")
	fDouble      = proto.Float64("field.value.double", "Double", "Dissect value as double")
	fFloat       = proto.Float32("field.value.float", "Float", "Dissect value as float")
	fInt64       = proto.Int64("field.value.int64", "Int64", "Dissect value as int64")
	fUint64      = proto.Uint64("field.value.uint64", "Uint64", "Dissect value as uint64")
	fInt32       = proto.Int32("field.value.int32", "Int32", "Dissect value as int32")
	fUint32      = proto.Uint32("field.value.uint32", "Uint32", "Dissect value as uint32")
	fBool        = proto.Bool("field.value.bool", "Bool", "Dissect value as bool").TrueFalse("True", "False")
	fString      = proto.String("field.value.string", "String", "Dissect value as string")
	fRepeated    = proto.Bytes("field.value.repeated", "Repeated", "Dissect value as repeated")
	fJSON        = proto.Group("json", "Protocol Buffers (as JSON Mapping View)", "The message in the form of JSON.").
			OtherName("protobuf_json")
	fLine = proto.String("json.line", "JSON Mapping Line", "One line of the protobuf json mapping").
		OtherName("protobuf_json.line")

	nTag    = proto.Expert("failed_parse_tag", dissect.Error, "Failed to parse tag field")
	nWire   = proto.Expert("field.wiretype.invalid", dissect.Warn, "Unknown or unsupported wiretype")
	nLength = proto.Expert("field.failed_parse_length_delimited_field", dissect.Error,
		"Failed to parse length delimited field")
	nValue  = proto.Expert("field.failed_parse_field", dissect.Error, "Failed to parse value field")
	nType   = proto.Expert("field.message_type_not_found", dissect.Warn, "Failed to find message type of a field")
	nPacked = proto.Expert("field.failed_parse_packed_repeated_field", dissect.Error,
		"Failed to parse packed repeated field")
	nRequired = proto.Expert("message.missing_required_field", dissect.Warn,
		"The required field is not found in message payload")
	nDeep    = proto.Expert("message.deep", dissect.Warn, "Messages stand too deep in others to be taken apart")
	nUnknown = proto.Expert("message.unknown", dissect.Hint, "The message type is in no .proto file that was read")
)

// The wire types.
const (
	varint    = 0
	fixed64   = 1
	delimited = 2
	begin     = 3
	end       = 4
	fixed32   = 5
)

var wireTypes = dissect.Values{varint: "varint", fixed64: "64-bit", delimited: "Length-delimited",
	begin: "Start group (deprecated)", end: "End group (deprecated)", fixed32: "32-bit"}

func typeNames() dissect.Values {
	v := dissect.Values{}
	for t := protofile.Double; t <= protofile.Sint64; t++ {
		v[uint64(t)] = t.String()
	}
	return v
}

// Plugin attaches Protocol Buffers to what gRPC carries, and to media types.
func Plugin() dissect.Plugin {
	p := dissect.Plugin{Protocol: proto, Dissect: layer, Stateful: true, // it hands on values of fields
		Choices: []dissect.Key{{Table: tables.ProtobufField}}}
	for _, t := range []string{"application/grpc", "application/grpc+proto", "application/grpc-web",
		"application/grpc-web+proto", "application/grpc-web-text", "application/grpc-web-text+proto"} {
		p.On = append(p.On, dissect.Key{Table: tables.GRPCMessage, Value: dissect.Word(t)})
	}
	for _, t := range []string{"application/protobuf", "application/x-protobuf", "application/x-google-protobuf",
		"application/vnd.google.protobuf"} {
		p.On = append(p.On, dissect.Key{Table: tables.MediaType, Value: dissect.Word(t)})
	}
	return p
}

func layer(d *dissect.D) {
	b := d.Data()
	d.Spend(len(b))
	r := reader{d: d, rec: d.Recorder(), src: d.Recorder().Source(), base: d.Pos(), b: b}
	r.preferences()
	what := string(d.LayerData())
	m := r.typeOf(what)
	if _, said, ok := strings.Cut(what, ","); ok {
		d.Suffix(proto.Self(), ": "+said)
		d.Info().Fence(" (PROTOBUF)" + named(m))
	}
	if strings.HasPrefix(what, messagePrefix) || what == "" {
		r.info = d.Info().Wanted()
		d.Info().Protocol("PB(" + nameOf(m) + ")")
	}
	if pJSON.On(d) && m != nil {
		r.json = &jsonText{}
	}
	r.message(m, 0, len(b), 1, false)
	if r.info && len(r.said) > 0 {
		d.Info().SetText(bytes.TrimSpace(r.said))
	}
	if r.json != nil {
		r.put(fJSON, 1, 0, len(b), node{})
		for line := range strings.Lines(string(r.json.b)) {
			line = strings.TrimSuffix(line, "\n")
			r.put(fLine, 2, 0, len(b), node{text: []byte(line), label: line})
		}
	}
	d.Skip(len(b))
}

// messagePrefix begins what other dissectors tell of a message whose type they name, as Wireshark's do.
const messagePrefix = "message,"

// typeOf is the type of the message: as it is called in "message,NAME", as a method takes or returns it in
// "application/grpc,/SERVICE/METHOD,request", as the parameter of a media type names it, or by the ports.
func (r *reader) typeOf(what string) *protofile.Message {
	if name, ok := strings.CutPrefix(what, messagePrefix); ok {
		return r.named(name)
	}
	if _, call, ok := strings.Cut(what, ","); ok && strings.HasPrefix(what, "application/grpc") {
		method, direction, _ := strings.Cut(strings.TrimPrefix(call, "/"), ",")
		if r.schema == nil {
			return nil
		}
		c := r.schema.pool.Method(strings.ReplaceAll(method, "/", "."))
		switch {
		case c == nil:
			return nil
		case direction == "request":
			return c.In
		}
		return c.Out
	}
	for part := range strings.SplitSeq(what, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		if name = strings.ToLower(name); name == "messagetype" || name == "proto" {
			return r.named(strings.Trim(value, `"`))
		}
	}
	if what == "" {
		if name := mapped(r.d); name != "" {
			return r.named(name)
		}
	}
	return nil
}

// named is the type of that name. Where files were read that do not have it, the tree says so.
func (r *reader) named(name string) *protofile.Message {
	if r.schema == nil {
		return nil
	}
	m := r.schema.pool.Message(strings.TrimPrefix(name, "."))
	if m == nil {
		r.d.ExpertText(nUnknown, "The message type "+dissect.Escape(name)+" is in no .proto file that was read")
	}
	return m
}

func nameOf(m *protofile.Message) string {
	if m == nil {
		return "<UNKNOWN> Message Type"
	}
	return m.Full
}

// named is the name behind a space, where there is one.
func named(m *protofile.Message) string {
	if m == nil {
		return ""
	}
	return " " + m.Full
}
