// Package communityid reckons the Community ID of flows (version 1 of github.com/corelight/community-id-spec): a hash
// of addresses, ports and protocol that other programs reckon, too. It is off unless --enable-protocol says otherwise.
package communityid

import (
	"bytes"
	"crypto/sha1"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("communityid", "CommunityID", "Hashes of flows that several programs reckon alike.").
	Summary("Community ID Flow Hashing").Quiet()

var (
	fID = proto.String("id", "Community ID", "Community ID hash value for this packet's flow").
		OtherName("communityid").Derived()

	pBase64 = proto.Switch("do_base64", "Use base64 encoding", "Writes the hash in Base64, not in digits.", true)
	pSeed   = proto.Amount("seed", "Hash seed value", "A number of 16 bits that is hashed, too.", 0)
)

// Plugin looks at each packet when all others have.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: layer, Post: true, Off: true, OwnNode: true}
}

// Numbers of protocols in IP.
const (
	icmp   = 1
	tcp    = 6
	udp    = 17
	icmpv6 = 58
	sctp   = 132
)

var transports = map[dissect.Table]byte{dissect.TableTCP: tcp, dissect.TableUDP: udp, tables.SCTPPort: sctp}

func layer(d *dissect.D) {
	from, to := d.Src.Addr.Netip(), d.Dst.Addr.Netip()
	if !d.Wanted(fID) || !from.IsValid() || !to.IsValid() {
		return
	}
	d.Spend(64)
	f := flow{from: from.AsSlice(), to: to.AsSlice()}
	carried := d.Ends().Carried()
	switch t := transports[d.Ends().Transport()]; {
	case carried.Message && len(f.from) == 4:
		f.message(icmp, carried, answers)
	case carried.Message:
		f.message(icmpv6, carried, answersV6)
	case t != 0:
		f.proto, f.ports = t, []uint16{d.Src.Port, d.Dst.Port}
	case carried.Protocol != 0:
		f.proto = carried.Protocol
	default:
		return
	}
	d.SetText(fID, f.id(uint16(pSeed.Number(d)), pBase64.On(d)))
}

// A flow is what is hashed. ports is empty for protocols without them.
type flow struct {
	from, to []byte
	proto    byte
	ports    []uint16
	oneWay   bool
}

// answers and answersV6 are the types of messages that answer each other.
var (
	answers   = map[uint8]uint8{8: 0, 0: 8, 13: 14, 14: 13, 15: 16, 16: 15, 10: 9, 9: 10, 17: 18, 18: 17}
	answersV6 = map[uint8]uint8{128: 129, 129: 128, 130: 131, 131: 130, 133: 134, 134: 133, 135: 136, 136: 135,
		139: 140, 140: 139, 144: 145, 145: 144}
)

// message has types of messages in the place of ports.
func (f *flow) message(proto byte, c dissect.Carried, answers map[uint8]uint8) {
	other, both := answers[c.Kind]
	if f.proto, f.oneWay = proto, !both; !both {
		other = c.Code
	}
	f.ports = []uint16{uint16(c.Kind), uint16(other)}
}

// id is the flow's hash as text, the same for both directions.
func (f *flow) id(seed uint16, in64 bool) string {
	order := bytes.Compare(f.from, f.to)
	if !f.oneWay && (order > 0 || order == 0 && len(f.ports) == 2 && f.ports[0] >= f.ports[1]) {
		f.from, f.to = f.to, f.from
		if len(f.ports) == 2 {
			f.ports[0], f.ports[1] = f.ports[1], f.ports[0]
		}
	}
	b := binary.BigEndian.AppendUint16(nil, seed)
	b = append(append(append(b, f.from...), f.to...), f.proto, 0)
	for _, p := range f.ports {
		b = binary.BigEndian.AppendUint16(b, p)
	}
	sum := sha1.Sum(b)
	if in64 {
		return "1:" + base64.StdEncoding.EncodeToString(sum[:])
	}
	return "1:" + hex.EncodeToString(sum[:])
}
