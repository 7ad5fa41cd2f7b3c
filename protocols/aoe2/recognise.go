package aoe2

import "remora/dissect"

// recognise says how sure a datagram makes us. What it looks like counts for more where a DirectPlay session of the
// game was seen between the same two hosts, and a time sync that answers one is enough whatever the network ids are.
func recognise(d *dissect.D) dissect.Confidence {
	sure := guessDatagram(d)
	if sure == dissect.No || sure == dissect.Strong || d.CutShort() {
		return sure
	}
	if answers(d, d.Data()) {
		return dissect.Strong
	}
	if met(d) {
		return sure + 1
	}
	return sure
}

// A meeting is the pairs of hosts between which the game's session was searched or found.
type meeting struct {
	pairs dissect.BoundedMap[[2]dissect.Addr, bool]
}

// met reports whether the two hosts spoke of a session of the game before. It runs in the first pass alone.
func met(d *dissect.D) (yes bool) {
	meetings.FirstPassIn(d, func(m *meeting) nothing {
		yes = m.pairs.Find([2]dissect.Addr{d.Src.Addr, d.Dst.Addr}) != nil ||
			m.pairs.Find([2]dissect.Addr{d.Dst.Addr, d.Src.Addr}) != nil
		return nothing{}
	})
	return yes
}

// A question is the last time sync request of a conversation.
type question struct {
	asked [16]byte
	dir   int
}

// answers reports whether a time sync has the time of the request before it, and its ids swapped. It runs in the first
// pass alone.
func answers(d *dissect.D, b []byte) (yes bool) {
	if b[8] != cmdTimeAsk && b[8] != cmdTimeAnswer {
		return false
	}
	questions.FirstPass(d, func(q *question) nothing {
		if b[8] == cmdTimeAsk {
			*q = question{[16]byte(b), d.Dir}
			return nothing{}
		}
		a := q.asked[:]
		yes = a[8] == cmdTimeAsk && q.dir != d.Dir && a[9]|a[10]|a[11] == 0 && le32(a) == le32(b[4:]) &&
			le32(a[4:]) == le32(b) && le32(a[12:]) == le32(b[12:])
		return nothing{}
	})
	return yes
}

// guessDatagram says what a datagram looks like: the strong packets claim both ends, those with network ids that are
// neighbours need two in a row, and the rest counts only where an end is known or on the game's ports.
func guessDatagram(d *dissect.D) dissect.Confidence {
	b := d.Data()
	if len(b) < 16 {
		return dissect.No
	}
	cmd := b[8]
	if _, known := commands[uint64(cmd)]; !known {
		return dissect.No
	}
	if d.CutShort() {
		return dissect.Weak
	}
	source, destination := le32(b), le32(b[4:])
	if source == 0 || source == destination || fixed[cmd] != 0 && fixed[cmd] != len(b) {
		return dissect.No
	}
	if !long(cmd) && (cmd == cmdTimeAsk || cmd == cmdTimeAnswer || cmd == cmdCounter) {
		return pair(b, source, destination)
	}
	guess := dissect.No
	switch {
	case !long(cmd):
		guess = guessLobby(b)
	case len(b) >= headerLong+2:
		guess = broadcast(b, cmd)
	}
	if destination == 0 || guess == dissect.No {
		return guess
	}
	// To one player alone none of these was seen.
	if guess == dissect.Strong && neighbours(source, destination) {
		return dissect.Likely
	}
	return dissect.Weak
}

// neighbours reports whether two network ids may be of one game: they share their upper three bytes and are an even
// number apart.
func neighbours(a, b uint32) bool {
	return a>>8 == b>>8 && a>>8 != 0 && min(a-b, b-a) <= 2*maxPlayers && (a-b)%2 == 0
}

// pair tests the packets from one player to one other: 16 bytes are little, but the network ids of a game are
// neighbours, an even number apart.
func pair(b []byte, source, destination uint32) dissect.Confidence {
	if destination == 0 {
		return dissect.No
	}
	zero := b[9]|b[10]|b[11] == 0
	if b[8] == cmdTimeAsk && !zero {
		return dissect.Weak
	}
	if neighbours(source, destination) {
		return dissect.Likely
	}
	return dissect.Weak
}

// guessLobby tests 24BC35 and 24BC52, both to everybody.
func guessLobby(b []byte) dissect.Confidence {
	options := [3]byte{b[9], b[10], b[11]}
	if b[8] == cmdConnect {
		if connectState(options) != connectOther {
			return dissect.Strong
		}
		return dissect.Weak
	}
	if (options == [3]byte{1, 0x1E, 0} || options == [3]byte{}) && le32(b[16:]) == 0 && b[13] <= 8 {
		return dissect.Likely
	}
	return dissect.Weak
}

// broadcast tests the packets to everybody with the long header.
func broadcast(b []byte, cmd byte) dissect.Confidence {
	turn := le32(b[12:])
	switch cmd {
	case cmdChat:
		return guessChat(b)
	case cmdTurn:
		if b[20] == cmdTurn && le32(b[24:]) <= turn {
			return dissect.Strong
		}
	case cmdCheck:
		if turn >= 2 && le32(b[24:]) == turn-2 {
			return dissect.Strong
		}
	case cmdAction:
		size, fits, sure := measure(b[headerLong:])
		switch {
		case fits && size == len(b)-headerLong && sure:
			return dissect.Strong
		case fits && size == len(b)-headerLong:
			return dissect.Likely
		}
	case cmdContinue:
		if back := turn - le32(b[20:]); back < 1<<16 {
			return dissect.Likely
		}
	case cmdLobbyTurn:
		if le16(b[24:]) == uint16(turn) {
			return dissect.Likely
		}
	case cmdSettings:
		if len(b) < settingsSize {
			return dissect.No
		}
		for i := range 8 {
			if le32(b[24+4*i:]) == le32(b) {
				return dissect.Likely
			}
		}
	}
	return dissect.Weak
}

// guessChat tests a chat: receivers of Y and N, the constants behind them, and a NUL behind the text.
func guessChat(b []byte) dissect.Confidence {
	if len(b) < 38 || !isReceivers(b[22:30]) || b[30] != 0x32 || b[31] != 0 {
		return dissect.Weak
	}
	some := false
	for _, c := range b[22:30] {
		some = some || c == 'Y'
	}
	for _, c := range b[37:] {
		if c == 0 && some {
			return dissect.Strong
		}
	}
	return dissect.Weak
}
