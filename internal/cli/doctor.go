package cli

import (
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"remora/internal/doctor"
	"remora/ui"
)

const doctorHelp = `remora doctor: say what works here, and what to do where something does not

  --json   the same for programs

It holds no names of users or machines and no addresses: put it into a bug report as
it is. It ends with 0, or with 1 where something FAILS.
`

// doctorCommand looks what works here.
func doctorCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "doctor", Short: "Say what works here, and what to do where something does not",
		Args: cobra.NoArgs, RunE: func(*cobra.Command, []string) error { return examine(asJSON) }}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	return cmd
}

func examine(asJSON bool) error {
	r := doctor.Examine(doctor.System{Version: versionText() + "\n" + builtText(), Getenv: os.Getenv,
		Has:   func(program string) bool { _, err := exec.LookPath(program); return err == nil },
		Probe: askTerminal, Colours: ui.DetectColours().String(), Private: doctor.FromHere()})
	write := r.Text
	if asJSON {
		write = r.JSON
	}
	if err := write(os.Stdout); err != nil {
		return outputError(err)
	}
	if !r.Well() {
		return reportedError(exitFailed)
	}
	return nil
}

// terminalPatience is how long a terminal may take to answer; far ones take a while.
const terminalPatience = time.Second

// askTerminal writes a question and reads what the terminal answers, up to the c that ends the last answer.
func askTerminal(question string) (answer string, asked bool) {
	in := int(os.Stdin.Fd())
	if !term.IsTerminal(in) || !term.IsTerminal(int(os.Stdout.Fd())) {
		return "", false
	}
	old, err := term.MakeRaw(in)
	if err != nil {
		return "", false
	}
	defer term.Restore(in, old)
	restore, ok := obeyEscapes(os.Stdout)
	if !ok {
		return "", false
	}
	defer restore()
	if _, err := os.Stdout.WriteString(question); err != nil {
		return "", false
	}
	got := make(chan byte, 256)
	go func() { // it stays where a terminal never answers; the program ends soon
		for b := make([]byte, 1); ; {
			if n, err := os.Stdin.Read(b); n < 1 || err != nil {
				close(got)
				return
			}
			got <- b[0]
			if b[0] == 'c' {
				return
			}
		}
	}()
	var text strings.Builder
	late := time.After(terminalPatience)
	for {
		select {
		case b, more := <-got:
			if !more {
				return text.String(), true
			}
			text.WriteByte(b)
			if b == 'c' {
				return text.String(), true
			}
		case <-late:
			return text.String(), true
		}
	}
}
