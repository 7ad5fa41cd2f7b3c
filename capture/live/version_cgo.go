//go:build cgo && !windows

package live

import "github.com/google/gopacket/pcap"

// LibraryVersion is the version of libpcap that this program captures with.
func LibraryVersion() string { return pcap.Version() }
