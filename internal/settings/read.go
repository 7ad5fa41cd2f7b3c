package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"remora/dissect"
	"remora/dissect/filter"
	"remora/internal/decodeas"
	"remora/internal/preferences"
	"remora/internal/resolve"
	"remora/internal/sorting"
	"remora/internal/textfile"
	"remora/ui"
)

// maxSize is how many bytes a file of settings may have.
const maxSize = 1 << 20

// A File is one file of settings as it was read.
type File struct {
	path, text string
	bad        faults          // of its shape; Values are without what these are about
	invalid    map[string]bool // coloring rules that lost a setting so, by their numbers
	Values
}

// Files are config.toml and the profile over it, each where there is one.
type Files []File

// Merged are the settings of all files, where a later one goes before an earlier one.
func (fs Files) Merged() Values {
	var s Values
	for _, f := range fs {
		s = f.Values.over(s)
	}
	return s
}

// Read reads config.toml, and a profile over it unless its name is "". Without a file there are no settings. What is
// wrong in them Check says, all at once.
func Read(profile string) (Files, error) {
	path, err := Path()
	if err != nil && profile == "" {
		return nil, nil // a user without a home has no settings
	}
	if err != nil {
		return nil, fmt.Errorf("there are no profiles: %v", err)
	}
	var files Files
	paths := []string{path}
	if profile != "" {
		paths = append(paths, profilePath(profile))
	}
	for i, path := range paths {
		b, err := textfile.Read(path, maxSize)
		switch {
		case errors.Is(err, fs.ErrNotExist) && i == 0:
			continue
		case errors.Is(err, fs.ErrNotExist) && hasFolder(profile):
			continue // a profile with names alone
		case errors.Is(err, fs.ErrNotExist):
			return nil, noProfile(profile)
		case err != nil:
			return nil, fmt.Errorf("the settings cannot be read: %v", err)
		}
		f, _ := parse(path, string(b))
		for k := range f.Coloring {
			if f.Coloring[k].profile = profile; i == 0 {
				f.Coloring[k].profile = ""
			}
		}
		files = append(files, f)
	}
	return files, nil
}

// Check holds the settings against the protocols, and with screen those of the screen against what there is. It says
// everything that is wrong, file by file and line by line.
func (fs Files) Check(reg *dissect.Registry, opt filter.Options, screen bool) error {
	var bad faults
	for i, f := range fs {
		bad = append(bad, f.check(reg, opt, screen, i == 0)...)
	}
	if len(fs) > 1 && screen {
		bad = append(bad, fs.conflicts(reg, opt, bad)...)
	}
	if len(bad) > 0 {
		return bad
	}
	return nil
}

// check says what is wrong with one file, in the order of its lines.
func (f File) check(reg *dissect.Registry, opt filter.Options, screen, first bool) faults {
	bad := slices.Clone(f.bad)
	if first && Value(f.When) != "" && filepath.Base(filepath.Dir(f.path)) != "profiles" {
		bad = append(bad, f.fault([]string{"when"}, "only a profile says which traffic it is for"))
	}
	problems := ui.CheckWords(f.Screen())
	if screen {
		problems = ui.Check(reg, opt, f.Screen())
	}
	for _, p := range problems {
		if f.follows(p.Path) {
			continue
		}
		x := f.fault(p.Path, p.Text)
		x.more = p.More
		if p.Word != "" {
			x.line = lineOfWord(f.text, x.line, p.Word)
		}
		bad = append(bad, x)
	}
	if err := resolve.Check(Value(f.Resolve)); err != nil {
		bad = append(bad, f.fault([]string{"resolve"}, err.Error()))
	}
	for name, value := range f.Preferences {
		if err := preferences.Check(reg, name+":"+value); err != nil {
			bad = append(bad, f.fault([]string{"preferences", name}, err.Error()))
		}
	}
	for _, word := range f.DecodeAs {
		if _, err := decodeas.Parse(reg, []string{word}); err != nil {
			x := f.fault([]string{"decode_as"}, err.Error())
			x.line = lineOfWord(f.text, x.line, word)
			bad = append(bad, x)
		}
	}
	sorting.Stable(bad, func(a, b fault) int { return a.line - b.line })
	return bad
}

// follows tells whether something is wrong only because another fault took a setting away from its coloring rule.
func (f File) follows(path []string) bool {
	if len(path) != 3 || path[0] != "coloring" || !f.invalid[path[1]] {
		return false
	}
	n := 0
	fmt.Sscan(path[1], &n)
	r := f.Coloring[n]
	return map[string]string{"filter": r.Filter, "fg": r.FG, "bg": r.BG}[path[2]] == ""
}

// conflicts says which keys of a profile do not go with those below, where each file alone is in order. told was said
// already.
func (fs Files) conflicts(reg *dissect.Registry, opt filter.Options, told faults) faults {
	var bad faults
	last := fs[len(fs)-1]
	for _, p := range ui.Check(reg, opt, ui.Settings{Keys: fs.Merged().Keys}) {
		x := last.fault(p.Path, p.Text)
		if !slices.ContainsFunc(told, func(t fault) bool { return t.key == x.key && t.text == x.text }) {
			bad = append(bad, x)
		}
	}
	return bad
}
