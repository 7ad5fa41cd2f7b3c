package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A file is one in an archive.
type file struct {
	name string
	mode int64
	data []byte
}

// contents are the files of an archive. They are left in the folder of work, too, for the packages.
func (b *build) contents(ctx context.Context, p *program) ([]file, error) {
	var out []file
	add := func(name string, mode int64, data []byte, err error) error {
		if err == nil {
			path := filepath.Join(filepath.Dir(p.path), name)
			err = os.MkdirAll(filepath.Dir(path), 0o755)
			if err == nil && path != p.path {
				err = os.WriteFile(path, data, os.FileMode(mode))
			}
		}
		out = append(out, file{name, mode, data})
		return err
	}
	data, err := os.ReadFile(p.path)
	if err := add(p.program(), 0o755, data, err); err != nil {
		return nil, err
	}
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		data, err := os.ReadFile(name)
		if err := add(name, 0o644, data, err); err != nil {
			return nil, err
		}
	}
	for name, args := range map[string][]string{"remora.1": {"--man"}, "completions/remora.bash": {"completion", "bash"},
		"completions/_remora": {"completion", "zsh"}, "completions/remora.fish": {"completion", "fish"},
		"completions/remora.ps1": {"completion", "powershell"}} {
		data, err := b.show(ctx, args...)
		if err := add(name, 0o644, data, err); err != nil {
			return nil, err
		}
	}
	data, err = b.licences(ctx, p)
	if err := add("LICENCES.libraries", 0o644, data, err); err != nil {
		return nil, err
	}
	slices.SortFunc(out, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return out, nil
}

// archive writes a target's archive: for Windows one that it opens by itself.
func (b *build) archive(p *program, files []file) error {
	name := fmt.Sprintf("remora_%s_%s_%s", b.version, p.system, p.machine)
	var out bytes.Buffer
	if p.system == "windows" {
		if err := b.zip(&out, name, files); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(b.folder, name+".zip"), out.Bytes(), 0o644)
	}
	if err := b.tar(&out, name, files); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.folder, name+".tar.gz"), out.Bytes(), 0o644)
}

func (b *build) tar(w io.Writer, folder string, files []file) error {
	gz, err := gzip.NewWriterLevel(w, gzip.BestCompression) // its header has no time and no name
	if err != nil {
		return err
	}
	t := tar.NewWriter(gz)
	for _, f := range files {
		h := &tar.Header{Name: folder + "/" + f.name, Mode: f.mode, Size: int64(len(f.data)), ModTime: b.date,
			Uname: "root", Gname: "root", Format: tar.FormatUSTAR}
		if err := t.WriteHeader(h); err != nil {
			return err
		}
		if _, err := t.Write(f.data); err != nil {
			return err
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	return gz.Close()
}

func (b *build) zip(w io.Writer, folder string, files []file) error {
	z := zip.NewWriter(w)
	for _, f := range files {
		h := &zip.FileHeader{Name: folder + "/" + f.name, Method: zip.Deflate, Modified: b.date}
		h.SetMode(os.FileMode(f.mode))
		part, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := part.Write(f.data); err != nil {
			return err
		}
	}
	return z.Close()
}

// sums writes the SHA-256 sums of all that was made, in the form of sha256sum.
func sums(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	var out strings.Builder
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&out, "%x  %s\n", sha256.Sum256(data), e.Name())
	}
	fmt.Print(out.String())
	return os.WriteFile(filepath.Join(folder, "SHA256SUMS"), []byte(out.String()), 0o644)
}

// packed is data as gzip writes it, without a time or a name.
func packed(data []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
}
