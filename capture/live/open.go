package live

import (
	"fmt"
	"strings"

	"remora/capture"
	"remora/internal/suggest"
)

// openError tells missing rights, missing interfaces and the rest apart.
func openError(name string, err error) error {
	text := strings.TrimSpace(strings.ReplaceAll(err.Error(), "\n", ": "))
	low := strings.ToLower(text)
	switch {
	case strings.Contains(low, "permission denied") || strings.Contains(low, "not permitted"):
		return &PermissionError{name, rightNeeded}
	case strings.Contains(low, "no such device"):
		return noSuchInterface(name)
	case strings.Contains(low, "not up"):
		return &capture.InterfaceError{Name: name, Text: "it is down: " + upCommand(name)}
	}
	return &capture.InterfaceError{Name: name, Text: text}
}

func noSuchInterface(name string) error {
	missing := fmt.Sprintf("There is no device named %q", name)
	e := &capture.InterfaceError{Text: missing + " (-D lists them)"}
	var names []string
	if list, err := Interfaces(); err == nil {
		for _, i := range list {
			names = append(names, i.Name)
		}
	}
	if e.Nearest = suggest.List(name, names); len(e.Nearest) == 0 && len(names) > 0 {
		e.Text = missing + "; there are " + strings.Join(names[:min(len(names), 8)], ", ")
	}
	return e
}
