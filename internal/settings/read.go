package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"remora/dissect"
	"remora/dissect/filter"
	"remora/internal/decodeas"
	"remora/internal/naming"
	"remora/ui"
)

// A File is one file of settings as it was read.
type File struct {
	path, text string
	Values
}

// Files are config.toml and the profile over it, each where there is one.
type Files []File

func (fs Files) Merged() Values {
	var s Values
	for _, f := range fs {
		s = f.Values.over(s)
	}
	return s
}

// Read reads config.toml, and a profile over it unless its name is "". Without a file there are no settings.
func Read(profile string) (Files, error) {
	path, err := Path()
	if err != nil && profile == "" {
		return nil, nil // a user without a home has no settings
	}
	if err != nil {
		return nil, fmt.Errorf("there are no profiles: %v", err)
	}
	var files Files
	var wrong faults
	paths := []string{path}
	if profile != "" {
		paths = append(paths, profilePath(profile))
	}
	for i, path := range paths {
		b, err := os.ReadFile(path)
		switch {
		case errors.Is(err, fs.ErrNotExist) && i == 0:
			continue
		case errors.Is(err, fs.ErrNotExist):
			return nil, noProfile(profile)
		case err != nil:
			return nil, fmt.Errorf("the settings cannot be read: %v", err)
		}
		f, bad := parse(path, string(b))
		for k := range f.Coloring {
			if f.Coloring[k].profile = profile; i == 0 {
				f.Coloring[k].profile = ""
			}
		}
		files, wrong = append(files, f), append(wrong, bad...)
	}
	if len(wrong) > 0 {
		return nil, wrong
	}
	return files, nil
}

// Check holds the settings against the protocols, and with screen those of the screen against what there is.
func (fs Files) Check(reg *dissect.Registry, opt filter.Options, screen bool) error {
	var bad faults
	for i, f := range fs {
		if i == 0 && Value(f.When) != "" && filepath.Base(filepath.Dir(f.path)) != "profiles" {
			bad = append(bad, f.fault([]string{"when"}, "only a profile says which traffic it is for"))
		}
		problems := ui.CheckWords(f.Screen())
		if screen {
			problems = ui.Check(reg, opt, f.Screen())
		}
		for _, p := range problems {
			x := f.fault(p.Path, p.Text)
			x.more = p.More
			bad = append(bad, x)
		}
		if err := naming.Check(Value(f.Resolve)); err != nil {
			bad = append(bad, f.fault([]string{"resolve"}, err.Error()))
		}
		if _, err := decodeas.Parse(reg, f.DecodeAs); err != nil {
			bad = append(bad, f.fault([]string{"decode_as"}, err.Error()))
		}
	}
	if len(bad) == 0 && len(fs) > 1 && screen { // keys of a profile can be at odds with those below
		last := fs[len(fs)-1]
		for _, p := range ui.Check(reg, opt, ui.Settings{Keys: fs.Merged().Keys}) {
			bad = append(bad, last.fault(p.Path, p.Text))
		}
	}
	if len(bad) > 0 {
		return bad
	}
	return nil
}
