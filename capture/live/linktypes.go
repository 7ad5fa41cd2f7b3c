package live

import (
	"fmt"
	"slices"
	"strings"

	"remora/capture"
)

// Links are the forms in which an interface gives packets.
type Links struct {
	Types   [][2]string // link-layer header types by libpcap's names, and descriptions; the usual one comes first
	Monitor bool        // it has monitor mode
}

// linksQuestion is whose link-layer header types are asked for, and in which mode.
type linksQuestion struct {
	Name    string
	Monitor bool
}

// LinksOf are the forms in which an interface gives packets, in monitor mode or not. An error is an
// [*capture.InterfaceError] or a [*PermissionError].
func LinksOf(name string, monitor bool) (Links, error) {
	if _, ok := FindExtcap(name); ok || IsRemote(name) {
		return Links{}, &capture.InterfaceError{Name: name, Text: "its link-layer header type is known once it captures"}
	}
	if _, runs := ownProcess.rights(); !runs {
		return askLinks(name, monitor)
	}
	conn, err := ownProcess.dial() // the right to capture is there
	if err != nil {
		return Links{}, err
	}
	defer conn.Close()
	var a report
	if _, err = conn.Write(encode(request{Links: &linksQuestion{name, monitor}})); err == nil {
		err = messages(conn).Decode(&a)
	}
	switch {
	case err != nil:
		return Links{}, fmt.Errorf("the capture process does not answer: %w", err)
	case a.Failed != nil:
		return Links{}, a.Failed.error()
	case a.Links == nil:
		return Links{}, &capture.InterfaceError{Name: name, Text: "it has no link-layer header types"}
	}
	return *a.Links, nil
}

// answerLinks is what the capture process says to that question.
func answerLinks(q linksQuestion) report {
	l, err := askLinks(q.Name, q.Monitor)
	if err != nil {
		return report{Failed: newWireError(err)}
	}
	return report{Links: &l}
}

// noMonitor says that an interface has no monitor mode.
func noMonitor(name string) error {
	return &capture.InterfaceError{Name: name, Text: "it has no monitor mode, which some wireless interfaces have"}
}

// noLinkType says which link-layer header types an interface has.
func noLinkType(name, asked string, have [][2]string) error {
	var names []string
	for _, l := range have {
		names = append(names, l[0])
	}
	return &capture.InterfaceError{Name: name,
		Text: fmt.Sprintf("it has no link-layer header type %q; it has %s", asked, strings.Join(names, ", "))}
}

// hasLinkType is the name of a link-layer header type as it is in a list, in whichever case it was typed.
func hasLinkType(have [][2]string, asked string) (string, bool) {
	i := slices.IndexFunc(have, func(l [2]string) bool { return strings.EqualFold(l[0], asked) })
	if i < 0 {
		return "", false
	}
	return have[i][0], true
}
