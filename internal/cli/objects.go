package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"remora/dissect"
	"remora/ui/print"
)

// An exported is one --export-objects: the objects of a protocol go into a folder.
type exported struct {
	name, dir string
	folder    *os.Root
}

// takeExports takes the words of --export-objects apart.
func (o *options) takeExports(reg *dissect.Registry) error {
	names := objectNames(reg)
	all := strings.Join(names, ", ")
	for _, words := range o.exports {
		name, dir, _ := strings.Cut(words, ",")
		switch {
		case !slices.Contains(names, name):
			return usage("--export-objects %s: it takes PROTO,DIR; PROTO is %s", dissect.Escape(words), all)
		case dir == "":
			return usage("--export-objects %s: name a folder, too: %s,DIR", name, name)
		case slices.ContainsFunc(o.exporting, func(e exported) bool { return e.name == name }):
			return usage("--export-objects %s: they are exported already", name)
		}
		o.exporting = append(o.exporting, exported{name: name, dir: dir})
	}
	return nil
}

// objectNames are the protocols that have objects.
func objectNames(reg *dissect.Registry) []string {
	return slices.Sorted(slices.Values(reg.ObjectNames()))
}

// openExports makes and opens the folders. It comes in front of what locks the process.
func (o *options) openExports() error {
	for i := range o.exporting {
		e := &o.exporting[i]
		err := os.MkdirAll(e.dir, 0o755)
		if err == nil {
			e.folder, err = os.OpenRoot(e.dir)
		}
		if err != nil {
			return fmt.Errorf("objects cannot be written to %s: %w", dissect.Escape(e.dir), errors.Unwrap(err))
		}
	}
	return nil
}

// exportFolders are the folders of --export-objects, as the kernel knows them.
func (o *options) exportFolders() (out []string) {
	for _, e := range o.exporting {
		if dir, err := filepath.EvalSymlinks(e.dir); err == nil {
			out = append(out, dir)
		}
	}
	return out
}

// newExports begin to write objects.
func (o *options) newExports(s *dissect.Session) (out []*print.Objects) {
	for _, e := range o.exporting {
		out = append(out, print.NewObjects(s, e.name, e.folder))
	}
	return out
}

// completeExports offers the names of objects, behind which the folder comes.
func completeExports(reg *dissect.Registry, _ string) (out []string, after cobra.ShellCompDirective) {
	for _, name := range reg.ObjectNames() {
		out = append(out, name+",")
	}
	return out, cobra.ShellCompDirectiveNoSpace
}
