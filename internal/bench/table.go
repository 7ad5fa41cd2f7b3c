//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// A task is one thing that the printers are compared in.
type task struct {
	name    string
	args    []string // of remora and tshark, behind -r and the file
	tcpdump []string // nil: it cannot
	aim     float64  // how many times less CPU time than tshark's
	share   int      // of the packets: one in so many
}

var tasks = []task{
	{"first pass (-Y frame.number==0)", []string{"-Y", "frame.number==0"}, nil, 10, 1},
	{"summary lines", nil, []string{"-n"}, 5, 1},
	{"-T fields, four", []string{"-T", "fields", "-e", "frame.number", "-e", "ip.src", "-e", "tcp.port", "-e", "udp.port"},
		nil, 12, 1},
	{"-Y udp.port==53", []string{"-Y", "udp.port==53"}, []string{"-n", "udp", "port", "53"}, 0, 1},
	{"-V", []string{"-V"}, []string{"-n", "-vvv"}, 5, 10},
	{"-T json", []string{"-T", "json"}, nil, 10, 10},
	{"-T ek", []string{"-T", "ek"}, nil, 10, 10},
}

// A sample is a capture of one sort of traffic, whole and in part.
type sample struct {
	name    string
	packets int
	files   map[int]string // by the share of the packets that is in it
}

// sampled makes the captures of a mix.
func sampled(dir string, m mix, packets int) (sample, error) {
	s := sample{m.name, packets, map[int]string{}}
	for _, t := range tasks {
		if s.files[t.share] != "" {
			continue
		}
		file := filepath.Join(dir, fmt.Sprintf("%s-%d.pcap", m.name, t.share))
		size, err := generate(file, packets/t.share, m.packet())
		if err != nil {
			return s, err
		}
		if t.share == 1 {
			fmt.Printf("\n%s: %d packets, %d MB: %s\n", m.name, packets, size/1e6, m.about)
		}
		s.files[t.share] = file
	}
	return s, nil
}

func (s sample) remove() {
	for _, file := range s.files {
		os.Remove(file)
	}
}

// printers compares all printers on a sample: CPU time, wall time and the most memory.
func (b *bencher) printers(s sample) {
	fmt.Printf("%-32s %24s %24s %24s %8s\n", "CPU s, wall s, MB", "remora", "tshark", "tcpdump", "times")
	for _, t := range tasks {
		file := s.files[t.share]
		own := b.outside(b.remora, append([]string{"-r", file}, t.args...)...)
		tshark := b.outside("tshark", append([]string{"-r", file}, t.args...)...)
		var tcpdump result
		if t.tcpdump != nil {
			tcpdump = b.outside("tcpdump", append([]string{"-r", file}, t.tcpdump...)...)
		}
		fmt.Printf("%-32s %24s %24s %24s", t.name, own.triple(), tshark.triple(), tcpdump.triple())
		if own.ok && tshark.ok {
			fmt.Printf(" %8.1f", tshark.cpu/own.cpu)
			if t.aim > 0 {
				b.check(s.name+": "+t.name, fmt.Sprintf("%.0f times", t.aim), fmt.Sprintf("%.1f times", tshark.cpu/own.cpu),
					tshark.cpu/own.cpu >= t.aim)
			}
		}
		fmt.Println()
	}
}

func (r result) triple() string {
	if !r.ok {
		return "–"
	}
	return fmt.Sprintf("%.2f %.2f %.0f", r.cpu, r.wall, float64(r.bytes)/1e6)
}

// restAim is how many bytes a packet may take at rest.
const restAim = 64

// memory prints what a session holds of a sample, by parts.
func (b *bencher) memory(s sample) {
	r := b.inside("parts", s.files[1])
	if !r.ok {
		return
	}
	each := float64(r.bytes) / float64(s.packets)
	fmt.Printf("bytes a packet at rest: %.1f, of them%s\n", each, r.text)
	b.check(s.name+": bytes a packet at rest", fmt.Sprint(restAim), fmt.Sprintf("%.1f", each), each <= restAim)
}

// curve prints what the first pass and summary lines cost as captures grow, and with more cores.
func (b *bencher) curve(dir string, most, cores int) error {
	fmt.Printf("%-8s %12s %6s %26s %26s\n", "mix", "packets", "cores", "first pass: CPU, wall s, MB",
		"summary: CPU, wall s, MB")
	for _, m := range mixes {
		for n := 10_000; n <= most; n *= 10 {
			file := filepath.Join(dir, "curve.pcap")
			if _, err := generate(file, n, m.packet()); err != nil {
				return err
			}
			for c := 1; c <= cores; c *= 2 {
				b.env = []string{fmt.Sprintf("GOMAXPROCS=%d", c)}
				fmt.Printf("%-8s %12d %6d %26s %26s\n", m.name, n, c,
					b.outside(b.remora, "-r", file, "-Y", "frame.number==0").triple(), b.outside(b.remora, "-r", file).triple())
			}
		}
	}
	b.env = nil
	return nil
}
