package print

import "testing"

func TestNamesOnWindows(t *testing.T) {
	for name, want := range map[string]string{
		"index.html": "index.html", "console.txt": "console.txt", "com10": "com10", "": "", ".hidden": ".hidden",
		"con": "%63on", "NUL.txt": "%4eUL.txt", "aux .tar.gz": "%61ux .tar.gz", "Com1.log": "%43om1.log",
		"lpt0": "%6cpt0", "conin$": "%63onin$", "end.": "end%2e", "end ": "end%20", "..": ".%2e",
	} {
		if got := windowsName(name); got != want {
			t.Errorf("%q is called %q, want %q", name, got, want)
		}
	}
}
