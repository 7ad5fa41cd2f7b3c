package cli

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const lanCapture = "fixtures/captures/lan/lan.pcapng"

// numbersOf runs a filter headless and returns how many packets it lets through.
func packetsOf(t *testing.T, args ...string) (int, ran) {
	t.Helper()
	got := remora(t, nil, append([]string{"-r", lanCapture, "-T", "fields", "-e", "frame.number"}, args...)...)
	return strings.Count(got.out, "\n"), got
}

func TestFilterHelp(t *testing.T) {
	got := remora(t, nil, "--help", "filter")
	if got.code != 0 || !strings.HasPrefix(got.out, "Display filters:") ||
		!strings.Contains(got.out, "touhou.type == GAME_INPUT") || !strings.Contains(got.out, "--bpf") {
		t.Errorf("--help filter: %d, %s", got.code, got.out)
	}
	if usual := remora(t, nil, "--help"); !strings.Contains(usual.out, "remora help TOPIC") ||
		strings.HasPrefix(usual.out, "Display filters:") {
		t.Errorf("--help: %s", usual.out)
	}
}

func TestBPFBeforeTheFilter(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--bpf", "udp port 53"}, "dns"}, {[]string{"--bpf", "tcp"}, "tcp"},
		{[]string{"--bpf", "udp port 53", "-Y", "tcp"}, ""},
	} {
		n, got := packetsOf(t, c.args...)
		if got.code != 0 || (n > 0) != (c.want != "") {
			t.Errorf("%v: %d packets, %d, %s", c.args, n, got.code, got.err)
		}
	}
	all, _ := packetsOf(t)
	some, _ := packetsOf(t, "--bpf", "udp port 53")
	shown, _ := packetsOf(t, "-Y", "udp.port == 53")
	if some == 0 || some >= all || some < shown-20 || some > shown {
		t.Errorf("of %d packets the BPF takes %d and the display filter %d", all, some, shown)
	}
}

func TestOneLanguageForTheOther(t *testing.T) {
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"-Y", "host 192.0.2.1"}, "capture filter"}, {[]string{"-Y", "udp port 53"}, "-f or --bpf"},
		{[]string{"-f", "ip.src == 192.0.2.1"}, "-Y"}, {[]string{"--bpf", "dns"}, "this is a display filter"},
		{[]string{"--bpf", "dns.qry.name contains \"a\""}, "-Y"}, {[]string{"-f", "tcp", "--bpf", "udp"}, "one of them"},
		{[]string{"--selected-frame=-1"}, "counted from 1"}, {[]string{"--selected-frame=99999"}, "the last packet is"},
	} {
		_, got := packetsOf(t, c.args...)
		if got.code != 2 || got.out != "" || !strings.Contains(got.err, c.says) {
			t.Errorf("%v: exit %d, %q, want 2 and %q", c.args, got.code, got.err, c.says)
		}
	}
	if got := remora(t, nil, "-i", "lo", "--bpf", "tcp", "-c", "1"); got.code != 2 || !strings.Contains(got.err, "-f") {
		t.Errorf("--bpf with -i: %d, %s", got.code, got.err)
	}
}

func TestSelectedFrame(t *testing.T) {
	if n, got := packetsOf(t, "-Y", "frame.number > ${frame.number} + 670", "--selected-frame=5"); n != 3 ||
		got.err != "" {
		t.Errorf("%d packets behind the selected one, want 3; %s", n, got.err)
	}
	if n, got := packetsOf(t, "-Y", "frame.number > ${frame.number}"); n != 0 ||
		!strings.Contains(got.err, "--selected-frame") {
		t.Errorf("without a selection: %d packets; %s", n, got.err)
	}
}

// TestFiltersKeptInWireshark has them as favourites: those of the profile before the others, and one's own before both.
func TestFiltersKeptInWireshark(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	for path, text := range map[string]string{
		"wireshark": "# mine\n\"Only \\\"web\\\"\" tcp.port == 80\n\"both\" udp\n" +
			"\"own\" tcp\nbroken\n\"empty\" \n",
		"wireshark/profiles/work": "\"both\" dns\n",
	} {
		if err := os.MkdirAll(filepath.Join(dir, path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, path, "dfilters"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{
		"dfilter_buttons": "# made by Wireshark\n\"TRUE\",\"Broadcasts\",\"eth.dst.ig == 1\",\"a comment\"\n" +
			"\"FALSE\",\"Off\",\"udp\",\"\"\n\"TRUE\",\"both\",\"tcp\",\"\"\nbroken\n",
		"cfilters": "\"web\" tcp port 80\n\"names\" udp port 53\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, "wireshark", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o := &options{profile: "work"}
	if got := o.keptCaptureFilters(); !slices.Equal(got, [][2]string{{"names", "udp port 53"}, {"web", "tcp port 80"}}) {
		t.Errorf("%q", got)
	}
	o.favourites = o.keptFilters()
	o.screen.Favourites = map[string]string{"own": "icmp"}
	want := map[string]string{`Only "web"`: "tcp.port == 80", "both": "dns", "own": "icmp",
		"Broadcasts": "eth.dst.ig == 1"}
	if got := o.screenSettings(nil).Favourites; !maps.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestMacrosOfThePerson(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	if err := os.Mkdir(filepath.Join(dir, "remora"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "remora", "macros"), []byte("web tcp.port == $1 || tcp.port == $2\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	long, _ := packetsOf(t, "-Y", "tcp.port == 80 || tcp.port == 443")
	short, got := packetsOf(t, "-Y", "$web(80,443)")
	if long == 0 || short != long {
		t.Errorf("the macro finds %d packets, its text %d; %s", short, long, got.err)
	}
	wireshark := filepath.Join(dir, "wireshark", "profiles", "work")
	if err := os.MkdirAll(wireshark, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{filepath.Join(wireshark, "dmacros"): `"web" tcp.port == $1`,
		filepath.Join(dir, "wireshark", "dfilter_macros"): `"two","tcp.port == $1 || tcp.port == $2"`} {
		if err := os.WriteFile(name, []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if n, got := packetsOf(t, "-Y", "${two:80;443}"); n != long {
		t.Errorf("Wireshark's macro finds %d packets of %d; %s", n, long, got.err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "remora", "profiles"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "remora", "profiles", "work.toml"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	one, _ := packetsOf(t, "-Y", "tcp.port == 80")
	if n, got := packetsOf(t, "-C", "work", "-Y", "$two(80,80)"); n != one || n == 0 {
		t.Errorf("with a profile it finds %d packets of %d; %s", n, one, got.err)
	}
	if _, got := packetsOf(t, "-Y", "$web(80)"); got.code != 2 || !strings.Contains(got.err, "takes 2 arguments") {
		t.Errorf("a wrong call: %d, %s", got.code, got.err)
	}
}
