package realnet

import "encoding/binary"

// fitsBuilt reports whether a datagram has exactly the length and block type of a packet as built.
func fitsBuilt(b []byte) bool {
	if len(b) < 3 {
		return false
	}
	switch b[0] {
	case typeConnection:
		return len(b) == 4 && (b[3] == connInit || b[3] == connReject) || len(b) == 20 && b[3] == connAccept ||
			len(b) == 5 && b[3] == connReject
	case typeDisconnection:
		return len(b) == 3 || len(b) == 4
	case typeAck:
		return len(b) == 3
	}
	return false
}

// fitsDocumented reports whether a datagram is exactly as long as its own counts say, as documented.
func fitsDocumented(b []byte) bool {
	if len(b) < 3 {
		return false
	}
	switch b[0] {
	case typeConnection:
		return len(b) == 5 && (b[4] == connInit || b[4] == connReject) || len(b) == 25 && b[4] == connAccept ||
			len(b) > 5 && b[4] == connReject && len(b) == 6+int(b[5])
	case typeDisconnection:
		return len(b) == 4 || len(b) > 4 && len(b) == 5+int(b[4])
	case typeSync:
		return len(b) == 4 && b[3] == syncInit || len(b) == 22 && b[3] == syncAck
	case typeAck:
		return len(b) == 3
	case typeLinking:
		return linkingFits(b)
	case typeReplication:
		return replicationFits(b)
	case typeMessage:
		if len(b) < 15 {
			return false
		}
		at := 13 + int(b[12])
		return len(b) >= at+2 && len(b) == at+2+int(binary.LittleEndian.Uint16(b[at:]))
	}
	return false
}

// flagsFit reports whether the flags of a documented packet keep the rules: no unused bit, no Ordered without Reliable.
func flagsFit(b []byte) bool {
	return b[0] == typeSync || b[0] == typeAck || len(b) > 1 && (b[1] <= 1 || b[1] == 3)
}

func linkingFits(b []byte) bool {
	if len(b) < 6 || b[5] != 0 {
		return false
	}
	if b[4] != byte(linkTable) {
		return len(b) == 6 && b[4] <= byte(linkReject)
	}
	end := walkTable(b, func(entry) {})
	return end == len(b)
}

func replicationFits(b []byte) bool {
	if len(b) < 14 {
		return false
	}
	at := 14
	for range b[12] {
		if at+3 > len(b) {
			return false
		}
		k := b[at+2]
		at += 3
		for range k {
			if at+3 > len(b) {
				return false
			}
			c := b[at+2]
			at += 3
			for range c {
				if at+2 > len(b) {
					return false
				}
				at += 2 + int(b[at+1])
			}
		}
	}
	for range b[13] {
		if at+3 > len(b) {
			return false
		}
		at += 3 + int(b[at+2])
	}
	return at == len(b)
}

// fits is fitsBuilt or fitsDocumented.
func fits(layout uint8, b []byte) bool {
	if layout == layoutBuilt {
		return fitsBuilt(b)
	}
	return fitsDocumented(b)
}

// decide says which layout a datagram must have, 0 when both or none would do. Only Connection and Disconnection tell
// as built; Acks are the same in both, and the code never sends the others.
func decide(b []byte) uint8 {
	if len(b) < 3 {
		return 0
	}
	switch b[0] {
	case typeConnection, typeDisconnection:
		built, documented := fitsBuilt(b), fitsDocumented(b)
		switch {
		case built && documented && b[0] == typeConnection && b[1] == 0 && b[2] == 0: // a Reject of 5 bytes
			return layoutBuilt
		case built && !documented:
			return layoutBuilt
		case documented && !built:
			return layoutDocumented
		}
	case typeSync, typeLinking, typeReplication, typeMessage:
		if fitsDocumented(b) {
			return layoutDocumented
		}
	}
	return 0
}

// guess is the layout of a datagram in a conversation that nothing decided: as built where a Connection or
// Disconnection has exactly a length of the code, else as documented.
func guess(b []byte) uint8 {
	switch {
	case len(b) > 0 && b[0] == typeAck:
		return layoutOpen
	case fitsBuilt(b):
		return layoutBuilt
	}
	return layoutDocumented
}

// layoutOf is the layout in which a datagram is read, given what is known of its conversation, and how it is known: the
// frames of one conversation are read in one layout. other adds the expert info of a packet that looks like the other.
func layoutOf(known uint8, said bool, b []byte) (layout, how uint8, other bool) {
	how = howBefore
	if said {
		how = howSaid
	}
	switch first := at(b, 0); {
	case first > typeMessage && known == 0:
		return layoutOpen, howGuess, false
	case first > typeMessage:
		return known, how, false
	case first != typeConnection && first != typeDisconnection && first != typeAck: // the code never sends these
		if known == 0 {
			return layoutDocumented, howHere, false
		}
		return known, how, known == layoutBuilt && !said && first != typeSync && fitsDocumented(b)
	}
	switch {
	case known == 0 && decide(b) != 0:
		return decide(b), howHere, false
	case known == 0:
		return guess(b), howGuess, false
	}
	return known, how, !said && !fits(known, b) && fits(3-known, b)
}

// ambiguous reports whether a Disconnection reads as well in the other layout: 4 bytes are the server's as built, or
// the client's as documented without its size byte.
func ambiguous(b []byte) bool { return len(b) == 4 && b[0] == typeDisconnection }

// preferred reports whether such a packet is surely the server's: sequence 1 and a reason that the code knows.
func preferred(b []byte) bool { return b[1] == 1 && b[2] == 0 && b[3] <= 5 }
