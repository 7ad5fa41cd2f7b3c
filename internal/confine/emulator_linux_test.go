package confine

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestEmulated: a program that qemu-user runs goes on unconfined, instead of waiting for threads that are qemu's.
func TestEmulated(t *testing.T) {
	if os.Getenv("REMORA_EMULATED") != "" {
		if !Emulated() {
			t.Error("qemu is not known")
		}
		if err := Lock(Allowed{}); err != nil {
			t.Error(err)
		}
		return
	}
	if Emulated() {
		t.Skip("this is an emulator")
	}
	machine, err := exec.Command("uname", "-m").Output()
	if err != nil {
		t.Fatal(err)
	}
	qemu, err := exec.LookPath("qemu-" + strings.TrimSpace(string(machine)) + "-static")
	if err != nil {
		t.Skip(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, qemu, os.Args[0], "-test.run=^TestEmulated$", "-test.v")
	cmd.Env = append(os.Environ(), "REMORA_EMULATED=1")
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS") {
		t.Errorf("%v\n%s", err, out)
	}
}
