package settings

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"remora/dissect"
	"remora/internal/suggest"
	"remora/internal/textfile"
	"remora/internal/userdirs"
	"remora/ui"
	"remora/ui/act"
)

// defaultText is the file of settings with every setting in it.
//
//go:embed config.toml
var defaultText string

// Text is the file with every setting, and the names of all actions.
func Text() string {
	var b strings.Builder
	if path, err := Path(); err == nil {
		b.WriteString("# remora's settings: save this as " + path + "\n")
	}
	b.WriteString(defaultText + "\n# The actions, for [keys]:\n")
	for _, a := range act.All() {
		fmt.Fprintf(&b, "#   %-32s %s\n", a.Name(), a.Help())
	}
	return b.String()
}

// Path is where the settings are kept.
func Path() (string, error) {
	dir, err := userdirs.Config()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "config.toml"), nil
}

// profilePath is the file of a profile.
func profilePath(name string) string {
	dir, _ := userdirs.Config()
	return filepath.Join(dir, "profiles", name+".toml")
}

// isName tells whether a profile is called by its name, which leads to no other folder.
func isName(profile string) bool {
	return filepath.Base(profile) == profile && filepath.IsLocal(profile)
}

// hasFolder tells whether a profile has a folder, remora's or Wireshark's, which may hold files of names.
func hasFolder(profile string) bool {
	if !isName(profile) {
		return false
	}
	for _, dir := range []func() (string, error){userdirs.Config, userdirs.Wireshark} {
		path, err := dir()
		if info, missing := os.Stat(filepath.Join(path, "profiles", profile)); err == nil && missing == nil && info.IsDir() {
			return true
		}
	}
	return false
}

// Profiles are the names of all profiles.
func Profiles() []string {
	dir, err := userdirs.Config()
	if err != nil {
		return nil
	}
	files, _ := filepath.Glob(filepath.Join(dir, "profiles", "*.toml"))
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".toml"))
	}
	return names
}

// ProfileRules are the profiles that say which traffic they are for. One that cannot be read is told of when it is
// asked for.
func ProfileRules() []ui.ProfileRule {
	var out []ui.ProfileRule
	for _, name := range Profiles() {
		b, err := textfile.Read(profilePath(name), maxSize)
		if err != nil {
			continue
		}
		if f, bad := parse(profilePath(name), string(b)); len(bad) == 0 && Value(f.When) != "" {
			out = append(out, ui.ProfileRule{Name: name, Filter: *f.When})
		}
	}
	return out
}

func noProfile(name string) error {
	all := Profiles()
	hint := "save one as " + profilePath(name)
	if !isName(name) {
		hint = "a profile is called by its name alone"
	} else if near := suggest.One(name, all); near != "" {
		hint = "did you mean " + near + "?"
	} else if len(all) > 0 {
		hint = "there are " + strings.Join(all, ", ")
	}
	return fmt.Errorf("there is no profile called %s; %s", dissect.Escape(name), dissect.Escape(hint))
}

// Stamp changes when config.toml or the file of the profile does.
func Stamp(profile string) string {
	path, err := Path()
	if err != nil {
		return ""
	}
	paths := []string{path}
	if profile != "" {
		paths = append(paths, profilePath(profile))
	}
	stamp := ""
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil {
			stamp += fmt.Sprintf("%d %d;", info.ModTime().UnixNano(), info.Size())
		} else {
			stamp += "none;"
		}
	}
	return stamp
}
