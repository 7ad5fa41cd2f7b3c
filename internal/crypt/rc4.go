package crypt

// RC4 is the state of the stream cipher, a plain value: unlike that of the standard library it can be kept, to go on
// from the middle of a stream.
type RC4 struct {
	s    [256]uint8
	i, j uint8
}

// NewRC4 is the state with which a stream begins.
func NewRC4(key []byte) (c RC4) {
	for i := range c.s {
		c.s[i] = uint8(i)
	}
	if len(key) == 0 {
		return c
	}
	var j uint8
	for i := range c.s {
		j += c.s[i] + key[i%len(key)]
		c.s[i], c.s[j] = c.s[j], c.s[i]
	}
	return c
}

// XORKeyStream encrypts and decrypts; dst and src may be the same.
func (c *RC4) XORKeyStream(dst, src []byte) {
	for k, b := range src {
		c.i++
		c.j += c.s[c.i]
		c.s[c.i], c.s[c.j] = c.s[c.j], c.s[c.i]
		dst[k] = b ^ c.s[c.s[c.i]+c.s[c.j]]
	}
}
