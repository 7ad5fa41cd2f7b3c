package protobuf_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"remora/dissect"
	"remora/dissect/dissecttest"
	payload "remora/protocols/data"
	"remora/protocols/frame"
	"remora/protocols/grpc"
	"remora/protocols/http"
	"remora/protocols/ip"
	"remora/protocols/media"
	"remora/protocols/protobuf"
	"remora/protocols/raw"
	"remora/protocols/tcp"
	"remora/protocols/udp"
)

const file = `syntax = "proto2"; package t;
import "google/protobuf/timestamp.proto";
message Inner { required sint32 n = 1; }
message All {
  optional string name = 1;
  repeated int32 list = 2 [packed = true];
  optional Color color = 3;
  optional Inner inner = 4;
  optional google.protobuf.Timestamp at = 5;
  optional group Old = 6 { optional bool on = 7; }
  optional bytes picture = 8;
  map<string, fixed64> sizes = 9;
  optional float ratio = 10;
  optional double wide = 11 [default = -0.5];
  optional Color other = 12 [default = BLUE];
  optional uint64 count = 13;
  enum Color { RED = 1; BLUE = -2; }
}
service S { rpc Do (All) returns (Inner); }`

const timeFile = `syntax = "proto3"; package google.protobuf; message Timestamp { int64 seconds = 1; int32 nanos = 2; }`

var plugins = append([]dissect.Plugin{frame.Plugin(), raw.Plugin(), ip.Plugin(), udp.Plugin(), tcp.Plugin(),
	http.Plugin(),
	grpc.Plugin(), protobuf.Plugin(), payload.Plugin()}, media.Pictures()...)

// files are a folder of .proto files.
func files(t testing.TB) string {
	dir := t.TempDir()
	for name, text := range map[string]string{"t.proto": file, "google/protobuf/timestamp.proto": timeFile} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.ToSlash(dir) // in a table of preferences a backslash stands before another character
}

// registry has preferences set by their names.
func registry(t testing.TB, prefs ...string) *dissect.Registry {
	reg := dissecttest.Registry(t, plugins)
	for i := 0; i < len(prefs); i += 2 {
		p := reg.Preference(prefs[i])
		s, err := p.Parse(prefs[i+1])
		if err != nil {
			t.Fatal(err)
		}
		reg.SetPreference(p, s)
	}
	if err := reg.LoadPreferences(); err != nil {
		t.Fatal(err)
	}
	return reg
}

func field(number, wire int, value string) string {
	b := binary.AppendUvarint(nil, uint64(number<<3|wire))
	if wire == 2 {
		b = binary.AppendUvarint(b, uint64(len(value)))
	}
	return string(b) + value
}

var all = field(1, 2, "Ann") + field(2, 2, "\x01\x96\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01") +
	field(3, 0, "\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01") + field(4, 2, field(1, 0, "\x03")) +
	field(5, 2, field(1, 0, "\xe8\x07")+field(2, 0, "\x80\xca\xb5\xee\x01")) +
	field(6, 3, "") + field(7, 0, "\x01") + field(6, 4, "") + field(8, 2, "\x89PNG\r\n\x1a\n") +
	field(9, 2, field(1, 2, "k")+field(2, 1, "\x05\x00\x00\x00\x00\x00\x00\x00")) +
	field(10, 5, "\x00\x00\x00\x3f") + field(99, 0, "\x07")

func datagram(text string) dissecttest.Packet {
	return dissecttest.Packet{Data: dissecttest.IPv4(17, "10.0.0.1", "10.0.0.2",
		dissecttest.UDP(1000, 8127, []byte(text)))}
}

// TestMessage reads all kinds of fields under their own names, with defaults for those that are not sent, and hands the
// picture on.
func TestMessage(t *testing.T) {
	dir := files(t)
	reg := registry(t, "protobuf_search_paths", `"`+dir+`","TRUE"`, "protobuf_udp_message_types", `"8127-8128","t.All"`,
		"protobuf.pbf_as_hf", "TRUE", "protobuf.add_default_value", "all", "protobuf.display_json_mapping", "TRUE",
		"protobuf.use_utc", "TRUE")
	if err := reg.Prefer(dissect.Key{Table: "protobuf_field", Value: dissect.Word("t.All.picture")}, "png"); err != nil {
		t.Fatal(err)
	}
	s := dissecttest.SessionOf(t, reg, 101, []dissecttest.Packet{datagram(all)})
	dissecttest.Redissections(t, s)
	dissecttest.Check(t, s, []dissecttest.Row{
		{Frame: 1, Field: "pbf.t.All.name", Want: "Ann"},
		{Frame: 1, Field: "pbf.t.All.list", Want: "1,150,-1"},
		{Frame: 1, Field: "pbf.t.All.color", Want: "BLUE (-2)"},
		{Frame: 1, Field: "pbf.t.Inner.n", Want: "-2"},
		{Frame: 1, Field: "pbf.t.All.old.on", Want: ""},
		{Frame: 1, Field: "pbf.t.All.Old.on", Want: "True"},
		{Frame: 1, Field: "pbf.t.All.sizesMapEntry.value", Want: "5"},
		{Frame: 1, Field: "pbf.t.All.ratio", Want: "0.5"},
		{Frame: 1, Field: "pbf.t.All.wide", Want: "-0.5"},
		{Frame: 1, Field: "pbf.t.All.other", Want: "BLUE (-2)"},
		{Frame: 1, Field: "pbf.t.All.count", Want: "0"},
	})
	tree := s.Tree(1)
	text := dissecttest.Dump(tree)
	for _, want := range []string{"at: 1970-01-01T00:16:40.5Z", "PB(t.All)", "Protocol Buffers (Message: t.All)",
		`"count": "0"`,
		"Portable Network Graphics"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	at := dissecttest.All(tree, "pbf.t.All.at")
	if want := time.Unix(1000, 500_000_000).UTC().Format("Jan _2, 2006 15:04:05.000000000 MST"); at != want {
		t.Errorf("the time is %s, want %s", at, want)
	}
	if !strings.Contains(tree.Info(), "name=Ann") {
		t.Errorf("the row says %q", tree.Info())
	}
}

// TestUnknown reads a message without files: numbers, wire types and values.
func TestUnknown(t *testing.T) {
	reg := registry(t, "protobuf_udp_message_types", `"8127",""`, "protobuf.try_dissect_as_string", "TRUE")
	s := dissecttest.SessionOf(t, reg, 101, []dissecttest.Packet{datagram(field(1, 2, "Ann") + field(2, 0, "\x07"))})
	dissecttest.Check(t, s, []dissecttest.Row{
		{Frame: 1, Field: "protobuf.field.number", Want: "1,2"},
		{Frame: 1, Field: "protobuf.field.value.string", Want: "Ann"},
		{Frame: 1, Field: "protobuf.field.value.uint32", Want: "7"},
	})
}

// TestBroken says what is wrong with a field, and where a required one is missing.
func TestBroken(t *testing.T) {
	dir := files(t)
	reg := registry(t, "protobuf_search_paths", `"`+dir+`","TRUE"`, "protobuf_udp_message_types", `"8127","t.Inner"`,
		"protobuf.add_default_value", "all")
	packets := []dissecttest.Packet{datagram(field(1, 2, "x")[:2]), datagram(field(1, 4, "")), datagram("\xff"),
		datagram(field(2, 0, "\x01")), datagram(field(1, 2, "x"))}
	s := dissecttest.SessionOf(t, reg, 101, packets)
	for i, want := range []string{"protobuf.field.failed_parse_length_delimited_field", "protobuf.field.wiretype.invalid",
		"protobuf.failed_parse_tag", "protobuf.message.missing_required_field", "protobuf.field.failed_parse_field"} {
		if _, ok := dissecttest.Find(s.Tree(dissect.FrameNum(i+1)), want); !ok {
			t.Errorf("frame %d: %s is missing", i+1, want)
		}
	}
	var made [][]byte
	for _, p := range append(packets, datagram(all)) {
		made = append(made, p.Data)
	}
	dissecttest.RunMade(t, plugins, 101, made...)
}

// TestCall finds the types of a call by its method and direction, and that of a body by its media type.
func TestCall(t *testing.T) {
	dir := files(t)
	reg := registry(t, "protobuf_search_paths", `"`+dir+`","TRUE"`, "protobuf.pbf_as_hf", "TRUE")
	framed := func(text string) string {
		return string(binary.BigEndian.AppendUint32([]byte{0}, uint32(len(text)))) + text
	}
	ask, answer := framed(field(1, 2, "Ann")), framed(field(1, 0, "\x03"))
	plain := field(13, 0, "\x08")
	s := dissecttest.SessionOf(t, reg, 101, dissecttest.Stream(80,
		"C:POST /t.S/Do HTTP/1.1\r\nHost: x\r\nContent-Type: application/grpc\r\nContent-Length: "+size(ask)+"\r\n\r\n"+ask,
		"S:HTTP/1.1 200 OK\r\nContent-Type: application/grpc-web+proto\r\nContent-Length: "+size(answer)+"\r\n\r\n"+answer,
		"C:POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-protobuf; messageType=\"t.All\"\r\nContent-Length: "+
			size(plain)+"\r\n\r\n"+plain))
	dissecttest.Redissections(t, s)
	dissecttest.Check(t, s, []dissecttest.Row{
		{Frame: 3, Field: "pbf.t.All.name", Want: "Ann"},
		{Frame: 4, Field: "pbf.t.Inner.n", Want: "-2"},
		{Frame: 5, Field: "pbf.t.All.count", Want: "8"},
	})
	if info := s.Tree(3).Info(); !strings.Contains(info, "(GRPC) (PROTOBUF) t.All") {
		t.Errorf("the row says %q", info)
	}
}

func size(s string) string { return strconv.Itoa(len(s)) }

// TestBadPreferences refuses what names no folder, no type and no port.
func TestBadPreferences(t *testing.T) {
	dir := files(t)
	for name, value := range map[string]string{"protobuf_search_paths": `"` + dir + `/missing","TRUE"`,
		"protobuf_udp_message_types": `"8127","t.Missing"`} {
		reg := dissecttest.Registry(t, plugins)
		p := reg.Preference(name)
		s, err := p.Parse(value)
		if err != nil {
			t.Fatal(err)
		}
		reg.SetPreference(p, s)
		if err := reg.LoadPreferences(); err == nil {
			t.Errorf("%s takes %s", name, value)
		}
	}
}
