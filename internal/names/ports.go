package names

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

// portData is what make wrote of IANA's list: see portTable there.
//
//go:embed ports.bin
var portData []byte

// A Transport is what ports are of.
type Transport byte

// The transports that have names for ports.
const (
	TCP Transport = 't'
	UDP Transport = 'u'
)

type service struct {
	transport Transport
	port      uint16
}

// services are IANA's names of ports, unpacked when the first port is named. The first of several names counts.
var services = sync.OnceValue(func() map[service]string {
	b, err := unpack(portData)
	if err != nil {
		return nil
	}
	all := make(map[service]string, 12_000)
	for line := range strings.Lines(string(b)) {
		head, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if len(head) < 6 {
			continue
		}
		port, _ := strconv.Atoi(head[:5])
		for _, t := range []byte(head[5:]) {
			key := service{Transport(t), uint16(port)}
			if _, ok := all[key]; !ok {
				all[key] = name
			}
		}
	}
	return all
})

// Port is the name of the service that IANA registered for a port, or "".
func Port(t Transport, port uint16) string { return services()[service{t, port}] }
