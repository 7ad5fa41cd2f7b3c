// Package testall tells the tests of every day from all of them. `go test` and `make test` run every test, with samples
// where a test repeats itself over packets, keys or rounds; `make test-all` sets REMORA_TEST_ALL and runs each to its
// end. Go remembers which tests asked for the variable: after `make test`, only those run again.
package testall

import (
	"os"
	"testing"
)

// Variable is the environment variable that asks for all tests when it is set to anything.
const Variable = "REMORA_TEST_ALL"

// On tells whether all tests are asked for.
func On() bool { return os.Getenv(Variable) != "" }

// Of is how much a test does: few, or all of it when all tests are asked for.
func Of[T any](few, all T) T {
	if On() {
		return all
	}
	return few
}

// Only skips the test unless all tests are asked for. What it shows must be shown by a smaller test, too.
func Only(t testing.TB) {
	t.Helper()
	if !On() {
		t.Skip("one of the long tests: make test-all, or " + Variable + "=1")
	}
}
