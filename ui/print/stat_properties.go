package print

import (
	"bufio"
	"context"
	"fmt"
	"strings"
	"time"

	"remora/capture"
	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/dissect/stats"
	"remora/dissect/tap"
)

// properties is what is known of the file as a whole.
type properties struct{ *stats.Properties }

func newProperties(r *request) (counter, []string, error) {
	if len(r.args) > 0 {
		return nil, nil, r.wrong("it takes nothing more")
	}
	return &properties{stats.NewProperties(r.s)}, []string{""}, nil
}

func (p *properties) add(_ *dissect.Dissector, n dissect.FrameNum, _ int) { p.Range(n, n) }

func (p *properties) print(w *bufio.Writer) {
	st := p.Session().Store().Status()
	name := st.Name
	info, err := pcapfile.Describe(name)
	var file *pcapfile.Info
	var sums *pcapfile.Hashes
	if err == nil && st.PerInterface == nil { // a live capture may be called as a file is
		file = &info
		if h, err := pcapfile.Hash(context.Background(), name, nil); err == nil {
			sums = &h
		}
	}
	w.WriteString(tap.WideRule + "Capture File Properties\n")
	for _, part := range Properties(p.Session(), p.Sums(), file, sums) {
		if part.Title != "" {
			fmt.Fprintf(w, "%s:\n", part.Title)
		}
		for _, row := range part.Rows {
			fmt.Fprintf(w, "%-20s %s\n", row[0]+":", row[1])
		}
	}
	w.WriteString(tap.WideRule)
}

// A PropertyPart is a part of the properties: names and values.
type PropertyPart struct {
	Title string // "" of the first part
	Rows  [][2]string
}

// Properties puts what is known of a capture into words, for -z and for the screen. File and sums are nil where they
// are not known: of a live capture, or not yet.
func Properties(s *dissect.Session, v stats.Sums, file *pcapfile.Info, sums *pcapfile.Hashes) []PropertyPart {
	st := s.Store().Status()
	first := PropertyPart{}
	add := func(name, format string, args ...any) {
		first.Rows = append(first.Rows, [2]string{name, dissect.Escape(fmt.Sprintf(format, args...))})
	}
	add("File name", "%s", st.Name)
	if file != nil {
		add("File type", "%s", file.Format)
		if file.Compression != "" {
			add("Compression", "%s", file.Compression)
		}
		add("File size", "%d bytes", file.Size)
	}
	add("Encapsulation", "%s", encapsulations(s))
	add("Packets", "%d", v.Packets)
	if v.Cut > 0 {
		add("Cut short", "%d packets, %d of %d bytes captured", v.Cut, v.Captured, v.Bytes)
	}
	add("Data size", "%d bytes", v.Bytes)
	addTimes(add, s, &v)
	if st.CaptureFilter != "" {
		add("Capture filter", "%s", st.CaptureFilter)
	}
	if st.Received > 0 && st.PerInterface != nil {
		add("Received by filter", "%d", st.Filtered)
		add("Dropped", "%d by the kernel, %d by the interface", st.Dropped, st.IfDropped)
		if st.InKernel > 0 {
			add("Left in the kernel", "%d", st.InKernel)
		}
	}
	if sums != nil {
		add("SHA256", "%s", sums.SHA256)
		add("SHA1", "%s", sums.SHA1)
	}
	addSections(add, s)
	return append([]PropertyPart{first}, interfaces(s, &v)...)
}

// addTimes adds when packets came and how many, and how regular that was.
func addTimes(add func(name, format string, args ...any), s *dissect.Session, v *stats.Sums) {
	if v.Packets == 0 {
		return
	}
	zone := s.Zone
	if zone == nil {
		zone = time.UTC
	}
	clock := func(ns int64) string { return time.Unix(0, ns).In(zone).Format("2006-01-02 15:04:05.000000000") }
	add("First packet", "%s", clock(v.First))
	add("Last packet", "%s", clock(v.Last))
	add("Duration", "%s seconds", dissect.SpanText(v.Last-v.First))
	if sec := v.Seconds(); sec > 0 {
		add("Packet rate", "%.2f packets/s", float64(v.Packets)/sec)
		add("Byte rate", "%.2f bytes/s", float64(v.Bytes)/sec)
		add("Bit rate", "%.2f bits/s", 8*float64(v.Bytes)/sec)
	}
	add("Average size", "%.2f bytes", float64(v.Bytes)/float64(v.Packets))
	add("Sizes", "%d to %d bytes", v.Shortest, v.Longest)
	add("Time order", "%s",
		map[bool]string{true: "strict", false: "some packets are stamped earlier than the one before"}[v.Ordered])
}

// addSections adds what the file says about where it was written, and its comments.
func addSections(add func(name, format string, args ...any), s *dissect.Session) {
	for _, sec := range s.Store().Sections() {
		for _, row := range [][2]string{{"Hardware", sec.Hardware}, {"System", sec.OS}, {"Application", sec.Application}} {
			if row[1] != "" {
				add(row[0], "%s", row[1])
			}
		}
		for _, c := range sec.Comments {
			add("Comment", "%s", c)
		}
	}
	if n := len(s.Store().Commented()); n > 0 {
		add("Packet comments", "%d packets", n)
	}
}

// encapsulations are the link types of the interfaces, each once.
func encapsulations(s *dissect.Session) string {
	var names []string
	seen := map[int]bool{}
	for _, in := range s.Store().Interfaces() {
		if !seen[in.LinkType] {
			seen[in.LinkType] = true
			names = append(names, capture.LinkTypeName(in.LinkType))
		}
	}
	return strings.Join(names, ", ")
}

// interfaces is a part for each interface.
func interfaces(s *dissect.Session, v *stats.Sums) []PropertyPart {
	var out []PropertyPart
	for i, in := range s.Store().Interfaces() {
		p := PropertyPart{Title: fmt.Sprintf("Interface #%d", i)}
		add := func(name, format string, args ...any) {
			p.Rows = append(p.Rows, [2]string{name, dissect.Escape(fmt.Sprintf(format, args...))})
		}
		for _, row := range [][2]string{{"Name", in.Name}, {"Description", in.Description}, {"Capture filter", in.Filter},
			{"Hardware", in.Hardware}, {"System", in.OS}} {
			if row[1] != "" {
				add(row[0], "%s", row[1])
			}
		}
		add("Encapsulation", "%s", capture.LinkTypeName(in.LinkType))
		if in.SnapLen > 0 {
			add("Packet size limit", "%d bytes", in.SnapLen)
		}
		add("Time precision", "%d digits", in.TimeDigits())
		for _, c := range in.Comments {
			add("Comment", "%s", c)
		}
		var n stats.Count
		if i < len(v.Interfaces) {
			n = v.Interfaces[i]
		}
		add("Packets", "%d, %d bytes", n.Packets, n.Bytes)
		out = append(out, p)
	}
	return out
}
