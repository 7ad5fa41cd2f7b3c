//go:build !windows

package source

// unquoted leaves a path as it is: quotes may be in names.
func unquoted(path string) string { return path }
