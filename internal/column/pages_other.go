//go:build !linux

package column

import "unsafe"

// UseLargePages does nothing: large pages are asked for on Linux alone.
func UseLargePages() {}

func enlarge(unsafe.Pointer) {}
