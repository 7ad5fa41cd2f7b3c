package cli

import (
	"context"
	"slices"
	"strings"
	"time"

	"remora/dissect"
	"remora/internal/names"
	"remora/internal/preferences"
	"remora/internal/resolve"
	"remora/ui"
)

// patience is how long printing waits for the name of an address that is asked for.
const patience = 2 * time.Second

// wantedNames are the letters of the names to use. As in tshark, -N says which even where -n is there, too.
func (o *options) wantedNames(screen bool) string {
	letters := o.names
	switch {
	case letters != "":
	case o.noNames && !screen: // a screen has a key that turns them on
		return ""
	case o.resolve != "":
		letters = o.resolve
	case screen:
		letters = resolve.ForScreen
	default:
		letters = resolve.ForPrint
	}
	if len(o.hosts) > 0 {
		letters += "n"
	}
	return letters
}

// nameSources are the files that tell names.
func (o *options) nameSources() resolve.Source {
	s := o.kept
	s.Hosts = o.hosts
	return s
}

// checkNames refuses letters of -N that say nothing.
func (o *options) checkNames() error {
	if err := resolve.Check(o.names); err != nil {
		return usage("-N %w", err)
	}
	return nil
}

// openNames gives the registry its names, by letters.
func (o *options) openNames(ctx context.Context, reg *dissect.Registry, letters string) (*names.Lookup, error) {
	n, lookup, err := resolve.Open(ctx, letters, o.nameSources())
	if n != nil {
		n.Listed = o.listsHosts()
	}
	reg.SetNaming(n)
	return lookup, err
}

// screenNames gives the registry the names of the screen. What the capture tells is always kept, so that it is there
// when somebody asks for it. Names that were asked for before are asked for no more.
func (o *options) screenNames(ctx context.Context, reg func() *dissect.Registry) func(letters string) (ui.Names,
	error) {
	stop := func() {}
	return func(letters string) (ui.Names, error) {
		o := *o
		o.resolve = letters
		letters = o.wantedNames(true)
		if err := resolve.Check(letters); err != nil {
			return ui.Names{}, err
		}
		ctx, cancel := context.WithCancel(ctx)
		from := o.nameSources()
		from.Profile = reg().Preferred(preferences.ProfileHosts).On
		n, lookup, err := resolve.Open(ctx, letters, from)
		if err != nil {
			cancel()
			return ui.Names{}, err
		}
		stop()
		stop = cancel
		n.Listed = true
		reg().SetNaming(n)
		out := ui.Names{NoEnds: !strings.Contains(letters, "e")}
		if lookup != nil {
			out.Lookup = lookup
		}
		return out, nil
	}
}

// listsHosts tells whether a -z asks for the names of hosts that the capture tells.
func (o *options) listsHosts() bool {
	return o.savesNames() || slices.ContainsFunc(o.statistics,
		func(words string) bool { return words == "hosts" || strings.HasPrefix(words, "hosts,") })
}
