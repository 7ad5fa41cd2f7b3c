// Release builds what is given to people: for each system an archive with the program, its manual page, completions and
// licences, packages for Debian, Fedora and Alpine, a bill of materials, and the sums of all. What depends on the day,
// the machine or the folder is left out: the same commit gives the same bytes.
//
//	go run ./internal/release [-o dist/release] [-only linux/amd64,…] [-formats deb,rpm,apk]
//
// The programs for Linux have libpcap inside, made by scripts/libpcap.sh, which is for Debian; the others have no part
// in C.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// targets are what is built.
var targets = []target{
	{system: "linux", machine: "amd64", static: true},
	{system: "linux", machine: "arm64", static: true},
	{system: "windows", machine: "amd64"},
	{system: "darwin", machine: "amd64"},
	{system: "darwin", machine: "arm64"},
	{system: "freebsd", machine: "amd64"},
}

// A target is a system and the machine that it runs on.
type target struct {
	system, machine string
	static          bool // in one file with libpcap, by a C compiler of scripts/libpcap.sh; otherwise without cgo
}

func (t target) String() string { return t.system + "/" + t.machine }

// program is what the file is called.
func (t target) program() string {
	if t.system == "windows" {
		return "remora.exe"
	}
	return "remora"
}

func main() {
	out := flag.String("o", "dist/release", "folder of what is made; what was there is removed")
	only := flag.String("only", "", "build for these alone: linux/amd64,…")
	formats := flag.String("formats", "deb,rpm,apk", "packages to make of the programs for Linux; none: \"\"")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := release(ctx, *out, split(*only), split(*formats)); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func split(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' })
}

// release makes everything in the folder.
func release(ctx context.Context, folder string, only, formats []string) error {
	root, err := output(ctx, nil, "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	if err := os.Chdir(root); err != nil {
		return err
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return err
	}
	for _, name := range only {
		if !slices.ContainsFunc(targets, func(t target) bool { return t.String() == name }) {
			return fmt.Errorf("-only %s: it is none of %v", name, targets)
		}
	}
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	work := filepath.Join(folder, "work")
	if err := os.MkdirAll(work, 0o755); err != nil {
		return err
	}
	b, err := newBuild(ctx, folder, work)
	if err != nil {
		return err
	}
	for _, t := range targets {
		if len(only) > 0 && !slices.Contains(only, t.String()) {
			continue
		}
		fmt.Println("==", t)
		if err := b.target(ctx, t, formats); err != nil {
			return fmt.Errorf("%v: %w", t, err)
		}
	}
	if err := os.RemoveAll(work); err != nil {
		return err
	}
	return sums(folder)
}

// target makes what there is for one system.
func (b *build) target(ctx context.Context, t target, formats []string) error {
	p, err := b.compile(ctx, t)
	if err != nil {
		return err
	}
	files, err := b.contents(ctx, p)
	if err != nil {
		return err
	}
	if err := b.archive(p, files); err != nil {
		return err
	}
	if t.system == "linux" {
		for _, format := range formats {
			if err := b.pack(ctx, p, format); err != nil {
				return fmt.Errorf("%s: %w", format, err)
			}
		}
	}
	return b.bill(p)
}

// output is what a program prints. The environment comes on top of this one's.
func output(ctx context.Context, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stderr, cmd.Env = os.Stderr, append(os.Environ(), env...)
	text, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return strings.TrimSuffix(string(text), "\n"), nil
}

// host is the system that this runs on.
var host = target{system: runtime.GOOS, machine: runtime.GOARCH}
