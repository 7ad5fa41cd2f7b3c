package main

import (
	"context"
	"fmt"
	"os"

	"remora/capture"
	"remora/dissect"
	"remora/dissect/filter"
	"remora/internal/home"
	"remora/ui"
)

// start does what the command line asks for.
func (o *options) start(ctx context.Context, args []string) error {
	reg, err := registry()
	if err != nil {
		return err
	}
	switch {
	case o.version:
		fmt.Println(versionText())
		return nil
	case o.listFields:
		return listFields(os.Stdout, reg, args)
	case o.protocols:
		return listProtocols(os.Stdout, reg)
	}
	if err := o.settle(args); err != nil {
		return err
	}
	if o.list {
		return listInterfaces(os.Stdout)
	}
	as, err := parseDecodeAs(o.decodeAs)
	if err != nil {
		return err
	}
	var f *filter.Filter
	if o.display != "" {
		if f, err = filter.Compile(reg, o.display); err != nil {
			return err
		}
		for _, w := range f.Warnings() {
			fmt.Fprintf(os.Stderr, "remora: %s\n", w.Error())
		}
	}
	if o.headless() {
		return o.startHeadless(ctx, reg, f, as)
	}
	return o.startScreen(ctx, reg, as)
}

// open opens what -r or -i name; neither gives nil.
func (o *options) open(ctx context.Context) (*capture.Store, error) {
	if o.read != "" && len(o.live.Interfaces) > 0 {
		return nil, usage("-i captures and -r reads: choose one of them")
	}
	switch {
	case o.read != "":
		opt := o.live
		opt.Write = ""
		return capture.Open(ctx, o.read, opt)
	case len(o.live.Interfaces) > 0:
		return openLive(ctx, o.live)
	}
	return nil, nil
}

// openLive captures, and gives up root as soon as the interfaces are open.
func openLive(ctx context.Context, opt capture.Options) (*capture.Store, error) {
	store, err := capture.OpenLive(ctx, opt)
	if err != nil {
		return nil, err
	}
	if err := capture.DropPrivileges(); err != nil {
		store.Close()
		return nil, fmt.Errorf("cannot give up root after opening the interfaces: %w", err)
	}
	return store, nil
}

// startHeadless prints packets. A live capture without a display filter writes its own file, so that nothing on the
// way to it waits for dissection.
func (o *options) startHeadless(ctx context.Context, reg *dissect.Registry, f *filter.Filter, as []dissect.DecodeAs) error {
	live := len(o.live.Interfaces) > 0
	ownFile := live && f == nil && o.write != "" && o.write != "-"
	if ownFile {
		o.live.Write = o.write
	}
	store, err := o.open(context.WithoutCancel(ctx))
	if err != nil {
		return err
	}
	if store == nil {
		return usage("there is nothing to read: name a file, or an interface with -i; without a terminal there is no screen to choose on")
	}
	defer store.Close()
	if live && !o.quiet {
		fmt.Fprintf(os.Stderr, "Capturing on %s\n", dissect.Escape(store.Status().Name))
	}
	if ownFile && !o.printing() {
		return o.wait(ctx, store)
	}
	s, err := newSession(reg, store, as)
	if err != nil {
		return err
	}
	if err := o.runHeadless(ctx, s, f, ownFile); err != nil {
		return err
	}
	return tellEnd(store, live, o.quiet)
}

// wait lets a capture write its file until it ends or somebody ends it.
func (o *options) wait(ctx context.Context, store *capture.Store) error {
	stop := context.AfterFunc(ctx, store.Stop)
	defer stop()
	store.Wait()
	return tellEnd(store, true, o.quiet)
}

// startScreen opens the three panes.
func (o *options) startScreen(ctx context.Context, reg *dissect.Registry, as []dissect.DecodeAs) error {
	if o.write != "" {
		o.live.Write = o.write
	}
	store, err := o.open(context.WithoutCancel(ctx))
	if err != nil {
		return err
	}
	return o.show(ctx, reg, store, as)
}

func (o *options) show(ctx context.Context, reg *dissect.Registry, store *capture.Store, as []dissect.DecodeAs) error {
	cfg := ui.Config{Registry: reg, Store: store, Filter: o.display, DecodeAs: as, TimeFormat: o.clock, Theme: o.theme,
		NoMouse: o.noMouse, ASCII: o.ascii, NoNames: o.noNames, Capture: o.live, File: o.read,
		Open: func(path string) (*capture.Store, error) { return capture.Open(context.WithoutCancel(ctx), path) },
		Live: func(opt capture.Options) (*capture.Store, error) { return openLive(context.WithoutCancel(ctx), opt) },
	}
	if dir, err := home.State(); err == nil {
		cfg.State = dir
	}
	if store != nil {
		s, err := newSession(reg, store, as)
		if err != nil {
			store.Close()
			return err
		}
		cfg.Session = s
	}
	return ui.Run(ctx, cfg)
}
