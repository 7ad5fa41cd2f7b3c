package wlan

import "remora/dissect"

var (
	encap = dissect.NewProtocol("wlan_encap", "TDLS", "Frames of 802.11 that are sent as data.").
		Summary("IEEE 802.11 Data Encapsulation").Color(dissect.HueMagenta).SharesFields(proto)
	fEncap   = proto.Uint8("data_encap.payload_type", "Payload Type", "What is sent as data: 2 is TDLS.")
	fTarget  = proto.Uint8("fixed.target_channel", "Target Channel", "The channel to go to.")
	fOpClass = proto.Uint8("fixed.operating_class", "Operating Class", "Which channels are meant.")
)

const typeTDLS = 2

// Encapsulated attaches frames that are sent as data (IEEE 802.11-2020 annex H).
func Encapsulated() dissect.Plugin {
	return dissect.Plugin{Protocol: encap, Dissect: encapsulated,
		On: []dissect.Key{{Table: dissect.TableEther, Value: 0x890d}}}
}

// directFields are the fields in front of the elements, by the action of TDLS (section 9.6.12).
var directFields = map[uint64][]*dissect.Field{3: {fReason}, 4: {fToken}, 5: {fTarget, fOpClass}, 6: {fStatus},
	7: {fToken}, 8: {fToken, fStatus}, 9: {fToken}, 10: {fToken}, 1: {fStatus, fToken}, 2: {fStatus, fToken}, 0: {fToken}}

func encapsulated(d *dissect.D) {
	if d.Uint(fEncap) != typeTDLS {
		d.Rest(fTagData)
		return
	}
	d.Uint(fCategory)
	action := d.Uint(fPublic)
	if d.Info().Wanted() {
		d.Info().Setf("%s", fPublic.ValueName(action))
	}
	for _, f := range directFields[action] {
		if d.More() {
			d.Uint(f)
		}
	}
	if action <= 1 && d.Left() >= 2 {
		capabilities(d)
	}
	if d.More() {
		d.In(fTagged, func() { elements(d) })
	}
}
