// Package geoip tells where addresses are, from databases in MaxMind's format
// (https://maxmind.github.io/MaxMind-DB): fields of IPv4 and IPv6 that Wireshark has.
package geoip

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"net/netip"
)

// A database is a tree of the bits of addresses, whose leaves lead to values. It is read where it is asked for.
type database struct {
	file  io.ReaderAt
	nodes uint64 // of the tree
	bits  uint64 // of one of the two records in a node: 24, 28 or 32
	data  int64  // where values are
	end   int64  // and where they end
	six   bool   // the tree is of IPv6 addresses
	four  uint64 // the node that IPv4 addresses begin at
}

// Limits of what is read.
const (
	maxMetadata = 128 << 10 // bytes at a file's end
	maxValues   = 4096      // in what is known of one address
	maxDepth    = 16        // of values in values
	maxText     = 512       // bytes of one text
	block       = 4096      // bytes that are read at once
	gap         = 16        // bytes between tree and values
)

var marker = []byte("\xab\xcd\xefMaxMind.com")

var errWrong = errors.New("it is no sound database of MaxMind's format")

// open reads what a database says of itself.
func open(file io.ReaderAt, size int64) (*database, error) {
	from := max(0, size-maxMetadata)
	tail := make([]byte, size-from)
	if _, err := file.ReadAt(tail, from); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	at := bytes.LastIndex(tail, marker)
	if at < 0 {
		return nil, errWrong
	}
	start := from + int64(at+len(marker))
	r := reader{db: &database{file: file, data: start, end: size}}
	about, _ := r.value(0).(map[string]any)
	number := func(name string) uint64 { n, _ := about[name].(uint64); return n }
	db := &database{file: file, nodes: number("node_count"), bits: number("record_size"), six: number("ip_version") == 6,
		end: from + int64(at)}
	db.data = int64(db.nodes*db.bits/4) + gap
	switch {
	case r.bad || number("binary_format_major_version") != 2 || db.nodes == 0 || db.nodes > math.MaxUint32:
		return nil, errWrong
	case db.bits != 24 && db.bits != 28 && db.bits != 32 || db.data > db.end:
		return nil, errWrong
	case !db.six && number("ip_version") != 4:
		return nil, fmt.Errorf("it is of version %d of IP", number("ip_version"))
	}
	walk := reader{db: db}
	for range 96 {
		if db.six && db.four < db.nodes {
			db.four = walk.record(db.four, 0)
		}
	}
	return db, nil
}

// find is what is known of an address, nil for nothing.
func (db *database) find(a netip.Addr) map[string]any {
	node, bits := uint64(0), a.AsSlice()
	if a.Is4() {
		node = db.four
	} else if !db.six {
		return nil
	}
	r := reader{db: db}
	for i := 0; i < 8*len(bits) && node < db.nodes; i++ {
		node = r.record(node, bits[i/8]>>(7-i%8)&1)
	}
	if node <= db.nodes || r.bad {
		return nil
	}
	r.at = int64(node - db.nodes - gap)
	found, _ := r.value(0).(map[string]any)
	if r.bad {
		return nil
	}
	return found
}

// A reader goes over a database. What it reads past the end of is bad, and gives nothing.
type reader struct {
	db    *database
	at    int64 // among the values
	count int   // values that were read
	bad   bool
	held  []byte // bytes of the file from from on
	from  int64
}

// record is one of the two records of a node: the next node, or what is behind the tree.
func (r *reader) record(node uint64, side byte) uint64 {
	size := int64(r.db.bits / 4)
	b := r.bytes(int64(node)*size, int(size))
	if b == nil {
		return 0
	}
	switch half := b[int(side)*len(b)/2:]; {
	case r.db.bits == 24:
		return uint64(half[0])<<16 | uint64(half[1])<<8 | uint64(half[2])
	case r.db.bits == 32:
		return uint64(binary.BigEndian.Uint32(half))
	case side == 0:
		return uint64(b[3]>>4)<<24 | uint64(b[0])<<16 | uint64(b[1])<<8 | uint64(b[2])
	}
	return uint64(b[3]&15)<<24 | uint64(b[4])<<16 | uint64(b[5])<<8 | uint64(b[6])
}

// bytes are n bytes of the file, of which a block is held.
func (r *reader) bytes(at int64, n int) []byte {
	if at < 0 || at > r.db.end-int64(n) || r.bad {
		r.bad = true
		return nil
	}
	if at < r.from || at+int64(n) > r.from+int64(len(r.held)) {
		b := make([]byte, min(int64(max(n, block)), r.db.end-at))
		if _, err := r.db.file.ReadAt(b, at); err != nil && !errors.Is(err, io.EOF) {
			r.bad = true
			return nil
		}
		r.held, r.from = b, at
	}
	return r.held[at-r.from:][:n]
}

// next are the next bytes among the values.
func (r *reader) next(n int) []byte {
	b := r.bytes(r.db.data+r.at, n)
	r.at += int64(n)
	return b
}

// number is a number of up to eight bytes.
func (r *reader) number(n int) (v uint64) {
	for _, c := range r.next(n) {
		v = v<<8 | uint64(c)
	}
	return v
}

// The types of values.
const (
	isPointer = 1
	isText    = 2
	isDouble  = 3
	isMap     = 7
	isArray   = 11
	isBool    = 14
	isFloat   = 15
)

// value reads a value: a text, a uint64, a float64 or a map; others are nil.
func (r *reader) value(depth int) any {
	r.count++
	if r.count > maxValues || depth > maxDepth {
		r.bad = true
	}
	control := r.number(1)
	kind, size := control>>5, int(control&31)
	if r.bad {
		return nil
	}
	if kind == isPointer {
		return r.pointed(size, depth)
	}
	if kind == 0 {
		kind = 7 + r.number(1)
	}
	if more := size - 28; more > 0 {
		size = [4]int{0, 29, 285, 65821}[more] + int(r.number(more))
	}
	switch kind {
	case isMap:
		return r.fields(size, depth)
	case isArray:
		for range size {
			if r.value(depth + 1); r.bad {
				return nil
			}
		}
		return nil
	case isBool:
		return nil
	case isText:
		if size > maxText {
			r.at += int64(size)
			return nil
		}
		return string(r.next(size))
	case isDouble:
		return math.Float64frombits(r.number(8))
	case isFloat:
		return float64(math.Float32frombits(uint32(r.number(4))))
	}
	if size > 8 { // 128 bits
		r.at += int64(size)
		return nil
	}
	return r.number(size)
}

func (r *reader) fields(size, depth int) map[string]any {
	out := map[string]any{}
	for range size {
		name, _ := r.value(depth + 1).(string)
		v := r.value(depth + 1)
		if r.bad {
			return nil
		}
		out[name] = v
	}
	return out
}

// pointed is the value that a pointer leads to, of which the five lower bits of the first byte are known.
func (r *reader) pointed(bits, depth int) any {
	n := bits>>3 + 1
	to := int64(r.number(n))
	if n < 4 {
		to |= int64(bits&7) << (8 * n)
	}
	back := r.at
	r.at = to + [4]int64{0, 2048, 526336, 0}[n-1]
	v := r.value(depth + 1)
	r.at = back
	return v
}
