package export

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is written by the screen takes the place of nothing, and leaves no half of itself behind.
func TestExportsSpareFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "there")
	if err := os.WriteFile(path, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := File(path, false, func(io.Writer) error { return nil }); err == nil ||
		!strings.Contains(err.Error(), "there already") {
		t.Errorf("over a file: %v", err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "precious" {
		t.Errorf("the file is now %q, %v", b, err)
	}
	half, full := path+"2", errors.New("no space left")
	err := File(half, false, func(w io.Writer) error {
		io.WriteString(w, "half")
		return full
	})
	if _, gone := os.Stat(half); err != full || !os.IsNotExist(gone) {
		t.Errorf("%v; left behind: %v", err, gone)
	}
}

// TestNoFormulaFromPackets: text of packets must not become a formula where a table is opened.
func TestNoFormulaFromPackets(t *testing.T) {
	for text, want := range map[string]string{"=1+1": "'=1+1", "@SUM(A1)": "'@SUM(A1)", "-5": "-5", "-x": "'-x",
		"plain": "plain", "": ""} {
		if got := cellText(text); got != want {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}
