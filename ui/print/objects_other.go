//go:build !windows

package print

// systemName is what a file may be called here: anything.
func systemName(name string) string { return name }
