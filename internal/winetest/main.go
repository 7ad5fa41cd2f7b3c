// Winetest writes libraries that Wine lacks to standard output. They have no code: each function is another library's.
//
// With "random" that is bcryptprimitives.dll, which Go programs need and Wine before version 8.17 lacks; with "npcap" a
// wpcap.dll with all functions that are asked of Npcap, which are those of Wine's own, called hostpcap.dll here, and
// capture with the host's libpcap.
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"strings"
)

// Where the one section is in memory, and how parts of the file and of memory are aligned.
const (
	inMemory = 0x1000
	inFile   = 0x200
)

func main() {
	libraries := map[string]func() []byte{"random": random, "npcap": npcap}
	var write func() []byte
	if len(os.Args) == 2 {
		write = libraries[os.Args[1]]
	}
	if write == nil {
		fmt.Fprintln(os.Stderr, "usage: winetest random|npcap >FILE.dll")
		os.Exit(2)
	}
	if _, err := os.Stdout.Write(write()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// random has one function: SystemFunction036 is RtlGenRandom, with the same arguments.
func random() []byte {
	return dll("bcryptprimitives.dll", map[string]string{"ProcessPrng": "advapi32.SystemFunction036"})
}

// ofHost are the functions that gopacket loads and Wine has.
const ofHost = `activate can_set_rfmon close compile create datalink datalink_name_to_val datalink_val_to_description
datalink_val_to_name findalldevs free_datalinks free_tstamp_types freealldevs freecode get_tstamp_precision geterr
lib_version list_datalinks list_tstamp_types lookupnet next_ex open_live sendpacket set_buffer_size set_datalink
set_promisc set_rfmon set_snaplen set_timeout set_tstamp_precision set_tstamp_type setfilter snapshot stats statustostr
strerror tstamp_type_name_to_val tstamp_type_val_to_name`

// lacking are those that Wine has not; remora calls the first alone. It gets no handle, whatever the link type.
const lacking = `open_dead hopen_offline open_offline offline_filter setdirection`

func npcap() []byte {
	functions := map[string]string{}
	for name := range strings.FieldsSeq(ofHost) {
		functions["pcap_"+name] = "hostpcap.pcap_" + name
	}
	for name := range strings.FieldsSeq(lacking) {
		functions["pcap_"+name] = "msvcrt.isdigit" // zero for all numbers but those of digits
	}
	return dll("wpcap.dll", functions)
}

// dll is a library as a PE32+ file for amd64, with functions that are others, as LIBRARY.NAME.
func dll(library string, functions map[string]string) []byte {
	section := exports(library, functions)
	size := uint32(len(section)+inFile-1) / inFile * inFile
	pages := (size + inMemory - 1) / inMemory * inMemory
	b := &bytes.Buffer{}
	put(b, []byte("MZ"), make([]byte, 58), uint32(64), []byte("PE\x00\x00"))
	put(b, uint16(0x8664), uint16(1), make([]byte, 12), uint16(240), uint16(0x2022)) // one section, a library
	put(b, uint16(0x20b), uint16(0), uint32(0), size, uint32(0), uint32(0), uint32(inMemory))
	put(b, uint64(0x180000000), uint32(inMemory), uint32(inFile))                       // where it goes; alignment
	put(b, uint16(6), uint16(0), uint16(0), uint16(0), uint16(6), uint16(0), uint32(0)) // versions
	put(b, inMemory+pages, uint32(inFile), uint32(0), uint16(3), uint16(0x100))         // sizes; for consoles
	put(b, uint64(1<<20), uint64(1<<12), uint64(1<<20), uint64(1<<12), uint32(0), uint32(16))
	put(b, uint32(inMemory), uint32(len(section)), make([]byte, 15*8)) // the table of what it exports, no other
	put(b, []byte(".rdata\x00\x00"), size, uint32(inMemory), size, uint32(inFile))
	put(b, make([]byte, 12), uint32(0x40000040))
	put(b, make([]byte, inFile-b.Len()), section, make([]byte, int(size)-len(section)))
	return b.Bytes()
}

// exports is the section: the head of the table, where each function is, where its name is, its number, and the texts.
func exports(library string, functions map[string]string) []byte {
	const head = 40
	names := make([]string, 0, len(functions))
	for name := range functions {
		names = append(names, name)
	}
	slices.Sort(names) // Windows looks a name up by halves
	n := uint32(len(names))
	texts := inMemory + head + n*(4+4+2)
	var targets, at, numbers, words bytes.Buffer
	word := func(s string) uint32 {
		where := texts + uint32(words.Len())
		words.WriteString(s + "\x00")
		return where
	}
	own := word(library)
	for i, name := range names {
		put(&targets, word(functions[name]))
		put(&at, word(name))
		put(&numbers, uint16(i))
	}
	b := &bytes.Buffer{}
	put(b, make([]byte, 12), own, uint32(1), n, n)
	put(b, uint32(inMemory+head), inMemory+head+n*4, inMemory+head+n*8)
	put(b, targets.Bytes(), at.Bytes(), numbers.Bytes(), words.Bytes())
	return b.Bytes()
}

func put(b *bytes.Buffer, fields ...any) {
	for _, f := range fields {
		if err := binary.Write(b, binary.LittleEndian, f); err != nil {
			panic(err) // of a field without a fixed size
		}
	}
}
