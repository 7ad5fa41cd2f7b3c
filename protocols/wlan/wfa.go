package wlan

import "remora/dissect"

// Elements that the Wi-Fi Alliance defined under Microsoft's number: WPA, and WMM with the rights of traffic.
const (
	ouiMicrosoft = 0x0050f2
	wfaWPA       = 1
	wfaWMM       = 2
)

var (
	wType = proto.Uint8("wfa.ie.type", "Type", "What the element is: Type.").Hex().
		Named(dissect.Values{1: "WPA Information Element", 2: "WMM/WME", 4: "WPS"})
	wVersion = proto.Uint16("wfa.ie.wpa.version", "WPA Version", "Of WPA: WPA Version.")
	wGroup   = proto.Uint32("wfa.ie.wpa.mcs", "Multicast Cipher Suite", "How frames to several stations are encrypted.").
			BE().Format(suiteText(wpaCiphers))
	wGroupOUI  = proto.Uint24("wfa.ie.wpa.mcs.oui", "Multicast Cipher Suite OUI", "Who defined it.").BE().Format(ouiText)
	wGroupType = proto.Uint8("wfa.ie.wpa.mcs.type", "Multicast Cipher Suite type", "Which: Multicast Cipher Suite type.").
			Named(wpaCiphers)
	wPairN = proto.Uint16("wfa.ie.wpa.ucs.count", "Unicast Cipher Suite Count",
		"How many: Unicast Cipher Suite Count.")
	wPair = proto.Uint32("wfa.ie.wpa.ucs", "Unicast Cipher Suite", "How frames to one station are encrypted.").BE().
		Format(suiteText(wpaCiphers))
	wPairs    = proto.Node("wfa.ie.wpa.ucs.list", "Unicast Cipher Suite List", "How frames to one station are encrypted.")
	wAKMs     = proto.Node("wfa.ie.wpa.akms.list", "Auth Key Management (AKM) List", "How keys are agreed on.")
	wPairOUI  = proto.Uint24("wfa.ie.wpa.ucs.oui", "Unicast Cipher Suite OUI", "Who defined it.").BE().Format(ouiText)
	wPairType = proto.Uint8("wfa.ie.wpa.ucs.type", "Unicast Cipher Suite type", "Which: Unicast Cipher Suite type.").
			Named(wpaCiphers)
	wAKMN = proto.Uint16("wfa.ie.wpa.akms.count", "Auth Key Management (AKM) Suite Count",
		"How many: Auth Key Management (AKM) Suite Count.")
	wAKM     = proto.Uint32("wfa.ie.wpa.akms", "Auth Key Management (AKM) Suite", "How keys are agreed on.").BE()
	wAKMOUI  = proto.Uint24("wfa.ie.wpa.akms.oui", "Auth Key Management (AKM) OUI", "Who defined it.").BE().Format(ouiText)
	wAKMType = proto.Uint8("wfa.ie.wpa.type", "Auth Key Management (AKM) type",
		"Which: Auth Key Management (AKM) type.").
		Named(dissect.Values{0: "NONE", 1: "WPA", 2: "PSK", 3: "FT over IEEE 802.1X", 4: "FT using PSK", 5: "WPA (SHA256)",
			6: "PSK (SHA256)", 7: "TDLS / TPK Handshake"})

	wSubtype = proto.Uint8("wfa.ie.wme.subtype", "WME Subtype", "What of WMM: WME Subtype.").
			Named(dissect.Values{0: "Information Element", 1: "Parameter Element", 2: "TSPEC Element"})
	wWMMVer   = proto.Uint8("wfa.ie.wme.version", "WME Version", "Of WMM: WME Version.")
	wQoS      = proto.Uint8("wfa.ie.wme.qos_info", "WME QoS Info", "How power is saved: WME QoS Info.").Hex()
	wReserved = proto.Bytes("wfa.ie.wme.reserved", "Reserved", "Zero.")
	wAccess   = proto.Node("wfa.ie.wme.acp", "Ac Parameters", "The rights of one kind of traffic.")
	wACI      = proto.Uint8("wfa.ie.wme.acp.aci_aifsn", "ACI / AIFSN Field",
		"Which traffic, and how long it waits: ACI / AIFSN Field.").Hex()
	wECW  = proto.Uint8("wfa.ie.wme.acp.ecw", "ECW", "How long it waits at random: ECW.").Hex()
	wMax  = proto.Uint8("wfa.ie.wme.acp.cw.max", "CW Max", "In slots: CW Max.")
	wMin  = proto.Uint8("wfa.ie.wme.acp.cw.min", "CW Min", "In slots: CW Min.")
	wTXOP = proto.Uint16("wfa.ie.wme.acp.txop_limit", "TXOP Limit", "In units of 32 µs: TXOP Limit.")
)

var apQoS = []*dissect.Field{
	proto.Bool("wfa.ie.wme.qos_info.ap.u_apsd", "U-APSD", "How power is saved: U-APSD.").Masked(0x80).
		TrueFalse("Enabled", "Disabled"),
	proto.Uint8("wfa.ie.wme.qos_info.ap.parameter_set_count", "Parameter Set Count",
		"How power is saved: Parameter Set Count.").Hex().Masked(0xf),
	proto.Uint8("wfa.ie.wme.qos_info.ap.reserved", "Reserved", "How power is saved: Reserved.").Hex().Masked(0x70),
}

var stationQoS = []*dissect.Field{
	proto.Uint8("wfa.ie.wme.qos_info.sta.max_sp_length", "Max SP Length", "How power is saved: Max SP Length.").Hex().
		Masked(0x60).
		Named(dissect.Values{0: "WMM AP may deliver all buffered frames (MSDUs and MMPDUs)",
			1: "WMM AP may deliver a maximum of 2 buffered frames (MSDUs and MMPDUs) per USP",
			2: "WMM AP may deliver a maximum of 4 buffered frames (MSDUs and MMPDUs) per USP",
			3: "WMM AP may deliver a maximum of 6 buffered frames (MSDUs and MMPDUs) per USP"}),
	proto.Bool("wfa.ie.wme.qos_info.sta.ac_be", "AC_BE", "How power is saved: AC_BE.").Masked(0x8).
		TrueFalse("WMM delivery and trigger enabled", "non-WMM PS"),
	proto.Bool("wfa.ie.wme.qos_info.sta.ac_bk", "AC_BK", "How power is saved: AC_BK.").Masked(0x4).
		TrueFalse("WMM delivery and trigger enabled", "non-WMM PS"),
	proto.Bool("wfa.ie.wme.qos_info.sta.ac_vi", "AC_VI", "How power is saved: AC_VI.").Masked(0x2).
		TrueFalse("WMM delivery and trigger enabled", "non-WMM PS"),
	proto.Bool("wfa.ie.wme.qos_info.sta.ac_vo", "AC_VO", "How power is saved: AC_VO.").Masked(0x1).
		TrueFalse("WMM delivery and trigger enabled", "non-WMM PS"),
	proto.Uint8("wfa.ie.wme.qos_info.sta.reserved", "Reserved", "How power is saved: Reserved.").Hex().Masked(0x90),
}

var accessBits = []*dissect.Field{
	proto.Uint8("wfa.ie.wme.acp.aifsn", "AIFSN", "Of the traffic: AIFSN.").Masked(0xf),
	proto.Bool("wfa.ie.wme.acp.acm", "Admission Control Mandatory", "Of the traffic: Admission Control Mandatory.").
		Masked(0x10).TrueFalse("Yes", "No"),
	proto.Uint8("wfa.ie.wme.acp.aci", "ACI", "Of the traffic: ACI.").Masked(0x60).
		Named(dissect.Values{0: "Best Effort", 1: "Background", 2: "Video", 3: "Voice"}),
	proto.Uint8("wfa.ie.wme.acp.reserved", "Reserved", "Of the traffic: Reserved.").Masked(0x80),
}

var waitBits = []*dissect.Field{
	proto.Uint8("wfa.ie.wme.acp.ecw.max", "ECW Max", "Of the traffic: ECW Max.").Masked(0xf0),
	proto.Uint8("wfa.ie.wme.acp.ecw.min", "ECW Min", "Of the traffic: ECW Min.").Masked(0xf),
}

// alliance reads an element under Microsoft's number behind its type, which stands at an offset.
func alliance(d *dissect.D, kind uint64, at int) {
	d.Put(wType, kind, at, 1)
	switch kind {
	case wfaWPA:
		d.Uint(wVersion)
		suite(d, wGroup, wGroupOUI, wGroupType)
		suites(d, wPairN, wPairs, wPair, wPairOUI, wPairType)
		suites(d, wAKMN, wAKMs, wAKM, wAKMOUI, wAKMType)
	case wfaWMM:
		wmm(d)
	}
}

// wmm reads how traffic is told apart: what stations say, or with its rights, what access points say.
func wmm(d *dissect.D) {
	kind := d.Uint(wSubtype)
	d.Uint(wWMMVer)
	if kind > 1 || !d.More() {
		return
	}
	if kind == 0 {
		dissect.Parts(d, wQoS, stationQoS...)
	} else {
		dissect.Parts(d, wQoS, apQoS...)
	}
	if kind == 0 {
		return
	}
	d.Bytes(wReserved, 1)
	for more := d.Elements(); d.Left() >= 4 && more.Next(); {
		d.In(wAccess, func() {
			dissect.Parts(d, wACI, accessBits...)
			wait := dissect.Parts(d, wECW, waitBits...)
			d.Put(wMax, 1<<(wait>>4)-1, d.Pos()-1, 1)
			d.Put(wMin, 1<<(wait&15)-1, d.Pos()-1, 1)
			d.Uint(wTXOP)
		})
	}
}

// wpaCiphers are those of WPA.
var wpaCiphers = dissect.Values{0: "NONE", 1: "WEP (40-bit)", 2: "TKIP", 3: "AES (OCB)", 4: "AES (CCM)",
	5: "WEP (104-bit)", 6: "BIP", 7: "Group addressed traffic not allowed"}
