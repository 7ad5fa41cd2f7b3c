package capture

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Options say what to capture or read, and for how long. The zero value reads a file whole.
type Options struct {
	Interfaces []string // live: where to listen; "any" is all of them
	Filter     string   // BPF expression; applied to files, too
	// Extcap are arguments of capture programs, by their preferences: extcap.randpkt.count.
	Extcap     map[string]string
	SnapLen    int    // live: bytes kept of each packet; 0: all
	NoPromisc  bool   // live: only what is addressed to this machine
	BufferMiB  int    // live: kernel buffer for each interface; 0: 32
	Monitor    bool   // live: frames of 802.11 as they are on the air, of all networks
	LinkType   string // live: the link-layer header type, by libpcap's name; "": the interface's usual one
	TimeStamps string // live: whose clock stamps packets, by libpcap's name; "": the system's
	Stop       StopRules
	Ring       Ring   // when to go on to the next file of Write
	Write      string // live: where packets go as they come; pcapng, pcap by the name's ending
	// Closed is told the name of each file of a ring that is complete, where Ring names who gets them.
	Closed  func(path string) `json:"-"`
	Replace bool              // live: a file that is there already may be replaced by Write

	Keep int64 // live and pipes: bytes of packets kept; beyond them the oldest are evicted. 0 keeps everything

	// Passing gives the disk space of packets back once their reader has evicted them (see Store.Evict): a capture that
	// is only printed does not fill the disk.
	Passing bool

	Certain bool // pipes and devices: open only what turns out to be a capture, where it tells within a moment

	Shift  Shift   // files: the times that packets get instead of theirs
	Follow bool    // files: wait for more at the end, as tail -f does
	Pace   float64 // files: show packets at the distances they were captured with; 1: real time, 0: at once

	// Unattended is how long a live capture goes on when the program that reads it is gone: then it ends, and its packets
	// stay in the spool. 0: it ends at once.
	Unattended time.Duration
	Unread     bool // live: nobody reads the packets, they are only written and counted
	Brief      bool // live: the packets go with whoever reads them, nothing is left on the disk

	SpoolDir    string // where spools go; "": the usual folder
	Application string // named as the writing program in files; "": remora
	Comment     string // a comment on the whole capture, in pcapng files
}

// StopRules end a capture. Zero values do not.
type StopRules struct {
	Packets  int           // -c N, -a packets:N
	Duration time.Duration // -a duration:S
	Bytes    int64         // -a filesize:KB, in bytes (1 KB = 1000)
	Files    int           // -a files:N
}

// Ring says when to switch to the next file and how many to keep. Zero values do not.
type Ring struct {
	Files    int           // -b files:N, the oldest is removed
	Bytes    int64         // -b filesize:KB, in bytes
	Duration time.Duration // -b duration:S, since the file was begun
	Interval time.Duration // -b interval:S, at multiples of it on the clock
	Packets  int           // -b packets:N
	TimeNum  bool          // -b nametimenum:2: in the names of files the time stands in front of the number
	Names    string        // -b printname:FILE, which gets the names of complete files
}

// On reports whether a rule is set.
func (r Ring) On() bool {
	r.TimeNum, r.Names = false, ""
	return r != Ring{}
}

// Switches tells whether a rule says when to go on to the next file.
func (r Ring) Switches() bool {
	return r.Bytes > 0 || r.Duration > 0 || r.Interval > 0 || r.Packets > 0
}

// ParseSize reads a size such as 512 MiB, 2G, 1.5 GiB or 100000: bytes without a unit, units of 1024.
func ParseSize(text string) (int64, error) {
	low := strings.ToLower(strings.TrimSpace(text))
	number := strings.TrimRight(low, "kmgtib ")
	unit := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(low[len(number):]), "b"), "i")
	power, known := map[string]int{"": 0, "k": 1, "m": 2, "g": 3, "t": 4}[unit]
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !known || !(v >= 0) || v*float64(int64(1)<<(10*power)) > 1<<60 {
		return 0, fmt.Errorf("%q is not a size: write 512 MiB, 2 GiB or 0", text)
	}
	return int64(v * float64(int64(1)<<(10*power))), nil
}

// ParseStop takes one value of -a: duration:S, filesize:KB (of 1000 bytes), packets:N or files:N.
func (r *StopRules) ParseStop(value string) error {
	key, n, err := rule(value, "duration", "filesize", "packets", "files")
	if err != nil {
		return err
	}
	switch key {
	case "duration":
		r.Duration = inSeconds(n)
	case "filesize":
		r.Bytes = int64(n * 1000)
	case "packets":
		r.Packets = int(n)
	case "files":
		r.Files = int(n)
	}
	return nil
}

// ParseRing takes one value of -b: duration:S, interval:S, filesize:KB (of 1000 bytes), packets:N, files:N,
// nametimenum:1 or 2, or printname:FILE.
func (r *Ring) ParseRing(value string) error {
	if name, ok := strings.CutPrefix(value, "printname:"); ok && name != "" {
		r.Names = name
		return nil
	}
	key, n, err := rule(value, "duration", "interval", "filesize", "packets", "files", "nametimenum")
	if err != nil {
		return err
	}
	switch key {
	case "duration":
		r.Duration = inSeconds(n)
	case "interval":
		r.Interval = inSeconds(n)
	case "filesize":
		r.Bytes = int64(n * 1000)
	case "packets":
		r.Packets = int(n)
	case "files":
		r.Files = int(n)
	case "nametimenum":
		if r.TimeNum = n == 2; n > 2 {
			return fmt.Errorf("%q: nametimenum is 1, the number first, or 2, the time first", value)
		}
	}
	return nil
}

func inSeconds(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }

// rule splits key:number. Only a duration or interval may have a fraction.
func rule(value string, keys ...string) (key string, n float64, err error) {
	key, text, ok := strings.Cut(value, ":")
	known := false
	for _, k := range keys {
		known = known || k == key
	}
	if !ok || !known {
		return "", 0,
			fmt.Errorf("%q is not a rule: write one of %s: and a number, as in %s:10", value, strings.Join(keys, ":, "), keys[0])
	}
	n, err = strconv.ParseFloat(text, 64)
	whole := key == "duration" || key == "interval" || n == float64(int64(n))
	if err != nil || !(n > 0) || n > 1e12 || !whole {
		return "", 0, fmt.Errorf("%q: %q is not a number that %s can have", value, text, key)
	}
	return key, n, nil
}
