package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"remora/internal/textfile"
)

// KeepPreference writes a preference into config.toml, or into the file of a profile, and leaves all else there as it
// is, comments too. It returns the file.
func KeepPreference(profile, name, value string) (string, error) {
	path, err := Path()
	if err != nil {
		return "", err
	}
	if profile != "" {
		path = profilePath(profile)
	}
	b, err := textfile.Read(path, maxSize)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	old, bad := parse(path, string(b))
	if len(bad) > 0 {
		return "", Brief(bad)
	}
	text := withPreference(string(b), name, value)
	now, bad := parse(path, text)
	want := old.Values
	want.Preferences = maps.Clone(want.Preferences)
	if want.Preferences == nil {
		want.Preferences = map[string]string{}
	}
	want.Preferences[name] = value
	if len(bad) > 0 || !reflect.DeepEqual(now.Values, want) {
		return "", fmt.Errorf("%s is written in a way that only you can change: set %q in [preferences]", path, name)
	}
	return path, replaceFile(path, text)
}

// withPreference sets a name in the table of preferences, which it begins at the end where there is none.
func withPreference(text, name, value string) string {
	line := strconv.Quote(name) + " = " + strconv.Quote(value) + "\n"
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	lines := strings.SplitAfter(text, "\n")
	head := slices.IndexFunc(lines, func(l string) bool {
		words, _, _ := strings.Cut(l, "#")
		return strings.TrimSpace(words) == "[preferences]"
	})
	if head < 0 {
		return text + "\n[preferences]\n" + line
	}
	for i := head + 1; i < len(lines) && !strings.HasPrefix(strings.TrimSpace(lines[i]), "["); i++ {
		trimmed := strings.TrimSpace(lines[i])
		if key, _, ok := cutKey(trimmed); ok && trimmed[0] != '#' && slices.Equal(key, []string{name}) {
			lines[i] = line
			return strings.Join(lines, "")
		}
	}
	return strings.Join(slices.Insert(lines, head+1, line), "")
}
