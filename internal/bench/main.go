//go:build unix

// Bench measures remora against tshark, tcpdump and dumpcap on the same traffic in the same run, and prints ratios:
// absolute times say little on shared machines.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

func main() {
	packets := flag.Int("packets", 1_000_000, "packets of the generated capture")
	live := flag.Bool("live", true, "measure live capture too (needs root: it makes a network namespace)")
	typed := flag.Int("typed", 10_000_000, "packets of the capture in which keys are pressed; 0: none")
	only := flag.Bool("keys", false, "measure nothing but keys")
	anchorsOnly := flag.Bool("anchors", false,
		"measure nothing but what the screen is held to, without the walk through all keys")
	curve := flag.Int("curve", 0, "measure nothing but how costs grow, from 10 000 to so many packets, and with cores")
	ratiosOf := flag.String("ratios", "", "measure nothing but a few ratios to tshark, and hold them against this file")
	store := flag.Bool("store", false, "store the ratios in that file instead")
	pgo := flag.String("profile", "", "measure nothing, but write a profile for the compiler to this file")
	child := flag.String("child", "", "internal: measure one thing in a process of its own")
	flag.Parse()
	if *child != "" {
		if err := measureInside(*child, flag.Args()); err != nil {
			fatal(err)
		}
		return
	}
	dir, err := os.MkdirTemp("", "remora-bench")
	if err != nil {
		fatal(err)
	}
	defer os.RemoveAll(dir)
	switch {
	case *pgo != "":
		err = profile(*pgo, dir, *packets)
	case *curve > 0 || *ratiosOf != "":
		b := bencher{}
		if err = b.build(dir); err == nil && *curve > 0 {
			err = b.curve(dir, *curve, runtime.NumCPU())
		} else if err == nil {
			err = b.ratios(dir, *ratiosOf, *store)
		}
	default:
		if *anchorsOnly {
			*only, *typed = true, 0
		}
		err = bench(dir, *packets, *typed, *live, *only)
	}
	if err != nil {
		os.RemoveAll(dir)
		fatal(err)
	}
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, "bench:", err)
	os.Exit(1)
}

func bench(dir string, packets, typed int, live, only bool) error {
	var b bencher
	if err := b.build(dir); err != nil {
		return err
	}
	file := filepath.Join(dir, "million.pcap")
	size, err := generate(file, packets, mixes[0].packet())
	if err != nil {
		return err
	}
	fmt.Printf("%d packets, %d MB: %s\n\n", packets, size/1e6, mixes[0].about)
	b.file, b.packets = file, packets
	if !only {
		b.table()
		if err := b.samples(dir); err != nil {
			return err
		}
	}
	if live && !only {
		if err := b.live(dir); err != nil {
			return err
		}
	}
	if typed > 0 {
		if err := b.keys(dir, typed); err != nil {
			return err
		}
	}
	if err := b.measureLimits(dir, live); err != nil {
		return err
	}
	b.printLimits()
	return nil
}

// build builds the program that is measured.
func (b *bencher) build(dir string) error {
	b.remora = filepath.Join(dir, "remora")
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", b.remora, ".")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("building remora: %v\n%s", err, out)
	}
	return nil
}

// samples measures printing and memory on all mixes, and what hostile shapes cost.
func (b *bencher) samples(dir string) error {
	for _, m := range mixes {
		s, err := sampled(dir, m, b.packets)
		if err != nil {
			return err
		}
		b.printers(s)
		b.memory(s)
		s.remove()
	}
	return b.hostileTable(dir, b.packets)
}
