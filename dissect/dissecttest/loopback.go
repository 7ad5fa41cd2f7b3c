package dissecttest

import (
	"fmt"
	"os"
)

// Loopback is the beginning of the addresses of a net of this process on the loopback interface, as "127.70.3": what
// tests send and capture there is seen by no other test that runs at the same time.
func Loopback() string {
	pid := os.Getpid()
	return fmt.Sprintf("127.%d.%d", 64+pid>>8&0x3f, pid&0xff)
}
