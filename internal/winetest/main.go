// Winetest writes bcryptprimitives.dll, which Go programs need and Wine before version 8.17 lacks, to standard output:
// a library without code, whose one function is another one's name.
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
)

// Where the one section is in memory, and in the file.
const (
	inMemory = 0x1000
	inFile   = 0x200
)

// at is where the parts of the section are, from its begin.
const (
	functionsAt = 40
	namesAt     = 44
	ordinalsAt  = 48
	libraryAt   = 50
	nameAt      = libraryAt + len(library)
	targetAt    = nameAt + len(name)
)

const (
	library = "bcryptprimitives.dll\x00"
	name    = "ProcessPrng\x00"
	target  = "advapi32.SystemFunction036\x00" // RtlGenRandom, with the same arguments
)

func main() {
	if _, err := os.Stdout.Write(dll()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// dll is the library as a PE32+ file for amd64.
func dll() []byte {
	b := &bytes.Buffer{}
	put := func(fields ...any) {
		for _, f := range fields {
			if err := binary.Write(b, binary.LittleEndian, f); err != nil {
				panic(err) // of a field without a fixed size
			}
		}
	}
	put([]byte("MZ"), make([]byte, 58), uint32(64), []byte("PE\x00\x00"))
	put(uint16(0x8664), uint16(1), uint32(0), uint32(0), uint32(0), uint16(240), uint16(0x2022)) // one section, a library
	put(uint16(0x20b), uint16(0), uint32(0), uint32(inFile), uint32(0), uint32(0), uint32(inMemory))
	put(uint64(0x180000000), uint32(inMemory), uint32(inFile))                       // where it goes; alignment
	put(uint16(6), uint16(0), uint16(0), uint16(0), uint16(6), uint16(0), uint32(0)) // versions
	put(uint32(2*inMemory), uint32(inFile), uint32(0), uint16(3), uint16(0x100))     // sizes; for consoles
	put(uint64(1<<20), uint64(1<<12), uint64(1<<20), uint64(1<<12), uint32(0), uint32(16))
	put(uint32(inMemory), uint32(targetAt+len(target)), make([]byte, 15*8)) // the table of what it exports, no other
	put([]byte(".rdata\x00\x00"), uint32(inFile), uint32(inMemory), uint32(inFile), uint32(inFile))
	put(make([]byte, 12), uint32(0x40000040))
	put(make([]byte, inFile-b.Len()))
	put(make([]byte, 12), uint32(inMemory+libraryAt), uint32(1), uint32(1), uint32(1))
	put(uint32(inMemory+functionsAt), uint32(inMemory+namesAt), uint32(inMemory+ordinalsAt))
	put(uint32(inMemory+targetAt), uint32(inMemory+nameAt), uint16(0), []byte(library+name+target))
	put(make([]byte, 2*inFile-b.Len()))
	return b.Bytes()
}
