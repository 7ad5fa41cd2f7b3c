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

// profile writes where remora spends its time on generated captures of all mixes: the first pass, rows as they are
// printed, filters, and whole trees. The compiler reads it from default.pgo and places and inlines what is hot.
func profile(path, dir string, packets int) error {
	reg, err := dissect.NewRegistry(protocols.All()...)
	if err != nil {
		return err
	}
	var stores []*capture.Store
	for _, m := range mixes {
		file := filepath.Join(dir, m.name+".pcap")
		if _, err := generate(file, packets/len(mixes), m.packet()); err != nil {
			return err
		}
		store, err := pcapfile.Open(context.Background(), file)
		if err != nil {
			return err
		}
		defer store.Close()
		store.Wait()
		stores = append(stores, store)
	}
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(out); err != nil {
		return errors.Join(err, out.Close())
	}
	for _, store := range stores {
		if err = work(reg, store); err != nil {
			break
		}
	}
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
	var label []byte
	for n := range s.Passed() / 10 {
		t := l.Tree(dissect.FrameNum(n + 1))
		for i := range t.Nodes {
			label = t.AppendLabel(label[:0], i)
		}
	}
	return rows(reg, store)
}

// rows passes a capture once, with the rows of its packets.
func rows(reg *dissect.Registry, store *capture.Store) error {
	s, err := dissect.NewSession(reg, store)
	if err != nil {
		return err
	}
	w := reg.RowWants()
	s.Guard().Past().Run(func(l *dissect.Dissector) {
		for n := range store.Len() {
			t := l.Pass(dissect.FrameNum(n+1), w)
			if t == nil {
				t = l.Redissect(dissect.FrameNum(n+1), w)
			}
			t.InfoLine()
		}
	})
	return nil
}
