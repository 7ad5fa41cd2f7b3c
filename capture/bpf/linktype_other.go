//go:build !darwin && !openbsd

package bpf

var ownDLT map[int]int
