// Package prefer changes the preferences of protocols on the screen: as settings of :set, which take hold at once.
package prefer

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"remora/dissect"
	"remora/internal/preferences"
	"remora/internal/textfile"
	"remora/ui/set"
)

// Context is what preferences may ask of the screen.
type Context interface {
	// Registry has the protocols, and what their preferences are.
	Registry() *dissect.Registry
	// Rules are what packets are decoded by.
	Rules() []dissect.DecodeAs
	// Resolve has names stand for addresses and ports, by the letters of -N.
	Resolve(letters string)
	// Renew has protocols declared anew, by the preferences that there are now, and then starts over. It is nil where
	// that needs another start of the program.
	Renew() func() (use func(), err error)
	// Redissect starts over with the packets there are.
	Redissect(rules []dissect.DecodeAs) error
	// Profile is whose settings are used, "" for everybody's.
	Profile() string
	// Notify says something in the line above the keys.
	Notify(text string)
	// Keepable takes what writes a value into the settings, and says how that is asked for.
	Keepable(write func() (file string, err error)) (hint string)
	// Later does work beside the screen, and then what it returns.
	Later(what string, work func(ctx context.Context) (then func())) (stop func())
}

// Keep writes a preference into the file of a profile, or of all settings, and names the file.
type Keep func(profile, name, value string) (file string, err error)

// Settings are the preferences. keep may be nil: then they are for this run alone.
func Settings(c Context, keep Keep) (all set.Settings) {
	list := slices.Concat(c.Registry().Preferences(), preferences.Names())
	for _, k := range c.Registry().Keys() {
		if k.Preference != nil && !slices.Contains(list, k.Preference) {
			list = append(list, k.Preference)
		}
	}
	for _, f := range list {
		p := preference{c, keep, f}
		usual := f.Format(f.Usual())
		s := set.Setting{Name: f.Name(), Help: p.now() + " now; " + f.Title(), Title: f.Title(), Usual: &usual, Now: p.now}
		switch f.Kind() {
		case dissect.Switch:
			s.Words, s.Set, s.More = func() []string { return []string{"TRUE", "FALSE"} }, p.change, p.hint
		case dissect.Choice:
			s.Words, s.Set, s.More = f.Choices, p.change, p.hint
		case dissect.Rows:
			s.Free, s.SetFree = `"`+strings.Join(f.Columns(), `","`)+`", rows with ; between`, p.changeFree
		case dissect.Amount:
			s.Free, s.SetFree = "a number", p.changeFree
		default:
			s.Free, s.SetFree = "a text", p.changeFree
		}
		all = append(all, s)
	}
	for _, name := range preferences.Ports(c.Registry()) {
		all = append(all, portSetting(c, keep, name))
	}
	return all
}

// A preference is one of them on the screen.
type preference struct {
	c    Context
	keep Keep
	f    *dissect.Preference
}

func (p preference) now() string {
	return strings.ReplaceAll(p.f.Format(p.c.Registry().Preferred(p.f)), "\n", "; ")
}

func (p preference) change(word string) {
	if says, err := p.take(word); err != nil {
		p.c.Notify(err.Error())
	} else if says != "" {
		p.c.Notify(says)
	}
}

// changeFree takes a value, and says what became of it.
func (p preference) changeFree(value string) string {
	says, err := p.take(value)
	if err != nil {
		return err.Error()
	}
	return cmp.Or(says, p.f.Name()+"="+p.now()+p.hint())
}

// hint says how the value is kept, where it can be.
func (p preference) hint() string {
	if p.keep == nil {
		return ""
	}
	return keepable(p.c, p.keep, p.f.Name(), p.f.Format(p.c.Registry().Preferred(p.f)))
}

// take takes a value, and has the packets dissected by it. What it says, if anything, is all there is to say.
func (p preference) take(value string) (says string, err error) {
	reg := p.c.Registry()
	was := reg.Preferred(p.f)
	if p.f.Kind() == dissect.Rows {
		value = lines(value)
	}
	s, err := p.f.Parse(value)
	if err != nil {
		return "", err
	}
	undo := func() { reg.SetPreference(p.f, was) }
	reg.SetPreference(p.f, s)
	if p.f.Declares() {
		return p.renew(undo), nil
	}
	err = cmp.Or(reg.LoadPreferences(), p.openKeys(s.Text))
	switch {
	case err != nil:
	case slices.Contains(preferences.Names(), p.f):
		p.c.Resolve(preferences.Letters(reg))
	default:
		err = p.c.Redissect(p.c.Rules())
	}
	if err != nil {
		undo()
	}
	return "", err
}

// renew has protocols declared anew beside the screen: files are read for it.
func (p preference) renew(undo func()) string {
	renew := p.c.Renew()
	if renew == nil {
		undo()
		return p.f.Name() + " counts from the start of the program on: give it with -o"
	}
	p.c.Later("reading files", func(context.Context) func() {
		use, err := renew()
		return func() {
			if err != nil {
				undo()
				p.c.Notify(dissect.Escape(err.Error()))
				return
			}
			use()
			p.c.Notify(dissect.Escape(p.f.Name() + "=" + p.now() + p.hint()))
		}
	})
	return p.f.Name() + "=" + p.now()
}

// lines are the rows of a table that stand on one line, with semicolons between that are in no quotes.
func lines(row string) string {
	quoted, out := false, []byte(row)
	for i := 0; i < len(out); i++ {
		switch {
		case quoted && out[i] == '\\':
			i++
		case out[i] == '"':
			quoted = !quoted
		case out[i] == ';' && !quoted:
			out[i] = '\n'
		}
	}
	return string(out)
}

// openKeys gives the registry the secrets of a file, if the preference names one.
func (p preference) openKeys(path string) error {
	for _, k := range p.c.Registry().Keys() {
		if k.Preference != p.f {
			continue
		}
		var secrets dissect.Secrets
		if path != "" {
			if _, err := textfile.Read(path, mostKeys); err != nil {
				return err
			}
			var err error
			if secrets, err = k.Open(path); err != nil {
				return err
			}
		}
		p.c.Registry().SetSecrets(k, secrets)
	}
	return nil
}

// mostKeys is how large a file with secrets may be, in bytes.
const mostKeys = 256 << 20

// keepable has a value kept once that is asked for, and says how.
func keepable(c Context, keepIn Keep, name, value string) (hint string) {
	profile := c.Profile()
	return c.Keepable(func() (string, error) { return keepIn(profile, name, value) })
}
