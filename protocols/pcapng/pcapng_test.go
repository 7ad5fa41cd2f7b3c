package pcapng_test

import (
	"encoding/binary"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/data"
	"remora/protocols/frame"
	"remora/protocols/pcapng"
)

// section is a file of a section header, an interface, a packet and secrets, in one byte order.
func section(o binary.AppendByteOrder) (b []byte) {
	add := func(kind uint32, body []byte) {
		n := uint32(12 + len(body))
		b = o.AppendUint32(append(o.AppendUint32(o.AppendUint32(b, kind), n), body...), n)
	}
	add(0x0a0d0d0a, append(o.AppendUint16(o.AppendUint16(o.AppendUint32(nil, 0x1a2b3c4d), 1), 0),
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff))
	add(1, o.AppendUint32(o.AppendUint32(o.AppendUint16(nil, 1)[:2:2], 0)[:4:4], 65535))
	packet := make([]byte, 12, 24)
	add(6, append(o.AppendUint32(o.AppendUint32(packet, 3), 9), 1, 2, 3, 0))
	add(10, append(o.AppendUint32(o.AppendUint32(nil, 0x544c534b), 5), "keys\n\x00\x00\x00"...))
	return b
}

func TestFile(t *testing.T) {
	plugins := []dissect.Plugin{frame.Plugin(), pcapng.File(), pcapng.Plugin(), data.Plugin()}
	broken := section(binary.LittleEndian)
	broken[4] = 13
	s := dissecttest.Session(t, plugins, dissect.LinkFile, dissecttest.Packets(section(binary.LittleEndian),
		section(binary.BigEndian), broken, []byte("something else")))
	var rows []dissecttest.Row
	for _, n := range []dissect.FrameNum{1, 2} {
		rows = append(rows, dissecttest.Row{Frame: n, Field: "frame.protocols", Want: "mime_dlt:file-pcapng"},
			dissecttest.Row{Frame: n, Field: "pcapng.block.length", Want: "28,20,36,28"},
			dissecttest.Row{Frame: n, Field: "pcapng.block.length_trailer", Want: "28,20,36,28"},
			dissecttest.Row{Frame: n, Field: "pcapng.section_header.section_length", Want: "-1"},
			dissecttest.Row{Frame: n, Field: "pcapng.interface_description.snap_length", Want: "65535"},
			dissecttest.Row{Frame: n, Field: "pcapng.packet.packet_data", Want: "010203"},
			dissecttest.Row{Frame: n, Field: "pcapng.dsb.secrets_type", Want: "TLS Key Log (0x544c534b)"},
			dissecttest.Row{Frame: n, Field: "pcapng.dsb.secrets_data", Want: "6b6579730a"})
	}
	dissecttest.Check(t, s, append(rows, dissecttest.Row{Frame: 4, Field: "frame.protocols", Want: "mime_dlt:data"}))
	if s.Tree(3).Severity != dissect.Error {
		t.Error("a block of a wrong length is no error")
	}
}
