package ksy

import (
	"encoding/hex"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/owndissect"
	"remora/protocols"
)

// described is the registry of all protocols with a description in front of them.
func described(t testing.TB, name string) *dissect.Registry {
	t.Helper()
	set := owndissect.NewSet(New())
	if err := set.Add(owndissect.File{Path: filepath.Join("testdata", "network", name+".ksy")}); err != nil {
		t.Fatal(err)
	}
	reg, problems, err := set.Load(func() (*dissect.Registry, error) { return dissect.NewRegistry(protocols.All()...) })
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	return reg
}

// digits are the values of a field in a frame, one for each of its layers, in a form that both sides share.
func digits(tree *dissect.Tree, name string) (out []string) {
	for i := range tree.Nodes {
		f := tree.Field(i)
		if f.Name() != name {
			continue
		}
		switch f.Type() {
		case dissect.TypeBytes, dissect.TypeIPv4, dissect.TypeIPv6:
			out = append(out, hex.EncodeToString(tree.Raw(i)))
		case dissect.TypeString:
			out = append(out, tree.Text(i))
		default:
			out = append(out, tree.Show(i))
		}
	}
	return out
}

// TestGallery compares formats of Kaitai's gallery, written anew, with the dissectors that are built in.
func TestGallery(t *testing.T) {
	for _, c := range []struct {
		name, capture, own string
		fields             [][2]string
		frames             int // that have the fields, at least
	}{
		{"dns_packet", "dns.pcap", "dns", [][2]string{
			{"dns_packet.transaction_id", "dns.id"}, {"dns_packet.packet_flags.opcode", "dns.flags.opcode"},
			{"dns_packet.packet_flags.rcode", "dns.flags.rcode"}, {"dns_packet.qdcount", "dns.count.queries"},
			{"dns_packet.ancount", "dns.count.answers"}, {"dns_packet.arcount", "dns.count.add_rr"},
			{"dns_packet.query.type", "dns.qry.type"}, {"dns_packet.answer.rdlength", "dns.resp.len"},
			{"dns_packet.address.ip", "dns.a"}, {"dns_packet.address_v6.ip_v6", "dns.aaaa"},
			{"dns_packet.mx_info.preference", "dns.mx.preference"}}, 30},
		{"ipv4_packet", "http.pcap", "ip", [][2]string{
			{"ipv4_packet.version", "ip.version"}, {"ipv4_packet.total_length", "ip.len"},
			{"ipv4_packet.identification", "ip.id"}, {"ipv4_packet.ttl", "ip.ttl"}, {"ipv4_packet.protocol", "ip.proto"},
			{"ipv4_packet.header_checksum", "ip.checksum"}, {"ipv4_packet.src_ip_addr", "ip.src"},
			{"ipv4_packet.dst_ip_addr", "ip.dst"}}, 20},
		{"tcp_segment", "http.pcap", "tcp", [][2]string{
			{"tcp_segment.src_port", "tcp.srcport"}, {"tcp_segment.dst_port", "tcp.dstport"},
			{"tcp_segment.seq_num", "tcp.seq_raw"}, {"tcp_segment.window_size", "tcp.window_size_value"},
			{"tcp_segment.checksum", "tcp.checksum"}, {"tcp_segment.flags.syn", "tcp.flags.syn"},
			{"tcp_segment.flags.psh", "tcp.flags.push"}, {"tcp_segment.flags.fin", "tcp.flags.fin"}}, 20},
		{"websocket", "websocket.pcapng", "websocket", [][2]string{
			{"websocket_frames.finished", "websocket.fin"}, {"websocket_frames.opcode", "websocket.opcode"},
			{"websocket_frames.is_masked", "websocket.mask"}, {"websocket_frames.mask_key", "websocket.masking_key"},
			{"websocket_frames.len_payload_extended_1", "websocket.payload_length_ext_16"}}, 30},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join("..", "..", "fixtures", "captures", "lan", c.capture)
			builtin, mine := dissecttest.Load(t, protocols.All(), path), dissecttest.LoadOf(t, described(t, c.name), path)
			l, m := builtin.Dissector(), mine.Dissector()
			counts := make([]int, len(c.fields))
			for n := dissect.FrameNum(1); int(n) <= builtin.Passed(); n++ {
				a, b := l.Tree(n), m.Tree(n)
				if a.Find(builtin.Registry().Field(c.own)) < 0 || b.Find(mine.Registry().Field(mineOf(c.fields))) < 0 {
					continue
				}
				for i, f := range c.fields {
					want, got := digits(a, f[1]), digits(b, f[0])
					if !slices.Equal(want, got) {
						t.Errorf("frame %d: %s is %v, %s is %v", n, f[0], got, f[1], want)
					}
					if len(want) > 0 {
						counts[i]++
					}
				}
			}
			if most := slices.Max(counts); most < c.frames || slices.Min(counts) == 0 {
				t.Errorf("the fields stand in %v frames", counts)
			}
		})
	}
}

func mineOf(fields [][2]string) string { name, _, _ := strings.Cut(fields[0][0], "."); return name }

// TestInsideWebsocket takes the binary messages of WebSocket, whole or in fragments, with packet types and answers.
func TestInsideWebsocket(t *testing.T) {
	plugin := made(t, `
meta: {id: inner, endian: be}
-remora:
  inside: websocket
  type: kind
  info: '{id}'
  request: {if: kind == kinds::ask, key: id}
  response: {if: kind == kinds::answer, key: id}
seq: [{id: kind, type: u1, enum: kinds}, {id: id, type: u2}]
enums: {kinds: {1: ask, 2: answer}}`)
	packets := dissecttest.Stream(80,
		"C:GET /chat HTTP/1.1\r\nHost: a\r\nUpgrade: WebSocket\r\nConnection: Upgrade\r\n\r\n",
		"S:HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
		"C:\x82\x83\x01\x01\x01\x01\x00\x01\x06", "S:\x02\x01\x02", "S:\x80\x02\x00\x07", "S:\x82\x02\x02\x00")
	plugins := append(protocols.All(), plugin)
	s := dissecttest.Session(t, plugins, 101, packets)
	dissecttest.Check(t, s, []dissecttest.Row{
		{Frame: 5, Field: "inner.kind", Want: "ask (1)"}, {Frame: 5, Field: "info", Want: "ask 7"},
		{Frame: 5, Field: "inner.response_in", Want: "7"},
		{Frame: 7, Field: "inner.kind", Want: "answer (2)"}, {Frame: 7, Field: "inner.request_in", Want: "5"},
		{Frame: 8, Field: "inner.kind", Want: "answer (2)"},
	})
	var frames [][]byte
	for _, p := range packets {
		frames = append(frames, p.Data)
	}
	dissecttest.RunMade(t, plugins, 101, frames...)
}
