package realnet

import "remora/dissect"

// The packet types: the first byte of every packet.
const (
	typeConnection = iota
	typeDisconnection
	typeSync
	typeAck
	typeLinking
	typeReplication
	typeMessage
)

// What a Connection, Synchronization or Linking packet is: its block type.
const (
	connInit, connAccept, connReject                   = 0, 1, 2
	syncInit, syncAck                                  = 0, 1
	linkInit, linkTable, linkAccept, linkReject uint64 = 0, 1, 2, 3
)

// The packet types of the index: the first byte, and above it the block type.
const (
	kindInit          = typeConnection | connInit<<8
	kindAccept        = typeConnection | connAccept<<8
	kindReject        = typeConnection | connReject<<8
	kindDisconnection = typeDisconnection
	kindSyncInit      = typeSync | syncInit<<8
	kindSyncAck       = typeSync | syncAck<<8
	kindAck           = typeAck
	kindLinkInit      = typeLinking | linkInit<<8
	kindLinkTable     = typeLinking | linkTable<<8
	kindLinkAccept    = typeLinking | linkAccept<<8
	kindLinkReject    = typeLinking | linkReject<<8
	kindReplication   = typeReplication
	kindMessage       = typeMessage
	kindEmpty         = 1 << 24 // a datagram without bytes
)

var kinds = dissect.Values{
	kindInit: "CONNECTION_INIT", kindAccept: "CONNECTION_ACCEPT", kindReject: "CONNECTION_REJECT",
	kindDisconnection: "DISCONNECTION",
	kindSyncInit:      "SYNC_INIT", kindSyncAck: "SYNC_ACK", kindAck: "ACK",
	kindLinkInit: "LINKING_INIT", kindLinkTable: "LINKING_TABLE", kindLinkAccept: "LINKING_ACCEPT",
	kindLinkReject:  "LINKING_REJECT",
	kindReplication: "REPLICATION", kindMessage: "MESSAGE", kindEmpty: "EMPTY",
}

var packetTypes = dissect.Values{typeConnection: "Connection", typeDisconnection: "Disconnection",
	typeSync: "Synchronization", typeAck: "Acknowledgement",
	typeLinking: "Linking", typeReplication: "Replication", typeMessage: "Message"}

var connectionTypes = dissect.Values{connInit: "Init", connAccept: "Accept", connReject: "Reject"}
var syncTypes = dissect.Values{syncInit: "Init", syncAck: "Acknowledgement"}
var linkingTypes = dissect.Values{linkInit: "Init", linkTable: "Table", linkAccept: "Accept", linkReject: "Reject"}

// The layouts.
const (
	layoutBuilt = iota + 1
	layoutDocumented
	layoutOpen // of an Ack before anything decided: it is the same in both
)

var layouts = dissect.Values{layoutBuilt: "as built", layoutDocumented: "as documented",
	layoutOpen: "the same in both layouts"}

// How the layout of a packet is known.
const (
	howHere = iota + 1
	howBefore
	howSaid
	howGuess
)

var layoutReasons = dissect.Values{howHere: "this packet", howBefore: "packets before", howSaid: "decode as",
	howGuess: "a guess from the length"}

// Reasons as built: two tables in the code, one for Reject, one for Disconnection.
var (
	rejectReasons     = dissect.Values{0: "closed", 1: "kicked", 2: "banned", 3: "full"}
	disconnectReasons = dissect.Values{0: "kicked or server closed", 1: "banned", 2: "left", 3: "timeout",
		4: "invalid packet", 5: "internal error"}
)

// The data types of linked variables.
const (
	dataChar = iota
	dataUchar
	dataShort
	dataUshort
	dataInt
	dataUint
	dataInt64
	dataUint64
	dataFloat
	dataDouble
	dataText
	dataTypeCount
)

var dataTypes = dissect.Values{dataChar: "char", dataUchar: "uchar", dataShort: "short", dataUshort: "ushort",
	dataInt: "int", dataUint: "uint",
	dataInt64: "int64", dataUint64: "uint64", dataFloat: "float", dataDouble: "double", dataText: "char[]"}

// dataSizes are the sizes of the types in bytes; text has any.
var dataSizes = [dataTypeCount]int{1, 1, 2, 2, 4, 4, 8, 8, 4, 8, -1}

// Who sends.
const (
	fromUnknown = iota
	fromClient
	fromServer
)

var senders = dissect.Values{fromClient: "client", fromServer: "server"}

// The phases of a connection, as far as the capture tells.
const (
	phaseUnknown     = iota
	phaseHandshaking // an Init, no answer yet
	phaseAccepted    // accepted by the server, not yet by the client
	phaseConnected
	phaseLinked
	phaseRefused
	phaseClosed
)

var phases = dissect.Values{phaseHandshaking: "handshaking", phaseAccepted: "accepted", phaseConnected: "connected",
	phaseLinked: "linked", phaseRefused: "refused", phaseClosed: "closed"}
