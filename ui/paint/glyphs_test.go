package paint

import (
	"strings"
	"testing"
)

func TestLegacyConsole(t *testing.T) {
	for _, c := range []struct {
		env  string
		page uint32
		want bool
	}{
		{"", 437, true}, {"", 850, true}, {"", 932, true}, {"", utf8CodePage, false}, {"", 0, false},
		{"WT_SESSION", 437, false}, {"ConEmuANSI", 437, false}, {"TERM", 437, false},
	} {
		set := map[string]string{c.env: "yes"}
		if got := legacyConsole(func(name string) string { return set[name] }, c.page); got != c.want {
			t.Errorf("code page %d with %q: %v", c.page, c.env, got)
		}
	}
}

func TestWantsASCII(t *testing.T) {
	for env, want := range map[string]bool{
		"":                                               false,
		"TERM=xterm-256color":                            false,
		"TERM=xterm-256color LANG=":                      false,
		"TERM=xterm-256color LANG=en_US.UTF-8":           false,
		"TERM=tmux-256color LANG=C.utf8":                 false,
		"TERM=screen LC_CTYPE=UTF-8":                     false,
		"TERM=screen LC_CTYPE=":                          false,
		"TERM=vte-256color":                              false,
		"TERM=xterm LANG=en_US":                          false,
		"TERM=xterm LANG=ca_ES.UTF-8@valencia":           false,
		"TERM=xterm LANG=C":                              true,
		"TERM=xterm LANG=POSIX":                          true,
		"TERM=xterm LANG=de_DE.ISO-8859-1":               true,
		"TERM=xterm LANG=de_DE.ISO-8859-15@euro":         true,
		"TERM=xterm LANG=de_DE@euro":                     true,
		"TERM=xterm LANG=ja_JP.eucJP":                    true,
		"TERM=xterm LANG=C.UTF-8 LC_ALL=C":               true,
		"TERM=xterm LANG=C LC_CTYPE=en_GB.UTF-8":         false,
		"TERM=xterm LC_ALL=C.UTF-8 LC_CTYPE=C LANG=C":    false,
		"TERM=xterm LC_ALL= LC_CTYPE=C LANG=en_GB.UTF-8": true,
		"TERM=linux LANG=en_GB.UTF-8":                    true,
		"TERM=linux LANG=":                               true,
		"TERM=linux-16color LANG=en_GB.UTF-8":            true,
		"TERM=vt100 LANG=en_GB.UTF-8":                    true,
		"TERM=vt220":                                     true,
		"TERM=vt220-8bit":                                true,
		"TERM=dumb":                                      true,
	} {
		vars := map[string]string{}
		for _, word := range strings.Fields(env) {
			name, value, _ := strings.Cut(word, "=")
			vars[name] = value
		}
		if got := WantsASCII(func(name string) string { return vars[name] }); got != want {
			t.Errorf("%q: %v, want %v", env, got, want)
		}
	}
}
