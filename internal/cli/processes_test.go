//go:build linux

package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"remora/dissect/dissecttest"
)

// A starting is a way to start the program, for the table in docs/security.md.
type starting struct {
	what   string
	screen bool
	args   []string
	sees   string // of the output, once the process is locked
}

// TestWhatProcessesMayDo reads from /proc what the processes of the built program may do, for each way of starting it,
// and holds the table of docs/security.md against it.
func TestWhatProcessesMayDo(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("needs root: it becomes others, and makes network namespaces")
	}
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "remora-processes-") // the testing package's own are root's alone
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	os.Chown(dir, nobody, nobody)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	ours, file := filepath.Join(dir, "remora"), filepath.Join(dir, "some.pcap")
	p := udpPacket(5000, 6000, "one")
	if err := os.WriteFile(file, dissecttest.Pcap(1, dissecttest.Packets(p, p, p)), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(ours, b, 0o755); err != nil {
		t.Fatal(err)
	}
	// cap_net_raw,cap_net_admin+eip, as capability.h lays it out: revision 2, effective; permitted; inheritable.
	set := []byte{1, 0, 0, 2, 0, 0x30, 0, 0, 0, 0x30, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	if err := unix.Setxattr(ours, "security.capability", set, 0); err != nil {
		t.Skip(err)
	}
	ways := []starting{
		{"printing a file (`-r`)", false, []string{"-P", "-l", "--tail", "-r", file}, "5000"},
		{"printing a capture (`-i`)", false, []string{"-P", "-i", "lo", "-f", "port 1"}, "Capturing"},
		{"screen on a file", true, []string{file}, "[Packets]"},
		{"screen on a capture", true, []string{"-i", "lo", "-f", "port 1"}, "[Packets]"},
		{"screen, choosing", true, nil, "lo"},
	}
	var table strings.Builder
	table.WriteString("| started | by | process | user | capabilities | bounding set | NoNewPrivs | Seccomp " +
		"|\n|---|---|---|---|---|---|---|---|\n")
	for _, w := range ways {
		for _, by := range []string{"user, setcap", "sudo", "root"} {
			state := filepath.Join(dir, "state")
			args := []string{"-n", "sh", "-c", `ip link set lo up; exec "$@"`, "sh"}
			switch by {
			case "user, setcap":
				args = append(args, "setpriv", "--reuid", fmt.Sprint(nobody), "--regid", fmt.Sprint(nobody), "--clear-groups", ours)
			case "sudo":
				args = append(args, "env", fmt.Sprint("SUDO_UID=", nobody), fmt.Sprint("SUDO_GID=", nobody), "SUDO_USER=nobody",
					path)
			default:
				args = append(args, path)
				state = t.TempDir() // root's own
			}
			for _, row := range statusOf(t, dir, state, w, append(args, w.args...)) {
				fmt.Fprintf(&table, "| %s | %s | %s |\n", w.what, by, row)
			}
		}
	}
	docs, err := os.ReadFile("docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(docs), table.String()) {
		t.Errorf("docs/security.md has another table. What the processes may do is:\n\n%s", table.String())
	}
}

// statusOf starts the program and gives the rows of its processes.
func statusOf(t *testing.T, dir, state string, w starting, args []string) (rows []string) {
	t.Helper()
	var pid int
	if w.screen {
		x := startIn(t, state, "unshare", args...)
		x.sees(w.sees)
		pid = x.cmd.Process.Pid
		defer func() { endCapture(t, pid); x.cmd.Process.Kill(); <-x.end }()
	} else {
		cmd := exec.Command("unshare", args...)
		cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_STATE_HOME="+state)
		out := filepath.Join(t.TempDir(), "out")
		f, err := os.Create(out)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		cmd.Stdout, cmd.Stderr = f, f
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		defer func() { cmd.Process.Signal(syscall.SIGTERM); cmd.Wait() }()
		for n := 0; ; n++ {
			if b, _ := os.ReadFile(out); strings.Contains(string(b), w.sees) {
				break
			} else if n == 3000 {
				t.Fatalf("%q wrote %q", args, b)
			}
			time.Sleep(10 * time.Millisecond)
		}
		pid = cmd.Process.Pid
	}
	row := func(name string, pid int) string {
		var b []byte
		for range 3000 { // a process that has just been started locks itself soon
			var err error
			if b, err = os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(b), "Seccomp:\t2") {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		status := map[string]string{}
		for line := range strings.Lines(string(b)) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), ":")
			status[key] = strings.TrimSpace(value)
		}
		uids := strings.Fields(status["Uid"])
		user := map[string]string{"0": "root", fmt.Sprint(nobody): "user"}[uids[0]]
		if slices.ContainsFunc(uids, func(u string) bool { return u != uids[0] }) || status["CapEff"] != status["CapPrm"] ||
			strings.Trim(status["CapInh"]+status["CapAmb"], "0") != "" {
			t.Errorf("%s of %q has mixed rights:\n%s", name, args, b)
		}
		return strings.Join([]string{name, user, capNames(status["CapPrm"]), capNames(status["CapBnd"]),
			yes(status["NoNewPrivs"] == "1"),
			yes(status["Seccomp"] == "2")}, " | ")
	}
	name := "printer"
	if w.screen {
		name = "screen"
	}
	for _, child := range children(t, pid) {
		rows = append(rows, row(kindOf(child), child))
	}
	slices.Sort(rows) // they come by the threads that started them
	return append([]string{row(name, pid)}, rows...)
}

func yes(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}

// capNames names the capabilities of a mask that matter here.
func capNames(mask string) string {
	var all uint64
	fmt.Sscanf(mask, "%x", &all)
	var out []string
	for _, c := range []struct {
		bit  int
		name string
	}{{unix.CAP_NET_RAW, "NET_RAW"}, {unix.CAP_NET_ADMIN, "NET_ADMIN"}, {unix.CAP_DAC_OVERRIDE, "DAC_OVERRIDE"},
		{unix.CAP_DAC_READ_SEARCH, "DAC_READ_SEARCH"}, {unix.CAP_FOWNER, "FOWNER"}} {
		if all&(1<<c.bit) != 0 {
			out = append(out, c.name)
			all &^= 1 << c.bit
		}
	}
	switch {
	case all != 0:
		return "all"
	case len(out) == 0:
		return "none"
	}
	return strings.Join(out, " ")
}
