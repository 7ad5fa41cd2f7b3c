//go:build !cgo

package capture

// TimeStampsOf says that this build cannot capture.
func TimeStampsOf(string) ([]string, error) { return nil, ErrNoCapture }
