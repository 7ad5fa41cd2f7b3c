//go:build linux && !cgo

package live

import (
	"slices"

	"remora/capture"
	"remora/capture/bpf"
	"remora/internal/broker"
)

// compile compiles the filter of a capture for each link type of its interfaces: the capture process, which is confined,
// can run no program for that.
func compile(opt capture.Options) ([]program, error) {
	if opt.Filter == "" {
		return nil, nil
	}
	list, _, err := sources.Ask(struct{}{})
	if err != nil {
		return nil, err
	}
	var out []program
	for _, name := range opt.Interfaces {
		link := linkCooked
		if i := slices.IndexFunc(list, func(d InterfaceInfo) bool { return d.Name == name }); i >= 0 && list[i].LinkType >= 0 {
			link = list[i].LinkType
		}
		if slices.ContainsFunc(out, func(p program) bool { return p.LinkType == link }) {
			continue
		}
		f, err := bpf.Compile(link, opt.SnapLen, opt.Filter)
		if err != nil {
			return nil, err
		}
		out = append(out, program{link, f.Instructions()})
	}
	return out, nil
}

// compilers are what the broker does to compile filters.
func compilers() []broker.Service { return bpf.Lent() }
