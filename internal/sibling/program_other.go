//go:build !linux

package sibling

import "os"

// Program is the file that this program was started from.
func Program() (string, error) { return os.Executable() }
