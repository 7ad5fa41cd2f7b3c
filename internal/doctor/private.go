package doctor

import (
	"cmp"
	"os"
	"os/user"
	"regexp"
	"strings"

	"remora/internal/sorting"
)

// Private is what a report may not hold: names by what stands for them.
type Private struct {
	Home  string
	Names map[string]string // of users and machines
}

// FromHere is what is private about this user on this machine.
func FromHere() Private {
	p := Private{Names: map[string]string{}}
	p.Home, _ = os.UserHomeDir()
	if host, err := os.Hostname(); err == nil {
		short, _, _ := strings.Cut(host, ".")
		p.Names[host], p.Names[short] = "HOST", "HOST"
	}
	if u, err := user.Current(); err == nil {
		p.Names[u.Username] = "USER"
		if _, name, ok := strings.Cut(u.Username, `\`); ok { // DOMAIN\name on Windows
			p.Names[name] = "USER"
		}
		p.Home = cmp.Or(p.Home, u.HomeDir)
	}
	for _, v := range []string{"USER", "LOGNAME", "SUDO_USER", "USERNAME"} {
		p.Names[os.Getenv(v)] = "USER"
	}
	for _, v := range []string{"HOSTNAME", "COMPUTERNAME", "USERDOMAIN"} {
		p.Names[os.Getenv(v)] = "HOST"
	}
	return p
}

// addresses are those of networks: IPv4, hardware, and IPv6 with two colons in a row or seven in all.
var addresses = regexp.MustCompile(`\b\d{1,3}(\.\d{1,3}){3}\b|\b[0-9A-Fa-f]{2}([:-][0-9A-Fa-f]{2}){5}\b|` +
	`(\b[0-9A-Fa-f]{1,4}(:[0-9A-Fa-f]{0,4}){2,7}\b|::[0-9A-Fa-f]{1,4}\b)`)

// Hide takes what is private out of a text.
func (p Private) Hide(s string) string {
	if len(p.Home) > 1 {
		s = strings.ReplaceAll(s, p.Home, "~")
	}
	names := make([]string, 0, len(p.Names))
	for name := range p.Names {
		if name != "" && name != "root" { // which tells nothing
			names = append(names, name)
		}
	}
	sorting.Func(names, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	for _, name := range names {
		s = replaceWord(s, name, p.Names[name])
	}
	return addresses.ReplaceAllString(s, "ADDRESS")
}

// replaceWord replaces a word where no letter or digit stands beside it.
func replaceWord(s, word, by string) string {
	form, err := regexp.Compile(`(?i)(^|[^\pL\pN])` + regexp.QuoteMeta(word) + `($|[^\pL\pN])`)
	if err != nil { // what is no UTF-8
		return strings.ReplaceAll(s, word, by)
	}
	for {
		next := form.ReplaceAllString(s, "${1}"+by+"${2}")
		if next == s {
			return s
		}
		s = next
	}
}
