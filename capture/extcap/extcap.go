// Package extcap finds and asks capture programs by Wireshark's convention (extcap(4)): which interfaces they have, and
// which arguments those take.
package extcap

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"remora/internal/sorting"
	"remora/internal/suggest"
	"remora/internal/userdirs"
)

// An Interface is something that a program captures on.
type Interface struct {
	Name, Display string
	Program       string // its path
	Version       string // of the program, as it tells it
	Controls      bool   // the program wants pipes for its controls
}

// An Argument is one that an interface takes.
type Argument struct {
	Call     string // as --count
	Display  string
	Type     string // as extcap(4) has them: string, unsigned, selector, boolflag …
	Default  string
	Tooltip  string
	Group    string
	Required bool
	Values   []Value // of a selector and the like
}

// A Value is one of those that can be chosen.
type Value struct{ Value, Display string }

// version is what programs are told that they talk to.
const version = "--extcap-version=4.0"

// patience is how long a program may take to tell what it has.
const patience = 5 * time.Second

// Folders are where programs are looked for: the one that the environment names, or a person's own and the system's.
func Folders() []string {
	if dir := os.Getenv("WIRESHARK_EXTCAP_DIR"); dir != "" {
		return []string{dir}
	}
	var list []string
	for _, own := range []func() (string, error){userdirs.Config, userdirs.Wireshark} {
		if dir, err := own(); err == nil {
			list = append(list, filepath.Join(dir, "extcap"))
		}
	}
	if home, err := os.UserHomeDir(); err == nil {
		list = append(list, filepath.Join(home, ".local/lib/wireshark/extcap"))
	}
	system, _ := filepath.Glob("/usr/lib/*/wireshark/extcap") // the pattern is well-formed
	return append(append(list, system...), "/usr/lib/wireshark/extcap", "/usr/local/lib/wireshark/extcap",
		"/Applications/Wireshark.app/Contents/MacOS/extcap")
}

// List are the interfaces of all programs, in the order of their names. The programs are asked once.
var List = sync.OnceValue(func() []Interface { return find(Folders()) })

// find asks the programs of some folders, all at the same time.
func find(folders []string) []Interface {
	var programs []string
	for _, dir := range folders {
		entries, _ := os.ReadDir(dir) // one that is not there has none
		for _, e := range entries {
			path := filepath.Join(dir, e.Name())
			if info, err := os.Stat(path); err == nil && executable(info) {
				programs = append(programs, path)
			}
		}
	}
	found := make([][]Interface, len(programs))
	var asking sync.WaitGroup
	for i, path := range programs {
		asking.Go(func() {
			text, _ := ask(path, "--extcap-interfaces", version) // one that fails has none
			found[i] = parseInterfaces(path, text)
		})
	}
	asking.Wait()
	var list []Interface
	for _, in := range slices.Concat(found...) {
		if !slices.ContainsFunc(list, func(l Interface) bool { return l.Name == in.Name }) {
			list = append(list, in)
		}
	}
	sorting.Stable(list, func(a, b Interface) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// Find is the interface of that name.
func Find(name string) (Interface, bool) {
	i := slices.IndexFunc(List(), func(l Interface) bool { return l.Name == name })
	if i < 0 {
		return Interface{}, false
	}
	return List()[i], true
}

// ask is what a program answers.
func ask(path string, words ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, words...)
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	return string(out), err
}

// Arguments are those that the interface takes.
func (in Interface) Arguments() ([]Argument, error) {
	text, err := ask(in.Program, "--extcap-config", "--extcap-interface", in.Name)
	if err != nil {
		return nil, fmt.Errorf("%s does not tell its arguments: %w", in.Program, err)
	}
	return parseArguments(text), nil
}

// Key is the name of an argument's preference, as extcap.randpkt.count.
func (in Interface) Key(a Argument) string {
	return "extcap." + strings.ToLower(notWord.ReplaceAllString(in.Name, "_")) + "." +
		strings.ReplaceAll(a.Call, "-", "")
}

var notWord = regexp.MustCompile(`[^a-zA-Z0-9_]`)

// Words are the command line that captures. Values are by preference; the others are as the program has them.
func (in Interface) Words(args []Argument, values map[string]string, filter, fifo string) ([]string, error) {
	words := []string{"--capture", "--extcap-interface", in.Name}
	if filter != "" {
		words = append(words, "--extcap-capture-filter", filter)
	}
	words = append(words, "--fifo", fifo)
	for _, a := range args {
		v, given := values[in.Key(a)]
		switch {
		case a.Type == "boolflag":
			if isTrue(v) || !given && isTrue(a.Default) {
				words = append(words, a.Call)
			}
		case v != "":
			words = append(words, a.Call, v)
		case a.Required && a.Default == "":
			return nil, in.Missing(a)
		}
	}
	return words, nil
}

// Missing says that an argument has to be given.
func (in Interface) Missing(a Argument) error {
	return fmt.Errorf("%s has to be told %s: -o %s:VALUE", in.Name, a.Display, in.Key(a))
}

func isTrue(v string) bool {
	return slices.Contains([]string{"true", "1", "yes", "y", "t"}, strings.ToLower(v))
}

// Check tells what is wrong with a preference: there is no such argument, or it does not take the value.
func Check(key, value string) error {
	var keys []string
	for _, in := range List() {
		args, err := in.Arguments()
		if err != nil {
			continue
		}
		for _, a := range args {
			if in.Key(a) == key {
				if err := a.Check(value); err != nil {
					return fmt.Errorf("%s %w", key, err)
				}
				return nil
			}
			keys = append(keys, in.Key(a))
		}
	}
	hint := "-D lists the programs that capture"
	if near := suggest.One(key, keys); near != "" {
		hint = "did you mean " + near + "?"
	}
	return fmt.Errorf("there is no preference called %s; %s", key, hint)
}

// Check tells what is wrong with a value of an argument.
func (a Argument) Check(value string) error {
	switch a.Type {
	case "integer", "long":
		if _, err := strconv.ParseInt(value, 0, 64); err != nil && value != "" {
			return fmt.Errorf("takes a number, not %q", value)
		}
	case "unsigned":
		if _, err := strconv.ParseUint(value, 0, 64); err != nil && value != "" {
			return fmt.Errorf("takes a number that is not negative, not %q", value)
		}
	case "double":
		if _, err := strconv.ParseFloat(value, 64); err != nil && value != "" {
			return fmt.Errorf("takes a number, not %q", value)
		}
	}
	if a.Type != "selector" && a.Type != "radio" || len(a.Values) == 0 || value == "" && !a.Required {
		return nil
	}
	var all []string
	for _, v := range a.Values {
		all = append(all, v.Value)
	}
	if slices.Contains(all, value) {
		return nil
	}
	return fmt.Errorf("takes %s, not %q", strings.Join(all, ", "), value)
}
