// Package kaitai interprets Kaitai Struct: it reads the description of a format, a .ksy file, and bytes as that
// description says. It knows nothing of packets.
//
// Load compiles a description with what it imports into a Spec; mistakes are told with file, line and text. A Parser of
// the Spec reads bytes and gives Objects: their fields, what each is and where it stood. Instances are read when they
// are asked for. Steps, depth and memory are bounded, so neither description nor bytes can hang or exhaust the program.
package kaitai
