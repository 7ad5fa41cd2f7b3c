// Package vrrp dissects the Virtual Router Redundancy Protocol, versions 2 (RFC 3768) and 3 (RFC 5798).
package vrrp

import (
	"fmt"

	"remora/dissect"
)

var proto = dissect.NewProtocol("vrrp", "VRRP",
	"Virtual Router Redundancy Protocol: routers agree on who serves an address.").
	Summary("Virtual Router Redundancy Protocol").Color(dissect.HueMagenta)

var (
	fTypeVer = proto.Uint8("typever", "VRRP message version and type", "Version and type.").Format(func(v uint64) string {
		return fmt.Sprintf("Version %d, Packet type %d (%s)", v>>4, v&15, typeName(v&15))
	})
	fVersion = proto.Uint8("version", "VRRP protocol version", "2 or 3.").Masked(0xf0)
	fType    = proto.Kind("type", "VRRP packet type", dissect.Values{1: "Advertisement"}, "Always an advertisement.").
			Dec().Masked(0x0f).Wordless()
	fRouter = proto.Uint8("virt_rtr_id", "Virtual Rtr ID", "Number of the virtual router.")
	fPrio   = proto.Uint8("prio", "Priority", "Who shall serve: the highest wins.").Format(priority)
	fCount  = proto.Uint8("addr_count", "Addr Count", "Addresses of the virtual router.")
	fAuth   = proto.Uint8("auth_type", "Auth Type", "How the message is protected (version 2).").
		Named(dissect.Values{0: "No Authentication", 1: "Simple Text Authentication [RFC 2338] / Reserved [RFC 3768]",
			2: "IP Authentication Header [RFC 2338] / Reserved [RFC 3768]", 254: "Cisco VRRP MD5 Authentication"})
	fEvery  = proto.Uint8("adver_int", "Adver Int", "Seconds between advertisements.")
	fReserv = proto.Uint8("reserved_mbz", "Reserved", "Zero.").Masked(0xf0)
	fEvery3 = proto.Uint16("short_adver_int", "Adver Int", "Hundredths of seconds between advertisements.").Masked(0x0fff)
	fSum    = proto.Uint16("checksum", "Checksum", "Checksum over the message; in version 3 with the pseudo header.").
		Hex()
	fStatus = proto.Uint8("checksum.status", "Checksum Status", "What the check of the checksum says.").
		Named(dissect.Values{0: "Bad", 1: "Good", 2: "Unverified"}).Derived()
	fIPv4   = proto.IPv4("ip_addr", "IP Address", "An address of the virtual router.")
	fIPv6   = proto.IPv6("ipv6_addr", "IPv6 Address", "An address of the virtual router.")
	fString = proto.String("auth_string", "Authentication String", "The password (version 2).")
	fMD5    = proto.Bytes("md5_auth_data", "MD5 Authentication Data", "Digest of Cisco's.")
	fTail   = proto.Bytes("trailer", "Trailer", "Bytes behind the message. Wireshark has no name for them.")

	nSum = proto.Expert("checksum_bad.expert", dissect.Warn, "Bad checksum").About(dissect.AboutChecksum)
)

const (
	number  = 112
	authMD5 = 254
)

// Plugin attaches VRRP to its IP protocol number.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: packet, On: []dissect.Key{{Table: dissect.TableIP, Value: number}}}
}

func typeName(v uint64) string {
	if v == 1 {
		return "Advertisement"
	}
	return "Unknown"
}

func priority(v uint64) string {
	switch v {
	case 0:
		return "0 (Current Master has stopped participating in VRRP)"
	case 100:
		return "100 (Default priority for a backup VRRP router)"
	case 255:
		return "255 (This VRRP router owns the virtual router's IP address(es))"
	}
	return fmt.Sprintf("%d (Non-default backup priority)", v)
}

func packet(d *dissect.D) {
	whole, six := d.Data(), d.Src.Addr.Kind() == dissect.AddrIPv6
	version := uint64(d.Peek(0) >> 4)
	d.Bits(fTypeVer, fVersion, fType)
	if d.Short() {
		return
	}
	if d.Info().Wanted() {
		d.Info().Setf("Announcement (v%d)", version)
	}
	d.Uint(fRouter)
	d.Uint(fPrio)
	count, auth := d.Uint(fCount), uint64(0)
	if version >= 3 {
		at := d.Pos()
		both := d.PeekUint(0, 2)
		d.Skip(2)
		if !d.Short() {
			d.Put(fReserv, both>>8, at, 1)
			d.Put(fEvery3, both, at, 2)
		}
	} else {
		auth = d.Uint(fAuth)
		d.Uint(fEvery)
	}
	sum := d.Uint(fSum)
	checksum(d, whole, version, sum)
	addresses(d, count, six)
	switch {
	case version == 2 && auth == 1 && d.Left() >= 8:
		d.Padded(fString, 8)
	case version == 2 && auth == authMD5 && d.Left() >= 16:
		d.Bytes(fMD5, 16)
	}
	d.Rest(fTail)
}

func addresses(d *dissect.D, count uint64, six bool) {
	for more := d.Elements(); count > 0 && more.Next(); count-- {
		if six {
			d.IPv6(fIPv6)
		} else {
			d.IPv4(fIPv4)
		}
	}
}

// checksum verifies the checksum over the message; version 3 has the pseudo header in it.
func checksum(d *dissect.D, whole []byte, version, sum uint64) {
	if !d.Wanted(fStatus) && !d.Wanted(nSum) || d.Short() {
		return
	}
	if d.CutShort() || d.Quoted() {
		d.Suffix(fSum, " [unverified]")
		d.Set(fStatus, 2)
		return
	}
	left := dissect.Checksum(whole)
	if version >= 3 {
		left = d.Ends().PseudoSum(number, whole)
	}
	if left == 0 {
		d.Suffix(fSum, " [correct]")
		d.Set(fStatus, 1)
		return
	}
	right := fold(uint64(left) + sum)
	d.Suffix(fSum, fmt.Sprintf(" incorrect, should be 0x%04x", right))
	d.Set(fStatus, 0)
	d.ExpertText(nSum, fmt.Sprintf("Bad checksum [should be 0x%04x]", right))
}

// fold adds the carry of a sum of two 16-bit numbers in ones' complement.
func fold(v uint64) uint64 { return v&0xffff + v>>16 }
