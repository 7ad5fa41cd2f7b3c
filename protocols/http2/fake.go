package http2

import (
	"fmt"
	"strconv"
	"strings"

	"remora/dissect"
)

// fakes are lines of headers for streams whose own the capture does not hold.
var fakes = proto.Rows("http2_fake_headers", "HTTP2 Fake Headers",
	"Lines of headers that count where a stream's own were not captured: IN to the server, OUT from it.", "Server port",
	"Stream ID", "Direction", "Header name", "Header value", "Enable").Loads(loadFakes)

type fakeLine struct {
	port        uint16
	stream      uint32 // 0: any
	in          bool
	name, value string
}

func loadFakes(s dissect.Setting) (any, error) {
	var list []fakeLine
	for _, row := range s.Rows {
		port, err := strconv.ParseUint(row[0], 10, 16)
		if err != nil {
			return nil, fmt.Errorf("a port is a number, not %q", row[0])
		}
		stream, err := strconv.ParseUint(row[1], 10, 31)
		if err != nil {
			return nil, fmt.Errorf("a stream is a number, not %q", row[1])
		}
		if row[2] != "IN" && row[2] != "OUT" {
			return nil, fmt.Errorf("the direction is IN or OUT, not %q", row[2])
		}
		if on, err := strconv.ParseBool(strings.ToLower(row[5])); err != nil {
			return nil, fmt.Errorf("whether a line counts is TRUE or FALSE, not %q", row[5])
		} else if on {
			list = append(list, fakeLine{uint16(port), uint32(stream), row[2] == "IN", strings.ToLower(row[3]), row[4]})
		}
	}
	return list, nil
}

// fake has the stream know what preferences say of it, where no header came.
func (t *stream) fake(d *dissect.D, number uint32) {
	list, _ := fakes.Loaded(d).([]fakeLine)
	for _, l := range list {
		end, dir := d.Dst, d.Dir&1
		if d.Src.Port == l.port {
			end, dir = d.Src, 1-dir
		}
		if end.Port != l.port || l.stream != 0 && l.stream != number {
			continue
		}
		if !l.in {
			dir = 1 - dir
		}
		f := &t.flows[dir]
		if f.began || f.ended {
			continue
		}
		f.asked = f.asked || l.in
		switch {
		case l.name == ":path" && t.path == "":
			t.path = l.value
		case l.name == "content-type" && f.media == "", l.name == "content-encoding" && f.packing == "",
			l.name == "grpc-encoding" && f.coding == "":
			f.learn(line{name: l.name, value: l.value})
		}
	}
}
