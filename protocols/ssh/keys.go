package ssh

import (
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"math/big"
	"strings"

	"remora/dissect"
	"remora/internal/crypt"
	"remora/protocols/internal/keylog"
)

// secrets are what SSH is decrypted with: lines of the cookie that a side sent in its Key Exchange Init and its private
// key, as Wireshark 4.0 reads them, or the secret that both sides agreed on, as later versions do.
var secrets = &dissect.Keys{
	Flag: "ssh-keylog", Block: 0x5353484b, Sort: "ssh",
	Help: "read SSH with the keys of `FILE` (lines such as COOKIE PRIVATE_KEY or COOKIE SHARED_SECRET SECRET)",
	Preference: proto.Text("keylog_file", "Key log filename",
		"The file of keys: lines of a cookie and a private key, or a cookie, SHARED_SECRET and the secret.").
		Begins(keylog.Begins(line)),
	Open: func(path string) (dissect.Secrets, error) { return keylog.OpenOf(line, path) },
	New:  func() dissect.GrowingSecrets { return keylog.NewOf(line, nil) },
}

// The labels under which keys are kept, by the cookie.
const (
	labelPrivate = "PRIVATE_KEY"
	labelShared  = "SHARED_SECRET"
)

// line reads one line of a log.
func line(keep keylog.Keep, text string) {
	words, label := strings.Fields(text), labelPrivate
	if len(words) == 3 {
		label = words[1]
		words = append(words[:1], words[2])
	}
	if len(words) != 2 || label != labelPrivate && label != labelShared {
		return
	}
	cookie, err1 := hex.DecodeString(words[0])
	key, err2 := hex.DecodeString(words[1])
	if err1 == nil && err2 == nil && len(cookie) == cookieSize && len(key) > 0 && len(key) <= maxNumber {
		keep(label, cookie, key)
	}
}

const (
	cookieSize = 16
	maxNumber  = 1025 // bytes of a number in a group of 8192 bits, with its sign
)

// An agreement is what the two sides tell each other to agree on keys.
type agreement struct {
	lines  [2]string // in which the client and the server introduce themselves
	inits  [2][]byte // their Key Exchange Init
	public [2][]byte // what they make public of their keys
	host   []byte    // the server's key
	asked  []byte    // the sizes of the group that the client asks for
	group  [2][]byte // that the server makes: the prime and the generator
}

// hash is the digest of the agreement (RFC 4253 section 8, RFC 4419 section 3, RFC 5656 section 4).
func (a *agreement) hash(h hash.Hash, shared []byte) []byte {
	put := func(b []byte) {
		h.Write(binary.BigEndian.AppendUint32(nil, uint32(len(b))))
		h.Write(b)
	}
	for _, l := range a.lines {
		put([]byte(l))
	}
	for _, b := range a.inits {
		put(b)
	}
	put(a.host)
	if a.asked != nil {
		h.Write(a.asked)
		put(a.group[0])
		put(a.group[1])
	}
	put(a.public[0])
	put(a.public[1])
	put(shared)
	return h.Sum(nil)
}

// hashOf is the digest of a key exchange.
func hashOf(kex string) func() hash.Hash {
	switch {
	case strings.Contains(kex, "sha512"), strings.HasSuffix(kex, "nistp521"):
		return sha512.New
	case strings.Contains(kex, "sha384"), strings.HasSuffix(kex, "nistp384"):
		return sha512.New384
	case strings.Contains(kex, "sha256"), strings.HasSuffix(kex, "nistp256"):
		return sha256.New
	case strings.HasSuffix(kex, "sha1"):
		return sha1.New
	}
	return nil
}

// isHybrid tells whether a key exchange agrees on a row of bytes instead of a number.
func isHybrid(kex string) bool {
	return strings.HasPrefix(kex, "sntrup") || strings.HasPrefix(kex, "mlkem")
}

// shared is what both sides agreed on, as it goes into digests, or why no key gives it.
func (a *agreement) shared(d *dissect.D, kex string) (secret []byte, why uint8) {
	for side, init := range a.inits {
		cookie := init[1 : 1+cookieSize]
		if secret := d.Session().Secret(secrets, labelShared, cookie); secret != nil {
			if !isHybrid(kex) {
				secret = number(secret)
			}
			return secret, 0
		}
		private := d.Session().Secret(secrets, labelPrivate, cookie)
		if private == nil {
			continue
		}
		switch other := a.public[1-side]; {
		case strings.HasPrefix(kex, "diffie-hellman"):
			secret = a.power(d, kex, other, private)
		case strings.HasPrefix(kex, "curve25519"): // RFC 8731
			secret = number(crypt.X25519(private, other))
		}
		if secret == nil {
			why = whyExchange
		}
		return secret, why
	}
	return nil, whyMissing
}

// number is a positive number as SSH writes it (RFC 4251 section 5).
func number(b []byte) []byte {
	for len(b) > 0 && b[0] == 0 {
		b = b[1:]
	}
	if len(b) > 0 && b[0] >= 0x80 {
		b = append([]byte{0}, b...)
	}
	return b
}

// power is the secret of Diffie and Hellman.
func (a *agreement) power(d *dissect.D, kex string, public, private []byte) []byte {
	p := new(big.Int).SetBytes(a.group[0])
	if a.asked == nil {
		p = prime(kex)
	}
	if p == nil || p.BitLen() < 64 || len(a.group[0]) > maxNumber || len(public) > maxNumber {
		return nil
	}
	d.Spend(p.BitLen() * (16 + len(private)/4))
	x, e := new(big.Int).SetBytes(public), new(big.Int).SetBytes(private)
	return number(x.Exp(x, e, p).Bytes())
}

// fixed are the groups that have a name (RFC 2409 section 6.2, RFC 3526): the bits, and what is added to the digits of
// pi that they are made of.
var fixed = map[string][2]int64{"group1": {1024, 129093}, "group14": {2048, 124476}, "group15": {3072, 1690314},
	"group16": {4096, 240904}, "group17": {6144, 929484}, "group18": {8192, 4743158}}

// prime is 2^n - 2^(n-64) - 1 + 2^64 * (floor(2^(n-130) * pi) + k).
func prime(kex string) *big.Int {
	name, _, _ := strings.Cut(strings.TrimPrefix(kex, "diffie-hellman-"), "-")
	g, ok := fixed[name]
	if !ok {
		return nil
	}
	n := uint(g[0])
	one, more := big.NewInt(1), pi(n-130)
	more.Add(more, big.NewInt(g[1])).Lsh(more, 64)
	p := new(big.Int).Lsh(one, n)
	p.Sub(p, new(big.Int).Lsh(one, n-64)).Sub(p, one)
	return p.Add(p, more)
}

// pi is floor(2^bits * pi), by Machin's formula: 16 arctan(1/5) - 4 arctan(1/239).
func pi(bits uint) *big.Int {
	const guard = 64
	one := new(big.Int).Lsh(big.NewInt(1), bits+guard)
	arctan := func(x int64) *big.Int {
		sum, term, square := new(big.Int), new(big.Int).Div(one, big.NewInt(x)), big.NewInt(x*x)
		for i := range int64(bits) + guard { // each has more than a bit less
			part := new(big.Int).Div(term, big.NewInt(2*i+1))
			if term.Sign() == 0 {
				break
			}
			if i%2 == 1 {
				part.Neg(part)
			}
			sum.Add(sum, part)
			term.Div(term, square)
		}
		return sum
	}
	a, b := arctan(5), arctan(239)
	a.Lsh(a, 4).Sub(a, b.Lsh(b, 2))
	return a.Rsh(a, guard)
}
