package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"remora/capture/pcapfile"
	"remora/dissect/dissecttest"
)

// binary builds the program once for all tests that run it, as the tests are built: with no profile to go by, which
// would have all packages compiled a second time. REMORA_TEST_BINARY names one that is there already.
var binary = sync.OnceValues(func() (string, error) {
	if path := os.Getenv("REMORA_TEST_BINARY"); path != "" {
		return path, nil
	}
	dir, err := os.MkdirTemp("", "remora-test")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "remora")
	out, err := exec.Command("go", "build", "-pgo=off", "-ldflags=-s -w", "-o", path, ".").CombinedOutput()
	if err != nil {
		return "", errors.New(string(out))
	}
	return path, nil
})

// TestMain runs the tests at the root of the module, where the captures are and the program is built, and removes the
// built program when all are done.
func TestMain(m *testing.M) {
	if trigger := os.Getenv("REMORA_TEST_HANG"); trigger != "" {
		os.Exit(mainThatHangs(trigger))
	}
	if dir := os.Getenv("REMORA_TEST_TAKEN"); dir != "" {
		os.Exit(mainThatIsTaken(dir))
	}
	if err := os.Chdir(filepath.Join("..", "..")); err != nil {
		panic(err)
	}
	flag.Parse()
	if f := flag.Lookup("test.parallel"); f.Value.String() == f.DefValue {
		flag.Set(f.Name, "8") // more than there are processors: a test mostly waits for the program that it runs
	}
	code := m.Run()
	if path, err := binary(); err == nil && os.Getenv("REMORA_TEST_BINARY") == "" {
		os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(code)
}

type ran struct {
	out, err string
	code     int
}

// remora runs the built program with a home of its own.
func remora(t *testing.T, stdin []byte, args ...string) ran {
	t.Helper()
	return remoraWith(t, []string{"HOME=" + t.TempDir()}, stdin, args...)
}

// remoraAt runs it with the home of a person, and the settings there.
func remoraAt(t *testing.T, home string, args ...string) ran {
	t.Helper()
	return remoraWith(t, []string{"HOME=" + home, "XDG_CONFIG_HOME=" + filepath.Join(home, ".config")}, nil, args...)
}

func remoraWith(t *testing.T, env []string, stdin []byte, args ...string) ran {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env = append(append(os.Environ(), env...), "XDG_STATE_HOME="+t.TempDir(), "TZ=UTC")
	cmd.Stdin = bytes.NewReader(stdin)
	if stdin == nil {
		cmd.Stdin = nil
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return ran{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
}

// udpPacket is an Ethernet frame with a datagram from 10.0.0.1 to 10.0.0.2.
func udpPacket(src, dst uint16, payload string) []byte {
	udp := dissecttest.UDP(src, dst, []byte(payload))
	return dissecttest.Ethernet(dissecttest.IPv4(dissecttest.ProtocolUDP, "10.0.0.1", "10.0.0.2", udp))
}

func sampleCapture(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sample.pcap")
	data := dissecttest.Pcap(1,
		dissecttest.Packets(udpPacket(5000, 6000, "one"), udpPacket(6000, 5000, "two\x1b[31m"),
			udpPacket(7000, 6000, "three")))
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestSummaryLinesAreTsharks(t *testing.T) {
	got := remora(t, nil, "-r", sampleCapture(t))
	want := "    1 0.000000000     10.0.0.1 → 10.0.0.2     UDP 45 5000 → 6000 Len=3\n" +
		"    2 0.001000000     10.0.0.1 → 10.0.0.2     UDP 50 6000 → 5000 Len=8\n" +
		"    3 0.002000000     10.0.0.1 → 10.0.0.2     UDP 47 7000 → 6000 Len=5\n"
	if got.out != want || got.code != 0 {
		t.Errorf("exit %d, %s\n%s\nwant\n%s", got.code, got.err, got.out, want)
	}
}

func TestFieldsAndLayout(t *testing.T) {
	path := sampleCapture(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-T", "fields", "-e", "frame.number", "-e", "udp.port"}, "1\t5000,6000\n2\t6000,5000\n3\t7000,6000\n"},
		{[]string{"-e", "udp.port", "-E", "occurrence=l", "-E", "header=y", "-E", "quote=d"},
			"udp.port\n\"6000\"\n\"5000\"\n\"6000\"\n"},
		{[]string{"-T", "fields", "-e", "eth.type", "-e", "ip.src", "-E", "separator=,", "-c", "1"}, "0x0800,10.0.0.1\n"},
		{[]string{"-Y", "udp.srcport == 7000", "-T", "fields", "-e", "frame.number"}, "3\n"},
		{[]string{"-T", "fields", "-e", "_ws.col.Info", "-c", "1"}, "5000 → 6000 Len=3\n"},
		{[]string{"udp.dstport", "==", "5000", "-T", "fields", "-e", "frame.len"}, "50\n"},
	} {
		got := remora(t, nil, append([]string{"-r", path}, c.args...)...)
		if got.out != c.want || got.code != 0 {
			t.Errorf("%v: exit %d, %s\n%s\nwant\n%s", c.args, got.code, got.err, got.out, c.want)
		}
	}
}

func TestTreeAndBytes(t *testing.T) {
	got := remora(t, nil, "-r", sampleCapture(t), "-V", "-x", "-c", "2")
	for _, want := range []string{"User Datagram Protocol, Src Port: 5000, Dst Port: 6000", "    Source Port: 5000",
		"0020  00 02 13 88 17 70 00 0b", "two.[3"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("-V -x does not have %q:\n%s", want, got.out)
		}
	}
	if strings.ContainsRune(got.out, 0x1b) {
		t.Error("an escape sequence of the packet reached the output")
	}
}

func TestJSON(t *testing.T) {
	got := remora(t, nil, "-r", sampleCapture(t), "-T", "json")
	var docs []struct {
		Source struct{ Layers map[string]json.RawMessage } `json:"_source"`
	}
	if err := json.Unmarshal([]byte(got.out), &docs); err != nil {
		t.Fatalf("%v\n%s", err, got.out)
	}
	var udp map[string]any
	if len(docs) != 3 || json.Unmarshal(docs[0].Source.Layers["udp"], &udp) != nil || udp["udp.srcport"] != "5000" {
		t.Errorf("%d documents, the first with udp %v", len(docs), udp)
	}
	got = remora(t, nil, "-r", sampleCapture(t), "-T", "ek", "-e", "udp.srcport")
	for _, line := range strings.Split(strings.TrimSpace(got.out), "\n") {
		if !json.Valid([]byte(line)) {
			t.Errorf("not JSON: %s", line)
		}
	}
	if empty := remora(t, nil, "-r", sampleCapture(t), "-T", "json", "-Y", "tcp"); !json.Valid([]byte(empty.out)) {
		t.Errorf("no packets give %q", empty.out)
	}
}

// TestFilterStops gives up a filter that would take hours, in front of what is printed and of what is counted.
func TestFilterStops(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "long.pcap")
	packets := make([]dissecttest.Packet, 100)
	for i := range packets {
		packets[i] = dissecttest.Packets([]byte("0123456789ab\xff\xff" + "zz" + strings.Repeat("a", 200) + "!"))[0]
	}
	if err := os.WriteFile(path, dissecttest.Pcap(1, packets), 0o644); err != nil {
		t.Fatal(err)
	}
	const evil = `frame matches "(?=z)z(?:z|a|aa)+$"`
	for _, args := range [][]string{{"-Y", evil}, {"-q", "-z", "io,stat,1," + evil}} {
		if r := remora(t, nil, append([]string{"-r", path}, args...)...); r.code != exitUsage ||
			!strings.Contains(r.err, "takes too long") || !strings.Contains(r.err, "^~~~") {
			t.Errorf("%v ends with %d: %s", args, r.code, r.err)
		}
	}
}

func TestMistakesAreTold(t *testing.T) {
	t.Parallel()
	path := sampleCapture(t)
	dir := t.TempDir()
	text := filepath.Join(dir, "notes.txt")
	empty := filepath.Join(dir, "empty.pcap")
	if os.WriteFile(text, []byte("this is no capture at all, just words"), 0o644) != nil ||
		os.WriteFile(empty, nil, 0o644) != nil {
		t.Fatal("cannot write")
	}
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"-r", path, "-Y", "udp.srcprt == 1"}, exitUsage, "udp.srcport"},
		{[]string{"-r", path, "-Y", "udp.srcport == == 1"}, exitUsage, "^"},
		{[]string{"-r", path, "-T", "xml"}, exitUsage, "json"},
		{[]string{"-r", path, "-T", "fields"}, exitUsage, "-e"},
		{[]string{"-r", path, "-e", "udp.srcprt"}, exitUsage, "udp.srcport"},
		{[]string{"-r", path, "-t", "x"}, exitUsage, "udoy"},
		{[]string{"-r", path, "-d", "udp.port==x,dns"}, exitUsage, "number"},
		{[]string{"-r", path, "-d", "udp.port==5000,nothing"}, exitUsage, "nothing"},
		{[]string{"-r", path, "-d", "udp.prt==5000,dns"}, exitUsage, "udp.port"},
		{[]string{"-r", path, "-d", "udp.port==5000,dsn"}, exitUsage, "dns"},
		{[]string{"-r", path, "-d", "udp.port==5000:0,dns"}, exitUsage, "number"},
		{[]string{"-r", path, "-K", "/nowhere/keytab"}, exitUsage, "/nowhere/keytab"},
		{[]string{"-r", path, "--keylog", "/nowhere/keys"}, exitUsage, "/nowhere/keys"},
		{[]string{"-r", path, "--keylog", path}, exitUsage, "no line of it has a secret"},
		{[]string{"-r", path, "-T", "jsn"}, exitUsage, "did you mean json"},
		{[]string{"-r", path, "-T", "text", "-e", "frame.number"}, exitUsage, "-T fields"},
		{[]string{"-r", path, "-E", "header=y"}, exitUsage, "-e"},
		{[]string{"-r", path, "-e", "frame.number", "-E", "quote=x"}, exitUsage, "double"},
		{[]string{"-r", path, "-O", "upd"}, exitUsage, "udp"},
		{[]string{"-r", path, "-T", "json", "-O", "udp"}, exitUsage, "-O"},
		{[]string{"-r", path, "--no-duplicate-keys"}, exitUsage, "json"},
		{[]string{"-r", path, "-z", "io,foo"}, exitUsage, "io,phs"},
		{[]string{"-r", path, "-z", "conv,udp,udp.prt == 1"}, exitUsage, "udp.port"},
		{[]string{"-r", path, "-w", path}, exitUsage, "would be lost"},
		{[]string{"-r", path, "-w", "-", "-P"}, exitUsage, "standard output"},
		{[]string{"-r", path, "-b", "files:2"}, exitUsage, "-w"},
		{[]string{"-r", path, "-w", "x.pcap", "-b", "files:2"}, exitUsage, "when to go on"},
		{[]string{"-r", path, "-a", "filesize:2"}, exitUsage, "-w"},
		{[]string{"-r", path, "-s", "64"}, exitUsage, "-i"},
		{[]string{"-r", path, "-c", "x"}, exitUsage, "-c \"x\": it takes a number"},
		{[]string{"-r", path, "-R", "udp"}, exitUsage, "-Y"},
		{[]string{"-r"}, exitUsage, "takes a value"},
		{[]string{"--displayfilter", "udp"}, exitUsage, "--display-filter"},
		{[]string{"--fields", "upd"}, exitUsage, "udp"},
		{[]string{"dmeo"}, exitUsage, "remora demo"},
		{[]string{"demo", "-r", path}, exitUsage, "demo"},
		{[]string{"-r", path, "-w", "/dev/full"}, exitFailed, "disk is full"},
		{[]string{"-r", path, "-w", filepath.Join(dir, "none", "x.pcap")}, exitFailed, "no folder"},
		{[]string{"--no-such-flag"}, exitUsage, "no-such-flag"},
		{[]string{"-r", path, "-i", "lo"}, exitUsage, "choose"},
		{[]string{"-i", "no-such-net"}, exitMayNot, "no-such-net"},
		{[]string{"-a", "weight:3", "-r", path}, exitUsage, "-a"},
		{[]string{"-r", filepath.Join(dir, "missing.pcap")}, exitUsage, "no such file"},
		{[]string{"-r", dir}, exitUsage, "directory"},
		{[]string{"-r", text}, exitUsage, "notes.txt"},
		{[]string{"-r", empty}, exitUsage, "empty"},
	} {
		got := remora(t, nil, c.args...)
		if got.code != c.code || got.out != "" || !strings.Contains(got.err, c.says) ||
			strings.Contains(got.err, "goroutine") {
			t.Errorf("%v: exit %d (want %d): %s (want %q in it)", c.args, got.code, c.code, got.err, c.says)
		}
	}
}

func TestStandardInputAndWriting(t *testing.T) {
	path := sampleCapture(t)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := remora(t, data, "-r", "-", "-T", "fields", "-e", "frame.number"); got.out != "1\n2\n3\n" {
		t.Errorf("standard input gives %q, %s", got.out, got.err)
	}
	for _, name := range []string{"out.pcapng", "out.pcap"} {
		out := filepath.Join(t.TempDir(), name)
		if got := remora(t, nil, "-r", path, "-Y", "udp.port == 5000", "-w", out); got.code != 0 || got.out != "" {
			t.Errorf("-w: exit %d, %q, %s", got.code, got.out, got.err)
		}
		store, err := pcapfile.Open(context.Background(), out)
		if err != nil {
			t.Fatal(err)
		}
		store.Wait()
		if store.Len() != 2 {
			t.Errorf("%s has %d packets, want 2", name, store.Len())
		}
		store.Close()
	}
}

func TestATornFileEndsWithANotice(t *testing.T) {
	data, err := os.ReadFile(sampleCapture(t))
	if err != nil {
		t.Fatal(err)
	}
	torn := filepath.Join(t.TempDir(), "torn.pcap")
	if err := os.WriteFile(torn, data[:len(data)-4], 0o644); err != nil {
		t.Fatal(err)
	}
	got := remora(t, nil, "-r", torn)
	if got.code != exitUsage || strings.Count(got.out, "\n") != 2 || !strings.Contains(got.err, "cut short") {
		t.Errorf("exit %d\n%s%s", got.code, got.out, got.err)
	}
}

func TestListings(t *testing.T) {
	if got := remora(t, nil, "--fields", "udp"); !strings.Contains(got.out, "udp.srcport") ||
		strings.Contains(got.out, "tcp.srcport") {
		t.Errorf("--fields udp: %s%s", got.out, got.err)
	}
	if got := remora(t, nil, "--protocols"); !strings.Contains(got.out, "touhou") ||
		!strings.Contains(got.out, "udp 10800") {
		t.Errorf("--protocols: %s", got.out)
	}
	if got := remora(t, nil, "-D"); !strings.Contains(got.out, "lo") {
		t.Errorf("-D: %s%s", got.out, got.err)
	}
	if got := remora(t, nil, "--version"); !strings.HasPrefix(got.out, "remora ") {
		t.Errorf("--version: %s", got.out)
	}
}

func TestDecodeAs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "as.pcap")
	packet := udpPacket(5000, 6000, "\x10\x07\x00\x00\x00\x40\xe2\x01\x00")
	if err := os.WriteFile(path, dissecttest.Pcap(1, dissecttest.Packets(packet)), 0o644); err != nil {
		t.Fatal(err)
	}
	got := remora(t, nil, "-r", path, "-d", "udp.port==6000,touhou", "-T", "fields", "-e", "_ws.col.Protocol", "-e",
		"_ws.col.Type")
	if !strings.Contains(got.out, "SOKUROLL_TIME") {
		t.Errorf("decode as gives %q, %s", got.out, got.err)
	}
}

// TestOutputClosedEarly reads one line and hangs up, as head does.
func TestOutputClosedEarly(t *testing.T) {
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	big := filepath.Join(t.TempDir(), "big.pcap")
	var packets [][]byte
	for range 20000 {
		packets = append(packets, udpPacket(5000, 6000, "x"))
	}
	if err := os.WriteFile(big, dissecttest.Pcap(1, dissecttest.Packets(packets...)), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("sh", "-c", `"$0" -r "$1" 2>&1 | head -n 1; echo done`, path, big).CombinedOutput()
	if err != nil || strings.Count(string(out), "\n") != 2 {
		t.Errorf("%v: %s", err, out)
	}
}

// TestOutputThatCannotBeWritten must fail, and say that it is the output.
func TestOutputThatCannotBeWritten(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full here: ", err)
	}
	defer full.Close()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{}, {"-V"}, {"-T", "json"}, {"-q", "-z", "io,phs"}, {"-w", "-"}, {"--fields"}} {
		var errs bytes.Buffer
		cmd := exec.Command(path, append([]string{"-r", sampleCapture(t)}, args...)...)
		cmd.Stdout, cmd.Stderr = full, &errs
		if cmd.Run() == nil || cmd.ProcessState.ExitCode() != exitFailed || strings.Count(errs.String(), "\n") != 1 {
			t.Errorf("%v: exit %d: %s", args, cmd.ProcessState.ExitCode(), errs.String())
		}
	}
}

func TestStatisticsInsteadOfPackets(t *testing.T) {
	path := sampleCapture(t)
	got := remora(t, nil, "-r", path, "-q", "-z", "conv,udp", "-z", "endpoints,ip,udp.srcport == 5000")
	for _, want := range []string{
		"10.0.0.1:5000              <-> 10.0.0.2:6000                    0 0 bytes         1 45 bytes",
		"10.0.0.1                       1            45          1              45           0               0   \n",
	} {
		if !strings.Contains(got.out, want) || strings.Contains(got.out, "→") {
			t.Errorf("no %q in\n%s%s", want, got.out, got.err)
		}
	}
	if got := remora(t, nil, "-r", path, "-z", "io,phs"); strings.Count(got.out, "→") != 6 ||
		!strings.Contains(got.out, "frames:3") {
		t.Errorf("without -q:\n%s", got.out)
	}
}

func TestDemoTakesFlags(t *testing.T) {
	got := remora(t, nil, "demo", "-c", "4", "-Y", "frame.number > 2", "-T", "fields", "-e", "frame.number")
	if got.code != 0 || got.out != "3\n4\n" {
		t.Errorf("exit %d, %q, %s", got.code, got.out, got.err)
	}
}

// TestInterruptedWhileReading stops at a pipe that says nothing more.
func TestInterruptedWhileReading(t *testing.T) {
	t.Parallel()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(sampleCapture(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		cmd := exec.Command(path, "-r", "-", "-T", "json", "-e", "frame.number")
		cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "XDG_STATE_HOME="+t.TempDir())
		in, err1 := cmd.StdinPipe()
		out, err2 := cmd.StdoutPipe()
		if err := errors.Join(err1, err2, cmd.Start()); err != nil {
			t.Fatal(err)
		}
		if _, err := in.Write(data); err != nil {
			t.Fatal(err)
		}
		first := make([]byte, 1)
		if _, err := io.ReadFull(out, first); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		rest, err := io.ReadAll(out)
		if err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		in.Close()
		if code := cmd.ProcessState.ExitCode(); code != 128+int(sig) || !json.Valid(append(first, rest...)) {
			t.Errorf("%v: exit %d, %q", sig, code, rest)
		}
	}
}

// TestSeveralFilesBecomeOne reads two files as one timeline, and says of each packet where it is from.
func TestSeveralFilesBecomeOne(t *testing.T) {
	path := sampleCapture(t)
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.pcapng"), filepath.Join(dir, "b.pcapng")
	for out, filter := range map[string]string{a: "frame.number == 2", b: "frame.number != 2"} {
		if got := remora(t, nil, "-r", path, "-Y", filter, "-w", out); got.code != 0 {
			t.Fatal(got.err)
		}
	}
	for _, args := range [][]string{{"-r", a, "-r", b}, {a, b}} {
		got := remora(t, nil, append(args, "-c", "3", "-T", "fields", "-e", "frame.number", "-e", "frame.file")...)
		if got.out != "1\tb.pcapng\n2\ta.pcapng\n3\tb.pcapng\n" || got.code != 0 {
			t.Errorf("%q: exit %d, %q, %s", args, got.code, got.out, got.err)
		}
	}
	if got := remora(t, nil, "-r", a, "-r", b, "-w", b); got.code != exitUsage {
		t.Errorf("writing over the second file: exit %d, %s", got.code, got.err)
	}
	if got := remora(t, nil, "-r", a, "-r", b, "--play", "2"); got.code != exitUsage {
		t.Errorf("playing two files: exit %d, %s", got.code, got.err)
	}
}

// TestPlayedFilesTakeTheirTime plays a file very fast: all its packets come, and none is lost.
func TestPlayedFilesTakeTheirTime(t *testing.T) {
	path := sampleCapture(t)
	whole, played := remora(t, nil, "-r", path), remora(t, nil, "-r", path, "--play", "100000")
	if played.code != 0 || played.out != whole.out {
		t.Errorf("exit %d, %s: %q", played.code, played.err, played.out)
	}
}

// TestRanges writes ports that stand in a row as one range.
func TestRanges(t *testing.T) {
	if got := strings.Join(ranges([]uint32{53, 2300, 2301, 2302, 2303, 5353, 5354}),
		", "); got != "53, 2300-2303, 5353, 5354" {
		t.Errorf("the ranges are %s", got)
	}
}
