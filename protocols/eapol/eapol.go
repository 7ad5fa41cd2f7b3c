// Package eapol dissects IEEE 802.1X: EAP over local networks, and the frames with which stations agree on keys, among
// them the handshakes of WPA and IEEE 802.11 (IEEE 802.11-2020 section 12.7). Elements of 802.11 in the key data go to
// the table wlan.elements.
package eapol

import (
	"remora/dissect"
	"remora/protocols/internal/tables"
)

// tableKeyDescriptor is that of Decode As alone: nothing hands on by it.
const tableKeyDescriptor dissect.Table = "eapol.keydes"

var (
	proto = dissect.NewProtocol("eapol", "EAPOL",
		"IEEE 802.1X: authentication over local networks, and the exchange of keys.").
		Summary("802.1X Authentication").Color(dissect.HueYellow).SharesFields(rsna)
	rsna = dissect.NewProtocol("wlan_rsna_eapol", "802.11 RSNA EAPOL", "The key frames of WPA and IEEE 802.11.").
		Summary("IEEE 802.11 RSNA EAPOL key").Color(dissect.HueYellow)
)

var (
	fVersion = proto.Uint8("version", "Version", "Version of IEEE 802.1X.").
			Named(dissect.Values{1: "802.1X-2001", 2: "802.1X-2004", 3: "802.1X-2010"})
	fType = proto.Kind("type", "Type",
		dissect.Values{0: "EAP Packet", 1: "Start", 2: "Logoff", 3: "Key", 4: "Encapsulated ASF Alert", 5: "MKA",
			6: "Announcement (Generic)", 7: "Announcement (Specific)", 8: "Announcement Request"}, "What the frame is.").Dec().
		Wordless()
	fLen  = proto.Uint16("len", "Length", "Length of the body in bytes.")
	fDesc = proto.Uint8("keydes.type", "Key Descriptor Type", "Layout of the key frame.").
		Named(dissect.Values{1: "RC4 Descriptor", 2: "EAPOL RSN Key", 254: "EAPOL WPA Key"})
	fBody   = proto.Bytes("keydes.body", "Key Descriptor Body", "A key frame of another layout.")
	fKeyLen = proto.Uint16("keydes.key_len", "Key Length", "Length of the key in bytes.")
	fReplay = proto.Uint64("keydes.replay_counter", "Replay Counter",
		"Counts the frames, so that none can be played again.")
	fIV      = proto.Bytes("keydes.key_iv", "Key IV", "Where the encryption of the key starts.")
	fIndex   = proto.Uint8("keydes.key_index", "Key Index", "Which key it is.").Hex()
	fUnicast = proto.Bool("keydes.key_index.type", "Type", "The key is for this station alone.").Masked(0x80).
			TrueFalse("Unicast", "Broadcast")
	fNumber    = proto.Uint8("keydes.key_index.number", "Number", "Number of the key.").Masked(0x7f)
	fSignature = proto.Bytes("keydes.key_signature", "Key Signature", "Proof of the sender.")
	fKey       = proto.Bytes("keydes.key", "Key", "The key, encrypted.")
	fLocal     = proto.Bool("keydes.key.generated_locally", "Key Generated Locally",
		"The key is not sent: both ends work it out.").TrueFalse("True", "False").Derived()
	fData = proto.Bytes("data", "Data", "The body of another frame. Wireshark has no name for it.")
)

const (
	typeEAP = 0
	typeKey = 3

	descRC4 = 1
	descRSN = 2
	descWPA = 254
)

// Plugin attaches 802.1X to its EtherTypes, that of pre-authentication among them.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: frame,
		On: []dissect.Key{{Table: dissect.TableEther, Value: 0x888e}, {Table: dissect.TableEther, Value: 0x88c7}}}
}

// RSNA declares the fields of 802.11's key frames, which EAPOL's packets have.
func RSNA() dissect.Plugin {
	return dissect.Plugin{Protocol: rsna, Dissect: func(d *dissect.D) { d.Reject() },
		On: []dissect.Key{{Table: tableKeyDescriptor}}}
}

func frame(d *dissect.D) {
	d.Uint(fVersion)
	kind := d.Kind(fType)
	d.Limit(int(d.Uint(fLen)))
	if d.Short() {
		return
	}
	if fType.ValueName(kind) != "" {
		d.Info().Set("{type:name}")
	} else if d.Info().Wanted() {
		d.Info().Setf("Unknown Type (0x%02X)", kind)
	}
	switch {
	case kind == typeEAP:
		d.Next(tables.EAP, 0)
		return
	case kind == typeKey && d.More():
		key(d)
	}
	d.Rest(fData)
}

func key(d *dissect.D) {
	switch d.Uint(fDesc) {
	case descRC4:
		rc4(d)
	case descRSN, descWPA:
		handshake(d)
	default:
		d.Rest(fBody)
	}
}

// rc4 is the oldest key frame (IEEE 802.1X-2001 section 7.6).
func rc4(d *dissect.D) {
	n := int(d.Uint(fKeyLen))
	d.Uint(fReplay)
	d.Bytes(fIV, 16)
	at, index := d.Pos(), uint64(d.Peek(0))
	d.Uint(fIndex)
	if !d.Short() {
		d.Below(func() {
			d.Put(fUnicast, index, at, 1)
			d.Put(fNumber, index, at, 1)
		})
	}
	d.Bytes(fSignature, 16)
	switch {
	case n == 0 || d.Short():
	case d.More():
		d.Set(fLocal, 0)
		d.Bytes(fKey, min(n, d.Left()))
	default:
		d.Set(fLocal, 1)
	}
}
