//go:build unix

package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/dissect/filter"
	"remora/protocols"
)

// TestMixes generates the same bytes each time, and finds in them what the mixes are said to have.
func TestMixes(t *testing.T) {
	reg, err := dissect.NewRegistry(protocols.All()...)
	if err != nil {
		t.Fatal(err)
	}
	for name, filters := range map[string][]string{
		"games": {"touhou", "dns.flags.response == 1", "arp"},
		"web": {"tls.handshake.type == 1", "tls.handshake.type == 2", "http.request", "http.response", "dns", "quic", "ntp",
			"ipv6", "vlan", "tcp.analysis.retransmission", "tcp.analysis.lost_segment", "tcp.flags.reset == 1"},
		"SYN flood": {"tcp.flags == 2"}, "port scan": {"tcp.flags.reset == 1"}, "fragments": {"ip.flags.mf == 1"},
		"one-byte segments": {"tcp.len == 1"}, "random bytes to a game": {"udp.port == 10800"},
	} {
		for _, m := range append(append([]mix(nil), mixes...), hostile...) {
			if m.name == name {
				found(t, reg, m, filters)
			}
		}
	}
}

func found(t *testing.T, reg *dissect.Registry, m mix, filters []string) {
	t.Helper()
	first, second := filepath.Join(t.TempDir(), "1.pcap"), filepath.Join(t.TempDir(), "2.pcap")
	for _, path := range []string{first, second} {
		if _, err := generate(path, 10_000, m.packet()); err != nil {
			t.Fatal(err)
		}
	}
	a, _ := os.ReadFile(first)
	if b, _ := os.ReadFile(second); len(a) == 0 || !bytes.Equal(a, b) {
		t.Errorf("%s: %d and %d bytes differ", m.name, len(a), len(b))
	}
	store, err := pcapfile.Open(context.Background(), first)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	s, err := dissect.NewSession(reg, store)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Pass(context.Background()); err != nil || s.Passed() != 10_000 {
		t.Fatalf("%s: %d packets, %v", m.name, s.Passed(), err)
	}
	for _, text := range filters {
		f, err := filter.Compile(reg, text)
		if err != nil {
			t.Fatal(err)
		}
		count := 0
		err = filter.Scan(context.Background(), s, f, 1, dissect.FrameNum(s.Passed()),
			func(got []dissect.FrameNum, _ dissect.FrameNum) { count += len(got) })
		if err != nil || count == 0 {
			t.Errorf("%s: %d packets of %s, %v", m.name, count, text, err)
		}
	}
}

// TestRatios reads what is stored for each task that is compared.
func TestRatios(t *testing.T) {
	stored, err := readRatios("ratios.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks[:len(tasks)-1] {
		if stored[task.name] <= 0 {
			t.Errorf("%s has no ratio", task.name)
		}
	}
}
