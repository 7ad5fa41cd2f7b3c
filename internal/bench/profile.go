//go:build unix

package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime/pprof"

	"remora/capture"
	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/dissect/filter"
	"remora/protocols"
)

// profile writes where remora spends its time on a generated capture: the first pass, filters, and whole trees with the
// text of a row. The compiler reads it from default.pgo and places and inlines what is hot.
func profile(path, dir string, packets int) error {
	file := filepath.Join(dir, "profile.pcap")
	if _, err := generate(file, packets, mixes[0].packet()); err != nil {
		return err
	}
	reg, err := dissect.NewRegistry(protocols.All()...)
	if err != nil {
		return err
	}
	store, err := pcapfile.Open(context.Background(), file)
	if err != nil {
		return err
	}
	defer store.Close()
	store.Wait()
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(out); err != nil {
		return errors.Join(err, out.Close())
	}
	err = work(reg, store)
	pprof.StopCPUProfile()
	return errors.Join(err, out.Close())
}

func work(reg *dissect.Registry, store *capture.Store) error {
	var s *dissect.Session
	for range 5 {
		var err error
		if s, err = dissect.NewSession(reg, store); err == nil {
			err = s.Pass(context.Background())
		}
		if err != nil {
			return err
		}
	}
	for _, text := range []string{"udp.port == 10800", "ip.addr == 10.0.0.0/8 && tcp.flags.syn == 1",
		`dns.qry.name contains "a"`, "udp.length > 100"} {
		f, err := filter.Compile(reg, text)
		if err != nil {
			return err
		}
		for range 4 {
			if err := filter.Scan(context.Background(), s, f, 1, dissect.FrameNum(s.Passed()),
				func([]dissect.FrameNum, dissect.FrameNum) {}); err != nil {
				return err
			}
		}
	}
	l := s.Dissector()
	for n := range s.Passed() / 5 {
		l.Tree(dissect.FrameNum(n + 1)).InfoLine()
	}
	return nil
}
