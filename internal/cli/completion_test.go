package cli

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// shells are the ways to have a shell complete a line without a person: what is typed is $1, and the program $0 is in
// the path as remora. Each prints what it offers; zsh is told with
// $3 what to wait for.
var shells = map[string][]string{
	"fish": {"fish", "--no-config", "-c", `
set -x PATH (path dirname $argv[1]) $PATH
remora completion fish | source
complete -C $argv[2] | string replace -r '\t.*' ''; true`},
	// zsh completes in its line editor alone: a terminal of its own shows what it offers.
	"zsh": {"zsh", "-f", "-c", `
zmodload zsh/zpty
PATH=${1:h}:$PATH
zpty z zsh -f -i
zpty -w z 'PS1=; PROMPT2=; unsetopt zle_bracketed_paste 2>/dev/null; PATH='${1:h}':$PATH; autoload -U compinit; compinit -u -D; source <(remora completion zsh); compdef _remora remora'
zpty -w z 'print re""ady'
zpty -r -m z x '*ready*'
zpty -n -w z "$2"$'\t'
for i in {1..150}; do sleep 0.1; zpty -r -t z x && print -rn -- "$x"; [[ $x == *$3* ]] && break; done
zpty -d z`},
}

// TestOtherShellsComplete runs the scripts of zsh and fish, where these are installed.
func TestOtherShellsComplete(t *testing.T) {
	t.Parallel()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	for name, how := range shells {
		t.Run(name, func(t *testing.T) {
			if _, err := exec.LookPath(name); err != nil {
				t.Skip(err)
			}
			for typed, want := range map[string]string{"remora -e udp.srcp": "udp.srcport", "remora -T fie": "fields",
				"remora --theme lig": "light"} {
				words := slices.Clone(how)
				if name == "zsh" {
					words = append(words, "zsh") // $0
				}
				cmd := exec.Command(words[0], append(words[1:], path, typed, want)...)
				cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "XDG_CONFIG_HOME="+t.TempDir(), "XDG_DATA_HOME="+t.TempDir(),
					"TERM=dumb")
				out, err := cmd.CombinedOutput()
				if err != nil || !strings.Contains(string(out), want) {
					t.Errorf("%q is completed by %q, want %s (%v)", typed, out, want, err)
				}
			}
		})
	}
}
