package cli

import (
	"errors"
	"remora/internal/suggest"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagError says what is wrong with a flag, and which one may have been meant.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var bad *pflag.InvalidValueError
	var bare *pflag.ValueRequiredError
	switch {
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		if len(name) == 1 && unknown.GetSpecifiedShortnames() != "" {
			return usage("there is no flag -%s%s", name, suggestInstead(name))
		}
		return usage("there is no flag --%s%s", name, suggestFlag(cmd, name))
	case errors.As(err, &bad):
		_, text := pflag.UnquoteUsage(bad.GetFlag())
		return usage("%s %q: it takes %s (%s)", flagName(bad.GetFlag()), bad.GetValue(), typeWord(bad.GetFlag()), text)
	case errors.As(err, &bare):
		value, text := pflag.UnquoteUsage(bare.GetFlag())
		return usage("%s takes a value: %s (%s)", flagName(bare.GetFlag()), value, text)
	}
	return usageError{err}
}

func flagName(f *pflag.Flag) string {
	if f.Shorthand != "" {
		return "-" + f.Shorthand
	}
	return "--" + f.Name
}

func typeWord(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "int":
		return "a number"
	case "bool":
		return "no value"
	}
	return "another value"
}

// suggestInstead is what to use for the flags of tshark that remora does not have.
func suggestInstead(short string) string {
	hint := map[string]string{
		"R": "use -Y", "G": "use --fields or --protocols",
		"Q": "use -q", "j": "use -Y and -e to choose", "J": "use -O or -e to choose",
	}[short]
	if hint == "" {
		return ""
	}
	return "; " + hint
}

// suggestFlag is a hint at the flag that may have been meant; tshark's longer names count.
func suggestFlag(cmd *cobra.Command, name string) string {
	also := map[string]string{"list-fields": "fields", "list-protocols": "protocols", "output": "write",
		"input":  "read-file",
		"filter": "display-filter", "count": "packet-count", "statistics": "statistic", "decode": "decode-as", "json": "type"}
	if flag := also[strings.ToLower(name)]; flag != "" {
		return "; did you mean --" + flag + "?"
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if near := suggest.One(strings.ToLower(name), names); near != "" {
		return "; did you mean --" + near + "?"
	}
	return ""
}
