//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sampleExtcap is a capture program: it copies a capture, and tells something by its controls.
const sampleExtcap = `#!/bin/sh
case "$*" in
*--extcap-interfaces*)
	echo 'extcap {version=1.0}'
	echo 'interface {value=sample}{display=A sample}'
	echo 'control {number=0}{type=button}{display=Press}' ;;
*--extcap-config*)
	echo 'arg {number=0}{call=--the-file}{display=The file}{type=fileselect}{required=true}'
	echo 'arg {number=1}{call=--how}{display=How}{type=selector}'
	echo 'value {arg=1}{value=well}{display=Well}{default=true}'
	echo 'value {arg=1}{value=ill}{display=Ill}' ;;
*--capture*)
	while [ $# -gt 0 ]; do
		case $1 in
		--fifo) fifo=$2 ;; --the-file) file=$2 ;; --how) how=$2 ;; --extcap-control-in) in=$2 ;;
		--extcap-control-out) out=$2 ;;
		esac
		shift
	done
	began=$(dd if="$in" bs=6 count=1 2>/dev/null | od -An -tx1 | tr -d ' ')
	printf 'T\000\000\016\000\006how: %7s' "$began" | head -c 18 > "$out"
	[ "$how" = ill ] && { echo 'it is ill' >&2; exit 1; }
	cat "$file" > "$fifo" ;;
esac
`

// TestCapturePrograms captures with a program of Wireshark's convention, with its arguments and its controls.
func TestCapturePrograms(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("WIRESHARK_EXTCAP_DIR", dir)
	if err := os.WriteFile(filepath.Join(dir, "sample.sh"), []byte(sampleExtcap), 0o700); err != nil {
		t.Fatal(err)
	}
	file, err := filepath.Abs("fixtures/captures/lan/dns.pcap")
	if err != nil {
		t.Fatal(err)
	}
	of := "extcap.sample.thefile:" + file
	want := remora(t, nil, "-r", file).out
	if got := remora(t, nil, "-i", "sample", "-o", of, "-P"); got.out != want || got.code != 0 ||
		!strings.Contains(got.err, "sample: how: 5400000") {
		t.Errorf("code %d: %d bytes of %d\n%s", got.code, len(got.out), len(want), got.err)
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"-i", "sample", "-P"}, 2, "has to be told The file: -o extcap.sample.thefile:VALUE"},
		{[]string{"-i", "sample", "-P", "-o", of, "-o", "extcap.sample.how:ill"}, 3, "its program gave up (it is ill)"},
		{[]string{"-i", "sample", "-P", "-o", "extcap.sample.how:so"}, 2, "takes well, ill, not"},
		{[]string{"-i", "sample", "-P", "-o", "extcap.sample.hwo:ill"}, 2, "did you mean extcap.sample.how?"},
		{[]string{"-i", "sample", "-i", "lo", "-P"}, 2, "sample comes alone"},
	} {
		if got := remora(t, nil, c.args...); got.code != c.code || !strings.Contains(got.err, c.want) {
			t.Errorf("%q: code %d, %s", c.args, got.code, got.err)
		}
	}
	if got := remora(t, nil, "-D").out; !strings.Contains(got, "A sample") {
		t.Errorf("-D: %s", got)
	}
	if got := remora(t, nil, "-G", "currentprefs").out; !strings.Contains(got, "\n#extcap.sample.how: \n") {
		t.Error("-G currentprefs does not list the arguments")
	}
}

// TestAsCaptureProgram has a second remora capture with the first one, as Wireshark would.
func TestAsCaptureProgram(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("WIRESHARK_EXTCAP_DIR", dir)
	program, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(program, filepath.Join(dir, "remora")); err != nil {
		t.Fatal(err)
	}
	got := remora(t, nil, "-i", "remora-demo", "-o", "extcap.remora_demo.speed:1000", "-f", "udp port 53", "-c", "3",
		"-T", "fields", "-e", "frame.protocols")
	if got.code != 0 || strings.Count(got.out, ":dns\n") != 3 {
		t.Errorf("code %d: %s%s", got.code, got.out, got.err)
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--extcap-interfaces", "--extcap-version=4.0"}, 0, "\ninterface {value=remora-ssh}"},
		{[]string{"--extcap-dlts", "--extcap-interface", "remora-demo"}, 0, "dlt {number=147}"},
		{[]string{"--extcap-config", "--extcap-interface", "remora-ssh"}, 0, "{call=--source}"},
		{[]string{"--extcap-config", "--extcap-interface", "remora"}, 2, "there is no"},
		{[]string{"--capture", "--extcap-interface", "remora-ssh", "--fifo", "x", "--source", "host"}, 2, "ssh://user@host"},
		{[]string{"--capture", "--extcap-interface", "remora-ssh"}, 2, "--fifo PIPE"},
	} {
		if got := remora(t, nil, c.args...); got.code != c.code || !strings.Contains(got.out+got.err, c.want) {
			t.Errorf("%q: code %d, %s%s", c.args, got.code, got.out, got.err)
		}
	}
}
