package kerberos

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha1"
	"encoding/binary"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/data"
	"remora/protocols/frame"
	"remora/protocols/internal/tables"
	"remora/protocols/ip"
	"remora/protocols/raw"
	"remora/protocols/udp"
)

// sealAES encrypts whole blocks.
func sealAES(key []byte, usage uint32, plain string) []byte {
	b := append(make([]byte, aes.BlockSize), plain...)
	block, err := aes.NewCipher(derived(key, usage, 0xaa))
	if err != nil {
		panic(err)
	}
	sum := sumOf(mac(sha1.New, derived(key, usage, 0x55)), b)
	cipher.NewCBCEncrypter(block, make([]byte, aes.BlockSize)).CryptBlocks(b, b)
	n := len(b) - 2*aes.BlockSize // the last two blocks change places
	out := append(append(append([]byte{}, b[:n]...), b[n+aes.BlockSize:]...), b[n:n+aes.BlockSize]...)
	return append(out, sum[:12]...)
}

// TestWrapped decrypts tokens of both sides, rotated and not, to what they protect.
func TestWrapped(t *testing.T) {
	carrier := dissect.NewProtocol("wrapcarrier", "W", "Carries tokens.")
	inside := dissect.NewProtocol("wrapped", "I", "What is inside.")
	text := inside.String("text", "Text", "What it says.")
	plugins := []dissect.Plugin{frame.Plugin(), raw.Plugin(), ip.Plugin(), udp.Plugin(), Plugin(), data.Plugin(),
		{Protocol: carrier, UDP: []uint16{7}, Dissect: func(d *dissect.D) { d.Next(tables.Kerberos, 1) }},
		{Protocol: inside, On: []dissect.Key{{Table: tables.GSSPayload, Value: 1}},
			Dissect: func(d *dissect.D) { d.Rest(text) }}}
	key := []byte("key of sixteen b")
	var packets [][]byte
	for i, text := range []string{"what the client s", "what the server"} {
		head := []byte{5, 4, byte(2 + i), 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}
		extra := (48 - len(text)) % 16
		head[5] = byte(extra)
		sealed := sealAES(key, uint32(24-2*i), text+string(make([]byte, extra))+string(head))
		if i == 1 {
			head[7] = 20
			n := len(sealed) - 20
			sealed = append(append([]byte{}, sealed[n:]...), sealed[:n]...)
		}
		packets = append(packets, dissecttest.IPv4(17, "10.0.0.1", "10.0.0.2",
			dissecttest.UDP(1000, 7, append(head, sealed...))))
	}
	reg := dissecttest.Registry(t, plugins)
	reg.SetSecrets(secrets, &keytab{keys: [][]byte{append(binary.BigEndian.AppendUint16(nil, aes128), key...)}})
	s := dissecttest.SessionOf(t, reg, 101, dissecttest.Packets(packets...))
	dissecttest.Redissections(t, s)
	dissecttest.Truncations(t, plugins, s)
	dissecttest.Check(t, s, []dissecttest.Row{
		{Frame: 1, Field: "wrapped.text", Want: "what the client s"},
		{Frame: 2, Field: "wrapped.text", Want: "what the server"},
	})
}
