package wlan

import (
	"cmp"
	"fmt"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

var tagged = dissect.NewProtocol("wlan_elements", "802.11 Elements",
	"Elements of IEEE 802.11 that other protocols carry.").
	Summary("IEEE 802.11 Elements").Quiet().SharesFields(proto)

// Elements attaches the elements to what carries them.
func Elements() dissect.Plugin {
	return dissect.Plugin{Protocol: tagged, Dissect: carriedKeys, On: []dissect.Key{{Table: tables.WLANElements}}}
}

// The elements that are read here (IEEE 802.11-2020 table 9-92).
const (
	tagSSID      = 0
	tagRates     = 1
	tagChannel   = 3
	tagTIM       = 5
	tagCountry   = 7
	tagERP       = 42
	tagHT        = 45
	tagChallenge = 16
	tagOldERP    = 47
	tagRSN       = 48
	tagClasses   = 59
	tagRatesExt  = 50
	tagHTInfo    = 61
	tagVHT       = 191
	tagVendor    = 221

	tagCapabilities = 127 // extended ones
)

var (
	fChallenge  = proto.Bytes("tag.challenge_text", "Challenge Text", "What the station is to encrypt.")
	fFTControl  = proto.Uint16("ft.mic_control", "MIC Control", "What the code is of.").Hex()
	fFTReserved = proto.Uint16("ft.mic_control.reserved", "Reserved", "Zero.").Hex().Masked(0xff)
	fFTCount    = proto.Uint16("ft.mic_control.element_count", "Element Count", "How many elements the code is of.").
			Masked(0xff00)
	fFTMIC      = proto.Bytes("ft.mic", "MIC", "The proof that nobody changed them.")
	fFTANonce   = proto.Bytes("ft.anonce", "ANonce", "A number of the authenticator's, used once.")
	fFTSNonce   = proto.Bytes("ft.snonce", "SNonce", "A number of the supplicant's, used once.")
	fOpCurrent  = proto.Uint8("supopeclass.current", "Current Operating Class", "Which channels the sender uses.")
	fLinkBSSID  = proto.Ether("link_id.bssid", "BSSID", "The network of both stations.")
	fLinkFirst  = proto.Ether("link_id.init_sta", "TDLS initiator STA Address", "The station that began.")
	fLinkSecond = proto.Ether("link_id.resp_sta", "TDLS responder STA Address", "The other station.")
)

// elements reads elements up to the end. A byte alone at the end, and the padding of key data, are no element.
func elements(d *dissect.D) {
	for more := d.Elements(); d.Left() >= 2 && more.Next(); {
		d.In(fTag, func() { element(d) })
	}
	d.Rest(fTagData)
}

func element(d *dissect.D) {
	kind := d.Uint(fTagNum)
	n := int(d.Uint(fTagLen))
	if n > d.Left() && !d.CutShort() {
		d.Expert(nTagLength)
		d.Rest(fTagData)
		return
	}
	if d.Labelling() {
		d.Suffix(fTag, ": "+label(d, kind, n))
	}
	d.Within(n, func() {
		content(d, kind)
		d.Rest(fTagData)
	})
}

func label(d *dissect.D, kind uint64, n int) string {
	name := tagNames[kind]
	if name == "" {
		name = "Reserved"
	}
	if n > d.Left() {
		return name
	}
	b := d.Data()[:n]
	switch {
	case kind == tagSSID && n == 0:
		name += ": Wildcard SSID"
	case kind == tagSSID:
		name += `: "` + ssidText(b) + `"`
	case kind == tagRates || kind == tagRatesExt:
		for _, rate := range b {
			name += " " + cmp.Or(rateNames[uint64(rate)], "Unknown Rate") + ","
		}
		name += " [Mbit/sec]"
	case kind == tagChannel && n == 1:
		name += fmt.Sprintf(": Current Channel: %d", b[0])
	case kind == tagTIM && n >= 4:
		name += fmt.Sprintf(": DTIM %d of %d bitmap", b[0], b[1])
	case kind == tagCapabilities:
		name += fmt.Sprintf(" (%d octets)", n)
	}
	return name
}

func content(d *dissect.D, kind uint64) {
	switch n := d.Left(); kind {
	case tagSSID:
		text := ssidText(d.Data()[:n])
		if d.Rest(fSSID); d.Labelling() && n > 0 {
			dissect.Relabel(d, fSSID, `SSID: "`+text+`"`)
		}
	case tagRates, tagRatesExt:
		f := fRates
		if kind == tagRatesExt {
			f = fRatesExt
		}
		for more := d.Elements(); more.Next(); {
			d.Uint(f)
		}
	case tagChannel:
		if n == 1 {
			d.Uint(fChannel)
		}
	case tagTIM:
		if n >= 4 {
			d.Uint(fDTIMCount)
			d.Uint(fDTIM)
			dissect.Parts(d, fBmapCtl, fBmapMulti, fBmapOff)
			d.Rest(fBmap)
		}
	case tagCountry:
		country(d)
	case tagERP, tagOldERP:
		if n == 1 {
			dissect.Parts(d, fERP, erpBits...)
		}
	case tagHT:
		if n >= 26 {
			dissect.Parts(d, fHT, htBits...)
			dissect.Parts(d, fHTAmpdu, ampduBits...)
			schemes(d)
			behindSchemes(d)
		}
	case tagHTInfo:
		if n >= 22 {
			d.Uint(fPrimary)
			walk(d, steps[tagHTInfo])
			schemes(d)
		}
	case tagVHT:
		if n >= 12 {
			dissect.Parts(d, fVHT, vhtBits...)
			walk(d, vhtSchemes)
		}
	case tagRSN:
		security(d)
	case tagChallenge:
		d.Rest(fChallenge)
	case tagFast:
		if n >= 82 {
			dissect.Parts(d, fFTControl, fFTReserved, fFTCount)
			d.Bytes(fFTMIC, 16)
			d.Bytes(fFTANonce, 32)
			d.Bytes(fFTSNonce, 32)
		}
	case tagClasses:
		d.Uint(fOpCurrent)
	case tagLink:
		if n == 18 {
			for _, f := range [...]*dissect.Field{fLinkBSSID, fLinkFirst, fLinkSecond} {
				d.Ether(f)
			}
		}
	case tagVendor:
		vendor(d)
	default:
		walk(d, steps[kind])
	}
}

func country(d *dissect.D) {
	if d.Left() < 3 {
		return
	}
	d.Bytes(fCountry, 2)
	d.Uint(fCountryEnv)
	for more := d.Elements(); d.Left() >= 3 && more.Next(); {
		d.Uint(fFirstCh)
		d.Uint(fNumCh)
		d.Uint(fMaxPower)
	}
}

func vendor(d *dissect.D) {
	if d.Left() < 3 {
		return
	}
	oui := d.Uint(fOUI)
	if oui == ouiRSN && d.More() {
		kde(d)
	} else if d.More() {
		at := d.Pos()
		if kind := d.Uint(fVendor); oui == ouiMicrosoft {
			alliance(d, kind, at)
		}
	}
	d.Rest(fVendorData)
}

// suite is a cipher or a way to agree on keys: who defined it, and which.
func suite(d *dissect.D, whole, oui, kind *dissect.Field) {
	at, v := d.Pos(), d.PeekUint(0, 4)
	if d.Left() < 4 {
		d.Uint(whole)
		return
	}
	d.Put(whole, v, at, 4)
	d.Below(func() {
		d.Uint(oui)
		d.Uint(kind)
	})
}

// security is how the network protects its frames (IEEE 802.11-2020 section 9.4.2.24). Its end may be left out.
func security(d *dissect.D) {
	if d.Left() < 2 {
		return
	}
	d.Uint(fRSNVersion)
	if d.Left() >= 4 {
		suite(d, fGroup, fGroupOUI, fGroupType)
	}
	suites(d, fPairN, fPairs, fPair, fPairOUI, fPairType)
	suites(d, fAKMN, fAKMs, fAKM, fAKMOUI, fAKMType)
	if d.Left() >= 2 {
		dissect.Parts(d, fRSNCaps, rsnBits...)
	}
	if d.Left() >= 2 {
		if n := 16 * int(d.Uint(fPMKIDN)); n > 0 {
			d.Bytes(fKeyID, n)
		}
	}
	if d.Left() >= 4 {
		suite(d, fMgmtGroup, fMgmtOUI, fMgmtType)
	}
}

// suites is a list of suites, with how many there are in front of it.
func suites(d *dissect.D, count, list, whole, oui, kind *dissect.Field) {
	if d.Left() < 2 {
		return
	}
	n := d.Uint(count)
	if n == 0 {
		return
	}
	names := ""
	text, node := suiteText(kind.Values()), d.Open(list)
	for more := d.Elements(); n > 0 && more.Next(); n-- {
		if d.Labelling() && d.Left() >= 4 && len(names) < 200 {
			names += " " + text(d.PeekUint(0, 4))
		}
		suite(d, whole, oui, kind)
	}
	d.Close(node)
	d.Suffix(list, names)
}
