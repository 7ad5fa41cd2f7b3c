package capture

import (
	"encoding/binary"
	"os"
)

// Where packets have left a spool, a custom block of pcapng that says nothing takes their place, so that what is left of a
// killed run can still be read: only its head and its end are on the disk.
const (
	fillerHead = 12
	fillerPEN  = 0xffffffff // no enterprise: readers pass over it
)

// putFiller writes the block that covers a range, whose length is a multiple of four.
func (sp *spool) putFiller(from, to int64) bool {
	n := to - from
	if n < fillerHead+4 || n > 1<<31 {
		return false
	}
	head := binary.LittleEndian.AppendUint32(nil, blockCustomNot)
	head = binary.LittleEndian.AppendUint32(head, uint32(n))
	head = binary.LittleEndian.AppendUint32(head, fillerPEN)
	_, err := sp.f.WriteAt(head, from)
	if err == nil {
		_, err = sp.f.WriteAt(head[4:8], to-4) // the length stands at the end, too
	}
	return err == nil
}

// unlink takes the spool's name away: its bytes stay as long as it is open.
func (sp *spool) unlink() {
	if path := sp.path(); path != "" {
		os.Remove(path)
		sp.name.Store(nil)
	}
}
