package gss

import "remora/dissect"

var ntlm = dissect.NewProtocol("ntlmssp", "NTLMSSP",
	"NTLM: users prove that they know their password without sending it.").LittleEndian().
	Summary("NTLM Secure Service Provider").Color(dissect.HueBlue).Quiet()

var (
	lIdent   = ntlm.String("identifier", "NTLMSSP identifier", "Always NTLMSSP.")
	lType    = ntlm.Kind("messagetype", "NTLM Message Type", ntlmTypes, "Which step it is.").Wide(4).LE().Wordless()
	lLen     = ntlm.Uint16("string.length", "Length", "Length of a part.")
	lMax     = ntlm.Uint16("string.maxlen", "Maxlen", "Room for it.")
	lOff     = ntlm.Uint32("string.offset", "Offset", "Where it is, counted from the start.")
	lServer  = ntlm.Bytes("ntlmserverchallenge", "NTLM Server Challenge", "A number used once.")
	lRes     = ntlm.Bytes("reserved", "Reserved", "Unused.")
	lTarget  = ntlm.String("challenge.target_name", "Target Name", "Who the server is.").Encoded(dissect.UTF16LE)
	lDomain  = ntlm.String("auth.domain", "Domain name", "The user's domain.").Encoded(dissect.UTF16LE)
	lUser    = ntlm.String("auth.username", "User name", "The user.").Encoded(dissect.UTF16LE)
	lHost    = ntlm.String("auth.hostname", "Host name", "The user's machine.").Encoded(dissect.UTF16LE)
	lLM      = ntlm.Bytes("auth.lmresponse", "Lan Manager Response", "The old proof.")
	lNT      = ntlm.Bytes("auth.ntresponse", "NTLM Response", "The proof.")
	lKey     = ntlm.Bytes("auth.sesskey", "Session Key", "A key for the session, encrypted.")
	lBlobLen = ntlm.Uint16("blob.length", "Length", "Length of a part.")
	lBlobMax = ntlm.Uint16("blob.maxlen", "Maxlen", "Room for it.")
	lBlobOff = ntlm.Uint32("blob.offset", "Offset", "Where it is, counted from the start.")
	lCalling = ntlm.String("negotiate.callingworkstation", "Calling workstation name", "The user's machine.")
	lCallDom = ntlm.String("negotiate.domain", "Calling workstation domain", "The user's domain.")
	lClient  = ntlm.Bytes("ntlmclientchallenge", "LMv2 Client Challenge", "A number used once, of the client.")
	lMIC     = ntlm.Bytes("authenticate.mic", "MIC", "Proof that nobody changed the three messages.")
	lMajor   = ntlm.Uint8("version.major", "Major Version", "The sender's version of Windows.")
	lMinor   = ntlm.Uint8("version.minor", "Minor Version", "The sender's version of Windows.")
	lBuild   = ntlm.Uint16("version.build_number", "Build Number", "The sender's version of Windows.")
	lVerRes  = ntlm.Bytes("version.reserved", "Reserved", "Unused.")
	lRev     = ntlm.Uint8("version.ntlm_current_revision", "NTLM Current Revision", "The form of the messages.")
	lRest    = ntlm.Bytes("data", "Data", "The parts, and what stands between them.")
)

// NTLM attaches the proof to what GSS-API carries, and to where it comes without.
func NTLM() dissect.Plugin {
	return dissect.Plugin{Protocol: ntlm, Dissect: proof, On: []dissect.Key{{Table: mechanisms, Value: mechNTLM}}}
}

var ntlmMagic = []byte("NTLMSSP\x00")

// spoken is what Wireshark says of a message: its type, and the user.
func spoken(b []byte) string {
	kind := little(b, 8, 4)
	text := ntlmTypes[kind]
	if kind == 3 {
		text += ", User: " + part(b, 28) + "\\" + part(b, 36)
	}
	return text
}

// part is a text that a message names at an offset.
func part(b []byte, at int) string {
	n, off := int(little(b, at, 2)), int(little(b, at+4, 4))
	if off+n > len(b) {
		return ""
	}
	return dissect.UTF16LE.Decode(b[off : off+n])
}

var ntlmTypes = dissect.Values{
	1: "NTLMSSP_NEGOTIATE", 2: "NTLMSSP_CHALLENGE", 3: "NTLMSSP_AUTH", 4: "NTLMSSP_UNKNOWN",
}
