// Package capture holds the packets of a capture, wherever they come from: one growing list. It knows bytes and times,
// and no protocol.
//
// A [Store] holds the packets by position, counted from 0. One source appends to it through its [Appender]; any number
// of readers look at it at the same time without a lock. A packet costs 16 bytes of memory: its own bytes are in the
// store's [Backing], mostly on disk, and are fetched through a [Reader].
//
// Sources are in the packages below it: pcapfile reads files and pipes, and writes files; live captures from
// interfaces; spool has the files on disk behind both.
package capture
