//go:build !linux

package doctor

import (
	"runtime"

	"remora/capture/live"
)

// system is what Go calls it, and its version.
func system() string { return runtime.GOOS + "/" + runtime.GOARCH + ", " + live.SystemName() }

// kernel has one thing to say: there are no means to confine a program with here.
func kernel(System) []Line {
	return []Line{{Name: "confinement", State: Lacks, Found: "there is none on this system",
		Do: "open captures of strangers on Linux, or in a virtual machine"}}
}
