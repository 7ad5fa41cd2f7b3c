package cli

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"remora/internal/manual"
	"remora/ui/keys"
)

// TestManualPage has groff read the page with all its warnings, and holds it against the tables.
func TestManualPage(t *testing.T) {
	page := remora(t, nil, "--man")
	if got := remora(t, nil, "man"); got != page {
		t.Error("the command prints another page than the flag")
	}
	if page.code != 0 || page.err != "" {
		t.Fatalf("exit %d, %s", page.code, page.err)
	}
	command(&options{}).Flags().VisitAll(func(f *pflag.Flag) {
		if !strings.Contains(page.out, manual.Roff("--"+f.Name)) {
			t.Errorf("the page does not know --%s", f.Name)
		}
	})
	for _, g := range keys.Declared() {
		for _, k := range g.Keys {
			if !strings.Contains(page.out, "\\fB"+manual.Roff(k.Keys)+"\\fR\n") {
				t.Errorf("the page does not know the keys %s", k.Keys)
			}
		}
	}
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("groff is not installed")
	}
	cmd := exec.Command(groff, "-man", "-ww", "-Tutf8", "-Kutf8")
	cmd.Stdin = strings.NewReader(page.out)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil || errs.Len() > 0 {
		t.Errorf("groff: %v\n%s", err, errs.String())
	}
	if !strings.Contains(string(out), "a network packet analyser for the terminal") {
		t.Error("groff prints no page")
	}
}

// TestCompletions asks for completions as the scripts of the shells do.
func TestCompletions(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-i", "l"}, "lo"},
		{[]string{"-e", "udp.srcp"}, "udp.srcport"},
		{[]string{"-e", "tou"}, "touhou"},
		{[]string{"-Y", "dns && udp.dstp"}, "dns && udp.dstport"},
		{[]string{"-O", "dns,touh"}, "dns,touhou"},
		{[]string{"-d", "udp.p"}, "udp.port=="},
		{[]string{"-d", "udp.port==7000,touh"}, "udp.port==7000,touhou"},
		{[]string{"-T", "j"}, "json"},
		{[]string{"-z", "io,p"}, "io,phs"},
		{[]string{"-t", "u"}, "ud"},
		{[]string{"--fields", "touh"}, "touhou"},
		{[]string{"--theme", "d"}, "dark"},
		{[]string{"-r", ""}, "pcapng"},
	} {
		got := remora(t, nil, append([]string{"__complete"}, c.args...)...)
		var words []string
		for l := range strings.Lines(got.out) {
			word, _, _ := strings.Cut(strings.TrimSpace(l), "\t")
			words = append(words, strings.TrimSpace(word))
		}
		if !slices.Contains(words, c.want) {
			t.Errorf("%v: no %q in %q", c.args, c.want, words)
		}
	}
}

// TestBashCompletes runs the script of bash, with the program in its path.
func TestBashCompletes(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	script := `
remora() { "$0" "$@"; }
source <("$0" completion bash)
_get_comp_words_by_ref() {
	cur=${COMP_WORDS[COMP_CWORD]}; prev=${COMP_WORDS[COMP_CWORD-1]}; words=("${COMP_WORDS[@]}"); cword=$COMP_CWORD
}
compopt() { :; }
try() {
	COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}; COMP_TYPE=9; COMPREPLY=()
	__start_remora; printf '%s\n' "${COMPREPLY[@]%% *}"
}
try remora -e udp.srcp
try remora -T fie
try remora --theme lig
`
	out, err := exec.Command(bash, "--norc", "-c", script, path).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := strings.Fields(string(out)); !slices.Equal(got, []string{"udp.srcport", "fields", "light"}) {
		t.Errorf("bash completes %q", got)
	}
}
