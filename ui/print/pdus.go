package print

import (
	"remora/capture"
	"remora/capture/pcapfile"
	"remora/dissect"
)

// PDUs writes the packets of an export, which were inside others, to a capture file as these pass.
type PDUs struct {
	name string
	w    *pcapfile.Writer
	on   *capture.Store
}

// exportSnap is the longest packet that Wireshark reads: what is longer is cut off, and told to be.
const exportSnap = 1 << 18

// NewPDUs begins to write an export of the session's packets (see dissect.Exports). The writer is closed by Close.
func NewPDUs(s *dissect.Session, name string, w *pcapfile.Writer) (*PDUs, error) {
	s.Exporting()
	_, err := w.AddInterface(capture.Interface{Name: "Fake IF, PDU->Export", LinkType: dissect.ExportLinkType(name),
		SnapLen: exportSnap, TimeResolution: 9})
	return &PDUs{name: name, w: w, on: s.Store()}, err
}

// Packet writes what is inside a packet that has passed. Packets come in their order.
func (e *PDUs) Packet(l *dissect.Dissector, n dissect.FrameNum) error {
	list := l.Export(n, e.name)
	if len(list) == 0 {
		return nil
	}
	at, comments := e.on.Time(int(n)-1), e.on.Comments(int(n)-1)
	for _, p := range list {
		err := e.w.WritePacket(pcapfile.Packet{Time: at, Len: uint32(p.Len), Data: p.Data[:min(len(p.Data), exportSnap)],
			Comments: comments})
		if err != nil {
			return err
		}
	}
	return nil
}

// Close ends the file.
func (e *PDUs) Close() error { return e.w.Close() }
