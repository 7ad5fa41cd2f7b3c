package protofile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/emicklei/proto"

	"remora/internal/textfile"
)

// A Folder is where files are looked for. With All they are all read, else those alone that others import.
type Folder struct {
	Path string
	All  bool
}

// Limits of what is read.
const (
	maxFile  = 4 << 20
	maxFiles = 1 << 14
)

// Load reads the files of folders, and what they import.
func Load(folders []Folder) (*Pool, error) {
	p := &Pool{messages: map[string]*Message{}, enums: map[string]*Enum{}, methods: map[string]*Method{},
		read: map[string]bool{}}
	for _, f := range folders {
		if info, err := os.Stat(f.Path); err != nil {
			return nil, err
		} else if !info.IsDir() {
			return nil, fmt.Errorf("%s is no folder", f.Path)
		}
	}
	for _, f := range folders {
		if !f.All {
			continue
		}
		err := filepath.WalkDir(f.Path, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || !strings.EqualFold(filepath.Ext(path), ".proto") {
				return err
			}
			name, err := filepath.Rel(f.Path, path)
			if err != nil {
				return err
			}
			return p.file(folders, path, filepath.ToSlash(name))
		})
		if err != nil {
			return nil, err
		}
	}
	p.resolve()
	return p, nil
}

// file reads a file by the name that others import it by.
func (p *Pool) file(folders []Folder, path, name string) error {
	if p.read[name] {
		return nil
	}
	if p.read[name] = true; len(p.read) > maxFiles {
		return fmt.Errorf("there are more than %d files", maxFiles)
	}
	text, err := textfile.Read(path, maxFile)
	if err != nil {
		return err
	}
	parser := proto.NewParser(bytes.NewReader(withoutAggregates(text)))
	parser.Filename(path)
	parsed, err := parser.Parse()
	if err != nil {
		return err
	}
	for _, imported := range p.take(parsed) {
		if err := p.imported(folders, imported); err != nil {
			return err
		}
	}
	return nil
}

// imported reads the first file of that name in the folders. One that is in none of them is left out: what it declares
// is not known then.
func (p *Pool) imported(folders []Folder, name string) error {
	for _, f := range folders {
		path := filepath.Join(f.Path, filepath.FromSlash(name))
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			continue
		}
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		return p.file(folders, path, name)
	}
	return nil
}

// withoutAggregates puts blanks in the place of what stands in braces behind an equals sign: values of options that say
// nothing of the messages on the wire, in a syntax of which the parser knows a part.
func withoutAggregates(text []byte) []byte {
	text = bytes.Clone(text)
	deep, last := 0, byte(0)
	for i := 0; i < len(text); {
		n, blank := tokenAt(text[i:])
		c := text[i]
		switch {
		case blank:
		case c == '{' && (deep > 0 || last == '='):
			if deep++; deep == 1 {
				i += n
				continue
			}
		case c == '}' && deep > 0:
			deep--
		}
		for j := i; j < i+n && deep > 0; j++ {
			if text[j] != '\n' {
				text[j] = ' '
			}
		}
		if !blank {
			last = c
		}
		i += n
	}
	return text
}

// tokenAt is the length of a comment, a text in quotes or a single byte, and whether it says nothing.
func tokenAt(b []byte) (n int, blank bool) {
	ends := func(end string) int {
		if i := bytes.Index(b[2:], []byte(end)); i >= 0 {
			return 2 + i + len(end)
		}
		return len(b)
	}
	switch {
	case bytes.HasPrefix(b, []byte("//")):
		return ends("\n"), true
	case bytes.HasPrefix(b, []byte("/*")):
		return ends("*/"), true
	case b[0] == '"' || b[0] == '\'':
		for i := 1; i < len(b); i++ {
			if b[i] == '\\' {
				i++
			} else if b[i] == b[0] {
				return i + 1, false
			}
		}
		return len(b), false
	}
	return 1, b[0] == ' ' || b[0] == '\t' || b[0] == '\n' || b[0] == '\r'
}

// Begins tells whether a file that begins so may be one of types: by its first word outside of comments.
func Begins(start []byte) bool {
	comment := false
	for line := range strings.Lines(string(start)) {
		line = strings.TrimSpace(line)
		comment = comment || strings.HasPrefix(line, "/*")
		if comment || line == "" || strings.HasPrefix(line, "//") {
			comment = comment && !strings.HasSuffix(line, "*/")
			continue
		}
		word, _, _ := strings.Cut(line, " ")
		word, _, _ = strings.Cut(word, "=")
		return slices.Contains([]string{"syntax", "edition", "package", "import", "option", "message", "enum", "service",
			"extend"}, word)
	}
	return false
}
