package generic

import (
	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
)

// titles are Wireshark's words for gopacket's layers in the Protocol column, where gopacket has others.
var titles = map[gopacket.LayerType]string{
	layers.LayerTypeASF:                "ASF",
	layers.LayerTypeASFPresencePong:    "ASF",
	layers.LayerTypeBFD:                "BFD Control",
	layers.LayerTypeCiscoDiscovery:     "CDP",
	layers.LayerTypeCiscoDiscoveryInfo: "CDP",
	layers.LayerTypeDHCPv4:             "DHCP",
	layers.LayerTypeERSPANII:           "ERSPAN",
	layers.LayerTypeEtherIP:            "ETHERIP",
	layers.LayerTypeEthernetCTP:        "LOOP",
	layers.LayerTypeEthernetCTPReply:   "LOOP",
	layers.LayerTypeGTPv1U:             "GTP",
	layers.LayerTypeIPSecAH:            "AH",
	layers.LayerTypeIPSecESP:           "ESP",
	layers.LayerTypeLinkLayerDiscovery: "LLDP",
	layers.LayerTypeNortelDiscovery:    "NDP",
	layers.LayerTypePFLog:              "PFLOG",
	layers.LayerTypePrismHeader:        "Prism",
	layers.LayerTypeSFlow:              "sFlow",
	layers.LayerTypeUDPLite:            "UDP-Lite",
	layers.LayerTypeVXLAN:              "VxLAN",

	layers.LayerTypeLinkLayerDiscoveryInfo: "LLDP",
	layers.LayerTypeEthernetCTPForwardData: "LOOP",
}

// title is the text of the Protocol column for a layer.
func title(t gopacket.LayerType) string {
	if s := titles[t]; s != "" {
		return s
	}
	return t.String()
}
