package arp

import (
	"fmt"

	"remora/dissect"
)

// Two hardware addresses that claim one IP address are a mistake in the set-up of a network, or an attack. Senders are
// believed, and targets where a packet knows them; the first hardware address of an IP address counts.

// owner is the hardware address that had an IP address first, and where it was seen last.
type owner struct {
	mac  uint64
	last dissect.FrameNum
}

// maxOwners bounds the IP addresses that are remembered.
const maxOwners = 1 << 16

// double says where others had the addresses of the sender and the target; 0 where nobody had.
type double struct {
	Sender, Target       dissect.FrameNum
	SenderMAC, TargetMAC uint64
	SenderIP, TargetIP   uint32
}

var owners = dissect.NewStore[map[uint32]owner, double]()

// duplicates looks at the addresses ahead of the cursor.
func (a addresses) duplicates(d *dissect.D, op uint64, hw, pr int) double {
	if op != 1 && op != 2 || !a.mac || !a.ip || d.Left() < 2*(hw+pr) || d.Quoted() {
		return double{}
	}
	mac, ip := d.PeekUint(0, 6), uint32(d.PeekUint(6, 4))
	toMAC, toIP := d.PeekUint(10, 6), uint32(d.PeekUint(16, 4))
	return owners.FirstPassIn(d, func(m *map[uint32]owner) (n double) {
		if *m == nil {
			*m = map[uint32]owner{}
		}
		if !group(mac) && ip != 0 {
			if o := claim(*m, d.Frame, mac, ip); o.last != 0 {
				n.Sender, n.SenderMAC, n.SenderIP = o.last, o.mac, ip
			}
		}
		if op != 1 && !group(toMAC) && toMAC != 0 && toIP != 0 {
			if o := claim(*m, d.Frame, toMAC, toIP); o.last != 0 {
				n.Target, n.TargetMAC, n.TargetIP = o.last, o.mac, toIP
			}
		}
		return n
	})
}

func group(mac uint64) bool { return mac>>40&1 != 0 }

// claim is the owner of the address if it is another one.
func claim(m map[uint32]owner, frame dissect.FrameNum, mac uint64, ip uint32) owner {
	o, known := m[ip]
	switch {
	case known && o.mac != mac:
		return o
	case known || len(m) < maxOwners:
		m[ip] = owner{mac, frame}
	}
	return owner{}
}

// show tells of other owners in the tree, and of the last of them in the Info column.
func (n double) show(d *dissect.D) {
	for _, one := range [...]struct {
		frame dissect.FrameNum
		mac   uint64
		ip    uint32
	}{{n.Sender, n.SenderMAC, n.SenderIP}, {n.Target, n.TargetMAC, n.TargetIP}} {
		if one.frame == 0 {
			continue
		}
		address := fmt.Sprintf("%d.%d.%d.%d", byte(one.ip>>24), byte(one.ip>>16), byte(one.ip>>8), byte(one.ip))
		d.ExpertText(nDouble, "Duplicate IP address configured ("+address+")")
		d.Set(fEarlier, uint64(one.frame))
		if at, known := d.Packet().TimeOf(one.frame); known {
			d.Set(fSeconds, uint64(max(0, d.Time()-at)/1e9))
		}
		if d.Info().Wanted() && (n.Target == 0 || one.frame == n.Target && one.ip == n.TargetIP) {
			d.Info().Setf("(duplicate use of %s detected!)", address)
		}
	}
}
