package protofile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestLoad reads names in scopes, maps, groups, extensions, options in braces, defaults and methods.
func TestLoad(t *testing.T) {
	lib := write(t, map[string]string{"deep/other.proto": `syntax = "proto3"; package deep; message Other { bool on = 1; }`,
		"unread.proto": `broken`})
	dir := write(t, map[string]string{"a/main.proto": `syntax = "proto2"; package a.b;
import "deep/other.proto";
import "nowhere.proto";
message a { message b { message c { optional string inner = 1; } } }
message c { optional string outer = 1; extensions 100 to 200; }
message msg {
  option (x) = { [a.b.c] { s: '}' /* } */ } };
  optional a.b.c one = 1; // a.b.a.b.c
  optional .a.b.c two = 2;
  map<sint32, deep.Other> three = 3;
  repeated group Four = 4 { required int32 five = 5; }
  oneof which { Kind six = 6; }
  optional bytes seven = 7 [default = "\x1F\211\x0K"];
  optional lost.Type eight = 8;
  enum Kind { FIRST = 1; SECOND = - 2; }
}
extend c { optional uint32 more = 100; }
service S { rpc Call (msg) returns (stream c); }`})
	p, err := Load([]Folder{{lib, false}, {dir, true}})
	if err != nil {
		t.Fatal(err)
	}
	m := p.Message("a.b.msg")
	for number, want := range map[int]string{1: "a.b.a.b.c", 2: "a.b.c", 3: "a.b.msg.threeMapEntry", 4: "a.b.msg.Four"} {
		if f := m.Field(number); f == nil || f.Message == nil || f.Message.Full != want {
			t.Errorf("field %d is %+v, want %s", number, f, want)
		}
	}
	if e := m.Field(3).Message; e.Field(1).Type != Sint32 || e.Field(2).Message.Full != "deep.Other" {
		t.Errorf("the map is of %+v", e.Fields)
	}
	if f := m.Field(4); f.Name != "four" || f.Type != Group || !f.Repeated || !f.Message.Field(5).Required {
		t.Errorf("the group is %+v", f)
	}
	if f := m.Field(6); f.Full != "a.b.msg.six" || f.Enum.Name(-2) != "SECOND" {
		t.Errorf("in the oneof is %+v", f)
	}
	if f := m.Field(7); !f.HasDefault || f.Default != "\x1f\x89\x00K" {
		t.Errorf("the default is %q", f.Default)
	}
	if f := m.Field(8); f.Type != 0 {
		t.Errorf("what is in no file has the type %v", f.Type)
	}
	if f := p.Message("a.b.c").Field(100); f == nil || f.Full != "a.b.more" {
		t.Errorf("the extension is %+v", f)
	}
	if c := p.Method("a.b.S.Call"); c == nil || c.In != m || c.Out != p.Message("a.b.c") {
		t.Errorf("the method is %+v", c)
	}
}

// TestLoadBad names the file and the line of what is wrong, and folders that are missing.
func TestLoadBad(t *testing.T) {
	dir := write(t, map[string]string{"bad.proto": "syntax = \"proto3\";\nmessage A { string = 1; }"})
	if _, err := Load([]Folder{{dir, true}}); err == nil || !strings.Contains(err.Error(), "bad.proto:2") {
		t.Errorf("of a wrong file it says %v", err)
	}
	if _, err := Load([]Folder{{dir + "/missing", false}}); err == nil {
		t.Error("a missing folder is taken")
	}
}

func TestBegins(t *testing.T) {
	for text, want := range map[string]bool{
		"syntax = \"proto3\";": true, "\n/* a\nb */\n// c\nmessage M {}": true, "syntax=\"proto2\";": true,
		"/* never ends\nmessage M {}": false, "root:x:0:0": false, "": false, "-----BEGIN PRIVATE KEY": false,
	} {
		if got := Begins([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
