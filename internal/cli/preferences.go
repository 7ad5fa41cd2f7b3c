package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"remora/capture/extcap"
	"remora/dissect"
	"remora/internal/glossary"
	"remora/internal/preferences"
	"remora/internal/resolve"
	"remora/internal/textfile"
	"remora/internal/userdirs"
	"remora/ui/columns"
)

// usePreferences sets what -o and the settings say, and does what the program's own preferences ask for.
func (o *options) usePreferences(reg *dissect.Registry) error {
	for _, bad := range preferences.Load(reg, o.nameFolders()) {
		fmt.Fprintf(os.Stderr, "remora: %s\n", harmless(bad))
	}
	words, err := o.takeExtcap()
	if err != nil {
		return usage("-o %w", err)
	}
	kept := o.wiresharks(reg)
	ports, err := preferences.Set(reg, words)
	if err != nil {
		return usage("-o %w", err)
	}
	o.ports = append(kept, ports...)
	if o.names == "" && !o.noNames && preferences.Given(reg, preferences.Names()...) {
		o.resolve = preferences.Letters(reg)
	}
	for _, k := range o.keys {
		if k.Preference == nil || *k.path != "" {
			continue
		}
		if *k.path = reg.Preferred(k.Preference).Text; *k.path == "" {
			continue
		}
		if _, err := os.Stat(*k.path); err != nil {
			return usage("-o %s: %w", k.Preference.Name(), err)
		}
	}
	if text := reg.Preferred(preferences.Columns).Text; text != "" && !strings.Contains(text, `"`) {
		o.cells = strings.Split(text, ",") // a shell has taken the quotes
	} else if text != "" {
		if o.cells, err = dissect.UnquoteRow(text); err != nil {
			return usage("-o %s: %w", preferences.Columns.Name(), err)
		}
	}
	o.kept = resolve.Source{Folders: o.nameFolders(), Profile: reg.Preferred(preferences.ProfileHosts).On}
	return nil
}

// useCells has the packet list begin with the columns of gui.column.format. Where a person kept what the list does not
// have, that is said; with -o it ends the program.
func (o *options) useCells(reg *dissect.Registry) error {
	if len(o.cells) == 0 {
		return nil
	}
	names, err := columns.FromFormats(reg, o.cells)
	if err == nil {
		o.screen.Columns = names
		return nil
	}
	name := preferences.Columns.Name()
	if slices.ContainsFunc(o.prefer, func(w string) bool { return strings.HasPrefix(w, name) }) {
		return usage("-o %s: %w", name, err)
	}
	fmt.Fprintf(os.Stderr, "remora: %s: %s\n", name, harmless(err))
	return nil
}

// wiresharks takes the preferences that Wireshark has kept, and gives its rules of decode as: those of the profile that
// -C names, and in tshark's seat those for all else.
func (o *options) wiresharks(reg *dissect.Registry) (rules []dissect.DecodeAs) {
	rules = preferences.DecodeAsWireshark(reg, o.profileFile("decode_as_entries"))
	ports, bad := preferences.SetWireshark(reg, o.profileFile("preferences"))
	for _, err := range bad {
		fmt.Fprintf(os.Stderr, "remora: preferences: %s\n", harmless(err))
	}
	for word := range strings.Lines(o.profileFile("heuristic_protos")) {
		name, on, _ := strings.Cut(strings.TrimSpace(word), ",")
		if _, _, err := guesser(reg, name); err == nil && on == "0" {
			o.seat.disableGuess = append(o.seat.disableGuess, name)
		}
	}
	return append(rules, ports...)
}

// profileFile is the text of Wireshark's file of that name, "" for none.
func (o *options) profileFile(name string) string {
	for _, dir := range o.nameFolders() {
		if !inTsharksSeat() && (o.profile == "" || filepath.Base(dir) != o.profile) {
			continue
		}
		if text, err := textfile.Read(filepath.Join(dir, name), maxProfileFile); err == nil {
			return string(text)
		}
	}
	return ""
}

// maxProfileFile bounds a file of Wireshark's settings, in bytes.
const maxProfileFile = 4 << 20

// takeExtcap takes the preferences that are arguments of capture programs, and gives the others.
func (o *options) takeExtcap() (others []string, err error) {
	for _, w := range o.prefer {
		key, value, ok := strings.Cut(w, ":")
		if key = strings.TrimSpace(key); !ok || !strings.HasPrefix(key, "extcap.") {
			others = append(others, w)
			continue
		}
		if err := extcap.Check(key, value); err != nil {
			return nil, err
		}
		if o.live.Extcap == nil {
			o.live.Extcap = map[string]string{}
		}
		o.live.Extcap[key] = value
	}
	return others, nil
}

// printGlossary prints -G.
func (o *options) printGlossary(reg *dissect.Registry) error {
	g := &glossary.Glossary{Registry: reg, Version: versionText(), Release: releaseText(), Folders: folders()}
	if o.mapped != "" {
		g.Only = strings.Split(o.mapped, ",")
	}
	if strings.HasSuffix(o.glossary, "prefs") {
		if _, err := o.useSettings(reg); err != nil {
			return err
		}
		if err := o.usePreferences(reg); err != nil {
			return err
		}
		g.Extcap = extcapPreferences()
	}
	if o.glossary == "plugins" {
		g.Programs = extcapPrograms()
	}
	if path, err := os.Executable(); err == nil {
		g.Program = path
	}
	if err := g.Write(os.Stdout, o.glossary); err != nil {
		if _, writing := errors.AsType[*os.PathError](err); writing {
			return outputError(err)
		}
		return usageError{err}
	}
	return nil
}

// folders are where files are looked for and written, in the order and by the names of tshark where it has such.
func folders() (list [][2]string) {
	add := func(name string, paths ...string) {
		for _, path := range paths {
			list = append(list, [2]string{name, path})
		}
	}
	asked := func(name string, path func() (string, error)) {
		if p, err := path(); err == nil {
			add(name, p)
		}
	}
	add("Temp", os.TempDir())
	asked("Personal configuration", userdirs.Config)
	asked("State", userdirs.State)
	asked("Wireshark's files", userdirs.Wireshark)
	asked("Program", func() (string, error) {
		path, err := os.Executable()
		return filepath.Dir(path), err
	})
	add("Personal Lua Plugins", scriptFolders()[1])
	add("Extcap path", existing(extcap.Folders())...)
	return list
}

// extcapPrograms are the capture programs: name, version and path of each.
func extcapPrograms() (list [][3]string) {
	for _, in := range extcap.List() {
		p := [3]string{filepath.Base(in.Program), in.Version, in.Program}
		if !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b [3]string) int { return strings.Compare(a[0], b[0]) })
	return list
}

// extcapPreferences are the arguments of capture programs, with what each is and how it is set unless somebody says
// otherwise.
func extcapPreferences() (list []glossary.Argument) {
	for _, in := range extcap.List() {
		args, _ := in.Arguments() // one that fails has none
		for _, a := range args {
			g := glossary.Argument{Name: in.Key(a), Doc: a.Display, Usual: a.Default, Secret: a.Type == "password"}
			if len(a.Values) > 0 { // the program knows which of them it takes
				g.Usual = ""
			}
			list = append(list, g)
		}
	}
	return list
}

// nameFolders are where a person keeps files of names, those of the profile first: remora's folder, and Wireshark's.
func (o *options) nameFolders() (out []string) {
	for _, dir := range []func() (string, error){userdirs.Config, userdirs.Wireshark} {
		path, err := dir()
		if err != nil {
			continue
		}
		if o.profile != "" {
			out = append(out, filepath.Join(path, "profiles", o.profile))
		}
		out = append(out, path)
	}
	return existing(out)
}

// existing are the folders that there are.
func existing(folders []string) (out []string) {
	for _, dir := range folders {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			out = append(out, dir)
		}
	}
	return out
}
