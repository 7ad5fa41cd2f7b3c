package names

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"path/filepath"
	"strconv"
	"strings"

	"remora/internal/sorting"
	"remora/internal/textfile"
)

// Own are the names that a person keeps in files, in the forms that Wireshark has for them: ethers, manuf, services and
// subnets. They do not change once read.
type Own struct {
	ethers   map[uint64]string
	makers   map[prefix]string
	services map[ownPort]string
	subnets  []subnet // the longest first
}

type prefix struct {
	bits  int
	value uint64
}

type ownPort struct {
	transport Transport
	port      uint16
}

type subnet struct {
	netip.Prefix
	name string
}

// ReadOwn reads the files that there are in some folders and are of use for the kinds of names: letters as of -N, m for
// hardware addresses, t for ports, n and N for addresses. What was told first stays.
func ReadOwn(kinds string, folders ...string) (*Own, error) {
	o := &Own{ethers: map[uint64]string{}, makers: map[prefix]string{}, services: map[ownPort]string{}}
	for _, dir := range folders {
		for _, file := range []struct {
			name, kinds string
			line        func(words []string)
		}{{"ethers", "m", o.ether}, {"manuf", "m", o.maker}, {"services", "t", o.service}, {"subnets", "nN", o.subnet}} {
			if !strings.ContainsAny(kinds, file.kinds) {
				continue
			}
			if err := readLines(filepath.Join(dir, file.name), file.line); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
		}
	}
	sorting.Stable(o.subnets, func(a, b subnet) int { return b.Bits() - a.Bits() })
	return o, nil
}

// readLines gives the words of each line that has some, without comments.
func readLines(path string, line func(words []string)) error {
	f, err := textfile.Open(path, maxHostsFile)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for n := 0; lines.Scan() && n < maxHosts; n++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		if words := strings.Fields(text); len(words) > 1 {
			line(words)
		}
	}
	return lines.Err()
}

func (o *Own) ether(words []string) {
	if v, n, ok := hardware(words[0]); ok && n == 48 && o.ethers[v] == "" {
		o.ethers[v] = words[1]
	}
}

func (o *Own) maker(words []string) {
	text, width, masked := strings.Cut(words[0], "/")
	v, n, ok := hardware(text)
	if masked {
		w, err := strconv.Atoi(width)
		ok = ok && err == nil && w > 0 && w <= 48
		n = w
	}
	if !ok {
		return
	}
	v &^= 1<<(48-n) - 1
	if n == 48 {
		if o.ethers[v] == "" {
			o.ethers[v] = words[1]
		}
	} else if p := (prefix{n, v}); o.makers[p] == "" {
		o.makers[p] = words[1]
	}
}

// hardware reads the first bytes of a hardware address, with signs between them, and tells how many bits they have. The
// value has 48.
func hardware(text string) (v uint64, n int, ok bool) {
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(":-.", r) }) {
		b, err := strconv.ParseUint(part, 16, 8)
		if err != nil || n == 48 {
			return 0, 0, false
		}
		v, n = v<<8|b, n+8
	}
	return v << (48 - n), n, n > 0
}

// service reads a line as "http 80,8080-8083/tcp/udp".
func (o *Own) service(words []string) {
	ports, kinds, ok := strings.Cut(words[1], "/")
	if !ok {
		return
	}
	for part := range strings.SplitSeq(ports, ",") {
		first, last, isRange := strings.Cut(part, "-")
		from, err := strconv.ParseUint(first, 10, 16)
		to := from
		if isRange && err == nil {
			to, err = strconv.ParseUint(last, 10, 16)
		}
		for v := from; err == nil && v <= to; v++ {
			for kind := range strings.SplitSeq(kinds, "/") {
				if t, known := map[string]Transport{"tcp": TCP, "udp": UDP}[kind]; known {
					if s := (ownPort{t, uint16(v)}); o.services[s] == "" {
						o.services[s] = words[0]
					}
				}
			}
		}
	}
}

func (o *Own) subnet(words []string) {
	if p, err := netip.ParsePrefix(words[0]); err == nil && p.Addr().Is4() && p.Bits() > 0 {
		o.subnets = append(o.subnets, subnet{p.Masked(), words[1]})
	}
}

// Ether is what a person calls a hardware address: by itself, or by the longest prefix that has a name; "" where the
// files say nothing.
func (o *Own) Ether(mac uint64) string {
	if name := o.ethers[mac]; name != "" || len(o.makers) == 0 {
		return name
	}
	for n := 47; n > 0; n-- {
		if name := o.makers[prefix{n, mac &^ (1<<(48-n) - 1)}]; name != "" {
			return name + "_" + tail(mac, 48-n)
		}
	}
	return ""
}

// Port is what a person calls a port, or "".
func (o *Own) Port(t Transport, port uint16) string { return o.services[ownPort{t, port}] }

// Host is an address of a network that has a name: the name, and in place of the bytes that the network leaves open
// what the address has there. It is "" where no network has it.
func (o *Own) Host(a netip.Addr) string {
	a = a.Unmap()
	for _, s := range o.subnets {
		if !s.Contains(a) {
			continue
		}
		b := a.As4()
		name := s.name
		for i := s.Bits() / 8; i < 4; i++ {
			mask := byte(0xff)
			if i == s.Bits()/8 {
				mask >>= s.Bits() % 8
			}
			name += fmt.Sprintf(".%d", b[i]&mask)
		}
		return name
	}
	return ""
}
