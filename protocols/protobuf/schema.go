package protobuf

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"remora/dissect"
	"remora/protocols/internal/protofile"
)

var (
	pPaths = proto.Rows("protobuf_search_paths", "Protobuf search paths",
		"Folders of .proto files: in which all are read, or those that others import.", "Protobuf source directory",
		"Load all files").Loads(loadPaths).Declaring().Begins(protofile.Begins)
	pPorts = proto.Rows("protobuf_udp_message_types", "Protobuf UDP message types",
		"The message type of datagrams of UDP ports.", "UDP Ports", "Message Type").Loads(loadPorts).Declaring()
	_ = proto.Switch("preload_protos", "Load .proto files on startup",
		"Files are always read when the program starts.", false)
	pFields = proto.Switch("pbf_as_hf", "Dissect Protobuf fields as Wireshark fields",
		"Shows fields of messages under names of their own: pbf. and the full name; messages under pbm.", false)
	pDetails = proto.Switch("show_details", "Show details of message, field and enums",
		"Shows names, numbers, types and wire types of fields.", false)
	pBytes = proto.Switch("bytes_as_string", "Show all fields of bytes type as string", "Shows bytes as text.", false).
		Declaring()
	pDefault = proto.Choice("add_default_value", "Add missing fields with default values",
		"Shows fields that are not sent: none; decl, whose default a file names; enbl, enums and booleans, too; all.",
		"none", "decl", "enbl", "all")
	pJSON = proto.Switch("display_json_mapping", "Display JSON mapping for Protobuf message",
		"Shows the message as JSON, too.", false)
	pUTC     = proto.Switch("use_utc", "Display time in UTC", "Writes times in UTC.", false)
	pStrings = proto.Switch("try_dissect_as_string", "Try to dissect all undefined length-delimited fields as string",
		"Shows values with a length as text where no file tells their type.", false)
	pAll = proto.Switch("show_all_types", "Try to show all possible field types for each undefined field",
		"Shows each value as all that it may be where no file tells its type.", false)
)

// A schema is what files say, and the fields of packets that are declared for it.
type schema struct {
	pool     *protofile.Pool
	once     sync.Once
	declared [2]*dissect.Protocol // of fields and of messages
	fields   map[*protofile.Field]*dissect.Field
	messages map[*protofile.Message]*dissect.Field
}

func loadPaths(s dissect.Setting) (any, error) {
	var folders []protofile.Folder
	for _, row := range s.Rows {
		all, err := strconv.ParseBool(strings.ToLower(row[1]))
		if err != nil {
			return nil, fmt.Errorf("whether all files are read is TRUE or FALSE, not %q", row[1])
		}
		folders = append(folders, protofile.Folder{Path: row[0], All: all})
	}
	pool, err := protofile.Load(folders)
	if err != nil {
		return nil, err
	}
	return &schema{pool: pool}, nil
}

// Declare declares a field of packets for each field and each message of the files.
func (s *schema) Declare(r *dissect.Registry) error {
	count := 0
	for _, m := range s.pool.Messages() {
		count += 1 + len(m.Fields)
	}
	if count > dissect.FieldsLeft() {
		return fmt.Errorf("the files have %d messages and fields, which are too many", count)
	}
	s.once.Do(func() { s.declare(r.Preferred(pBytes).On) })
	for _, p := range s.declared {
		r.Declare(p)
	}
	return nil
}

func (s *schema) declare(asText bool) {
	fields, messages := proto.NewDeclared("pbf"), proto.NewDeclared("pbm")
	s.declared = [2]*dissect.Protocol{fields, messages}
	s.fields, s.messages = map[*protofile.Field]*dissect.Field{}, map[*protofile.Message]*dissect.Field{}
	for _, m := range s.pool.Messages() {
		s.messages[m] = messages.Bytes(m.Full, m.Name, "A message of the type "+m.Full+".")
		for _, f := range m.Fields {
			if s.fields[f] == nil {
				s.fields[f] = fieldOf(fields, f, asText)
			}
		}
	}
}

// fieldOf is the field of packets for one of messages.
func fieldOf(p *dissect.Protocol, f *protofile.Field, asText bool) *dissect.Field {
	doc := "The field " + f.Full + "."
	switch f.Type {
	case protofile.Double:
		return p.Float64(f.Full, f.Name, doc)
	case protofile.Float:
		return p.Float32(f.Full, f.Name, doc)
	case protofile.Int64, protofile.Sfixed64, protofile.Sint64:
		return p.Int64(f.Full, f.Name, doc)
	case protofile.Uint64, protofile.Fixed64:
		return p.Uint64(f.Full, f.Name, doc)
	case protofile.Int32, protofile.Sfixed32, protofile.Sint32:
		return p.Int32(f.Full, f.Name, doc)
	case protofile.Uint32, protofile.Fixed32:
		return p.Uint32(f.Full, f.Name, doc)
	case protofile.EnumType:
		names := dissect.Values{}
		for _, v := range f.Enum.Values {
			names[uint64(int64(v.Number))] = v.Name
		}
		return p.Int32(f.Full, f.Name, doc).Named(names)
	case protofile.Bool:
		return p.Bool(f.Full, f.Name, doc).TrueFalse("True", "False")
	case protofile.String:
		return p.String(f.Full, f.Name, doc)
	case protofile.Bytes:
		if asText {
			return p.String(f.Full, f.Name, doc)
		}
	}
	if f.Message != nil && f.Message.Full == timestamp {
		return p.Time(f.Full, f.Name, doc)
	}
	return p.Bytes(f.Full, f.Name, doc)
}

// timestamp is the type of messages that are a point in time.
const timestamp = "google.protobuf.Timestamp"

// ports are the message types of datagrams.
type ports []portRange

type portRange struct {
	from, to uint16
	name     string
}

func loadPorts(s dissect.Setting) (any, error) {
	var list ports
	for _, row := range s.Rows {
		for part := range strings.SplitSeq(row[0], ",") {
			low, high, ranged := strings.Cut(strings.TrimSpace(part), "-")
			from, err := strconv.ParseUint(low, 10, 16)
			to := from
			if ranged && err == nil {
				to, err = strconv.ParseUint(high, 10, 16)
			}
			if err != nil || to < from {
				return nil, fmt.Errorf("UDP ports are written as 8000,8008-8088, not %q", row[0])
			}
			list = append(list, portRange{uint16(from), uint16(to), strings.TrimPrefix(row[1], ".")})
		}
	}
	return list, nil
}

// Declare attaches the protocol to the ports.
func (list ports) Declare(r *dissect.Registry) error {
	known, _ := r.LoadedOf(pPaths).(*schema)
	for _, p := range list {
		if p.name != "" && (known == nil || known.pool.Message(p.name) == nil) {
			return fmt.Errorf("the message type %q is in none of the files of %s", p.name, pPaths.Name())
		}
		for port := int(p.from); port <= int(p.to); port++ {
			if err := r.Prefer(dissect.Key{Table: dissect.TableUDP, Value: uint32(port)}, proto.Name()); err != nil {
				return err
			}
		}
	}
	return nil
}

// mapped is the message type of the packet's ports, or "".
func mapped(d *dissect.D) string {
	list, _ := pPorts.Loaded(d).(ports)
	for _, p := range list {
		if p.name != "" && (d.Src.Port >= p.from && d.Src.Port <= p.to || d.Dst.Port >= p.from && d.Dst.Port <= p.to) {
			return p.name
		}
	}
	return ""
}
