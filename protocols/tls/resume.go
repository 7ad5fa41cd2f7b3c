package tls

import (
	"crypto/sha256"

	"remora/dissect"
	"remora/protocols/internal/keylog"
)

// Sessions of TLS 1.2 go on with the secret of an earlier one, which the key log need not hold again. What names a
// session, its ID or its ticket, leads to the client's random of the first.
type earlier struct{ sessions map[[32]byte]origination }

// An origination is where a session began: the client's random, and the master secret if a key gave it.
type origination struct {
	random [32]byte
	own    []byte
}

var resumptions = dissect.NewStore[earlier, struct{}]()

// maxEarlier bounds the sessions remembered.
const maxEarlier = 1 << 16

// remember keeps the name of a session. It serves the first pass, as recall does.
func (s *session) remember(d *dissect.D, name []byte) {
	if len(name) == 0 {
		return
	}
	origin := origination{s.origin, s.own}
	resumptions.FirstPassIn(d, func(e *earlier) struct{} {
		if e.sessions == nil || len(e.sessions) >= maxEarlier {
			e.sessions = map[[32]byte]origination{}
		}
		e.sessions[sha256.Sum256(name)] = origin
		return struct{}{}
	})
}

// recall finds the session that one of the names leads to.
func (s *session) recall(d *dissect.D, names ...string) {
	resumptions.FirstPassIn(d, func(e *earlier) struct{} {
		for _, name := range names {
			if origin, ok := e.sessions[sha256.Sum256([]byte(name))]; ok && name != "" {
				s.origin, s.own = origin.random, origin.own
			}
		}
		return struct{}{}
	})
}

// labelMaster is the word for master secrets in a key log.
const labelMaster = "CLIENT_RANDOM"

// master is the session's master secret: its own, or that of the session it goes on with.
func (s *session) master(d *dissect.D) []byte {
	if s.own != nil {
		return s.own
	}
	secret := d.Session().Secret(keylog.TLS, labelMaster, s.clientRandom[:])
	if secret != nil || s.origin == s.clientRandom {
		return secret
	}
	return d.Session().Secret(keylog.TLS, labelMaster, s.origin[:])
}
