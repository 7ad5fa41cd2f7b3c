package tcp

import "remora/dissect"

// The option of Multipath TCP (RFC 8684), which carries what the paths of one connection agree on.

var (
	mVersion  = proto.Uint8("options.mptcp.version", "Multipath TCP version", "Version of Multipath TCP.").Masked(0xf)
	mReserved = proto.Uint16("options.mptcp.reserved", "Reserved", "Zero.").Hex().Masked(0xfff)
	mFlags    = proto.Uint8("options.mptcp.flags", "Multipath TCP flags", "The bits that follow.").Hex()
	mBackup   = proto.Uint8("options.mptcp.backup.flag", "Backup flag", "The path is used only if no other works.").
			Masked(0x1)
	mSums = proto.Uint8("options.mptcp.checksumreq.flags", "Checksum required", "Data have checksums of their own.").
		Masked(0x80)
	mExt    = proto.Uint8("options.mptcp.extensibility.flag", "Extensibility", "Must not be set.").Masked(0x40)
	mNoMore = proto.Uint8("options.mptcp.nomoresubflows.flag",
		"Do not attempt to establish new subflows to this address and port", "The address takes no further paths.").
		Masked(0x20)
	mSHA1   = proto.Uint8("options.mptcp.sha1.flag", "Use HMAC-SHA1", "SHA-1 makes the codes.").Masked(0x1)
	mSHA256 = proto.Uint8("options.mptcp.sha256.flag", "Use HMAC-SHA256", "SHA-256 makes the codes.").Masked(0x1)
	mFree   = proto.Uint8("options.mptcp.reserved.flag", "Reserved", "Zero.").Hex().Masked(0x3e)
	mFin    = proto.Uint8("options.mptcp.datafin.flag", "DATA_FIN", "The data end here.").Masked(0x10)
	mSeq8   = proto.Uint8("options.mptcp.dseqn8.flag", "Data Sequence Number is 8 octets",
		"The number of the data has 8 bytes.").Masked(0x8)
	mSeqHere = proto.Uint8("options.mptcp.dseqnpresent.flag",
		"Data Sequence Number, Subflow Sequence Number, Data-level Length, Checksum present",
		"The option says where the data belong.").Masked(0x4)
	mAck8 = proto.Uint8("options.mptcp.dataack8.flag", "Data ACK is 8 octets", "The acknowledgment has 8 bytes.").
		Masked(0x2)
	mAckHere = proto.Uint8("options.mptcp.dataackpresent.flag", "Data ACK is present", "The option acknowledges data.").
			Masked(0x1)
	mU = proto.Bool("options.mptcp.flag_U.flag", "Flag U", "Not in use.").Masked(0x8).TrueFalse("Set", "Not set")
	mV = proto.Bool("options.mptcp.flag_V.flag", "Flag V", "Not in use.").Masked(0x4).TrueFalse("Set", "Not set")
	mW = proto.Bool("options.mptcp.flag_W.flag", "Flag W", "Not in use.").Masked(0x2).TrueFalse("Set", "Not set")
	mT = proto.Bool("options.mptcp.flag_T.flag", "Transient", "Trying again may help.").Masked(0x1).
		TrueFalse("Set", "Not set")
	mReason = proto.Uint8("options.mptcp.rst_reason", "TCPRST Reason", "Why the path is broken off.").Hex().
		Named(dissect.Values{0x0: "Unspecified error", 0x1: "MPTCP-specific error", 0x2: "Lack of resources",
			0x3: "Administratively prohibited", 0x4: "Too much outstanding data", 0x5: "Unacceptable performance",
			0x6: "Middlebox interference"})
	mAddrID  = proto.Uint8("options.mptcp.addrid", "Address ID", "Number of an address.")
	mSendKey = proto.Uint64("options.mptcp.sendkey", "Sender's Key", "Key of the sender.")
	mRecvKey = proto.Uint64("options.mptcp.recvkey", "Receiver's Key", "Key of the receiver.")
	mToken   = proto.Uint32("options.mptcp.recvtok", "Receiver's Token",
		"The connection to join, told from the key of the receiver.")
	mRandom   = proto.Uint32("options.mptcp.sendrand", "Sender's Random Number", "A number made by chance.")
	mShortMAC = proto.Uint64("options.mptcp.sendtrunchmac", "Sender's Truncated HMAC",
		"Proof that the sender knows the keys, its first bytes.")
	mMAC     = proto.Bytes("options.mptcp.sendhmac", "Sender's HMAC", "Proof that the sender knows the keys.")
	mAddrMAC = proto.Uint64("options.mptcp.addaddrtrunchmac", "Truncated HMAC",
		"Proof that the address is told by the other end.")
	mDataAck = proto.Uint64("options.mptcp.rawdataack", "Original MPTCP Data ACK", "Number of the data expected next.")
	mDataSeq = proto.Uint64("options.mptcp.rawdataseqno", "Data Sequence Number",
		"Number of the first byte of the data.")
	mSubSeq    = proto.Uint32("options.mptcp.subflowseqno", "Subflow Sequence Number", "Where on this path they start.")
	mDataLen   = proto.Uint16("options.mptcp.datalvllen", "Data-level Length", "How many there are.")
	mSum       = proto.Uint16("options.mptcp.checksum", "Checksum", "Checksum over the data and these numbers.").Hex()
	mEcho      = proto.Uint8("options.mptcp.echo", "Echo", "The address is known now.").Masked(0x1)
	mIPVersion = proto.Uint8("options.mptcp.ipver", "IP version", "Version of IP.").Masked(0xf)
	mIPv4      = proto.IPv4("options.mptcp.ipv4", "Advertised IPv4 Address", "An address of the sender.")
	mIPv6      = proto.IPv6("options.mptcp.ipv6", "Advertised IPv6 Address", "An address of the sender.")
	mPort      = proto.Uint16("options.mptcp.port", "Advertised port", "The port to use.")
)
