//go:build cgo && !linux && !windows

package live

// mayCapture cannot know before an interface is opened.
func mayCapture() error { return nil }

// RightFrom is not known here.
func RightFrom() string { return "" }
