package tls

// What the Info column of records may say, beside numbers.
var _ = proto.InfoWords("[empty]", "[TLS segment of a reassembled PDU]", "(Reassembled)", "(Fragment)", "TLSv", "SSLv",
	"DTLSv", "Alert (Level: , Description: )", "Unknown", "Encrypted Handshake Message", "Encrypted Alert").
	InfoNames(kinds, handshakeTypes, alertLevels, alerts)
