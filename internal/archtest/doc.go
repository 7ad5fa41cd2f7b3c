// Package archtest has no code, only tests that hold the whole tree to its rules: which package may import which, and
// that nothing registers itself.
package archtest
