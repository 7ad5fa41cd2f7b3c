package main

import (
	"context"
	"debug/buildinfo"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A build is one commit that is made into files.
type build struct {
	folder, work string
	version      string    // as git describes it
	commit       string    // all of it
	date         time.Time // of the commit, or SOURCE_DATE_EPOCH
	shown        string    // a program that runs here, to print the manual page and the completions
}

// A program is a target that was compiled.
type program struct {
	target
	path string
	info *buildinfo.BuildInfo
	c    []component // libraries in C that are inside
}

// A component is a library in C, as scripts/libpcap.sh names it.
type component struct{ name, version string }

func newBuild(ctx context.Context, folder, work string) (*build, error) {
	b := &build{folder: folder, work: work}
	var err error
	if b.version, err = output(ctx, nil, "git", "describe", "--tags", "--always", "--dirty"); err != nil {
		return nil, err
	}
	if b.commit, err = output(ctx, nil, "git", "rev-parse", "HEAD"); err != nil {
		return nil, err
	}
	stamp := os.Getenv("SOURCE_DATE_EPOCH")
	if stamp == "" {
		if stamp, err = output(ctx, nil, "git", "log", "-1", "--format=%ct"); err != nil {
			return nil, err
		}
	}
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("SOURCE_DATE_EPOCH=%s: %w", stamp, err)
	}
	b.date = time.Unix(seconds, 0).UTC()
	return b, nil
}

// numbered is a version that was given a number.
var numbered = regexp.MustCompile(`^v?(\d+\.\d+\.\d+)$`)

// number is the version as packages have it, and what marks it as one before that version.
func (b *build) number() (version, before string) {
	if m := numbered.FindStringSubmatch(b.version); m != nil {
		return m[1], ""
	}
	return "0.0.0", "git" + b.date.Format("20060102150405")
}

// compile builds the program of a target.
func (b *build) compile(ctx context.Context, t target) (*program, error) {
	p := &program{target: t, path: filepath.Join(b.work, t.system+"-"+t.machine, t.program())}
	env := []string{"GOOS=" + t.system, "GOARCH=" + t.machine, "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off",
		"CGO_CFLAGS=-O2 -g0", "CGO_LDFLAGS=-O2 -g0", "GOTOOLCHAIN=local", "GOAMD64=v1", "GOARM64=v8.0"}
	// Go finds the commit in some kinds of checkouts only, so it is told.
	link := fmt.Sprintf("-s -w -funcalign=4 -buildid= -X main.version=%s -X 'remora/internal/cli.commit=%s, %s'",
		b.version, b.commit, b.date.Format(time.RFC3339))
	args := []string{"build", "-trimpath", "-buildvcs=false", "-pgo=default.pgo", "-o", p.path}
	if t.static {
		compiler, err := b.libpcap(ctx, p)
		if err != nil {
			return nil, err
		}
		env = append(env, "CGO_ENABLED=1", "CC="+compiler)
		link += ` -linkmode external -extldflags "-static -Wl,--build-id=none"`
		args = append(args, "-tags=static,netgo,osusergo")
	}
	if t.system == "windows" {
		remove, err := b.resources(ctx, t)
		if err != nil {
			return nil, err
		}
		defer remove()
	}
	if _, err := output(ctx, env, "go", append(args, "-ldflags="+link, ".")...); err != nil {
		return nil, err
	}
	info, err := buildinfo.ReadFile(p.path)
	p.info = info
	if t.system == host.system && t.machine == host.machine {
		b.shown = p.path
	}
	return p, err
}

// libpcap makes the library for an architecture, once, and gives the compiler that finds it. The compiler is called in
// a folder of the same name by everybody: what it is called is a part of what Go makes with it.
func (b *build) libpcap(ctx context.Context, p *program) (compiler string, err error) {
	cache, err := filepath.Abs(filepath.Join("dist", "libpcap", p.machine))
	if err != nil {
		return "", err
	}
	versions := filepath.Join(cache, "versions")
	if _, err := os.Stat(versions); err != nil {
		if _, err := output(ctx, nil, "sh", "scripts/libpcap.sh", p.machine, cache); err != nil {
			return "", err
		}
	}
	text, err := os.ReadFile(versions)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(text)) {
		name, version, _ := strings.Cut(strings.TrimSpace(line), " ")
		p.c = append(p.c, component{name, version})
	}
	return filepath.Join(cache, "cc"), nil
}

// show is what a program for this machine prints, which is the same on all.
func (b *build) show(ctx context.Context, args ...string) ([]byte, error) {
	if b.shown == "" {
		b.shown = filepath.Join(b.work, host.program())
		if _, err := output(ctx, []string{"CGO_ENABLED=0"}, "go", "build", "-pgo=off", "-o", b.shown, "."); err != nil {
			return nil, err
		}
	}
	env := []string{"HOME=" + b.work, "XDG_CONFIG_HOME=" + b.work, "XDG_STATE_HOME=" + b.work}
	text, err := output(ctx, env, b.shown, args...)
	return []byte(text + "\n"), err
}
