package extcap

import (
	"regexp"
	"strings"
)

// A sentence is a line that a program tells: a word, and what stands in braces behind it.
type sentence struct {
	word string
	of   map[string]string
}

var braces = regexp.MustCompile(`\{([a-z]+)=((?:[^{}]|\{[^{}]*\})*)\}`)

// maxSentences bounds what a program may tell.
const maxSentences = 4096

func sentences(text string) (list []sentence) {
	for line := range strings.Lines(text) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		s := sentence{word: word, of: map[string]string{}}
		for _, m := range braces.FindAllStringSubmatch(rest, -1) {
			s.of[m[1]] = m[2]
		}
		if list = append(list, s); len(list) == maxSentences {
			break
		}
	}
	return list
}

func parseInterfaces(program, text string) (list []Interface) {
	controls, release := false, ""
	for _, s := range sentences(text) {
		switch {
		case s.word == "extcap":
			release = s.of["version"]
		case s.word == "interface" && s.of["value"] != "":
			list = append(list, Interface{Name: s.of["value"], Display: s.of["display"], Program: program})
		case s.word == "control":
			controls = true
		}
	}
	for i := range list {
		list[i].Controls, list[i].Version = controls, release
	}
	return list
}

func parseArguments(text string) (list []Argument) {
	at := map[string]int{}
	for _, s := range sentences(text) {
		switch {
		case s.word == "arg" && s.of["call"] != "":
			at[s.of["number"]] = len(list)
			list = append(list, Argument{Call: s.of["call"], Display: s.of["display"], Type: s.of["type"],
				Default: s.of["default"], Tooltip: s.of["tooltip"], Group: s.of["group"], Required: isTrue(s.of["required"])})
		case s.word == "value":
			i, known := at[s.of["arg"]]
			if !known {
				continue
			}
			a := &list[i]
			a.Values = append(a.Values, Value{s.of["value"], s.of["display"]})
			if isTrue(s.of["default"]) {
				a.Default = s.of["value"]
			}
		}
	}
	return list
}
