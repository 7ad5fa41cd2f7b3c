package protocols

import (
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// unrecorded are protocols that no capture of the repository holds, with the reason.
var unrecorded = map[string]string{
	"realnet_built": "a name for decode as alone, tested in realnet",
	"realnet_doc":   "as above",
	"fddi":          "of former networks, tested in links",
	"tr":            "of former networks, tested in links",
	"fr":            "of former networks, tested in links",
	"ipx":           "of former networks, tested in links",
	"pktap":         "of macOS, tested in links",
	"exported_pdu":  "of files that Wireshark exports, tested in links",
	"mime_dlt":      "files that are read as packets, tested in pcapng",
	"file-pcapng":   "files that are read as packets, tested in pcapng",
	"dccp":          "tested in its folder with packets that were put together",
	"udt":           "as above",
	"isakmp":        "as above",
	"udpencap":      "tested in ipsec with packets that were put together",
	"esp":           "as above",
	"ah":            "as above",
	"git":           "tested in its folder with packets that were put together",
	"grpc":          "as above",
	"protobuf":      "as above",
	"communityid":   "off unless somebody asks for it; tested in its folder",
	"png":           "tested in media with packets that were put together",
	"image-jfif":    "as above",
	"image-gif":     "as above",
}

// everyCapture are the captures of the fixtures and those in the folders of the protocols.
func everyCapture(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob("../fixtures/captures/*/*.pcap*")
	if err != nil {
		t.Fatal(err)
	}
	paths = slices.DeleteFunc(paths, func(p string) bool { return filepath.Ext(p) == ".tree" })
	paths = slices.AppendSeq(paths, maps.Values(recorded(t)))
	slices.Sort(paths)
	return paths
}

// TestEveryProtocolIsRecorded checks that the captures over which the standard tests run hold each protocol: a new one
// comes with a capture.
func TestEveryProtocolIsRecorded(t *testing.T) {
	seen := map[string]bool{}
	for _, path := range everyCapture(t) {
		s := dissecttest.Load(t, All(), path)
		l := s.Dissector()
		for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
			tree := l.Tree(n)
			for i := range tree.Nodes {
				seen[tree.Field(i).Protocol().Name()] = true
			}
		}
	}
	for _, p := range All() {
		name := p.Protocol.Name()
		if seen[name] == (unrecorded[name] != "") {
			t.Errorf("%s: in a capture: %v; said to be in none because: %q", name, seen[name], unrecorded[name])
		}
	}
}

// TestStandard runs the standard tests over the captures in the folders of the protocols, with all protocols; fixtures
// does so over its own.
func TestStandard(t *testing.T) {
	dissecttest.Run(t, All(), slices.Sorted(maps.Keys(recorded(t)))...)
}
