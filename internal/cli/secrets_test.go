package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// opened are the packets of which a decrypted record tells something.
const opened = "tls.handshake.type == 20 || tls.alert_message.desc == 0"

// TestSecretsLeaveAndComeBack takes the secrets out of a capture, writes them to a file, and puts them into the capture
// again: it reads as before.
func TestSecretsLeaveAndComeBack(t *testing.T) {
	t.Parallel()
	in, dir := lan("tls13.pcapng"), t.TempDir()
	keys, without, with := filepath.Join(dir, "keys"), filepath.Join(dir, "a.pcapng"), filepath.Join(dir, "b.pcapng")
	for _, args := range [][]string{
		{"-r", in, "-q", "--export-tls-session-keys", keys},
		{"-r", in, "-w", without, "--discard-all-secrets"},
		{"-r", without, "-w", with, "--inject-secrets", "tls," + keys},
	} {
		if r := remora(t, nil, args...); r.code != 0 {
			t.Fatalf("%v: code %d, %s", args, r.code, r.err)
		}
	}
	frames := func(path string) string {
		return remora(t, nil, "-r", path, "-Y", opened, "-T", "fields", "-e", "frame.number").out
	}
	want := frames(in)
	if strings.Count(want, "\n") < 10 || frames(with) != want {
		t.Errorf("with the secrets the frames %q open, want %q", frames(with), want)
	}
	if got := frames(without); got != "" {
		t.Errorf("without the secrets %q open", got)
	}
	b, err := os.ReadFile(keys)
	if err != nil || !strings.Contains(string(b), "\nSERVER_TRAFFIC_SECRET_0 ") || strings.Contains(string(b), "-----") {
		t.Errorf("%v: %.100q", err, b)
	}
	if r := remora(t, nil, "-r", in, "-q", "--export-tls-session-keys", keys); r.code == 0 {
		t.Error("a file with secrets was replaced without --force")
	}
	if got := tshark(t, "-r", with, "-Y", opened, "-T", "fields", "-e", "frame.number"); got != want {
		t.Errorf("tshark opens %q, want %q", got, want)
	}
}

// TestWrongSecretsToInject are told before anything is written.
func TestWrongSecretsToInject(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pem, empty := filepath.Join(dir, "key.pem"), filepath.Join(dir, "empty")
	for path, text := range map[string]string{pem: "-----BEGIN PRIVATE KEY-----\n", empty: ""} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	in, out := lan("tls13.pcapng"), filepath.Join(dir, "out.pcapng")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-r", in, "-w", out, "--inject-secrets", "rsa," + pem}, "TYPE is "},
		{[]string{"-r", in, "-w", out, "--inject-secrets", "tls"}, "TYPE,FILE"},
		{[]string{"-r", in, "-w", out, "--inject-secrets", "tls," + dir + "/nowhere"}, "nowhere"},
		{[]string{"-r", in, "-w", out, "--inject-secrets", "tls," + pem}, "private key"},
		{[]string{"-r", in, "-w", out, "--inject-secrets", "wg," + empty}, "empty"},
		{[]string{"-r", in, "-w", out + ".pcap", "--discard-all-secrets"}, "pcapng"},
		{[]string{"-r", in, "-P", "--discard-all-secrets"}, "pcapng"},
		{[]string{"-r", in, "-w", out, "--anonymise", "--inject-secrets", "tls," + pem}, "anonymise"},
	} {
		r := remora(t, nil, c.args...)
		if _, err := os.Stat(out); r.code != 2 || !strings.Contains(r.err, c.want) || err == nil {
			t.Errorf("%v: code %d, %s", c.args[4:], r.code, r.err)
		}
	}
	if r := remora(t, nil, "--inject-secrets", "help"); r.code != 0 || !strings.Contains(r.out, "    tls\n") {
		t.Errorf("code %d: %s%s", r.code, r.out, r.err)
	}
}

// TestFilesBesidesTheCaptureAreSpared names files that are there already, or are read, where secrets and names go.
func TestFilesBesidesTheCaptureAreSpared(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in, mine, out := filepath.Join(dir, "in.pcapng"), filepath.Join(dir, "mine.txt"), filepath.Join(dir, "out.pcapng")
	b, err := os.ReadFile(lan("tls13.pcapng"))
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string][]byte{in: b, mine: []byte("precious")} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ring := []string{"-r", in, "-w", out, "-b", "packets:50", "-b"}
	for _, c := range []struct {
		args []string
		want string
	}{
		{append(ring, "printname:"+mine), "--force"},
		{append(ring, "printname:"+in, "--force"), "is read"},
		{append(ring, "printname:"+out), "of -w"},
		{[]string{"-r", in, "-q", "--export-tls-session-keys", in, "--force"}, "is read"},
		{[]string{"-r", in, "-w", out, "--export-tls-session-keys", out}, "of -w"},
	} {
		if r := remora(t, nil, c.args...); r.code == 0 || !strings.Contains(r.err, c.want) {
			t.Errorf("%v: code %d, %s", c.args, r.code, r.err)
		}
	}
	for path, want := range map[string]string{in: string(b), mine: "precious"} {
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s is changed (%v)", path, err)
		}
	}
}
