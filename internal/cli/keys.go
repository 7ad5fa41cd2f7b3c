package cli

import (
	"fmt"
	"os"

	"github.com/spf13/pflag"

	"remora/dissect"
)

// A keyFile is the file with secrets that a flag names.
type keyFile struct {
	*dissect.Keys
	path *string
}

// keyFlags declares the flags that protocols have for files with their secrets.
func (o *options) keyFlags(f *pflag.FlagSet) {
	for _, k := range dissect.KeysOf(plugins()) {
		o.keys = append(o.keys, keyFile{k, f.StringP(k.Flag, k.Short, os.Getenv(k.Env), k.Help)})
	}
}

// keyPaths are the files with secrets.
func (o *options) keyPaths() (out []string) {
	for _, k := range o.keys {
		out = append(out, *k.path)
	}
	return out
}

// openKeys gives the registry the secrets of the files.
func (o *options) openKeys(reg *dissect.Registry) error {
	for _, k := range o.keys {
		if *k.path == "" || *k.path == os.DevNull { // an empty one
			continue
		}
		secrets, err := k.Open(*k.path)
		if err == nil && o.read != "" && o.read != "-" && !o.tail && *k.path != os.Getenv(k.Env) {
			_, err = os.Stat(*k.path) // nobody is going to write it
		}
		if err != nil && inTsharksSeat() { // it goes on without
			fmt.Fprintf(os.Stderr, "remora: cannot read the keys: %s\n", harmless(err))
			continue
		}
		if err != nil {
			return usage("cannot read the keys: %w", err)
		}
		reg.SetSecrets(k.Keys, secrets)
	}
	if err := reg.LoadPreferences(); err != nil {
		return usage("-o %w", err)
	}
	return nil
}
