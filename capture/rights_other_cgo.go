//go:build cgo && !linux

package capture

// CanCapture cannot know before an interface is opened.
func CanCapture() error { return nil }

// RightFrom is not known here.
func RightFrom() string { return "" }
