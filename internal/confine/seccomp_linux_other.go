//go:build linux && !amd64 && !arm64

package confine

// filterCalls knows the numbers of no calls here.
func filterCalls(Allowed) error { return nil }
