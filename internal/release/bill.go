package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// The parts of SPDX 2.3 that a bill of materials needs (https://spdx.github.io/spdx-spec/v2.3/).
type (
	document struct {
		Version   string        `json:"spdxVersion"`
		License   string        `json:"dataLicense"`
		ID        string        `json:"SPDXID"`
		Name      string        `json:"name"`
		Namespace string        `json:"documentNamespace"`
		Creation  creation      `json:"creationInfo"`
		Packages  []material    `json:"packages"`
		Relations []relationsOf `json:"relationships"`
	}
	creation struct {
		Created  string   `json:"created"`
		Creators []string `json:"creators"`
	}
	material struct {
		ID        string     `json:"SPDXID"`
		Name      string     `json:"name"`
		Version   string     `json:"versionInfo,omitempty"`
		From      string     `json:"downloadLocation"`
		Analyzed  bool       `json:"filesAnalyzed"`
		Concluded string     `json:"licenseConcluded"`
		Declared  string     `json:"licenseDeclared"`
		Copyright string     `json:"copyrightText"`
		Sums      []checksum `json:"checksums,omitempty"`
		Refs      []external `json:"externalRefs,omitempty"`
	}
	checksum struct {
		Algorithm string `json:"algorithm"`
		Value     string `json:"checksumValue"`
	}
	external struct {
		Category string `json:"referenceCategory"`
		Type     string `json:"referenceType"`
		Locator  string `json:"referenceLocator"`
	}
	relationsOf struct {
		From string `json:"spdxElementId"`
		Kind string `json:"relationshipType"`
		To   string `json:"relatedSpdxElement"`
	}
)

// noID are what an identifier in SPDX may not have.
var noID = regexp.MustCompile(`[^A-Za-z0-9.-]+`)

// bill writes which libraries a program is made of: those of Go as its file says itself, and those in C.
func (b *build) bill(p *program) error {
	data, err := os.ReadFile(p.path)
	if err != nil {
		return err
	}
	const none = "NOASSERTION"
	name := fmt.Sprintf("remora_%s_%s_%s", b.version, p.system, p.machine)
	doc := document{Version: "SPDX-2.3", License: "CC0-1.0", ID: "SPDXRef-DOCUMENT", Name: name,
		Namespace: fmt.Sprintf("urn:remora:%s:%s:%s", b.commit, p.system, p.machine),
		Creation:  creation{b.date.Format(time.RFC3339), []string{"Tool: remora-internal-release"}}}
	top := material{ID: "SPDXRef-remora", Name: "remora", Version: b.version, From: none, Concluded: "MIT",
		Declared:  "MIT",
		Copyright: none, Sums: []checksum{{"SHA256", fmt.Sprintf("%x", sha256.Sum256(data))}}}
	doc.Packages = append(doc.Packages, top)
	doc.Relations = append(doc.Relations, relationsOf{doc.ID, "DESCRIBES", top.ID})
	add := func(name, version, from, locator string) {
		m := material{ID: "SPDXRef-" + strings.Trim(noID.ReplaceAllString(name, "-"), "-"), Name: name, Version: version,
			From: from, Concluded: none, Declared: none, Copyright: none}
		m.Refs = []external{{"PACKAGE-MANAGER", "purl", locator}}
		doc.Packages = append(doc.Packages, m)
		kind := "STATIC_LINK"
		if name == "go" {
			kind = "BUILD_TOOL_OF"
			doc.Relations = append(doc.Relations, relationsOf{m.ID, kind, top.ID})
			return
		}
		doc.Relations = append(doc.Relations, relationsOf{top.ID, kind, m.ID})
	}
	goVersion := strings.TrimPrefix(p.info.GoVersion, "go")
	add("go", goVersion, "https://go.dev/dl/", "pkg:golang/stdlib@"+goVersion)
	for _, m := range p.info.Deps {
		add(m.Path, m.Version, "https://proxy.golang.org/"+m.Path+"/@v/"+m.Version+".zip", "pkg:golang/"+m.Path+"@"+m.Version)
	}
	for _, c := range p.c {
		add(c.name, c.version, "https://tracker.debian.org/pkg/"+c.name, "pkg:deb/debian/"+c.name+"@"+c.version)
	}
	text, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.folder, name+".spdx.json"), append(text, '\n'), 0o644)
}

// licences are the terms of the libraries inside a program, one after the other.
func (b *build) licences(ctx context.Context, p *program) ([]byte, error) {
	var out bytes.Buffer
	add := func(name, dir string) error {
		var found []string
		for _, form := range []string{"LICEN[CS]E*", "License*", "COPYING*", "copyright"} {
			paths, err := filepath.Glob(filepath.Join(dir, form))
			if err != nil {
				return err
			}
			found = append(found, paths...)
		}
		for _, path := range found {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			fmt.Fprintf(&out, "==== %s: %s\n\n%s\n", name, filepath.Base(path), bytes.TrimSpace(data))
		}
		if len(found) == 0 {
			return fmt.Errorf("there is no licence of %s in %s", name, dir)
		}
		return nil
	}
	root, err := output(ctx, nil, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	if err := add("Go", root); err != nil {
		return nil, err
	}
	for _, m := range p.info.Deps {
		dir, err := output(ctx, nil, "go", "list", "-m", "-f", "{{.Dir}}", m.Path)
		if err == nil {
			err = add(m.Path+" "+m.Version, dir)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, c := range p.c {
		if err := add(c.name+" "+c.version, filepath.Join("dist", "libpcap", p.machine, "licences", c.name)); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}
