// Package ksy makes dissectors of descriptions in the language of Kaitai Struct. What the language has no words for
// stands below the key -remora: where the format is found, which field is the packet type, what the Info column says.
package ksy

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"remora/dissect"
	"remora/internal/kaitai"
	"remora/internal/textfile"
	"remora/owndissect"
)

// New is the language.
func New() owndissect.Language { return language{} }

type language struct{}

// Suffix is what the files end in.
func (language) Suffix() string { return ".ksy" }

// Template is a description to begin with.
func (language) Template(name string) string { return strings.ReplaceAll(template, "NAME", name) }

// Load compiles a description and attaches its dissector to where it says that it applies.
func (language) Load(reg *dissect.Registry, f *owndissect.File) error {
	spec, err := kaitai.Load(&folder{f}, filepath.Base(f.Path))
	if err != nil {
		return told(f, err)
	}
	p, err := newPlace(spec)
	if err != nil {
		return told(f, err)
	}
	return p.attach(reg)
}

// folder gives a description the files beside it and below: what it imports.
type folder struct{ f *owndissect.File }

const maxText = 1 << 20

// Read is the text of a file.
func (d *folder) Read(name string) ([]byte, error) {
	if name == filepath.Base(d.f.Path) {
		return d.f.Text, nil
	}
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return nil, errors.New("it is outside of the description's folder")
	}
	path := filepath.Join(filepath.Dir(d.f.Path), filepath.FromSlash(name))
	d.f.Reads(path)
	text, err := textfile.Read(path, maxText)
	if errors.Is(err, os.ErrNotExist) {
		err = errors.New("there is no file " + path)
	}
	return text, err
}

// Absolute is below the same folder, or with fewer of the folders that the name begins with: a description out of a
// collection finds those that lay beside it there.
func (d *folder) Absolute(name string) []string {
	out := []string{name}
	for {
		_, rest, ok := strings.Cut(name, "/")
		if !ok {
			return out
		}
		name = rest
		out = append(out, name)
	}
}

// told makes errors of the loader of mistakes.
func told(f *owndissect.File, err error) error {
	var list kaitai.Mistakes
	var one kaitai.Mistake
	switch {
	case errors.As(err, &list):
	case errors.As(err, &one):
		list = kaitai.Mistakes{one}
	default:
		return err
	}
	var all []error
	for _, m := range list {
		path := filepath.Join(filepath.Dir(f.Path), filepath.FromSlash(m.File))
		all = append(all, &owndissect.Error{Path: path, Line: m.Line, Text: m.Text})
	}
	if len(all) == 1 {
		return all[0]
	}
	return errors.Join(all...)
}
