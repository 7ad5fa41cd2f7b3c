package tls

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/internal/testall"
)

// oracleFields are those in which remora must say what tshark 4.0 says, with and without secrets.
var oracleFields = strings.Fields(`tls.record.content_type tls.record.opaque_type tls.record.version tls.record.length
	tls.handshake.type tls.handshake.length
	tls.handshake.version tls.handshake.random tls.handshake.session_id tls.handshake.ciphersuite
	tls.handshake.comp_method tls.handshake.extension.type
	tls.handshake.extension.len tls.handshake.extensions_server_name tls.handshake.extensions_alpn_str
	tls.handshake.extensions_supported_group
	tls.handshake.extensions_ec_point_format tls.handshake.sig_hash_alg tls.handshake.sig_hash_hash
	tls.handshake.sig_hash_sig
	tls.handshake.extensions.supported_version tls.handshake.extensions_key_share_group
	tls.handshake.extensions_key_share_key_exchange
	tls.extension.psk_ke_mode tls.handshake.extensions_reneg_info_len tls.handshake.server_named_curve
	tls.handshake.server_point tls.handshake.client_point
	tls.handshake.sig tls.handshake.client_cert_vrfy.sig tls.handshake.certificate_length
	tls.handshake.session_ticket_lifetime_hint
	tls.handshake.session_ticket tls.handshake.ja3 tls.handshake.ja3_full tls.handshake.ja3s tls.alert_message.level
	tls.alert_message.desc
	x509af.version x509af.serialNumber x509af.issuer x509af.utcTime x509af.algorithm.id x509if.oid x509if.rdnSequence
	x509sat.printableString
	x509sat.CountryName x509ce.dNSName x509ce.IPAddress.ipv4 x509ce.KeyUsage x509ce.KeyUsage.digitalSignature
	x509ce.KeyPurposeId x509ce.cA x509af.critical`)

// TestOracle compares with tshark what it prints for recorded sessions.
func TestOracle(t *testing.T) {
	testall.Only(t)
	out, err := exec.Command("tshark", "--version").Output()
	if first, _, _ := strings.Cut(string(out), "\n"); err != nil || !strings.Contains(first, " 4.0.") {
		t.Skip("the measure is tshark 4.0")
	}
	for _, p := range plays {
		if p.port != 443 {
			continue
		}
		c, secrets := p.record(t)
		for name, keys := range map[string][]byte{"sealed": nil, "opened": secrets} {
			t.Run(p.name+" "+name, func(t *testing.T) { compare(t, c, keys) })
		}
	}
}

func compare(t *testing.T, c *tap, secrets []byte) {
	dir := t.TempDir()
	capture, keys := filepath.Join(dir, "c.pcap"), filepath.Join(dir, "keys")
	for path, b := range map[string][]byte{capture: dissecttest.Pcap(1, c.packets), keys: secrets} {
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"-2", "-n", "-r", capture, "-o", "tls.keylog_file:" + keys, "-T", "fields", "-E", "separator=/t",
		"-E", "aggregator=|"}
	for _, f := range oracleFields {
		args = append(args, "-e", f)
	}
	cmd := exec.Command("tshark", args...)
	cmd.Env = append(os.Environ(), "TZ=UTC", "LC_ALL=C.UTF-8")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("tshark: %v", err)
	}
	s := passed(t, c, secrets)
	l, n, values := s.Dissector(), dissect.FrameNum(0), 0
	for line := range strings.Lines(string(out)) {
		n++
		tree := l.Tree(n)
		for i, want := range strings.Split(strings.TrimSuffix(line, "\n"), "\t") {
			var got []string
			for j := range tree.Nodes {
				if tree.Field(j).Name() == oracleFields[i] {
					got = append(got, tree.Show(j))
				}
			}
			if want != "" {
				values++
			}
			if g := strings.Join(got, "|"); g != want {
				t.Errorf("frame %d: %s is %.200q, tshark has %.200q", n, oracleFields[i], g, want)
			}
		}
	}
	if int(n) != s.Passed() || values < 50 {
		t.Errorf("tshark printed %d frames of %d, and %d values", n, s.Passed(), values)
	}
}
