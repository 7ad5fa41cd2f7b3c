//go:build unix

// Command corpora runs remora over every capture in the source packages of tcpdump, wireshark, ndpi and libpcap, with
// limits on the time and the memory of each run, and holds the packets it counts against those of tshark 4.0; against
// those of tcpdump where tshark does not know the link type.
//
// Folders and captures are named as arguments: those packages unpacked, or anything else. With -fetch the sources are
// got by apt-get source into a cache folder, once. For each folder it prints the captures, the packets, what took
// longest and what took most memory, then what differs. Differences that explained.txt names, with the reason, are
// counted by themselves. It fails when anything else differs, when a limit is exceeded, when a file cannot be read at
// all, and, with -fetch, when a line of explained.txt explains nothing.
package main

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

//go:embed explained.txt
var explanations string

// limits are what one run of remora may use.
type limits struct {
	cpu    time.Duration
	memory int64 // bytes of address space, and of what is resident
}

func main() {
	program := flag.String("remora", "./remora", "the `PROGRAM` to try")
	fetch := flag.Bool("fetch", false, "get the source packages by apt-get source, where they are not in the cache yet")
	seconds := flag.Int("t", 60, "`SECONDS` of processor time that a capture may take")
	mib := flag.Int64("m", 1024, "`MIB` of memory that a capture may take")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	context.AfterFunc(ctx, stop) // a second one ends at once
	good, err := run(ctx, *program, *fetch, flag.Args(), limits{time.Duration(*seconds) * time.Second, *mib << 20})
	if err != nil {
		fmt.Fprintln(os.Stderr, "corpora:", err)
	}
	if err != nil || !good {
		os.Exit(1)
	}
}

func run(ctx context.Context, program string, fetch bool, roots []string, lim limits) (good bool, err error) {
	if fetch {
		fetched, err := fetchSources(ctx)
		if err != nil {
			return false, err
		}
		roots = append(fetched, roots...)
	}
	if len(roots) == 0 {
		return false, errors.New("name folders with captures, or let -fetch get the source packages")
	}
	if program, err = filepath.Abs(program); err != nil {
		return false, err
	}
	var all []*result
	reasons := readReasons(explanations)
	fmt.Printf("%-22s %8s %7s %9s %7s %10s  %-34s %s\n", "folder", "captures", "same", "explained", "differ", "packets",
		"longest",
		"most memory")
	for _, root := range roots {
		files, err := captures(root)
		if err != nil {
			return false, err
		}
		var here []*result
		for _, path := range files {
			if ctx.Err() != nil {
				return false, ctx.Err()
			}
			here = append(here, compare(ctx, program, root, path, lim, reasons))
		}
		row(os.Stdout, filepath.Base(root), here)
		all = append(all, here...)
	}
	good = !differences(os.Stdout, all)
	if fetch {
		good = !unneeded(os.Stdout, reasons) && good
	}
	return good && len(all) > 0, nil
}

// row prints what came out for the captures of one folder.
func row(w io.Writer, name string, list []*result) {
	var same, explained, packets int
	var slow, large result
	for _, r := range list {
		packets += r.ours.packets
		switch {
		case r.differs == "":
			same++
		case r.reason != nil:
			explained++
		}
		if r.ours.cpu > slow.ours.cpu {
			slow = *r
		}
		if r.ours.memory > large.ours.memory {
			large = *r
		}
	}
	fmt.Fprintf(w, "%-22s %8d %7d %9d %7d %10d  %-34s %s\n", name, len(list), same, explained, len(list)-same-explained,
		packets,
		fmt.Sprintf("%.1f s %s", slow.ours.cpu.Seconds(), filepath.Base(slow.path)),
		fmt.Sprintf("%d MiB %s", large.ours.memory>>20, filepath.Base(large.path)))
}

// differences lists the captures that differ for no known reason, and tells whether there are any.
func differences(w io.Writer, all []*result) (found bool) {
	for _, r := range all {
		if r.differs != "" && r.reason == nil {
			found = true
			fmt.Fprintf(w, "\n%s\n  %s\n", r.path, r.differs)
			for _, said := range []struct{ who, text string }{{"measure", r.theirs.said}, {"remora", r.ours.said}} {
				if said.text != "" {
					fmt.Fprintf(w, "  %s: %s\n", said.who, said.text)
				}
			}
		}
	}
	return found
}

// unneeded lists the lines of explained.txt that explain nothing.
func unneeded(w io.Writer, reasons []*reason) (found bool) {
	for _, r := range reasons {
		if r.count == 0 {
			fmt.Fprintf(w, "\nexplained.txt line %d explains nothing: %s %s\n", r.line, r.pattern, r.text)
			found = true
		}
	}
	return found
}

// fetchSources returns the folders of the source packages, which it gets where they are missing.
func fetchSources(ctx context.Context) ([]string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(cache, "remora", "corpora")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	var roots []string
	for _, pkg := range []string{"tcpdump", "wireshark", "ndpi", "libpcap"} {
		root, err := unpacked(dir, pkg)
		if err != nil {
			return nil, err
		}
		if root == "" {
			if err := aptSource(ctx, dir, pkg); err != nil {
				return nil, err
			}
			if root, err = unpacked(dir, pkg); err != nil {
				return nil, err
			}
		}
		roots = append(roots, root)
	}
	return roots, nil
}

// unpacked is the folder of a package below dir, or empty.
func unpacked(dir, pkg string) (string, error) {
	found, err := filepath.Glob(filepath.Join(dir, pkg+"-[0-9]*"))
	if err != nil || len(found) == 0 {
		return "", err
	}
	return cmp.Or(found...), nil
}
