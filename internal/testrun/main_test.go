package main

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

func TestOnlyBuilt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(file, []byte(`{"Replace": {"a.go": "b.go"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	replace := map[string]string{"x": "y"}
	built, rest, err := onlyBuilt([]string{"-c", "protocols", "p.exe", "-overlay=" + file, "-vet=off"}, replace)
	if want := []string{"-c", "-o", "p.exe", "./protocols"}; err != nil || !reflect.DeepEqual(built, want) {
		t.Errorf("%q (%v), want %q", built, err, want)
	}
	if !reflect.DeepEqual(rest, []string{"-vet=off"}) ||
		!reflect.DeepEqual(replace, map[string]string{"x": "y", "a.go": "b.go"}) {
		t.Errorf("left are %q, replaced are %q", rest, replace)
	}
	if built, rest, err := onlyBuilt([]string{"-short"}, replace); built != nil || len(rest) != 1 || err != nil {
		t.Errorf("%q %q %v", built, rest, err)
	}
}
