// Package tap holds what the statistics of protocols share: trees of counts, tables of response times, requests and
// their status codes. It is named after Wireshark's taps, which see every packet that passes. What counts packets for
// the screen, too, is of package stats.
package tap
