package dissect

import (
	"bytes"
	"maps"
	"math"
	"slices"

	"remora/capture"
)

// Keys says which secrets a protocol decrypts with, and where they come from: from a file that a person names, and from
// the capture itself. Protocols that share them declare one Keys.
type Keys struct {
	Flag  string // of the command line, for the file
	Short string // its letter; "" for none
	Help  string // what the flag does, with the file's word in `backquotes`
	Env   string // the environment variable that names the file where no flag does; "" for none
	Block uint32 // their sort in Decryption Secrets Blocks of pcapng (draft, section 4.7); 0 for none
	Sort  string // what editcap calls that sort; "" for none

	// Preference names the file where neither the flag nor the environment does; nil for none.
	Preference *Preference

	// Open reads a file, which may appear and grow later.
	Open func(path string) (Secrets, error)
	// New are no secrets yet; those of a capture's blocks are added.
	New func() GrowingSecrets
}

// Secrets are the keys with which encrypted traffic can be read: by the label of the secret and what tells the
// connection, for TLS the client's random. A secret that is not known is nil. Secrets may become known later; they are
// asked for in the first pass alone, from its goroutine.
type Secrets interface {
	Secret(label string, id []byte) []byte
}

// GrowingSecrets are Secrets to which the contents of a block are added.
type GrowingSecrets interface {
	Secrets
	Add(block []byte)
}

// KeysOf are the Keys that plugins declare, each once, in the order of the plugins.
func KeysOf(plugins []Plugin) (out []*Keys) {
	for i := range plugins {
		if k := plugins[i].Keys; k != nil && !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out
}

// Keys are those that the registry's plugins declare.
func (r *Registry) Keys() []*Keys { return KeysOf(r.plugins) }

// SetSecrets gives the secrets of Keys, or nil for none, to the sessions that are made from now on.
func (r *Registry) SetSecrets(k *Keys, s Secrets) {
	all := map[*Keys]Secrets{}
	if was := r.secrets.Load(); was != nil {
		maps.Copy(all, *was)
	}
	all[k] = s
	r.secrets.Store(&all)
}

// Secrets are those that SetSecrets gave, or nil.
func (r *Registry) Secrets(k *Keys) Secrets {
	if all := r.secrets.Load(); all != nil {
		return (*all)[k]
	}
	return nil
}

// capturedSecrets are those that a capture itself holds.
type capturedSecrets struct {
	secrets GrowingSecrets
	blocks  int // that were looked at
}

// add takes what the capture has in front of a packet beyond what was taken before.
func (c *capturedSecrets) add(k *Keys, store *capture.Store, packet int) {
	found, next := store.Secrets(k.Block, c.blocks, packet)
	c.blocks = next
	for _, b := range found {
		if c.secrets == nil {
			c.secrets = k.New()
		}
		c.secrets.Add(b)
	}
}

// CapturedSecrets are those that a capture itself holds so far, or nil.
func CapturedSecrets(k *Keys, store *capture.Store) Secrets {
	c := capturedSecrets{}
	if c.add(k, store, math.MaxInt); c.secrets == nil {
		return nil
	}
	return c.secrets
}

// HasSecrets tells whether there are any secrets of Keys, be it of other connections. It serves the first pass.
func (hd *SessionState) HasSecrets(k *Keys) bool {
	d := (*D)(hd)
	return d.reg.Secrets(k) != nil || d.first && d.captured(k) != nil
}

// captured are the secrets that the capture holds in front of the packet, or nil.
func (d *D) captured(k *Keys) Secrets {
	c := d.s.secrets[k]
	if c == nil {
		c = &capturedSecrets{}
		d.s.secrets[k] = c
	}
	c.add(k, d.s.store, int(d.Frame)-1)
	d.settle()
	if c.secrets == nil {
		return nil
	}
	return c.secrets
}

// Secret asks for a secret of Keys: what the registry was given, and then the capture itself. It belongs into the
// closures of Store.FirstPass: what comes of it must be kept in notes or on a List.
func (hd *SessionState) Secret(k *Keys, label string, id []byte) []byte {
	d := (*D)(hd)
	d.alive()
	if !d.first {
		return nil
	}
	if given := d.reg.Secrets(k); given != nil {
		if secret := given.Secret(label, id); secret != nil {
			hd.Used(k, label, id, secret)
			return secret
		}
	}
	captured := d.captured(k)
	if captured == nil {
		return nil
	}
	secret := captured.Secret(label, id)
	hd.Used(k, label, id, secret)
	return secret
}

// A UsedSecret is one that the capture was decrypted with.
type UsedSecret struct {
	Label      string
	ID, Secret []byte
}

// usedSecrets are those of one sort, each once, in the order of their use.
type usedSecrets struct {
	known map[string]bool
	list  []UsedSecret
}

// maxUsed bounds the secrets that are listed.
const maxUsed = 1 << 18

// Used lists a secret for Session.UsedSecrets, where the registry was told to list them. It serves plugins that make
// secrets of other keys, in the closures of Store.FirstPass; what Secret gives is listed by itself.
func (hd *SessionState) Used(k *Keys, label string, id, secret []byte) {
	d := (*D)(hd)
	if !d.reg.ListSecrets || !d.first || secret == nil {
		return
	}
	u := d.s.used[k]
	if u == nil {
		u = &usedSecrets{known: map[string]bool{}}
		d.s.used[k] = u
	}
	if name := label + string(id); !u.known[name] && len(u.list) < maxUsed {
		u.known[name] = true
		u.list = append(u.list, UsedSecret{label, bytes.Clone(id), bytes.Clone(secret)})
	}
}

// UsedSecrets are the secrets of Keys that the packets so far were decrypted with, where the registry lists them. It
// belongs behind the first pass, into its goroutine.
func (s *Session) UsedSecrets(k *Keys) []UsedSecret {
	if u := s.used[k]; u != nil {
		return u.list
	}
	return nil
}
