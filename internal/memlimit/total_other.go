//go:build !linux && !darwin

package memlimit

func total() int64 { return Unknown }
