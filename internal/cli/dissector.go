package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"remora/internal/userdirs"
	"remora/owndissect"
)

// dissectorCommand is "remora dissector": dissectors of one's own are begun, checked and listed.
func dissectorCommand(o *options) *cobra.Command {
	cmd := &cobra.Command{Use: "dissector", Short: "Begin, check and list dissectors of your own"}
	cmd.AddCommand(
		&cobra.Command{Use: "check FILE...", Short: "Load dissectors, and say what is wrong with them",
			Args: cobra.MinimumNArgs(1),
			RunE: func(_ *cobra.Command, files []string) error { return o.checkDissectors(files) }},
		&cobra.Command{Use: "new NAME",
			Short: "Begin a dissector in your folder; NAME.ksy begins a description in Kaitai Struct",
			Args:  cobra.ExactArgs(1),
			RunE:  func(_ *cobra.Command, args []string) error { return o.newDissector(args[0]) }},
		&cobra.Command{Use: "list", Short: "List your dissectors, and what is wrong with them", Args: cobra.NoArgs,
			RunE: func(*cobra.Command, []string) error { return o.listDissectors() }})
	return cmd
}

// checkDissectors loads files as they would be loaded, and tells what they declare.
func (o *options) checkDissectors(files []string) error {
	bad := 0
	for _, path := range files {
		set := owndissect.NewSet(o.languages()...)
		err := set.Add(owndissect.File{Path: path, Named: true, Unsafe: o.own.unsafe})
		if err == nil {
			err = o.checkSet(set)
		}
		if err != nil {
			bad++
			fmt.Fprintf(os.Stderr, "remora: %s\n", harmless(err))
		}
	}
	if bad > 0 {
		return reportedError(exitUsage)
	}
	return nil
}

// checkSet loads the files of a set, and prints the protocols that they have.
func (o *options) checkSet(set *owndissect.Set) error {
	plain, err := registry()
	if err != nil {
		return err
	}
	reg, problems, err := set.Load(registry)
	if err != nil || len(problems) > 0 {
		return errors.Join(append(problems, err)...)
	}
	var out strings.Builder
	for _, p := range reg.Protocols() {
		if plain.Protocol(p.Name()) != p {
			fmt.Fprintf(&out, "%s: %s\n", p.Name(), p.Doc())
		}
	}
	return printText(out.String())
}

// newDissector writes a file to begin with. It never replaces one.
func (o *options) newDissector(name string) error {
	dir := dissectorFolder()
	if dir == "" {
		return errors.New("there is no folder for settings: set HOME or XDG_CONFIG_HOME")
	}
	set := owndissect.NewSet(o.languages()...)
	l := set.Language(name)
	if l == nil {
		name += ".lua"
		l = set.Language(name)
	}
	word := strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
	if name != filepath.Base(name) || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" || word == "" {
		return usage("the name of a protocol has small letters, digits and underscores, and stands alone: %q", name)
	}
	if err := userdirs.MakeDir(dir); err != nil {
		return err
	}
	path := filepath.Join(dir, name)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already", path)
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(l.Template(word))
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return printText(path + "\n")
}

// listDissectors lists the files of the folder.
func (o *options) listDissectors() error {
	set := owndissect.NewSet(o.languages()...)
	if err := set.AddFolder(dissectorFolder()); err != nil {
		return err
	}
	_, problems, err := set.Load(registry)
	if err != nil {
		return err
	}
	var out strings.Builder
	for _, f := range set.Files() {
		state := "loaded"
		for _, p := range problems {
			var told *owndissect.Error
			if errors.As(p, &told) && told.Path == f.Path {
				state = told.Error()
			}
		}
		fmt.Fprintf(&out, "%s: %s\n", f.Path, harmless(errors.New(state)))
	}
	return printText(out.String())
}
