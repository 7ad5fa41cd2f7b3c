// Package raw starts IP packets that have no link header at all (LINKTYPE_RAW); those of LINKTYPE_IPV4 and
// LINKTYPE_IPV6 go to their dissectors directly.
package raw

import "remora/dissect"

// tableVersion is empty: what is no version of IP is data.
const tableVersion dissect.Table = "raw.payload"

var proto = dissect.NewProtocol("raw", "Raw", "Packets without a link header.").
	Traits(dissect.HandsOn | dissect.Underlies).Summary("Raw packet data").Quiet().Whole()

// Plugin attaches raw packets to their link types. 12 and 14 are what some systems wrote for 101.
func Plugin() dissect.Plugin {
	p := dissect.Plugin{Protocol: proto, Dissect: packet}
	for _, link := range []uint32{12, 14, 101} {
		p.On = append(p.On, dissect.Key{Table: dissect.TableLink, Value: link})
	}
	return p
}

func packet(d *dissect.D) {
	switch d.Peek(0) >> 4 {
	case 4:
		d.Next(dissect.TableEther, 0x0800)
	case 6:
		d.Next(dissect.TableEther, 0x86dd)
	default:
		d.Next(tableVersion, uint32(d.Peek(0)>>4))
	}
}
