//go:build unix

package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const (
	ratioPackets = 20_000
	ratioPairs   = 6
	ratioLoss    = 1.25 // how many times worse than the stored ratio fails
)

// ratios measures how many times less CPU time than tshark remora takes for each task, on few packets, and compares
// that with the ratios in a file; with write it stores them there. The least of several runs counts, in turns with
// tshark's: what else the machine does makes single runs longer, never shorter.
func (b *bencher) ratios(dir, path string, write bool) error {
	if _, err := exec.LookPath("tshark"); err != nil {
		fmt.Println("ratios: not measured, there is no tshark")
		return nil
	}
	stored, err := readRatios(path)
	if err != nil && !write {
		return err
	}
	m := mixes[len(mixes)-1]
	files := map[bool]string{true: filepath.Join(dir, "few.pcap"), false: filepath.Join(dir, "some.pcap")}
	for few, file := range files {
		n := ratioPackets
		if few {
			n /= 4
		}
		if _, err := generate(file, n, m.packet()); err != nil {
			return err
		}
	}
	var text strings.Builder
	worse := 0
	for _, t := range tasks {
		if len(t.args) > 0 && t.args[0] == "-T" && t.args[1] == "ek" {
			continue // as JSON
		}
		ratio, err := b.ratio(t.args, files[t.share > 1])
		was := stored[t.name]
		for again := 0; again < 2 && err == nil && !write && ratio*ratioLoss < was; again++ { // it may be the machine
			var more float64
			more, err = b.ratio(t.args, files[t.share > 1])
			ratio = max(ratio, more)
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(&text, "%.2f %s\n", ratio, t.name)
		sign := ""
		if !write && ratio*ratioLoss < was {
			sign, worse = "  WORSE", worse+1
		}
		fmt.Printf("%-36s %6.2f times less CPU than tshark, stored %.2f%s\n", t.name, ratio, was, sign)
	}
	if write {
		return os.WriteFile(path, []byte(text.String()), 0o644)
	}
	if worse > 0 {
		return fmt.Errorf("%d of the ratios to tshark are more than a quarter worse than in %s", worse, path)
	}
	return nil
}

// ratio measures one task on a file.
func (b *bencher) ratio(task []string, file string) (float64, error) {
	args := append([]string{"-r", file}, task...)
	var own, other float64
	for i := range ratioPairs {
		r, err := b.once(b.remora, args...)
		if err != nil {
			return 0, err
		}
		if i == 0 || r.cpu < own {
			own = r.cpu
		}
		if i%2 == 1 {
			continue // tshark takes most of the time, and as long each time
		}
		if r, err = b.once("tshark", args...); err != nil {
			return 0, err
		}
		if i == 0 || r.cpu < other {
			other = r.cpu
		}
	}
	return other / own, nil
}

// readRatios reads lines of a ratio and the name of its task.
func readRatios(path string) (map[string]float64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out := map[string]float64{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		number, name, _ := strings.Cut(lines.Text(), " ")
		var ratio float64
		if _, err := fmt.Sscan(number, &ratio); err != nil {
			return nil, fmt.Errorf("%s: %q is no ratio", path, number)
		}
		out[name] = ratio
	}
	return out, nil
}
