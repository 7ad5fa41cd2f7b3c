package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

// nfpm makes packages. It is run from its sources, as the linters are; this is the newest version that makes the same
// bytes of the same files and needs nothing but Go modules.
const nfpm = "github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.0"

// maintainer is whom packages name. There is no address that takes mail.
const maintainer = "remora maintainers <maintainers@remora.invalid>"

// recipe is what nfpm is told. The right to capture is given by a script once the files are there.
var recipe = template.Must(template.New("nfpm").Parse(`name: remora
arch: {{.Machine}}
platform: linux
version: {{.Version}}
{{with .Before}}prerelease: {{.}}{{end}}
version_schema: semver
release: "1"
section: net
priority: optional
maintainer: {{.Maintainer}}
description: |
  {{if .Doc}}N{{else}}n{{end}}etwork packet analyser for the terminal
{{- if ne .Format "apk"}}
  remora captures live traffic or opens a capture file, and shows a packet
  list, a decoded tree and the bytes. It reads the everyday Internet protocols
  and five game protocols with their state, takes Wireshark's display filters,
  and prints as tshark does.
{{- end}}
{{if not .Debian}}license: MIT{{end}}
mtime: "{{.Date}}"
umask: 0o022
contents:
  - {src: {{.Work}}/remora, dst: /usr/bin/remora, file_info: {mode: 0755, owner: root, group: root}}
  - {src: {{.Work}}/remora.1.gz, dst: /usr/share/man/man1/remora.1.gz{{.Doc}}, file_info: {mode: 0644}}
  - {src: {{.Work}}/completions/remora.bash, dst: {{.Bash}}/remora, file_info: {mode: 0644}}
  - {src: {{.Work}}/completions/_remora, dst: {{.Zsh}}/_remora, file_info: {mode: 0644}}
  - {src: {{.Work}}/completions/remora.fish, dst: {{.Fish}}/remora.fish, file_info: {mode: 0644}}
  - {src: {{.Work}}/copyright, dst: /usr/share/doc/remora/copyright{{.Terms}}, file_info: {mode: 0644}}
  - {src: {{.Work}}/changelog.gz, dst: /usr/share/doc/remora/changelog.gz{{.Doc}}, file_info: {mode: 0644}}
  - {src: {{.Work}}/LICENCES.libraries, dst: /usr/share/doc/remora/LICENCES.libraries{{.Terms}},
    file_info: {mode: 0644}}
{{- if .Debian}}
  - {src: {{.Work}}/changelog.Debian.gz, dst: /usr/share/doc/remora/changelog.Debian.gz, file_info: {mode: 0644}}
  - {src: packaging/lintian-overrides, dst: /usr/share/lintian/overrides/remora, file_info: {mode: 0644}}
{{- end}}
scripts: {postinstall: {{.Work}}/postinstall.sh{{if .Debian}}, postremove: {{.Work}}/postremove.sh{{end}}}
overrides:
  deb: {depends: [libcap2-bin, passwd]}
  rpm: {depends: [libcap, shadow-utils]}
  apk: {depends: [libcap]}
rpm: {buildhost: localhost, group: Applications/Internet}
`))

// pack makes a package of a program for Linux, from the files that its archive has.
func (b *build) pack(ctx context.Context, p *program, format string) error {
	work := filepath.Dir(p.path)
	if err := b.documents(work); err != nil {
		return err
	}
	version, before := b.number()
	zsh := "/usr/share/zsh/site-functions"
	if format == "deb" {
		zsh = "/usr/share/zsh/vendor-completions"
	}
	documents, terms := "", ""
	if format == "rpm" { // which alone tells them apart
		documents, terms = ", type: doc", ", type: license"
	}
	var text strings.Builder
	err := recipe.Execute(&text, map[string]any{"Machine": p.machine, "Version": version, "Before": before, "Zsh": zsh,
		"Date": b.date.Format("2006-01-02T15:04:05Z"), "Work": work, "Debian": format == "deb", "Format": format,
		"Doc": documents, "Terms": terms,
		"Bash": "/usr/share/bash-completion/completions", "Fish": "/usr/share/fish/vendor_completions.d",
		"Maintainer": maintainer})
	if err != nil {
		return err
	}
	path := filepath.Join(work, "nfpm.yaml")
	if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
		return err
	}
	env := []string{fmt.Sprintf("SOURCE_DATE_EPOCH=%d", b.date.Unix()), "TZ=UTC"}
	_, err = output(ctx, env, "go", "run", "-pgo=off", nfpm, "package", "-f", path, "-p", format, "-t", b.folder)
	return err
}

// documents writes the files that packages have in a form of their own.
func (b *build) documents(work string) error {
	manual, err := os.ReadFile(filepath.Join(work, "remora.1"))
	if err != nil {
		return err
	}
	changes, err := os.ReadFile(filepath.Join(work, "CHANGELOG.md"))
	if err != nil {
		return err
	}
	version, before := b.number()
	if before != "" {
		version += "~" + before
	}
	debian := fmt.Sprintf("remora (%s-1) unstable; urgency=medium\n\n  * What changed is in changelog.gz.\n\n"+
		" -- %s  %s\n", version, maintainer, b.date.Format("Mon, 02 Jan 2006 15:04:05 -0700"))
	for to, data := range map[string][]byte{"remora.1.gz": manual, "changelog.gz": changes,
		"changelog.Debian.gz": []byte(debian)} {
		small, err := packed(data)
		if err == nil {
			err = os.WriteFile(filepath.Join(work, to), small, 0o644)
		}
		if err != nil {
			return err
		}
	}
	for _, name := range []string{"postinstall.sh", "postremove.sh"} {
		data, err := os.ReadFile(filepath.Join("packaging", name))
		if err == nil {
			err = os.WriteFile(filepath.Join(work, name), data, 0o755)
		}
		if err == nil { // nfpm takes the time of the file
			err = os.Chtimes(filepath.Join(work, name), b.date, b.date)
		}
		if err != nil {
			return err
		}
	}
	terms, err := os.ReadFile(filepath.Join(work, "LICENSE"))
	if err != nil {
		return err
	}
	text := "remora:\n\n" + string(terms) + "\nThe libraries inside and their terms: " +
		"/usr/share/doc/remora/LICENCES.libraries\n"
	return os.WriteFile(filepath.Join(work, "copyright"), []byte(text), 0o644)
}
