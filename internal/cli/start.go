package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"remora/capture"
	"remora/capture/bpf"
	"remora/capture/extcap"
	"remora/capture/hexdump"
	"remora/capture/live"
	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/dissect/filter"
	"remora/internal/broker"
	"remora/internal/confine"
	"remora/internal/decodeas"
	"remora/internal/settings"
	"remora/internal/userdirs"
	"remora/ui"
)

// start does what the command line asks for.
func (o *options) start(ctx context.Context, args []string) error {
	switch {
	case o.version:
		return printText(versionText() + "\n" + builtText())
	case o.config:
		return printText(settings.Text())
	}
	if done, err := o.helpsHexdump(); done {
		return err
	}
	if slices.Contains(o.secrets.inject, "help") {
		names, _ := secretTypes()
		return printText("    " + strings.Join(names, "\n    ") + "\n")
	}
	reg, err := o.registry()
	if err != nil {
		return err
	}
	if text := o.asksLists(reg); text != "" {
		_, err := os.Stderr.WriteString(text)
		return err
	}
	switch {
	case o.listFields:
		return outputError(listFields(os.Stdout, reg, args))
	case o.protocols:
		return outputError(listProtocols(os.Stdout, reg))
	}
	if o.glossary != "" {
		return o.printGlossary(reg)
	}
	if err := o.validateForm(); err != nil {
		return err
	}
	typed := *o
	files, err := o.useSettings(reg)
	if err != nil {
		return err
	}
	if err := o.settle(args); err != nil {
		return err
	}
	if err := numbered(o.live.Interfaces); err != nil {
		return err
	}
	if o.list {
		return outputError(listInterfaces(os.Stdout))
	}
	if o.links {
		return listLinks(os.Stdout, o.live.Interfaces, o.live.Monitor)
	}
	if o.stamps {
		return listTimeStamps(os.Stdout, o.live.Interfaces)
	}
	if err := o.usePreferences(reg); err != nil {
		return err
	}
	if err := o.enableProtocols(reg); err != nil {
		return err
	}
	reg.Retention = o.retention()
	if err := o.openKeys(reg); err != nil {
		return err
	}
	j, err := o.newJob(reg)
	if err != nil {
		return err
	}
	if o.headless() {
		return o.startHeadless(ctx, j)
	}
	o.favourites = o.keptFilters()
	typed.favourites = o.favourites
	if err := j.forScreen(typed, files); err != nil {
		return err
	}
	return o.startScreen(ctx, j)
}

// useSettings reads the files of settings, and takes what they say where no flag says otherwise.
func (o *options) useSettings(reg *dissect.Registry) (settings.Files, error) {
	files, err := settings.Read(o.profile)
	if err == nil {
		err = files.Check(reg, filter.Options{}, false)
		if err != nil { // all there is to say at once
			err = files.Check(reg, o.filterOptions(), true)
		}
	}
	if err != nil {
		return nil, usageError{err}
	}
	o.take(files.Merged())
	return files, nil
}

// forScreen checks what the screen needs beside the job; typed are the flags alone.
func (j *job) forScreen(typed options, files settings.Files) error {
	j.filters = typed.filterOptions()
	if err := files.Check(j.reg, j.filters, true); err != nil {
		return usageError{err}
	}
	j.source = typed.source(j.filters)
	return nil
}

// say prints text on standard output.
func printText(text string) error {
	_, err := os.Stdout.WriteString(text)
	return outputError(err)
}

// A job is a command line whose filter and decode-as words were understood.
type job struct {
	reg    *dissect.Registry
	filter *filter.Filter // nil without -Y
	read   *filter.Filter // nil without -R
	as     []dissect.DecodeAs

	compiled time.Duration // how long that took

	filters filter.Options // for the screen
	source  ui.Source
}

func (o *options) newJob(reg *dissect.Registry) (*job, error) {
	j := &job{reg: reg}
	if err := o.takeExports(reg); err != nil {
		return nil, err
	}
	var err error
	if j.as, err = decodeas.Parse(reg, o.decodeAs); err != nil {
		return nil, usage("-d %w", err)
	}
	j.as = append(o.ports, j.as...)
	if j.read, err = o.readFilter(reg); err != nil {
		return nil, err
	}
	if o.display == "" {
		return j, nil
	}
	began := time.Now()
	defer func() { j.compiled = time.Since(began) }()
	j.filter, err = o.displayFilter(reg)
	return j, err
}

// open opens what -r or -i name; neither gives nil. When ctx ends, no more is opened, but what is open goes on.
func (o *options) open(ctx context.Context) (*capture.Store, error) {
	asking := ctx
	ctx = context.WithoutCancel(ctx)
	switch {
	case o.attach:
		return live.Attach(asking)
	case o.read == "" && slices.ContainsFunc(o.live.Interfaces, live.IsRemote):
		return openLive(asking, o.live, true)
	case o.read != "":
		opt := o.live
		if o.keep == "" {
			opt.Keep = 0 // what comes through a pipe is read whole, unless somebody says otherwise
		}
		if len(o.reads) > 1 {
			return pcapfile.OpenAll(ctx, o.reads, opt)
		}
		if o.readsWhole() {
			return openWhole(ctx, o.read, opt)
		}
		if o.importHex != "" {
			return openHex(ctx, o.read, o.importHex, opt)
		}
		return o.openFile(ctx, o.read, opt)
	case len(o.live.Interfaces) > 0:
		return openLive(ctx, o.live, true)
	}
	return nil, nil
}

// maxHexDump bounds a hex dump, which is read whole.
const maxHexDump = 1 << 30

// openHex makes packets of a hex dump, by options of text2pcap.
func openHex(ctx context.Context, path, options string, opt capture.Options) (*capture.Store, error) {
	in := os.Stdin
	if path != "-" {
		f, err := os.Open(path)
		if errors.Is(err, fs.ErrPermission) {
			f, err = broker.Open(path)
		}
		var other *broker.NotReadable
		if errors.As(err, &other) {
			return nil, pcapfile.Errorf(path, err, "%s is no hex dump: it begins with % x", path, other.Head)
		}
		if err != nil {
			return nil, pcapfile.CannotRead(path, err)
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, maxHexDump+1))
	if err != nil {
		return nil, pcapfile.CannotRead(path, err)
	}
	how, err := hexdump.Parse(options)
	if err == nil && len(text) > maxHexDump {
		err = fmt.Errorf("it has more than 1 GiB; text2pcap makes a capture of it")
	}
	if err == nil {
		text, err = hexdump.Pcap(text, how)
	}
	if err != nil {
		return nil, pcapfile.Errorf(path, err, "%s is no hex dump: %v", path, err)
	}
	return pcapfile.OpenBytes(ctx, filepath.Base(path), text, opt)
}

// openLive captures. With ask, ssh may ask for a password on the terminal: no screen is open yet.
func openLive(ctx context.Context, opt capture.Options, ask bool) (*capture.Store, error) {
	if slices.ContainsFunc(opt.Interfaces, live.IsRemote) {
		if len(opt.Interfaces) > 1 {
			return nil, usage("ssh://… comes alone: a capture is either from here or from one interface elsewhere")
		}
		return live.StartRemote(ctx, opt.Interfaces[0], opt, ask)
	}
	for _, name := range opt.Interfaces {
		if in, ok := live.FindExtcap(name); ok && len(opt.Interfaces) > 1 {
			return nil, usage("%s comes alone: a program of its own captures there", dissect.Escape(in.Name))
		} else if ok && (opt.Monitor || opt.LinkType != "") {
			return nil, usage("-I and -y go with interfaces of this machine: a program of its own captures on %s",
				dissect.Escape(in.Name))
		} else if ok {
			if err := checkExtcap(in, opt); err != nil {
				return nil, err
			}
			return live.StartExtcap(ctx, in, opt)
		}
	}
	store, err := live.Start(ctx, opt)
	var bad *bpf.Error
	if errors.As(err, &bad) {
		bad.Interface = strings.Join(opt.Interfaces, ", ")
	}
	return store, err
}

// checkExtcap says which argument of a capture program the command line leaves out.
func checkExtcap(in extcap.Interface, opt capture.Options) error {
	args, err := live.ExtcapArguments(in.Name)
	for _, a := range args {
		if err == nil && a.Required && a.Default == "" && opt.Extcap[in.Key(a)] == "" {
			return usageError{in.Missing(a)}
		}
	}
	return nil // a program that tells nothing says so itself
}

// numbered puts the names of interfaces in the place of their numbers in -D.
func numbered(names []string) error {
	for i, name := range names {
		n, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		all, err := live.Interfaces()
		if err != nil {
			return err
		}
		if slices.ContainsFunc(all, func(in live.InterfaceInfo) bool { return in.Name == name }) {
			continue
		}
		if n < 1 || n > len(all) {
			return &capture.InterfaceError{Text: fmt.Sprintf("There is no interface with that adapter index: %d (-D lists them)",
				n)}
		}
		names[i] = all[n-1].Name
	}
	return nil
}

// usualInterface is where tshark captures when nothing says otherwise: the first interface that can be used.
func usualInterface() ([]string, error) {
	all, err := live.Interfaces()
	for _, in := range all {
		if in.Unusable == "" {
			return []string{in.Name}, nil
		}
	}
	return nil, err
}

// listen opens an interface for a short look. Nothing of it stays on the disk.
func listen(ctx context.Context, opt capture.Options) (*capture.Store, func(), error) {
	opt.Brief = true
	store, err := openLive(ctx, opt, false)
	if err != nil {
		return nil, nil, err
	}
	return store, func() { store.Close() }, nil
}

// startHeadless prints packets. A live capture without a display filter writes its own file, so that nothing on the
// way to it waits for dissection.
func (o *options) startHeadless(ctx context.Context, j *job) error {
	live := len(o.live.Interfaces) > 0
	if err := o.checkFormat(); err != nil {
		return err
	}
	ownFile := live && j.filter == nil && o.write != "" && o.write != "-" && o.fileType == "" && !o.anonymise
	writes := ownFile && !o.printing() && len(o.statistics)+len(o.exports) == 0 && o.secrets.export == ""
	if ownFile {
		o.live.Write, o.live.Unread = o.write, writes
	}
	if err := o.openRingNames(); err != nil {
		return err
	}
	store, err := o.open(ctx)
	if err != nil {
		return err
	}
	if store == nil {
		return usage("there is nothing to read: name a file, or an interface with -i; without a terminal there is no " +
			"screen to choose on")
	}
	defer store.Close()
	if err := o.openExports(); err != nil {
		return err
	}
	if err := o.openSecrets(); err != nil {
		return err
	}
	j.reg.ListSecrets = o.secrets.file != nil
	if err := o.confine(store); err != nil {
		return err
	}
	if live && !o.seat.silent {
		fmt.Fprintf(os.Stderr, "Capturing on %s\n", dissect.Escape(store.Status().Name))
	}
	if writes {
		return o.wait(ctx, store)
	}
	began := time.Now()
	if err := o.print(ctx, j, store, ownFile); err != nil {
		return err
	}
	o.printTimers(j, began)
	return reportEnd(store, live, o.seat.silent)
}

// confine gives up what printing does not need.
func (o *options) confine(store *capture.Store) error {
	allowed := confine.Allowed{
		Write:    append(placesOf(o.write), o.exportFolders()...),
		Network:  strings.Contains(o.wantedNames(false), "N"),
		Children: slices.ContainsFunc(o.live.Interfaces, byProgram),
	}
	if spool := store.Status().Spool; spool != "" {
		allowed.Write = append(allowed.Write, filepath.Dir(spool))
	}
	folders := o.own.foldersOfScripts()
	allowed.Write = append(allowed.Write, folders...)
	allowed.Programs = o.own.unsafe && len(folders) > 0
	return confine.Lock(allowed)
}

// byProgram tells whether another program captures on an interface, and has to be ended.
func byProgram(name string) bool {
	_, ok := live.FindExtcap(name)
	return ok || live.IsRemote(name)
}

// placesOf are the folders in which a file is written: its own, and that of what a link of its name leads to. A device
// or pipe is itself the place.
func placesOf(path string) []string {
	if path == "" || path == "-" {
		return nil
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return []string{path}
	}
	out := []string{filepath.Dir(path)}
	if to, err := filepath.EvalSymlinks(path); err == nil && filepath.Dir(to) != out[0] {
		out = append(out, filepath.Dir(to))
	}
	return out
}

// print dissects a store until it ends, and prints, writes and counts its packets.
func (o *options) print(ctx context.Context, j *job, store *capture.Store, ownFile bool) error {
	lookup, err := o.openNames(ctx, j.reg, o.wantedNames(false))
	if err != nil {
		return err
	}
	if lookup != nil {
		lookup.Patience = patience
	}
	s, err := newSession(j.reg, store, j.as)
	if err != nil {
		return err
	}
	s.Zone = time.Local
	h, err := o.newHeadless(s, j.filter, ownFile)
	if err != nil {
		return err
	}
	h.readFilter = j.read
	h.anew = func() error {
		again, err := newSession(j.reg, store, j.as)
		if err != nil {
			return err
		}
		again.Zone = s.Zone
		again.Learn(h.s)
		return o.outputs(h, again)
	}
	s.SetRetention(o.printedRetention(h))
	defer o.reportEvicted(s)
	defer o.obey(store, h)()
	if err := h.run(ctx, o.twoPass); err != nil {
		return err
	}
	return o.writeSecrets(h.s)
}

// wait lets a capture write its file until it ends or somebody ends it.
func (o *options) wait(ctx context.Context, store *capture.Store) error {
	stop := context.AfterFunc(ctx, store.Stop)
	defer stop()
	defer o.obey(store, nil)()
	store.Wait()
	return reportEnd(store, true, o.seat.silent)
}

// unattended is how long a capture goes on whose screen is gone.
const unattended = time.Hour

// startScreen opens the three panes.
func (o *options) startScreen(ctx context.Context, j *job) error {
	o.live.Write, o.live.Unattended = o.write, unattended
	if err := broker.Start(o.bounds()); err != nil {
		return err
	}
	store, err := o.open(ctx)
	if err != nil {
		return err
	}
	if store != nil && o.live.Write != "" {
		defer whenAsked(func() { store.NextFile() }, func() {})()
	} else {
		defer whenAsked(func() {}, func() {})() // a screen is not ended by it
	}
	return o.show(ctx, j, store)
}

// show gives up what the screen does not need, and opens it.
func (o *options) show(ctx context.Context, j *job, store *capture.Store) error {
	if err := o.useCells(j.reg); err != nil {
		return err
	}
	colours := ui.DetectColours() // may ask tmux
	if err := o.lockScreen(); err != nil {
		return err
	}
	name := o.screenNames(ctx, o.own.now.Load)
	names, err := name(o.resolve)
	if err != nil {
		return err
	}
	cfg := ui.Config{Registry: j.reg, Store: store, Filter: o.display, Settings: o.screenSettings(j.as), Source: j.source,
		Profile: o.profile, Page: o.page,
		Names: names, Name: name, Capture: o.live, KeptCapture: o.keptCaptureFilters(), File: o.read, Filters: j.filters,
		Open: func(path string) (*capture.Store, error) {
			return o.openFile(context.WithoutCancel(ctx), path, capture.Options{Filter: o.bpf, Certain: true})
		},
		Play: func(path string, speed float64) (*capture.Store, error) {
			opt := capture.Options{Filter: o.bpf, Pace: speed}
			if path == "demo" && o.read == "demo" {
				return openDemo(ctx, opt)
			}
			return pcapfile.Open(context.WithoutCancel(ctx), path, opt)
		},
		Shift: func(path string, by capture.Shift) (*capture.Store, error) {
			return o.openFile(context.WithoutCancel(ctx), path, capture.Options{Filter: o.bpf, Shift: by})
		},
		Merge: func(paths []string) (*capture.Store, error) {
			return pcapfile.OpenAll(context.WithoutCancel(ctx), paths, capture.Options{Filter: o.bpf})
		},
		Import: func(path, options string) (*capture.Store, error) {
			return openHex(context.WithoutCancel(ctx), path, options, capture.Options{Filter: o.bpf})
		},
		Live: func(opt capture.Options) (*capture.Store, error) {
			return openLive(context.WithoutCancel(ctx), opt, false)
		},
		Listen: listen, Colours: colours, Lost: broker.Gone(),
		ParseDecodeAs: func(words []string) ([]dissect.DecodeAs, error) { return decodeas.Parse(o.own.now.Load(), words) },
		Own:           o.reload(),
	}
	if len(o.reads) > 1 {
		cfg.File = "" // no file of its own
	}
	if dir, err := userdirs.State(); err == nil {
		cfg.State = dir
	}
	if store != nil {
		s, err := newSession(j.reg, store, j.as)
		if err != nil {
			store.Close()
			return err
		}
		cfg.Session = s
	}
	return ui.Run(ctx, cfg)
}
