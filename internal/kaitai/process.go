package kaitai

import (
	"bytes"
	"compress/zlib"
	"errors"
	"io"
)

// run does what "process" says with bytes that were read.
func (m *machine) run(p *process, b []byte) []byte {
	arg := func() Value {
		if len(p.args) != 1 {
			fail(DescriptionKind, "%s takes one argument", p.name)
		}
		return m.eval(p.args[0])
	}
	switch p.name {
	case "xor":
		return m.xor(b, arg())
	case "rol", "ror":
		n := int(m.integer(arg(), "a rotation") & 7)
		if p.name == "ror" {
			n = 8 - n
		}
		m.spend(len(b))
		out := make([]byte, len(b))
		for i, c := range b {
			out[i] = c<<(n&7) | c>>(8-n&7)
		}
		return out
	case "zlib":
		return m.inflate(b)
	}
	fail(NeedsHostCode, "the process %q is code of its own, which there is none of here", p.name)
	return nil
}

func (m *machine) xor(b []byte, key Value) []byte {
	k := key.Raw()
	switch {
	case key.isInteger() && uint64(key.n) <= 255:
		k = []byte{byte(key.n)}
	case key.Kind == List:
		k = asBytes(key).Raw()
	case key.Kind != Bytes:
		fail(Expression, "%v is no key for xor", key)
	}
	if len(k) == 0 {
		fail(Expression, "the key for xor is empty")
	}
	m.spend(len(b))
	out := make([]byte, len(b))
	for i := range b {
		out[i] = b[i] ^ k[i%len(k)]
	}
	return out
}

func (m *machine) inflate(b []byte) []byte {
	r, err := zlib.NewReader(bytes.NewReader(b))
	if err != nil {
		fail(ProcessFailed, "zlib: %v", err)
	}
	var out bytes.Buffer
	n, err := io.CopyN(&out, r, int64(m.memory)+1)
	m.spend(int(n))
	if err != nil && !errors.Is(err, io.EOF) {
		fail(ProcessFailed, "zlib: %v", err)
	}
	return out.Bytes()
}
