package cli

import (
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"remora/internal/manual"
)

// shortHelp is what --help prints: tasks before flags, on one screen.
const shortHelp = `remora: a network packet analyser for the terminal

  remora                          choose an interface
  remora -i eth0 udp port 10800   capture, with a capture filter
  remora game.pcapng              open a file
  remora demo                     a bundled capture, played as if live
  ssh router tcpdump -U -w - | remora
  remora -r game.pcapng -T json -Y 'kaillera.type == CHAT' | jq .

Where from   -i IF      interface, repeatable     -r FILE   file, - for stdin
             -f FILTER  capture filter            --tail    file still growing
What to show -Y FILTER  display filter            -d T==N,P decode as
             -t FORMAT  time format               -n        no names
Keep         -w FILE    write while capturing     -b LIMIT  ring of files
Stop         -c N       after N packets           -a LIMIT  duration, size
No picture   -T FORM    text json fields ek tabs  -e FIELD  with -T fields
             -P -V -x   rows, trees, bytes        -z STAT   statistics, types
Look         --theme --color --glyphs --no-mouse  -C NAME   profile
             --page games   a game while it runs, alone

  remora -D                list interfaces       remora doctor  what works here
  remora help TOPIC        flags filters keys statistics exit, or tcp.port
  remora completion SHELL  bash, zsh, fish       remora man     the manual page
`

const demoHelp = `remora demo: play the capture that comes with remora, as if it were live

  --play SPEED   faster or slower than it was captured; all flags that say what
                 to show count, too (remora help flags)
`

// helpTopics makes --help fit a screen, and the rest topics of "remora help".
func helpTopics(cmd *cobra.Command) {
	usual := cmd.HelpFunc()
	cmd.SetHelpFunc(func(c *cobra.Command, args []string) {
		switch {
		case c.Name() == "demo":
			io.WriteString(c.OutOrStdout(), demoHelp)
		case c.Name() == "doctor":
			io.WriteString(c.OutOrStdout(), doctorHelp)
		case c.Name() == "man":
			io.WriteString(c.OutOrStdout(), "remora man prints the manual page: remora man | man -l -\n")
		case c != cmd:
			usual(c, args)
		case len(c.Flags().Args()) > 0 && !inTsharksSeat(): // --help and a topic
			if err := writeHelp(c.OutOrStdout(), cmd, c.Flags().Args()); err != nil {
				io.WriteString(c.ErrOrStderr(), "remora: "+harmless(err)+"\n")
			}
		default:
			io.WriteString(c.OutOrStdout(), shortHelp)
		}
	})
	cmd.SetHelpCommand(&cobra.Command{
		Use:               "help [TOPIC]",
		Short:             "Help on a topic: flags, filters, keys, a protocol, a field",
		ValidArgsFunction: completeTopics,
		RunE:              func(c *cobra.Command, args []string) error { return writeHelp(os.Stdout, cmd, args) },
	})
}

// manCommand prints the manual page, as --man does.
func manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man",
		Short: "Print the manual page, for man -l -",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return writeManual(cmd.Root().PersistentFlags())
		},
	}
}

func writeManual(flags *pflag.FlagSet) error {
	reg, err := registry()
	if err != nil {
		return err
	}
	return outputError(manual.Help{Flags: flags, Registry: reg}.Write(os.Stdout))
}

// writeHelp writes a topic; without one, all there are. The name of a command is a topic, too.
func writeHelp(w io.Writer, cmd *cobra.Command, words []string) error {
	reg, err := registry()
	if err != nil {
		return err
	}
	name := strings.Join(words, "-")
	if sub, _, err := cmd.Find(words); err == nil && sub != cmd {
		return sub.Help()
	}
	if len(name) > 1 {
		name = strings.TrimLeft(name, "-")
	}
	text, err := manual.Help{Flags: cmd.PersistentFlags(), Registry: reg}.Text(name)
	if err != nil {
		return usageError{err}
	}
	_, err = io.WriteString(w, text)
	return outputError(err)
}

// completeTopics offers topics, and then protocols and fields.
func completeTopics(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	var out []string
	for _, t := range manual.Topics() {
		if strings.HasPrefix(t[0], typed) {
			out = append(out, t[0]+"\t"+t[1])
		}
	}
	if typed == "" {
		return out, cobra.ShellCompDirectiveNoFileComp
	}
	reg, err := registry()
	if err != nil {
		return out, cobra.ShellCompDirectiveNoFileComp
	}
	more, how := completeFields(reg, typed)
	return append(out, more...), how
}
