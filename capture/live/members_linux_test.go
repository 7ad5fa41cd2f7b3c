package live

import (
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"kernel.org/pub/linux/libs/security/libcap/cap"
)

// TestForMembersAlone runs a copy of this program that has the right to capture and the group of those who capture.
func TestForMembersAlone(t *testing.T) {
	if os.Getenv("REMORA_TEST_MEMBER") != "" {
		if err := ForMembersAlone(); err != nil {
			t.Fatal(err)
		}
		t.Logf("capabilities: %s", cap.GetProc())
		return
	}
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	group, err := user.LookupGroup(captureGroup)
	if err != nil {
		t.Skip("there is no group " + captureGroup + "; packages make it")
	}
	gid, err := strconv.Atoi(group.Gid)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "remora-test")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	b, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	const other = 65534
	for _, c := range []struct {
		name   string
		owner  int
		groups []uint32
		keeps  bool
	}{
		{"stranger", gid, nil, false},
		{"member", gid, []uint32{uint32(gid)}, true},
		{"a file of root's", 0, nil, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			exe := filepath.Join(dir, strings.ReplaceAll(c.name, " ", ""))
			if err := os.WriteFile(exe, b, 0o755); err != nil {
				t.Fatal(err)
			}
			os.Chmod(dir, 0o755)
			os.Chown(exe, 0, c.owner)
			if out, err := exec.Command("setcap", "cap_net_raw+ep", exe).CombinedOutput(); err != nil {
				t.Skipf("setcap: %v %s", err, out)
			}
			cmd := exec.Command(exe, "-test.run=^TestForMembersAlone$", "-test.v")
			cmd.Env, cmd.Dir = append(os.Environ(), "REMORA_TEST_MEMBER=1"), "/"
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: other, Gid: other, Groups: c.groups}}
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if got := strings.Contains(string(out), "cap_net_raw"); got != c.keeps {
				t.Errorf("keeps the right: %v\n%s", got, out)
			}
		})
	}
}
