//go:build !windows

package bpf

const noLibpcap = "this build cannot capture (built without cgo/libpcap)"
