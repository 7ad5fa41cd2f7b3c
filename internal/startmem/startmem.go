// Package startmem gives back memory that only the start of the program needs: pages of gopacket's tables that say
// nothing, and pages of the program's file that the initialization of packages has read. Importing it does so once,
// behind the initialization of gopacket's layers, and Release does it again.
package startmem

import (
	"os"
	"runtime/debug"
	"time"

	"github.com/google/gopacket/layers"
)

// For so long after its start the program lets its heap grow to four times four megabytes before garbage is looked for:
// what it makes then are declarations and tables, which stay.
const (
	lasts   = 100 * time.Millisecond
	Percent = 400 // what [debug.SetGCPercent] is told
)

// Over ends the time after the start in which no garbage is looked for: a collection is a sixth of what printing one
// packet takes. It is nil where GOGC says what to do.
var Over = begin()

func begin() *time.Timer {
	clearUnknown(layers.EthernetTypeMetadata[:])
	clearUnknown(layers.PPPTypeMetadata[:])
	Release()
	if os.Getenv("GOGC") != "" {
		return nil
	}
	usual := debug.SetGCPercent(Percent)
	return time.AfterFunc(lasts, func() { debug.SetGCPercent(usual) })
}
