package kaillera

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"remora/dissect"
)

// recognise says how sure a datagram's look makes us. HELLO, HELLOD00D, a login that begins a session and bundles of
// two and more sound messages are enough at once; a single sound message needs another datagram like it. PING, PONG,
// TOO and messages without contents of their own count only where an end is known or on the control port.
func recognise(d *dissect.D) dissect.Confidence {
	b := d.Data()
	if len(b) == 0 {
		return dissect.No
	}
	if kind, _ := connectForm(b); kind != 0 {
		if isHello(b) || isAccept(b) {
			return dissect.Strong
		}
		return dissect.Weak
	}
	if b[0] == 0 || b[0] > maxPieces || len(b) < 7 {
		return dissect.No
	}
	return guessBundle(b, d.CutShort())
}

// onControlPort takes what has the exact form of a packet, and bundles that the capture cut short: the port alone says
// nothing.
func onControlPort(d *dissect.D) bool {
	b := d.Data()
	if kind, _ := connectForm(b); kind != 0 {
		return true
	}
	if len(b) < 7 || b[0] == 0 || b[0] > maxPieces {
		return false
	}
	count, _, end := soundPieces(b)
	return count == int(b[0]) && end == len(b) || count > 0 && d.CutShort()
}

// isHello and isAccept are the forms that nobody else sends: a version of three digits; a port.
func isHello(b []byte) bool {
	return len(b) == 10 && digits(b[5:6]) && b[6] == '.' && digits(b[7:9]) && b[9] == 0 && string(b[:5]) == helloWord
}

func isAccept(b []byte) bool {
	if !bytes.HasPrefix(b, []byte(acceptWord)) || len(b) < 11 || len(b) > 15 {
		return false
	}
	port, ok := portOf(b[9 : len(b)-1])
	return ok && port > 0 && port <= 65535
}

// guessBundle tests a bundle. Recognition accepts up to maxCommon messages in it.
func guessBundle(b []byte, cut bool) dissect.Confidence {
	declared := int(b[0])
	count, last, at := soundPieces(b)
	switch {
	case count == declared && at == len(b) && declared <= maxCommon &&
		(count >= 2 || last.typ == userLogin && last.number == 0):
		return dissect.Strong
	case count == declared && at == len(b) && last.typ != keepAlive && last.typ != gameCache &&
		last.typ != ready:
		return dissect.Likely
	case cut && count >= 2:
		return dissect.Likely
	}
	return guessWeak(b, cut)
}

const maxCommon = 15

// soundPieces counts the messages of a bundle up to the first that is not sound or not numbered as the next: the last
// of them, and where it ends.
func soundPieces(b []byte) (count int, last piece, end int) {
	for end = 1; count < int(b[0]); count++ {
		var p piece
		if !p.parse(b, end) || !p.whole() || p.typ == 0 || p.typ > serverInfo || count > 0 && p.number != last.number-1 ||
			!sound(&p) {
			break
		}
		last = p
		end += 4 + p.length
	}
	return count, last, end
}

// evidence says of a packet what makes it one of Kaillera.
func evidence(d *dissect.D) string {
	b := d.Data()
	if kind, _ := connectForm(b); kind != 0 {
		return "the exact words of the connect phase"
	}
	if len(b) < 7 || b[0] == 0 {
		return ""
	}
	switch count, _, end := soundPieces(b); {
	case count != int(b[0]) || end != len(b):
		return ""
	case count == 1:
		return "1 message fits exactly"
	default:
		return fmt.Sprintf("%d messages fit exactly", count)
	}
}

// guessWeak reports whether a datagram may be a bundle, be it a damaged one: its first message has a type that is known
// and ends within the datagram, or lies about its length.
func guessWeak(b []byte, cut bool) dissect.Confidence {
	var p piece
	if !p.parse(b, 1) || p.typ > retryConnect || p.length == 0 || p.length > 4096 {
		return dissect.No
	}
	if p.length > len(b)-5 && !cut && b[0] > 15 {
		return dissect.No
	}
	return dissect.Weak
}

// sound reports whether a body has exactly the structure of its type, with values that its fields can have.
func sound(p *piece) bool {
	s := scan{b: p.body}
	if p.length < 2 || p.typ >= typeCount || grammars[p.typ] == "" || !s.walk(grammars[p.typ]) || s.at != len(p.body) {
		return false
	}
	b := p.body
	switch p.typ {
	case serverAck, clientAck:
		return b[0] == 0 && len(b) == 17 && counting(b[1:])
	case keepAlive, ready:
		return len(b) == 1 && b[0] == 0
	case gameData, gameCache, gameStatus, kick, closeGame, startGame, playerInfo:
		return b[0] == 0 && (p.typ != gameStatus || b[5] <= 2)
	case userJoined, userLogin, joinGame:
		return b[len(b)-1] <= 6 && readable(b, p.typ)
	}
	return readable(b, p.typ)
}

// counting tests the four numbers 0, 1, 2, 3 of an ACK.
func counting(b []byte) bool {
	for i := range 4 {
		if binary.LittleEndian.Uint32(b[4*i:]) != uint32(i) {
			return false
		}
	}
	return true
}

// readable reports whether the leading strings of a body hold no control characters but those of running text.
func readable(b []byte, typ uint8) bool {
	s := scan{b: b}
	for i := 0; i < len(grammars[typ]); i++ {
		switch c := grammars[typ][i]; c {
		case 's':
			for _, c := range s.str().text {
				if c < 0x20 && c != '\t' && c != '\n' && c != '\r' {
					return false
				}
			}
		case '1', '2', '4':
			s.take(int(c - '0'))
		default:
			return true
		}
	}
	return true
}

func digits(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(b) > 0
}
