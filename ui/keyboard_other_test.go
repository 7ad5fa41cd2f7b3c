//go:build !unix

package ui

import "testing"

// TestSuspendIsNotHad says so where other systems give the shell back.
func TestSuspendIsNotHad(t *testing.T) {
	open(t, 100, 24, Config{}).keys("<ctrl+z>").has("programs cannot be stopped on this system")
}
