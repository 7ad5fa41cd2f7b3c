package doctor

import (
	"fmt"
	"os"
	"runtime"
	"strings"

	"golang.org/x/sys/unix"

	"remora/capture/live"
	"remora/internal/confine"
)

// advice is what to do without rights.
var advice = live.SetcapCommand() + "   (once)\nor sudo remora   (this time)\nor, where a package installed it: sudo " +
	"usermod -aG remora \"$USER\", and log in again"

// system is the kernel and the distribution.
func system() string {
	var u unix.Utsname
	text := "linux/" + runtime.GOARCH
	if unix.Uname(&u) == nil {
		text += ", kernel " + unix.ByteSliceToString(u.Release[:])
	}
	b, err := os.ReadFile("/etc/os-release")
	if err != nil {
		return text
	}
	for line := range strings.Lines(string(b)) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "PRETTY_NAME="); ok {
			text += ", " + strings.Trim(name, `"`)
		}
	}
	return text
}

// kernel looks at what confines remora.
func kernel(System) []Line {
	const old = "nothing, or take a newer kernel: remora runs less confined (remora help, docs/security.md)"
	landlock := Line{Name: "Landlock", State: Works}
	switch abi := confine.LandlockABI(); {
	case abi == 0:
		landlock.State, landlock.Found, landlock.Do = Lacks, "the kernel has none, or it is switched off", old
	case abi < 6:
		landlock.State, landlock.Do = Lacks, old
		landlock.Found = fmt.Sprintf("version %d: files%s, but no signals", abi, map[bool]string{true: " and TCP"}[abi >= 4])
	default:
		landlock.Found = fmt.Sprintf("version %d: files, TCP, signals", abi)
	}
	seccomp := Line{Name: "seccomp", State: Works, Found: "filters system calls"}
	if !confine.Seccomp() {
		seccomp.State, seccomp.Found, seccomp.Do = Lacks, "system calls cannot be filtered", old
	}
	proc := Line{Name: "/proc", State: Works, Found: "mounted"}
	if _, err := os.Stat("/proc/self/exe"); err != nil {
		proc.State, proc.Found, proc.Do = Fails, "not mounted", "mount -t proc proc /proc"
	}
	return []Line{landlock, seccomp, proc}
}
