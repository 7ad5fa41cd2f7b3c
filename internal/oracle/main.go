// Command oracle holds what remora reads from captures against what tshark 4.0 prints with -T fields: every field of
// the everyday protocols that tshark knows, and the Protocol column, frame by frame.
//
// It reads the captures of the fixtures and of the protocols' tests, and those of the folder that REMORA_CAPTURES
// names. Captures named as arguments take their place. For each protocol it prints how often a field of a frame is the
// same, of how often tshark has one, and what differs most often. Differences that explained.txt names, with the
// reason, are counted by themselves. It fails when a protocol falls below its goal, or when a line of explained.txt
// explains nothing.
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// everyday are the protocols that must reach the goal.
const everyday = "eth vlan arp ip ipv6 icmp icmpv6 igmp udp tcp dns dhcp ntp http tls"

// goal is the share of equal fields that a protocol must have, of a hundred.
const goal = 99

//go:embed explained.txt
var explanations string

func main() {
	list := flag.String("protocols", everyday, "the `NAMES` of the protocols to compare, with blanks between")
	shown := flag.Int("n", 8, "how many differing fields to show for each protocol")
	every := flag.String("every", "", "a `PATTERN` of fields of which each difference is to be shown")
	meant := flag.Bool("meant", false, "with -every, show the differences that are explained, too")
	flag.Parse()
	good, err := run(strings.Fields(*list), *shown, *every, *meant, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
	if !good {
		os.Exit(1)
	}
}

func run(protocols []string, shown int, every string, meant bool, captures []string) (good bool, err error) {
	if err := checkVersion(); err != nil {
		return false, err
	}
	all := len(captures) == 0
	if all {
		if captures, err = standardCaptures(); err != nil {
			return false, err
		}
	}
	fields, err := tsharkFields(protocols)
	if err != nil {
		return false, err
	}
	c, err := newComparison(protocols, fields)
	if err != nil {
		return false, err
	}
	c.every, c.meant = every, meant
	for _, path := range captures {
		if err := c.capture(path); err != nil {
			return false, fmt.Errorf("%s: %w", path, err)
		}
	}
	good = c.print(os.Stdout, shown)
	return !(all && c.unneeded(os.Stdout)) && good, nil
}

// standardCaptures are the captures of the protocols' tests, those of the fixtures, and those of the folder that
// REMORA_CAPTURES names.
func standardCaptures() ([]string, error) {
	paths, err := filepath.Glob("protocols/*/testdata/*.pcap*")
	if err != nil {
		return nil, err
	}
	paths = slices.DeleteFunc(paths, func(path string) bool { return filepath.Ext(path) == ".tree" })
	for _, root := range []string{"fixtures/captures", os.Getenv("REMORA_CAPTURES")} {
		if root == "" {
			continue
		}
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err == nil && slices.Contains([]string{".pcap", ".pcapng", ".cap"}, filepath.Ext(path)) {
				paths = append(paths, path)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("there are no captures")
	}
	return paths, nil
}
