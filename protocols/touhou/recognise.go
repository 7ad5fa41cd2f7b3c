package touhou

import "remora/dissect"

// recognise says how sure a datagram's look makes us: the strong packets claim both ends, inputs need two in a row,
// and what is too short to tell counts only where an end is known or on the game's own port.
func recognise(d *dissect.D) dissect.Confidence {
	b := d.Data()
	if len(b) == 0 {
		return dissect.No
	}
	if d.CutShort() {
		if n, known := length(b); known && n == len(b)+d.Missing() {
			return dissect.Weak
		}
		return dissect.No
	}
	if strong(b) {
		return dissect.Strong
	}
	if isInput(b) {
		return dissect.Likely
	}
	if n, known := length(b); known && n == len(b) || b[0] == hostGame && overwritten(b, 0) {
		return dissect.Weak
	}
	return dissect.No
}

// strong tests the packets that nobody else sends.
func strong(b []byte) bool {
	switch {
	case len(b) == 37 && b[0] == hello:
		return isSocket(b[1:]) && isSocket(b[17:]) && b[5] != 0 && b[5] < 224
	case len(b) == 21 && b[0] == punch:
		return isSocket(b[1:]) && le32(b[17:]) == 0
	case len(b) == 69 && b[0] == redirect:
		return isSocket(b[5:]) && le32(b[1:]) >= 1 && le32(b[1:]) <= 16
	case len(b) == 65 && b[0] == initRequest:
		return b[21] == 40 && b[22] == 0 && (b[25] == 0 || b[25] == 1 && b[26] <= 31 && b[27+int(b[26])] == 0)
	case len(b) == 81 && b[0] == initSuccess:
		return le16(b[9:]) == 68 && isSpectate(le32(b[5:]), true)
	case len(b) == 13 && b[0] == initSuccess:
		return le16(b[9:]) == 0 && isSpectate(le32(b[5:]), false)
	case len(b) > 4 && b[0] == hostGame && b[1] == subReplay:
		return int(b[2]) == len(b)-3 && b[3] == 0x78 && b[4] == 0x9c
	case len(b) > 10 && (b[0] == hostGame || b[0] == clientGame) && b[1] == subMatch:
		n, _ := gameLength(b)
		host, client := b[5], at(b, 10+2*int(b[5]))
		return n == len(b) && isDeck(host) && isDeck(client) && host+client > 0
	}
	return false
}

// isSocket tests a sockaddr: family 2 and a port.
func isSocket(b []byte) bool { return b[0] == 2 && b[1] == 0 && (b[2] != 0 || b[3] != 0) }

func isSpectate(v uint32, zero bool) bool { return v == 0x10 || v == 0x11 || zero && v == 0 }

func isDeck(n byte) bool { return n == 0 || n == 20 }

// isInput tests a GAME_INPUT: two in a row are enough.
func isInput(b []byte) bool {
	return len(b) >= 10 && (b[0] == hostGame || b[0] == clientGame) && b[1] == subInput &&
		(b[6] == sceneSelect || b[6] == sceneBattle) &&
		b[7] >= 1 && len(b) == 8+2*int(b[7]) && le32(b[2:]) < 1<<24
}
