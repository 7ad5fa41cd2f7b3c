package ssh

import (
	"fmt"

	"remora/dissect"
)

// What is read of packets that were decrypted (RFC 4252, RFC 4254), under tshark's names.
var (
	fMACStatus = proto.Uint8("mac.status", "MAC Status", "Whether the packet is unchanged.").
			Named(dissect.Values{macBad: "Bad", macGood: "Good", macUnknown: "Unverified"}).Derived()
	fMessage = proto.Group("message", "Message", "A message that was decrypted.")

	fServiceLen = proto.Uint32("service_name_length", "Service Name length", "Bytes of the name.")
	fService    = proto.String("service_name", "Service Name", "The service that is asked for.")

	fUserLen     = proto.Uint32("userauth_user_name_length", "User Name length", "Bytes of the name.")
	fUser        = proto.String("userauth_user_name", "User Name", "Who logs in.")
	fForLen      = proto.Uint32("userauth_service_name_length", "Service Name length", "Bytes of the name.")
	fFor         = proto.String("userauth_service_name", "Service Name", "What for.")
	fMethodLen   = proto.Uint32("userauth_method_name_length", "Method Name length", "Bytes of the name.")
	fMethod      = proto.String("userauth_method_name", "Method Name", "How.")
	fSigned      = flag("userauth.have_signature", "Have signature", "The key is used, not only offered.")
	fAlgLen      = proto.Uint32("userauth_pka_name_length", "Public key algorithm name length", "Bytes of the name.")
	fAlg         = proto.String("userauth_pka_name", "Public key algorithm name", "What the key is for.")
	fChange      = flag("userauth.change_password", "Change password", "Another password follows.")
	fPasswordLen = proto.Uint32("userauth_password_length", "Password length", "Bytes of the password.")
	fPassword    = proto.String("userauth_password", "Password", "What the user typed.")
	fNewLen      = proto.Uint32("userauth_new_password_length", "New password length", "Bytes of the password.")
	fNew         = proto.String("userauth_new_password", "New password", "What it is to be from now on.")
	fGoOnLen     = proto.Uint32("auth_failure_cont_list_length", "Authentications that can continue list len",
		"Bytes of the list.")
	fGoOn    = proto.String("auth_failure_cont_list", "Authentications that can continue list", "What may be tried.")
	fPartial = flag("userauth.partial_success", "Partial success", "The way was right, and more are asked for.")

	fBlob        = proto.Group("pk_blob", "Public key blob", "A public key.")
	fBlobLen     = proto.Uint32("pk_blob_length", "Public key blob length", "Bytes of the key.")
	fBlobNameLen = proto.Uint32("pk_blob_name_length", "Public key blob algorithm name length", "Bytes of the name.")
	fBlobName    = proto.String("pk_blob_name", "Public key blob algorithm name", "The key's algorithm.")
	fBlobE       = proto.Bytes("blob.ssh-rsa.e", "ssh-rsa public exponent (e)", "The exponent.")
	fBlobN       = proto.Bytes("blob.ssh-rsa.n", "ssh-rsa modulus (n)", "The modulus.")
	fBlobData    = proto.Bytes("pk_blob_data", "Public key blob data", "The key itself.")
	fSig         = proto.Group("pk_sig", "Public key signature", "Proof that the user has the key.")
	fSigLen      = proto.Uint32("pk_sig_blob_length", "Public key signature blob length", "Bytes of the signature.")
	fSigNameLen  = proto.Uint32("pk_sig_blob_name_length", "Public key signature blob algorithm name length",
		"Bytes of the name.")
	fSigName = proto.String("pk_sig_blob_name", "Public key signature blob algorithm name",
		"The signature's algorithm.")
	fSigSLen = proto.Uint32("sig.ssh-rsa.length", "ssh-rsa signature length", "Bytes of the signature itself.")
	fSigS    = proto.Bytes("sig.ssh-rsa.s", "ssh-rsa signature (s)", "The signature itself, of any algorithm.")

	fGlobalLen   = proto.Uint32("global_request_name_length", "Global request name length", "Bytes of the name.")
	fGlobal      = proto.String("global_request_name", "Global request name", "What is asked for.")
	fGlobalReply = proto.Uint8("global_request_want_reply", "Global request want reply", "An answer is wanted.")
	fHostKeys    = proto.Uint32("global_request_hostkeys", "Host keys array length", "Bytes of a key of the server.")

	fTypeLen      = proto.Uint32("connection_type_name_length", "Channel type name length", "Bytes of the name.")
	fType         = proto.String("connection_type_name", "Channel type name", "What the channel is for.")
	fSender       = proto.Uint32("connection_sender_channel", "Sender channel", "The sender's number of the channel.")
	fRecipient    = proto.Uint32("connection_recipient_channel", "Recipient channel", "The receiver's number of it.")
	fWindow       = proto.Uint32("connection_initial_window_size", "Initial window size", "Bytes that may come at first.")
	fMaximum      = proto.Uint32("userauth_maximum_packet_size", "Maximum packet size", "The longest message.")
	fAdjust       = proto.Uint32("channel_window_adjust", "Bytes to add", "Bytes that may come besides.")
	fRequestReply = proto.Uint8("channel_request_want_reply", "Channel request want reply", "An answer is wanted.")
	fSubsystemLen = proto.Uint32("subsystem_name_length", "Subsystem name length", "Bytes of the name.")
	fSubsystem    = proto.String("subsystem_name", "Subsystem name", "The program that is started.")
	fCommandLen   = proto.Uint32("command_length", "Command length", "Bytes of the command.")
	fCommand      = proto.String("command", "Command", "What is run.")
	fExit         = proto.Uint32("exit_status", "Exit status", "How the program ended.").Hex()
	fExtended     = proto.Uint32("channel_data_type", "Data type", "1 is standard error.")
	fDataLen      = proto.Uint32("channel_data_length", "Data length", "Bytes of the data.")
	fData         = proto.Bytes("channel_data", "Data", "What the channel carries.")
)

func flag(name, title, doc string) *dissect.Field {
	return proto.Bool(name, title, doc).TrueFalse("True", "False")
}

// opened reads a packet that a key opens.
func opened(d *dissect.D, n note, side string) {
	k, b := keys.At(d, n.Key), d.Data()
	plain, mac := k.open(d, places.At(d, n.Place), b)
	if plain == nil { // its bytes are not those of the first pass
		sealed(d, n, side)
		return
	}
	appendInfo(d, side, fmt.Sprintf("Encrypted packet (plaintext_len=%d)", len(plain)))
	d.In(fPacket, func() {
		d.From("Decrypted Packet", plain, func() {
			d.Uint(fLength)
			padding := int(d.Uint(fPadLen))
			d.Within(d.Left()-padding, func() { decrypted(d, n) })
			d.Rest(fPadding)
		})
		d.Skip(len(plain))
		d.Rest(fMAC)
		d.Set(fMACStatus, uint64(mac))
		d.Set(fSeq, uint64(places.At(d, n.Place).Seq))
	})
}

// kinds are the kinds of messages, by the first code behind them (RFC 4250 section 4.1).
var kinds = []struct {
	below uint8
	name  string
}{
	{20, "Transport (generic)"}, {30, "Transport (algorithm negotiation)"},
	{50, "Transport (key exchange method specific)"}, {60, "User Authentication (generic)"},
	{80, "User Authentication: (method specific)"}, {90, "Connection (generic)"},
	{128, "Connection: (channel related message)"}, {192, "Client protocol"}, {255, "Local extension"},
}

// decrypted reads a message. The payload is what stands behind the code, and from the login on the whole message, as
// tshark has it.
func decrypted(d *dissect.D, n note) {
	code, from, whole := d.Peek(0), d.Pos(), d.Data()
	if n.Packed {
		d.Rest(fPayload)
		return
	}
	if code < 20 || code >= 50 {
		appendInfo(d, "", codeName(uint64(code), n.Method))
	}
	d.In(fMessage, func() {
		for _, k := range kinds {
			if code < k.below {
				d.Suffix(fMessage, ": "+k.name)
				break
			}
		}
		d.Kind(fCode)
		read(d, code, n)
		if code < 50 {
			from, whole = from+1, whole[min(1, len(whole)):]
		}
		if d.Wanted(fPayload) && len(whole) > 0 {
			d.PutText(fPayload, string(whole), from, len(whole))
		}
		d.Skip(d.Left())
	})
}

// read reads what stands behind the code of a message.
func read(d *dissect.D, code uint8, n note) {
	switch code {
	case msgKexInit:
		d.In(fAlgs, func() { algorithms(d, fromServer(d)) })
	case 5, 6:
		counted(d, fServiceLen, fService)
	case 50:
		userAuth(d)
	case 51:
		counted(d, fGoOnLen, fGoOn)
		d.Uint(fPartial)
	case 60:
		counted(d, fAlgLen, fAlg)
		blob(d, fBlobLen)
	case 80:
		name := d.Uint(fGlobalLen)
		text := string(d.Bytes(fGlobal, int(min(name, uint64(d.Left())))))
		d.Uint(fGlobalReply)
		for more := d.Elements(); text == "hostkeys-00@openssh.com" && d.Left() > 4 && more.Next(); {
			blob(d, fHostKeys)
		}
	case msgDisconnect, msgIgnore, msgDebug:
		general(d, uint64(code))
	default:
		if code >= 90 && code < 128 {
			channel(d, code)
		} else {
			exchange(d, uint64(code), n.Method)
		}
	}
}

// userAuth reads who logs in, and how (RFC 4252 section 5).
func userAuth(d *dissect.D) {
	counted(d, fUserLen, fUser)
	counted(d, fForLen, fFor)
	n := d.Uint(fMethodLen)
	switch string(d.Bytes(fMethod, int(min(n, uint64(d.Left()))))) {
	case "publickey":
		signed := d.Bool(fSigned)
		counted(d, fAlgLen, fAlg)
		blob(d, fBlobLen)
		if !signed {
			return
		}
		inside(d, fSigLen, func() {
			d.In(fSig, func() {
				counted(d, fSigNameLen, fSigName)
				counted(d, fSigSLen, fSigS)
			})
		})
	case "password":
		again := d.Bool(fChange)
		counted(d, fPasswordLen, fPassword)
		if again {
			counted(d, fNewLen, fNew)
		}
	}
}

// blob reads a public key.
func blob(d *dissect.D, length *dissect.Field) {
	inside(d, length, func() {
		d.In(fBlob, func() {
			n := d.Uint(fBlobNameLen)
			if string(d.Bytes(fBlobName, int(min(n, uint64(d.Left()))))) == "ssh-rsa" {
				counted(d, fBigLen, fBlobE)
				counted(d, fBigLen, fBlobN)
			}
			d.Rest(fBlobData)
		})
	})
}

// channel reads messages of channels (RFC 4254 sections 5 and 6).
func channel(d *dissect.D, code uint8) {
	if code == 90 {
		counted(d, fTypeLen, fType)
	} else {
		d.Uint(fRecipient)
	}
	switch code {
	case 90, 91:
		d.Uint(fSender)
		d.Uint(fWindow)
		d.Uint(fMaximum)
	case 93:
		d.Uint(fAdjust)
	case 94:
		counted(d, fDataLen, fData)
	case 95:
		d.Uint(fExtended)
		counted(d, fDataLen, fData)
	case 98:
		n := d.Uint(fGlobalLen)
		name := string(d.Bytes(fGlobal, int(min(n, uint64(d.Left())))))
		d.Uint(fRequestReply)
		switch name {
		case "subsystem":
			counted(d, fSubsystemLen, fSubsystem)
		case "exec":
			counted(d, fCommandLen, fCommand)
		case "exit-status":
			d.Uint(fExit)
		}
	}
}
