package pcapfile

import (
	"remora/capture"
	"remora/capture/bpf"
)

// A fileFilter applies one expression to the packets of a file, which may have several link types.
type fileFilter struct {
	expr   string
	byLink map[int]*bpf.Filter
}

// match applies the filter. Packets of a link type for which it does not compile are left out, with a notice.
func (f *fileFilter) match(a *capture.Appender, linkType int, length uint32, data []byte) bool {
	b, ok := f.byLink[linkType]
	if !ok {
		var err error
		if b, err = bpf.Compile(linkType, bpf.MaxSnapLen, f.expr); err != nil {
			a.Notice("filter"+capture.LinkTypeName(linkType), "%s packets are left out: %v", capture.LinkTypeName(linkType), err)
		}
		if f.byLink == nil {
			f.byLink = map[int]*bpf.Filter{}
		}
		f.byLink[linkType] = b
	}
	return b != nil && b.Matches(data, length)
}
