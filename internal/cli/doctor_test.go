package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"remora/internal/doctor"
)

func TestDoctor(t *testing.T) {
	text, asJSON := remora(t, nil, "doctor"), remora(t, nil, "doctor", "--json")
	var r doctor.Report
	if err := json.Unmarshal([]byte(asJSON.out), &r); err != nil {
		t.Fatalf("%v\n%s", err, asJSON.out)
	}
	want := exitDone
	if !r.Well() {
		want = exitFailed
	}
	if text.code != want || asJSON.code != want {
		t.Errorf("exit codes %d and %d, want %d\n%s", text.code, asJSON.code, want, text.out)
	}
	for _, part := range []string{"capture", "terminal", "folders", "programs"} {
		if !strings.Contains(text.out, "\n"+part+"\n") {
			t.Errorf("%s is missing:\n%s", part, text.out)
		}
	}
	if !strings.HasPrefix(text.out, "remora ") || r.Program[0] != strings.SplitN(text.out, "\n", 2)[0] {
		t.Errorf("the version comes first: %q\n%s", r.Program, text.out)
	}
}

func TestVersionTellsHowItWasBuilt(t *testing.T) {
	out := remora(t, nil, "--version").out
	for _, want := range []string{"built for ", " cgo", "github.com/google/gopacket v", "charm.land/bubbletea/v2 v"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing: %s", want, out)
		}
	}
}
