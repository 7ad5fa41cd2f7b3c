//go:build unix && !linux

package doctor

const advice = "run it with sudo, or let your group read /dev/bpf*"
