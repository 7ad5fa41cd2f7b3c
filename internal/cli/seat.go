package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"remora/dissect/filter"
)

// inTsharksSeat tells whether the program was started under the name tshark, by a link: for scripts that call that. It
// then opens no screen, captures where nothing says otherwise, and ends with tshark's exit codes.
func inTsharksSeat() bool {
	name := filepath.Base(os.Args[0])
	return name == "tshark" || strings.HasPrefix(name, "tshark.")
}

// tshark's exit codes (ui/exit_codes.h).
const (
	tsharkUsage  = 1
	tsharkFile   = 2
	tsharkFilter = 2
)

// tsharksCode is the exit code that tshark has for what ended with one of remora's.
func tsharksCode(code int, err error) int {
	var typed usageError
	var badFilter *filter.Error
	switch {
	case errors.As(err, &badFilter) && !errors.As(err, &typed):
		return tsharkFilter
	case code == exitUsage && isUsage(err):
		return tsharkUsage
	case errors.Is(err, fs.ErrNotExist):
		return tsharkFile
	case code == exitMayNot:
		return tsharkFile
	}
	return code
}

// whenColored are the words that --color takes; tshark's has none, and stands for always.
var whenColored = []string{"auto", "always", "never"}

// tsharksWords are the arguments as the flags take them: -G, whose word may be left out, has it joined to it.
func tsharksWords(args []string) []string {
	for i, a := range args {
		if a == "--" {
			break
		}
		if a == "--color" && inTsharksSeat() && (i+1 == len(args) || !slices.Contains(whenColored, args[i+1])) {
			args = slices.Clone(args)
			args[i] = "--color=always"
		}
		if a == "-G" && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-") {
			out := append([]string{}, args[:i]...)
			return append(append(out, "-G="+args[i+1]), args[i+2:]...)
		}
	}
	return args
}
