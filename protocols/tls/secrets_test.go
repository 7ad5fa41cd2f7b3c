package tls

import (
	"encoding/binary"
	"testing"

	"remora/capture"
	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/internal/keylog"
)

// block is a block of a pcapng file.
func block(kind uint32, body []byte) []byte {
	for len(body)%4 != 0 {
		body = append(body, 0)
	}
	le := binary.LittleEndian
	b := le.AppendUint32(nil, kind)
	b = le.AppendUint32(b, uint32(len(body)+12))
	return le.AppendUint32(append(b, body...), uint32(len(body)+12))
}

// withSecrets is a pcapng file that holds the secrets of its packets, in two parts, in front of a packet.
func withSecrets(packets []dissecttest.Packet, secrets []byte, front int) []byte {
	le := binary.LittleEndian
	out := block(0x0a0d0d0a, append(le.AppendUint32(nil, 0x1a2b3c4d), 1, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255))
	out = append(out, block(1, []byte{1, 0, 0, 0, 0, 0, 0, 0})...)
	half := len(secrets) / 2
	for secrets[half-1] != '\n' {
		half--
	}
	give := func() {
		for _, part := range [][]byte{secrets[:half], secrets[half:]} {
			b := le.AppendUint32(nil, keylog.TLS.Block)
			out = append(out, block(10, append(le.AppendUint32(b, uint32(len(part))), part...))...)
		}
	}
	for i, p := range packets {
		if i == front {
			give()
		}
		b := le.AppendUint32(nil, 0)
		b = le.AppendUint32(b, 0)
		b = le.AppendUint32(b, uint32(i))
		b = le.AppendUint32(b, uint32(len(p.Data)))
		b = le.AppendUint32(b, uint32(len(p.Data)))
		out = append(out, block(6, append(b, p.Data...))...)
	}
	if front == len(packets) {
		give()
	}
	return out
}

// TestSecretsInFile reads packets with the secrets that the file has in front of them, and with no others, although the
// whole file was read before.
func TestSecretsInFile(t *testing.T) {
	c, secrets := plays[0].record(t)
	for front, opened := range map[int]bool{0: true, len(c.packets): false} {
		store, err := pcapfile.OpenBytes(t.Context(), "test", withSecrets(c.packets, secrets, front), capture.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		<-store.Done()
		s, err := dissect.NewSession(dissecttest.Registry(t, plugins()), store)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Pass(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := every(s, "toy.text"); (len(got) >= len(told) && got[:len(told)] == told) != opened {
			t.Errorf("with secrets in front of packet %d, what was said is %.40q", front, got)
		}
	}
}
