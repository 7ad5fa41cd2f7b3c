package ksy

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/internal/kaitai"
	"remora/owndissect"
	"remora/protocols/data"
	"remora/protocols/eth"
	"remora/protocols/frame"
	"remora/protocols/ip"
	"remora/protocols/raw"
	"remora/protocols/tcp"
	"remora/protocols/udp"
)

var (
	client = dissecttest.Spot{Host: 1, Port: 40000}
	server = dissecttest.Spot{Host: 2, Port: 7300}
)

// made is the plugin of a description.
func made(t testing.TB, text string) dissect.Plugin {
	t.Helper()
	f := &owndissect.File{Path: "test.ksy", Text: []byte(text)}
	spec, err := kaitai.Load(&folder{f}, "test.ksy")
	if err != nil {
		t.Fatal(err)
	}
	p, err := newPlace(spec)
	if err != nil {
		t.Fatal(err)
	}
	return p.plugin()
}

// around are the plugins that bring packets to one over UDP or TCP.
func around(p dissect.Plugin) []dissect.Plugin {
	return []dissect.Plugin{frame.Plugin(), eth.Plugin(), raw.Plugin(), ip.Plugin(), udp.Plugin(), tcp.Plugin(),
		data.Plugin(), p}
}

const lamp = `
meta: {id: lamp, title: Lamp, endian: be, encoding: UTF-8}
doc: A lamp that is switched over the network
-remora:
  udp: 7300
  type: head.type
  info: '{level:dec} %, {name}'
  roles: {source: 'is_set ? "client" : "lamp"'}
  names: {destination: 'is_set ? name : ""'}
  request: {if: is_set, key: head.id}
  response: {if: not is_set, key: head.id}
seq:
  - {id: head, type: head}
  - {id: version, type: b3}
  - {id: bright, type: b1}
  - {id: mode, type: b4, enum: modes}
  - {id: level, type: u1, valid: {max: 100}, -remora: {unit: '%'}}
  - {id: name_length, type: u1, doc: Bytes of the name.}
  - {id: name, type: str, size: name_length}
  - {id: secret, size: 2, process: xor(0x55), type: pair, if: mode == modes::night}
  - {id: parts, type: pair, repeat: eos}
instances:
  is_set: {value: head.type == types::set}
  sum: {value: level + name_length}
  first: {pos: 0, size: 2}
types:
  head:
    seq:
      - {id: type, type: u1, enum: types}
      - {id: id, type: u2, -remora: {base: hex, label: Request ID}}
    -webide-representation: 'id {id}'
  pair:
    seq: [{id: x, type: s1}, {id: y, type: u1}]
enums:
  types: {1: set, 2: state}
  modes: {0: day, 1: night}
`

// TestLamp reads a description as people write it, and everything that can stand below -remora.
func TestLamp(t *testing.T) {
	plugins := around(made(t, lamp))
	conv := dissecttest.Conversation{T: t, Plugins: plugins}
	conv.Say(0, client, server, "01 0007 51 32 04 6b697468 aaab ff02 0304")
	conv.Say(5, server, client, "02 0007 40 10 00")
	s := conv.Session()
	dissecttest.Check(t, s, []dissecttest.Row{
		{Frame: 1, Field: "lamp.head.type", Want: "set (1)"},
		{Frame: 1, Field: "lamp.head.id", Want: "0x0007"},
		{Frame: 1, Field: "lamp.version", Want: "2"},
		{Frame: 1, Field: "lamp.bright", Want: "Set"},
		{Frame: 1, Field: "lamp.mode", Want: "night (1)"},
		{Frame: 1, Field: "lamp.level", Want: "50 %"},
		{Frame: 1, Field: "lamp.name", Want: "kith"},
		{Frame: 1, Field: "lamp.pair.x", Want: "-1,-1,3"},
		{Frame: 1, Field: "lamp.secret.bytes", Want: "aaab"},
		{Frame: 1, Field: "lamp.pair.y", Want: "254,2,4"},
		{Frame: 1, Field: "lamp.is_set", Want: "Set"},
		{Frame: 1, Field: "lamp.sum", Want: "54"},
		{Frame: 1, Field: "lamp.first", Want: "0100"},
		{Frame: 1, Field: "lamp.response_in", Want: "2"},
		{Frame: 1, Field: "role.src", Want: "client"},
		{Frame: 1, Field: "name.dst", Want: "kith"},
		{Frame: 1, Field: "info", Want: "set 50 %, kith"},
		{Frame: 2, Field: "lamp.time", Want: "0.005000000"},
		{Frame: 2, Field: "info", Want: "state 16 %,"},
	})
	text := dissecttest.Dump(s.Tree(1))
	for _, want := range []string{"Head: id 7", "010. .... = Version: 2", ".... 0001 = Mode: night (1)", "Parts [1]"} {
		if !strings.Contains(text, want) {
			t.Errorf("the tree lacks %q:\n%s", want, text)
		}
	}
	var packets [][]byte
	for _, p := range conv.Packets {
		packets = append(packets, p.Data)
	}
	dissecttest.RunMade(t, plugins, 101, packets...)
}

// TestMalformed keeps what was read, and marks the bytes from which on nothing could be.
func TestMalformed(t *testing.T) {
	conv := dissecttest.Conversation{T: t, Plugins: around(made(t, lamp))}
	conv.Say(0, client, server, "01 0007 51 32 09 6b697468")
	conv.Say(1, client, server, "01 0007 51 ff 00")
	s := conv.Session()
	dissecttest.Check(t, s, []dissecttest.Row{
		{Frame: 1, Field: "lamp.name_length", Want: "9"},
		{Frame: 2, Field: "lamp.level", Want: "255 %"},
		{Frame: 2, Field: "lamp.bright", Want: "Set"},
	})
	whys := []string{"name: requested 9 bytes, but only 4 bytes available", "level: not in range, max 100, but got 255"}
	for frame, at := range map[dissect.FrameNum]uint32{1: 42 + 6, 2: 42 + 4} {
		tree := s.Tree(frame)
		if text := dissecttest.Dump(tree); !strings.Contains(text, whys[frame-1]) {
			t.Errorf("frame %d does not say %q:\n%s", frame, whys[frame-1], text)
		}
		found := false
		for i, n := range tree.Nodes {
			if tree.Field(i).Name() == "_ws.malformed" {
				found = true
				if n.Off != at {
					t.Errorf("frame %d is malformed at %d, not %d", frame, n.Off, at)
				}
			}
		}
		if !found {
			t.Errorf("frame %d is not malformed:\n%s", frame, dissecttest.Dump(tree))
		}
	}
}

// TestStreams cuts messages from a stream: by what the sequence reads, and by what the description says.
func TestStreams(t *testing.T) {
	body := "\nmeta: {id: counter, endian: be}\n" +
		"seq: [{id: len, type: u2}, {id: add, type: u4}, {id: rest, size: len - 6}]\n"
	for name, remora := range map[string]string{
		"by its sequence":  "-remora: {tcp: 7301, info: '+{add}'}",
		"as it says":       "-remora: {tcp: {port: 7301, header: 2, length: len}, info: '+{add}'}",
		"without a header": "-remora: {tcp: {port: [7301, 7305-7309], length: len}, info: '+{add}'}",
	} {
		plugins := around(made(t, remora+body))
		packets := dissecttest.Stream(7301, "C:\x00\x06\x00\x00\x00\x05\x00",
			"C:\x08\x00\x00\x00\x07ab\x00\x06\x00\x00\x00\x09",
			"C:\x00\x06\x00")
		s := dissecttest.Session(t, plugins, 101, packets)
		dissecttest.Check(t, s, []dissecttest.Row{
			{Frame: 3, Field: "info", Want: "+5"},
			{Frame: 4, Field: "counter.add", Want: "7,9"},
		})
		var frames [][]byte
		for _, p := range packets {
			frames = append(frames, p.Data)
		}
		t.Run(name, func(t *testing.T) { dissecttest.RunMade(t, plugins, 101, frames...) })
	}
}

// TestGuess finds a protocol on any port by its test, and not on its own port what fails it.
func TestGuess(t *testing.T) {
	conv := dissecttest.Conversation{T: t, Plugins: around(made(t, `
meta: {id: found, endian: be}
-remora: {udp: 7300, guess: 'size == _io.size'}
seq: [{contents: [0xca, 0xfe]}, {id: size, type: u2}, {id: rest, size-eos: true}]`))}
	conv.Say(0, client, dissecttest.Spot{Host: 3, Port: 9}, "cafe 0006 0102")
	conv.Say(1, client, server, "cafe 0007 0102")
	dissecttest.Check(t, conv.Session(), []dissecttest.Row{
		{Frame: 1, Field: "found.size", Want: "6"}, {Frame: 2, Field: "found.size", Want: ""},
	})
}

// TestMistakes have the line in the description.
func TestMistakes(t *testing.T) {
	reg := dissecttest.Registry(t, around(made(t, lamp)))
	for text, want := range map[string]string{
		"seq: [{id: a, type: x}]":                       `/some/where/a.ksy:1: there is no type "x"`,
		"seq: []\n-remora:\n  udpp: 7":                  `/some/where/a.ksy:3: unknown key "udpp"`,
		"seq: []\n-remora:\n  udp: x":                   `/some/where/a.ksy:3: "x" is no port`,
		"seq: []\n-remora:\n  type: a.b":                `/some/where/a.ksy:3: there is no field a.b`,
		"seq: []\n-remora:\n  info: '{a}'":              `/some/where/a.ksy:3: a has no field "a"`,
		"seq: []\n-remora:\n  inside: nothing":          `/some/where/a.ksy:3: "nothing": inside is`,
		"seq: []\n-remora:\n  request: {key: 1}":        `/some/where/a.ksy:3: if is missing`,
		"meta: {imports: [../b]}":                       "a.ksy:1: import ../b: it is outside of the description's folder",
		"seq: [{id: b, type: x}, {id: c, type: y}]\n\n": "no type \"x\"\n/some/where/a.ksy:1: there is no type \"y\"",
	} {
		err := New().Load(reg, &owndissect.File{Path: "/some/where/a.ksy", Text: []byte(text)})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\ngot  %v\nwant %s", text, err, want)
		}
	}
}

// TestImportsAreWatched says which other files a description needs, and reads them beside it.
func TestImportsAreWatched(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "b.ksy"), "meta: {id: b}\nseq: [{id: x, type: u1}]")
	main := filepath.Join(dir, "a.ksy")
	write(t, main, "meta: {id: a, imports: [b]}\n-remora: {udp: 7300}\nseq: [{id: one, type: b}]")
	set := owndissect.NewSet(New())
	if err := set.Add(owndissect.File{Path: main}); err != nil {
		t.Fatal(err)
	}
	reg, problems, err := set.Load(func() (*dissect.Registry, error) {
		return dissect.NewRegistry(around(made(t, lamp))...)
	})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	if got := strings.Join(set.Watched(), " "); got != main+" "+filepath.Join(dir, "b.ksy") {
		t.Errorf("%s is watched", got)
	}
	conv := dissecttest.Conversation{T: t}
	conv.Say(0, client, server, "07")
	s := dissecttest.SessionOf(t, reg, 1, conv.Packets)
	dissecttest.Check(t, s, []dissecttest.Row{{Frame: 1, Field: "a.b.x", Want: "7"}})
}

// TestTemplate is a description that works.
func TestTemplate(t *testing.T) {
	conv := dissecttest.Conversation{T: t, Plugins: around(made(t, New().Template("mine")))}
	conv.Say(0, client, dissecttest.Spot{Host: 2, Port: 7777}, "01 0007 aabb")
	dissecttest.Check(t, conv.Session(), []dissecttest.Row{{Frame: 1, Field: "info", Want: "ask id 7, aa bb"}})
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
