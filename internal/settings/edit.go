package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"remora/internal/broker"
	"remora/internal/textfile"
)

// KeepDecodeAs writes a word of decode-as into config.toml, or into the file of a profile, and leaves all else there as
// it is, comments too. It returns the file.
func KeepDecodeAs(profile, word string) (string, error) {
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
	if slices.Contains(old.DecodeAs, word) {
		return path, nil
	}
	text := withWord(string(b), "decode_as", word)
	now, bad := parse(path, text)
	want := old.Values
	want.DecodeAs = append(slices.Clone(want.DecodeAs), word)
	if len(bad) > 0 || !reflect.DeepEqual(now.Values, want) {
		return "", fmt.Errorf("%s is written in a way that only you can change: add %q to decode_as", path, word)
	}
	return path, replaceFile(path, text)
}

// withWord adds a text to a list at the head of a file of settings, which it begins where there is none.
func withWord(text, name, word string) string {
	lines := strings.SplitAfter(text, "\n")
	at, after := 0, 0 // offset of the line, and behind the one that says what the setting is when left out
	for _, line := range lines {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "[") {
			break
		}
		if key, _, ok := cutKey(trimmed); ok && trimmed[0] != '#' && slices.Equal(key, []string{name}) {
			if in, comma, ok := listEnd(text[at:]); ok {
				return text[:at+in] + comma + strconv.Quote(word) + text[at+in:]
			}
		}
		at += len(line)
		if strings.HasPrefix(trimmed, "# "+name+" =") {
			after = at
		}
	}
	line := name + " = [" + strconv.Quote(word) + "]\n"
	if after > 0 && text[after-1] != '\n' {
		line = "\n" + line
	}
	return text[:after] + line + text[after:]
}

// listEnd is where a further text of the list goes that begins in the first line of a text: behind the last one,
// whatever comments follow, with the comma that must stand before it.
func listEnd(text string) (in int, comma string, ok bool) {
	from := strings.IndexByte(text, '[')
	if from < 0 {
		return 0, "", false
	}
	in = from + 1
	for i := from + 1; i < len(text); i++ {
		switch c := text[i]; c {
		case ' ', '\t', '\n', '\r':
		case '#':
			for i+1 < len(text) && text[i+1] != '\n' {
				i++
			}
		case ',':
			in, comma = i+1, " "
		case ']':
			return in, comma, true
		case '"', '\'':
			for i++; i < len(text) && text[i] != c; i++ {
				if c == '"' && text[i] == '\\' {
					i++
				}
			}
			in, comma = i+1, ", "
		default:
			return 0, "", false
		}
	}
	return 0, "", false
}

// replaceFile puts a text in the place of a file in one step.
func replaceFile(path, text string) error {
	f, err := broker.Create(path, broker.Settings)
	if err != nil {
		return err
	}
	if _, err = f.WriteString(text); err != nil {
		f.Drop()
		return err
	}
	return f.Keep()
}
