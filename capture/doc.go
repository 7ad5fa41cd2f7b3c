// Package capture turns live traffic, files, pipes and compressed files into one growing list of packets. It
// knows bytes and times, and no protocol.
//
// A [Store] holds the packets by position, counted from 0. One writer appends to it; any number of readers look
// at it at the same time without a lock. A packet costs 24 bytes of memory: its own bytes stay on disk, in the
// opened file or in a spool, and are fetched through a [Reader].
//
// [Open] reads files and pipes, [OpenLive] listens on interfaces, [SaveAs] and [Writer] write. Live traffic needs
// libpcap, so a build without cgo reads and writes files only, and says so.
package capture
