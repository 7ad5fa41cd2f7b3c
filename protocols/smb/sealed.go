package smb

import (
	"crypto/aes"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"

	"remora/dissect"
	"remora/internal/crypt"
)

var pKeys = proto.Rows("smb2_seskey_list", "Secret session keys for decryption",
	"Sessions, by their number as it stands in packets, with the session key, or with the keys of one or both "+
		"directions. Numbers and keys are hexadecimal digits.", "Session ID", "Session Key", "Server-to-Client",
	"Client-to-Server").
	Checked(func(s dissect.Setting) error {
		for _, row := range s.Rows {
			if _, err := sessionKeysOf(row); err != nil {
				return err
			}
		}
		return nil
	})

var nSealed = proto.Expert("header.transform.not_decrypted", dissect.Hint, "The messages are not decrypted")

// Ciphers (MS-SMB2 section 2.2.3.1.2).
const (
	ccm128 = iota + 1
	gcm128
	ccm256
	gcm256
)

// sessionKeys are what a person knows of a session: the key that all others are made of, or those of the directions.
type sessionKeys struct {
	id                         uint64
	secret, toClient, toServer []byte
}

func sessionKeysOf(row []string) (k sessionKeys, err error) {
	id, err := hex.DecodeString(row[0])
	if err != nil || len(id) != 8 {
		return k, fmt.Errorf("the session %q is no number of 8 bytes in hexadecimal digits, as it stands in packets", row[0])
	}
	k.id = binary.LittleEndian.Uint64(id)
	for i, to := range []*[]byte{&k.secret, &k.toClient, &k.toServer} {
		if *to, err = hex.DecodeString(row[1+i]); err != nil {
			return k, fmt.Errorf("the key %q is not in hexadecimal digits", row[1+i])
		}
		if n := len(*to); n > 16 && n != 32 || i == 0 && n > 16 || i > 0 && n%16 != 0 {
			return k, fmt.Errorf("the key %q has %d bytes; a session key has 16, that of a direction 16 or 32", row[1+i], n)
		}
	}
	if len(k.secret)+len(k.toClient)+len(k.toServer) == 0 {
		return k, errors.New("a session has neither a session key nor one of a direction")
	}
	return k, nil
}

// A sealKey decrypts the messages of one direction of a session.
type sealKey struct {
	Cipher uint8
	Key    [32]byte
}

// sealKeys are those that have decrypted something.
var sealKeys = dissect.NewList[sealKey]()

// A sealNote says which key decrypts a message, or why none does.
type sealNote struct {
	Key uint32
	Why uint8
}

// Why a message is not decrypted.
const (
	whyUnknown = iota + 1 // no key of the session is given
	whyUnseen             // the messages that the keys are made with were not captured
	whyWrong              // none of the keys fits
	whyCut                // a part of the message was not captured
)

var whys = [...]string{whyUnknown: "no key of this session is given (smb2_seskey_list)",
	whyUnseen: "the setup of the session, with which its keys are made, was not captured whole",
	whyWrong:  "the keys of this session do not fit", whyCut: "the messages were not captured whole"}

// hash is that of the messages with which a session is set up.
type hash [sha512.Size]byte

func (h hash) with(message []byte) hash { return sha512.Sum512(append(h[:], message...)) }

// A sealState is what keys are made of: what was agreed on, and the messages that set up sessions.
type sealState struct {
	dialect  uint64
	cipher   uint8
	agreed   hash // of the messages that agreed on the rest
	setups   dissect.BoundedMap[uint64, hash]
	asked    dissect.BoundedMap[uint64, hash]
	sessions dissect.BoundedMap[uint64, sealed]
	cut      bool // one of these messages is not whole
}

// sealed is a session: the keys that fit so far, by direction, and those to try.
type sealed struct {
	known bool
	final hash
	fits  [2]uint32
	wrong int // messages that no key fitted
}

var seals = dissect.NewStore[sealState, sealNote]()

const (
	maxSessions = 256
	// maxWrong is for how many messages of a session keys are tried in vain.
	maxWrong = 64
)

// prepare takes a message that sets up a session.
func prepare(d *dissect.D, b []byte, m *reader) {
	if m.cmd > cmdSetup || len(b) < 64 {
		return
	}
	seals.FirstPass(d, func(s *sealState) sealNote {
		id, session := little(b, 24, 8), little(b, 40, 8)
		d.Spend(len(b))
		if d.CutShort() || d.Missing() > 0 {
			defer func() { s.cut = true }()
		}
		switch {
		case m.cmd == 0 && !m.response:
			*s = sealState{agreed: hash{}.with(b)}
		case m.cmd == 0:
			s.agree(b)
		case !m.response:
			before := s.agreed
			if h := s.setups.Get(session, maxSessions); session != 0 && *h != (hash{}) {
				before = *h
			}
			*s.asked.Get(id, maxSessions) = before.with(b)
		default:
			h := *s.asked.Get(id, maxSessions)
			if m.status != 0 {
				*s.setups.Get(session, maxSessions) = h.with(b)
				break
			}
			*s.sessions.Get(session, maxSessions) = sealed{known: h != (hash{}) && !s.cut, final: h}
			*s.setups.Get(session, maxSessions) = hash{}
		}
		return sealNote{}
	})
}

// agree takes the response that says the dialect and the cipher.
func (s *sealState) agree(b []byte) {
	s.dialect, s.agreed = little(b, 68, 2), s.agreed.with(b)
	if s.dialect == 0x300 || s.dialect == 0x302 {
		s.cipher = ccm128
	}
	if s.dialect != 0x311 {
		return
	}
	at := int(little(b, 124, 4))
	for n, p := int(little(b, 70, 2)), (dissect.Progress{}); n > 0 && at+8 <= len(b) && p.Up(at); n-- {
		size := int(little(b, at+2, 2))
		if little(b, at, 2) == 2 && size >= 4 {
			s.cipher = uint8(little(b, at+10, 2))
		}
		at += (8 + size + 7) &^ 7
	}
}

// open finds the key of a message and keeps it.
func (s *sealState) open(d *dissect.D, header, body []byte) sealNote {
	id := little(header, 44, 8)
	x := s.sessions.Get(id, maxSessions)
	if n := x.fits[d.Dir]; n != 0 {
		if k := sealKeys.At(d, n); k.open(d, header, body) != nil {
			return sealNote{Key: n}
		}
	}
	if x.wrong >= maxWrong {
		return sealNote{Why: whyWrong}
	}
	why := uint8(whyUnknown)
	for _, row := range pKeys.Rows(d) {
		given, err := sessionKeysOf(row)
		if err != nil || given.id != id {
			continue
		}
		candidates := s.candidates(given, x)
		if why = whyWrong; len(candidates) == 0 {
			why = whyUnseen
		}
		for _, k := range candidates {
			if k.open(d, header, body) != nil {
				x.fits[d.Dir] = sealKeys.Put(d, k)
				return sealNote{Key: x.fits[d.Dir]}
			}
		}
	}
	if why == whyWrong {
		x.wrong++
	}
	return sealNote{Why: why}
}

// candidates are the keys to try, for both directions: who is the server is not always seen.
func (s *sealState) candidates(given sessionKeys, x *sealed) (out []sealKey) {
	ciphers := []uint8{s.cipher}
	if s.cipher == 0 {
		ciphers = []uint8{gcm128, ccm128, gcm256, ccm256}
	}
	for _, c := range ciphers {
		size := 16
		if c >= ccm256 {
			size = 32
		}
		for i, key := range [][]byte{given.toServer, given.toClient} {
			if len(key) == 0 {
				key = s.derive(given.secret, x, i, size)
			}
			if len(key) == size {
				k := sealKey{Cipher: c}
				copy(k.Key[:], key)
				out = append(out, k)
			}
		}
	}
	return out
}

// derive makes the key of a direction of the session's (MS-SMB2 section 3.1.4.2): 0 is to the server.
func (s *sealState) derive(secret []byte, x *sealed, way, size int) []byte {
	if len(secret) == 0 || s.dialect < 0x300 {
		return nil
	}
	label, context := "SMB2AESCCM\x00", []byte([]string{"ServerIn \x00", "ServerOut\x00"}[way])
	if s.dialect >= 0x311 {
		if !x.known {
			return nil
		}
		label, context = []string{"SMBC2SCipherKey\x00", "SMBS2CCipherKey\x00"}[way], x.final[:]
	}
	return counted(append(secret, make([]byte, 16-len(secret))...), label, context, size)
}

// counted makes a key of another (NIST SP 800-108, in counter mode with HMAC-SHA256).
func counted(secret []byte, label string, context []byte, size int) []byte {
	m := hmac.New(sha256.New, secret)
	m.Write([]byte{0, 0, 0, 1})
	m.Write([]byte(label))
	m.Write([]byte{0})
	m.Write(context)
	m.Write(binary.BigEndian.AppendUint32(nil, uint32(size)*8))
	return m.Sum(nil)[:size]
}

// open decrypts a message, or gives nil. The header is the 52 bytes in front.
func (k sealKey) open(d *dissect.D, header, body []byte) []byte {
	d.Spend(len(body))
	size := 16
	if k.Cipher >= ccm256 {
		size = 32
	}
	block, err := aes.NewCipher(k.Key[:size])
	if err != nil {
		return nil
	}
	aead, err := crypt.NewGCM(block, 16)
	if k.Cipher == ccm128 || k.Cipher == ccm256 {
		aead, err = crypt.NewCCM(block, 11, 16)
	}
	if err != nil {
		return nil
	}
	wire := append(append(make([]byte, 0, len(body)+16), body...), header[4:20]...)
	plain, err := aead.Open(wire[:0:0], header[20:20+aead.NonceSize()], wire, header[20:52])
	if err != nil || len(plain) < 4 {
		return nil
	}
	return plain
}

// decrypted shows what a key opens, and reads it; it tells whether one does.
func decrypted(d *dissect.D, header []byte, size int) bool {
	body := d.Data()
	whole := len(header) >= 52 && size <= len(body)
	note := seals.FirstPass(d, func(s *sealState) sealNote {
		if !whole {
			return sealNote{Why: whyCut}
		}
		return s.open(d, header, body[:size])
	})
	if note.Why != 0 && len(pKeys.Rows(d)) > 0 {
		d.ExpertText(nSealed, "The messages are not decrypted: "+whys[note.Why])
	}
	if note.Key == 0 || !whole {
		return false
	}
	plain := sealKeys.At(d, note.Key).open(d, header, body[:size])
	if plain == nil {
		return false
	}
	d.Info().Setf("Decrypted SMB3;")
	d.Bytes(fSecret, size)
	d.Below(func() { d.From("Decrypted SMB3", plain, func() { packet(d) }) })
	return true
}
