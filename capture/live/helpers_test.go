package live

import (
	"context"
	"testing"

	"remora/capture"
	"remora/capture/pcapfile"
)

// openFile opens a file, with spools in a folder of the test's own, and waits for its end.
func open(t testing.TB, path string, opt capture.Options) *capture.Store {
	t.Helper()
	if opt.SpoolDir == "" {
		opt.SpoolDir = t.TempDir()
	}
	s, err := pcapfile.Open(context.Background(), path, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	s.Wait()
	return s
}
