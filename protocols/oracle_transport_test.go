package protocols

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/internal/testall"
)

// The fields in which remora must say what tshark says, one string per frame.
var (
	oracleTCP = strings.Fields(`tcp.stream tcp.completeness tcp.len tcp.seq tcp.nxtseq tcp.ack tcp.flags
	tcp.flags.str tcp.window_size_value tcp.window_size
		tcp.window_size_scalefactor tcp.time_relative tcp.time_delta tcp.analysis.flags tcp.analysis.acks_frame
		tcp.analysis.ack_rtt tcp.analysis.initial_rtt
		tcp.analysis.bytes_in_flight tcp.analysis.push_bytes_sent tcp.analysis.duplicate_ack_num
		tcp.analysis.duplicate_ack_frame tcp.analysis.retransmission
		tcp.analysis.fast_retransmission tcp.analysis.spurious_retransmission tcp.analysis.out_of_order
		tcp.analysis.lost_segment tcp.analysis.keep_alive
		tcp.analysis.keep_alive_ack tcp.analysis.zero_window tcp.analysis.zero_window_probe tcp.analysis.window_update
		tcp.analysis.window_full
		tcp.connection.fin_active tcp.connection.fin_passive tcp.options tcp.options.mss_val tcp.option_kind
		tcp.option_len tcp.options.wscale.shift
		tcp.options.sack_le tcp.options.sack_re tcp.options.sack.count tcp.options.timestamp.tsval
		tcp.options.timestamp.tsecr`)
	oracleUDP = strings.Fields(
		`udp.srcport udp.dstport udp.length udp.checksum udp.stream udp.time_relative udp.time_delta`)
	oracleDNS = strings.Fields(`dns.id dns.flags dns.flags.response dns.flags.rcode dns.count.queries
	dns.count.answers dns.qry.name dns.qry.name.len dns.count.labels
		dns.qry.type dns.qry.class dns.resp.type dns.resp.ttl dns.resp.len dns.a dns.aaaa dns.cname dns.ns
		dns.ptr.domain_name dns.mx.mail_exchange dns.txt
		dns.soa.mname dns.soa.serial_number dns.srv.target dns.srv.port dns.naptr.order dns.caa.issue dns.opt.code
		dns.opt.cookie.client dns.rr.udp_payload_size
		dns.response_in dns.response_to dns.time`)
)

// tsharkRows runs tshark over a capture in two passes, so that links forward are known as remora knows them.
func tsharkRows(t *testing.T, file string, fields []string) [][]string {
	t.Helper()
	path, err := exec.LookPath("tshark")
	if err != nil {
		t.Skip("tshark is not on PATH")
	}
	args := []string{"-2", "-r", file, "-T", "fields", "-E", "separator=/t", "-E", "occurrence=a", "-E", "aggregator=,"}
	for _, f := range fields {
		args = append(args, "-e", f)
	}
	cmd := exec.Command(path, args...)
	cmd.Env = append(os.Environ(), "TZ=UTC")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("tshark: %v", err)
	}
	var rows [][]string
	for line := range strings.Lines(string(out)) {
		rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
	return rows
}

// ownValue is what remora has for a field, written as tshark writes it.
func ownValue(tree *dissect.Tree, name string) string {
	if name == "_ws.col.Info" {
		return tree.InfoLine()
	}
	var out []string
	for i := range tree.Nodes {
		f := tree.Field(i)
		if f.Name() != name {
			continue
		}
		v := tree.Show(i)
		if f.Type() == dissect.TypeNone {
			v = "1"
		}
		out = append(out, v)
	}
	return strings.Join(out, ",")
}

// sameAsTshark compares the fields of the frames for which tshark has the first of them.
func sameAsTshark(t *testing.T, file string, fields []string) {
	t.Helper()
	rows := tsharkRows(t, file, fields)
	s := dissecttest.Load(t, All(), file)
	if len(rows) != s.Passed() {
		t.Fatalf("tshark has %d frames, remora %d", len(rows), s.Passed())
	}
	l := s.Dissector()
	wrong, compared := 0, 0
	for n, row := range rows {
		if row[0] == "" || strings.Contains(row[0], ",") { // none of ours, or one quoted in another
			continue
		}
		compared++
		tree := l.Tree(dissect.FrameNum(n + 1))
		for i, name := range fields {
			if got := ownValue(tree, name); got != row[i] {
				if wrong++; wrong <= 10 {
					t.Errorf("frame %d: %s is %q, tshark has %q", n+1, name, got, row[i])
				}
			}
		}
	}
	if wrong > 10 {
		t.Errorf("%d values differ", wrong)
	}
	if compared == 0 {
		t.Error("nothing was compared")
	}
}

func TestOracleTransport(t *testing.T) {
	testall.Only(t)
	lan := func(name string) string { return filepath.Join("..", "fixtures", "captures", "lan", name) }
	// tshark tells by the HTTP inside what of a line's bytes are in flight; timing of repetitions is its own guess.
	t.Run("loss", func(t *testing.T) { sameAsTshark(t, lan("tcp-loss.pcap"), oracleTCP) })
	t.Run("raw", func(t *testing.T) { sameAsTshark(t, lan("raw.pcap"), oracleTCP) })
	t.Run("vlan", func(t *testing.T) { sameAsTshark(t, lan("vlan.pcap"), oracleTCP) })
	t.Run("udp", func(t *testing.T) { sameAsTshark(t, lan("dns.pcap"), oracleUDP) })
	t.Run("dns", func(t *testing.T) { sameAsTshark(t, lan("dns.pcap"), append(slices.Clone(oracleDNS), "_ws.col.Info")) })
	t.Run("scenes", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "scenes.pcap")
		if err := os.WriteFile(file, dissecttest.Pcap(101, tcpScenes()), 0o600); err != nil {
			t.Fatal(err)
		}
		sameAsTshark(t, file, append(slices.Clone(oracleTCP), "_ws.col.Info"))
	})
}

// tcpScenes is a connection in which everything happens that the analysis has a name for. A line is one segment:
// direction, relative sequence and acknowledgment numbers, flags, window, payload, milliseconds since the one before.
func tcpScenes() []dissecttest.Packet {
	const script = `
> 0 0 S 65535 0 1
< 0 1 SA 65535 0 5
> 1 1 A 500 0 1
> 1 1 PA 500 100 1
> 101 1 PA 500 100 1
< 1 201 A 1000 0 1
> 201 1 PA 500 100 1
> 201 1 PA 500 100 300
< 1 301 A 1000 0 1
> 201 1 PA 500 100 1
> 401 1 PA 500 100 1
< 1 301 A 1000 0 1
< 1 301 A 1000 0 1
< 1 301 A 1000 0 1
> 301 1 PA 500 100 1
< 1 501 A 1000 0 1
> 601 1 PA 500 100 1
> 501 1 PA 500 100 1
< 1 701 A 1000 0 1
> 700 1 A 500 1 900
< 1 701 A 1000 0 1
> 700 1 A 500 0 900
< 1 701 A 1000 0 1
< 1 701 A 2000 0 1
< 1 701 A 500 0 1
> 701 1 PA 500 1400 1
> 2101 1 PA 500 600 1
< 1 2701 A 0 0 1
> 2701 1 A 500 1 200
< 1 2701 A 0 0 1
> 2701 1 A 500 1 400
< 1 2701 A 0 0 1
< 1 2701 A 600 0 1
> 2701 1 PA 500 50 1
< 1 2751 A 600 0 1
< 1 2751 PA 600 300 1
> 2751 301 A 500 0 1
> 2751 301 A 500 3 1
> 2754 301 PA 500 3 1
< 301 2757 A 600 0 1
> 2757 301 FA 500 0 1
< 301 2758 FA 600 0 1
> 2758 302 A 500 0 1
> 2757 301 FA 500 0 400`
	var out []dissecttest.Packet
	for line := range strings.Lines(strings.TrimSpace(script)) {
		var dir, flags string
		var seq, ack, window, size, gap int
		if _, err := fmt.Sscan(line, &dir, &seq, &ack, &flags, &window, &size, &gap); err != nil {
			panic(err)
		}
		out = append(out,
			dissecttest.Packet{Data: sceneSegment(dir == "<", uint32(seq), uint32(ack), flags, uint16(window), size),
				Gap: int64(gap) * 1e6})
	}
	return out
}

func sceneSegment(back bool, seq, ack uint32, flags string, window uint16, size int) []byte {
	const client, server = 0xffff_fe00, 500 // the client's numbers wrap
	ports, from, to := []byte{0x9c, 0x40, 0x27, 0x0f}, []byte{10, 0, 0, 1}, []byte{10, 0, 0, 2}
	base, other := uint32(client), uint32(server)
	if back {
		ports, from, to = []byte{0x27, 0x0f, 0x9c, 0x40}, to, from
		base, other = other, base
	}
	var bits byte
	for i, c := range "FSRPA" {
		if strings.ContainsRune(flags, c) {
			bits |= 1 << i
		}
	}
	if bits&0x10 != 0 {
		ack += other
	}
	var options []byte
	if bits&2 != 0 {
		options = []byte{2, 4, 5, 0xb4, 4, 2, 1, 3, 3, 7, 1, 1}
		if back {
			options[9] = 2
		}
	}
	h := binary.BigEndian.AppendUint32(bytes.Clone(ports), seq+base)
	h = binary.BigEndian.AppendUint32(h, ack)
	h = append(h, byte(20+len(options))<<2, bits, byte(window>>8), byte(window), 0, 0, 0, 0)
	h = append(append(h, options...), bytes.Repeat([]byte{'x'}, size)...)
	n := 20 + len(h)
	ip := append([]byte{0x45, 0, byte(n >> 8), byte(n), 0, 0, 0x40, 0, 64, 6, 0, 0}, append(bytes.Clone(from), to...)...)
	return append(ip, h...)
}
