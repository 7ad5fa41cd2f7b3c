package kerberos

import "remora/dissect"

// Types of messages: numbers of their tags (RFC 4120 section 7.5.7).
const (
	asReq    = 10
	asRep    = 11
	tgsReq   = 12
	tgsRep   = 13
	apReq    = 14
	apRep    = 15
	krbSafe  = 20
	krbPriv  = 21
	krbCred  = 22
	krbError = 30
)

func group(name, label, doc string) *dissect.Field { return proto.Group(name+"_element", label, doc) }

var (
	gASReq = group("as_req", "as-req", "A ticket for tickets is wanted.")
	gASRep = group("as_rep", "as-rep", "It is given.")
	gTGReq = group("tgs_req", "tgs-req", "A ticket for a server is wanted.")
	gTGRep = group("tgs_rep", "tgs-rep", "It is given.")
	gAPReq = group("ap_req", "ap-req", "A ticket is shown to a server.")
	gAPRep = group("ap_rep", "ap-rep", "The server proves who it is.")
	gSafe  = group("krb_safe", "krb-safe", "Data that nobody changed.")
	gPriv  = group("krb_priv", "krb-priv", "Data that nobody else reads.")
	gCred  = group("krb_cred", "krb-cred", "Tickets that are handed on.")
	gError = group("krb_error", "krb-error", "Why not.")
)

var (
	request = parts{1: unsigned(fPvno), 2: messageType, 3: padata, 4: requestBody}
	reply   = parts{0: unsigned(fPvno), 1: messageType, 2: padata, 3: text(fCRealm), 4: client, 5: ticket,
		6: within(gEncPart, encrypted(inReply))}
	shown = parts{0: unsigned(fPvno), 1: messageType, 2: apOptions, 3: ticket, 4: within(gAuth, encrypted(inProof))}
	// within another message
	inner = parts{0: unsigned(fPvno), 1: innerType, 2: apOptions, 3: ticket, 4: within(gAuth, encrypted(inProof))}
)

// forms are the messages (RFC 4120 section 5).
var forms = map[byte]*form{
	asReq: {"AS-REQ", gASReq, request}, asRep: {"AS-REP", gASRep, reply}, tgsReq: {"TGS-REQ", gTGReq, request},
	tgsRep: {"TGS-REP", gTGRep, reply},
	apReq:  {"AP-REQ", gAPReq, shown},
	apRep:  {"AP-REP", gAPRep, parts{0: unsigned(fPvno), 1: messageType, 2: within(gEncPart, encrypted(inAPRep))}},
	krbSafe: {"KRB-SAFE", gSafe,
		parts{0: unsigned(fPvno), 1: messageType, 2: within(gBody, safeBody.read), 3: within(gCksum, checksum)}},
	krbPriv: {"KRB-PRIV", gPriv, parts{0: unsigned(fPvno), 1: messageType, 3: within(gEncPart, encrypted(inPriv))}},
	krbCred: {"KRB-CRED", gCred, parts{0: unsigned(fPvno), 1: messageType, 2: tickets,
		3: within(gEncPart, encrypted(inCred))}},
	krbError: {"KRB Error:", gError, parts{
		0: unsigned(fPvno), 1: messageType, 2: moment(fCTime), 3: unsigned(fCUsec), 4: moment(fSTime), 5: unsigned(fSUsec),
		6: failure,
		7: text(fCRealm), 8: client, 9: text(fRealm), 10: service, 11: text(fEText), 12: errorData,
	}},
}
