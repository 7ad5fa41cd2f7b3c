// Bench measures remora against tshark, tcpdump and dumpcap on the same traffic in the same run, and prints ratios:
// absolute times say little on shared machines.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

func main() {
	packets := flag.Int("packets", 1_000_000, "packets of the generated capture")
	live := flag.Bool("live", true, "measure live capture too (needs root: it makes a network namespace)")
	typed := flag.Int("typed", 10_000_000, "packets of the capture in which keys are pressed; 0: none")
	only := flag.Bool("keys", false, "measure nothing but keys")
	anchorsOnly := flag.Bool("anchors", false,
		"measure nothing but what the screen is held to, without the walk through all keys")
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
	if *pgo != "" {
		err = profile(*pgo, dir, *packets)
	} else {
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
	remora := filepath.Join(dir, "remora")
	if out, err := exec.Command("go", "build", "-o", remora, ".").CombinedOutput(); err != nil {
		return fmt.Errorf("building remora: %v\n%s", err, out)
	}
	file := filepath.Join(dir, "million.pcap")
	size, err := generate(file, packets)
	if err != nil {
		return err
	}
	fmt.Printf("%d packets, %d MB: 35 %% Touhou, 25 %% other UDP, 5 %% DNS, 30 %% TCP, 5 %% ARP\n\n", packets, size/1e6)
	b := bencher{remora: remora, file: file, packets: packets}
	if !only {
		b.table()
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
