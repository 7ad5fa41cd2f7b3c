package cli

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"remora/capture/live"
)

// versionText is one line: the version, the Go release and whether live capture is built in.
func versionText() string {
	goVersion := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		goVersion = info.GoVersion
	}
	return fmt.Sprintf("remora %s, %s, %s", releaseText(), goVersion, live.LibraryVersion())
}

// releaseText is the version alone.
func releaseText() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return cmp.Or(version, info.Main.Version)
	}
	return version
}

// commit is of which state of the sources a release was built, set by the linker; other builds have it from Go.
var commit string

// told are the libraries that --version names; go version -m lists all.
var told = []string{"github.com/google/gopacket", "charm.land/bubbletea/v2"}

// builtText says of what and how the program was built, a line each: what somebody who looks for a mistake asks first.
func builtText() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	set := map[string]string{}
	for _, s := range info.Settings {
		set[s.Key] = s.Value
	}
	var out strings.Builder
	at := commit
	if at == "" && set["vcs.revision"] != "" {
		at = set["vcs.revision"] + ", " + set["vcs.time"]
		if set["vcs.modified"] == "true" {
			at += ", changed since"
		}
	}
	if at != "" {
		out.WriteString("commit " + at + "\n")
	}
	how := []string{"built for " + runtime.GOOS + "/" + runtime.GOARCH, "without cgo"}
	if set["CGO_ENABLED"] == "1" {
		how[1] = "with cgo"
	}
	if tags := set["-tags"]; tags != "" {
		how = append(how, "tags "+strings.ReplaceAll(tags, ",", " "))
	}
	if set["-trimpath"] == "true" {
		how = append(how, "reproducible paths")
	}
	out.WriteString(strings.Join(how, ", ") + "\n")
	var libraries []string
	for _, m := range info.Deps {
		for _, path := range told {
			if m.Path == path {
				libraries = append(libraries, m.Path+" "+m.Version)
			}
		}
	}
	if len(libraries) > 0 {
		out.WriteString("libraries " + strings.Join(libraries, ", ") + "\n")
	}
	return out.String()
}
