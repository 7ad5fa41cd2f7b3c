package source

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"remora/capture"
	"remora/ui/humanize"
)

// Keep reads a size; nothing is 0, which keeps everything.
func Keep(text string) (int64, error) {
	if strings.TrimSpace(text) == "" {
		return 0, nil
	}
	return capture.ParseSize(text)
}

// Length reads how many bytes of each packet are kept; 0: all.
func Length(text string) (int, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, errors.New("it takes a number of bytes, 0 for all")
	}
	return n, nil
}

// Stop reads the words of -a.
func Stop(text string) (capture.StopRules, error) {
	var r capture.StopRules
	for _, w := range strings.FieldsFunc(text, func(c rune) bool { return c == ' ' || c == ',' }) {
		if err := r.ParseStop(w); err != nil {
			return r, err
		}
	}
	return r, nil
}

// StopText writes rules as Stop reads them.
func StopText(r capture.StopRules) string {
	var out []string
	add := func(is bool, format string, v any) {
		if is {
			out = append(out, fmt.Sprintf(format, v))
		}
	}
	add(r.Duration > 0, "duration:%g", r.Duration.Seconds())
	add(r.Packets > 0, "packets:%d", r.Packets)
	add(r.Bytes > 0, "filesize:%d", r.Bytes/1000)
	add(r.Files > 0, "files:%d", r.Files)
	return strings.Join(out, " ")
}

// SizeText writes a size so that it can be read back.
func SizeText(n int64) string {
	if n == 0 {
		return ""
	}
	return strings.Replace(humanize.Bytes(n), ".0 ", " ", 1)
}

// CompletePath goes as far as the files that begin this way agree.
func CompletePath(text string) string {
	dir, begun := filepath.Split(ExpandHome(text))
	entries, err := os.ReadDir(cmp.Or(dir, "."))
	if err != nil {
		return text
	}
	var common string
	n := 0
	for _, e := range entries {
		name := e.Name()
		switch {
		case !strings.HasPrefix(name, begun):
			continue
		case n == 0:
			common = name
		}
		for !strings.HasPrefix(name, common) {
			common = common[:len(common)-1]
		}
		n++
	}
	if n == 0 {
		return text
	}
	common = dir + common
	if info, err := os.Stat(common); n == 1 && err == nil && info.IsDir() {
		common += string(filepath.Separator)
	}
	return common
}

// ExpandHome takes a path as it was typed or pasted, and replaces the sign for the home folder.
func ExpandHome(path string) string {
	path = unquoted(path)
	if len(path) > 1 && path[0] == '~' && os.IsPathSeparator(path[1]) {
		if dir, err := os.UserHomeDir(); err == nil {
			return filepath.Join(dir, path[2:])
		}
	}
	return path
}

// ShortHome writes the home folder as its sign.
func ShortHome(path string) string {
	dir, err := os.UserHomeDir()
	if rest, ok := strings.CutPrefix(path, dir+string(filepath.Separator)); ok && err == nil && dir != "" && dir != "/" {
		return "~" + string(filepath.Separator) + rest
	}
	return path
}
