package wlan_test

import (
	"bytes"
	"crypto/aes"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/sha1"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"remora/dissect/dissecttest"
	"remora/internal/crypt"
	"remora/protocols"
)

var (
	ap, client = []byte{2, 0, 0, 0, 0, 1}, []byte{2, 0, 0, 0, 0, 2}
	llc        = []byte{0xaa, 0xaa, 3, 0, 0, 0}
)

// expand makes link keys as the standard says, apart from the code that is tested.
func expand(pmk, anonce, snonce []byte) (out []byte) {
	context := slices.Concat([]byte("Pairwise key expansion\x00"), ap, client, anonce, snonce)
	for i := range 3 {
		m := hmac.New(sha1.New, pmk)
		m.Write(append(context, byte(i)))
		out = m.Sum(out)
	}
	return out
}

// keyMessage is a message of the handshake, with its integrity code where there is a key for it.
func keyMessage(info uint16, nonce, data, kck []byte) []byte {
	b := binary.BigEndian.AppendUint16([]byte{2}, info)
	b = append(b, 0, 16, 0, 0, 0, 0, 0, 0, 0, 1)
	b = slices.Concat(b, nonce, make([]byte, 48), []byte{0, byte(len(data))}, data)
	b = append([]byte{2, 3, 0, byte(len(b))}, b...)
	if kck != nil {
		m := hmac.New(sha1.New, kck)
		m.Write(b)
		copy(b[81:97], m.Sum(nil))
	}
	return b
}

// frameOf is a frame of data to the access point, or from it.
func frameOf(to bool, protected byte, body []byte) []byte {
	if to {
		return slices.Concat([]byte{8, 1 | protected, 0, 0}, ap, client, ap, []byte{0, 0}, body)
	}
	return slices.Concat([]byte{8, 2 | protected, 0, 0}, client, ap, ap, []byte{0, 0}, body)
}

// TestHandshake decrypts what is sent behind a handshake that is made here, with the passphrase alone.
func TestHandshake(t *testing.T) {
	ssid := []byte("net")
	pmk, err := pbkdf2.Key(sha1.New, "a passphrase", ssid, 4096, 32)
	if err != nil {
		t.Fatal(err)
	}
	anonce, snonce := bytes.Repeat([]byte{1}, 32), bytes.Repeat([]byte{3}, 32)
	keys := expand(pmk, anonce, snonce)
	rsn := []byte{48, 20, 1, 0, 0, 15, 172, 4, 1, 0, 0, 15, 172, 4, 1, 0, 0, 15, 172, 2, 0, 0}
	beacon := slices.Concat([]byte{0x80, 0, 0, 0}, bytes.Repeat([]byte{255}, 6), ap, ap, make([]byte, 14), []byte{0, 3},
		ssid)
	eapol := append(bytes.Clone(llc), 0x88, 0x8e)
	block, err := aes.NewCipher(keys[32:48])
	if err != nil {
		t.Fatal(err)
	}
	ccm, err := crypt.NewCCM(block, 13, 8)
	if err != nil {
		t.Fatal(err)
	}
	secret := frameOf(true, 0x40, []byte{7, 0, 0, 0x20, 0, 0, 0, 0})
	arp := append(append(bytes.Clone(llc), 8, 6), bytes.Repeat([]byte{0}, 28)...)
	copy(arp[8:], []byte{0, 1, 8, 0, 6, 4, 0, 1})
	nonce := slices.Concat([]byte{0}, client, []byte{0, 0, 0, 0, 0, 7})
	extra := slices.Concat([]byte{8, 0x41}, secret[4:22], []byte{0, 0})
	secret = ccm.Seal(secret, nonce, arp, extra)
	packets := [][]byte{beacon,
		frameOf(false, 0, append(bytes.Clone(eapol), keyMessage(0x008a, anonce, nil, nil)...)),
		frameOf(true, 0, append(bytes.Clone(eapol), keyMessage(0x010a, snonce, rsn, keys[:16])...)), secret}

	notOpened := []dissecttest.Row{{Frame: 4, Field: "arp.opcode", Want: ""},
		{Frame: 4, Field: "_ws.expert.message", Want: notSeen}}
	for phrase, rows := range map[string][]dissecttest.Row{
		"a passphrase": {{Frame: 4, Field: "wlan.analysis.tk", Want: hexOf(keys[32:48])},
			{Frame: 4, Field: "arp.opcode", Want: "request (1)"}},
		"a passphrase:net":   {{Frame: 4, Field: "arp.opcode", Want: "request (1)"}},
		"a passphrase:other": notOpened, "another phrase": notOpened,
	} {
		reg := dissecttest.Registry(t, protocols.All())
		table := reg.Preference("80211_keys")
		given, err := table.Parse(`"wpa-pwd","` + phrase + `"`)
		if err != nil {
			t.Fatal(err)
		}
		reg.SetPreference(table, given)
		s := dissecttest.SessionOf(t, reg, 105, dissecttest.Packets(packets...))
		dissecttest.Check(t, s, rows)
	}
	hostile(t, pmk, packets)
	dissecttest.Check(t, dissecttest.Session(t, protocols.All(), 105, dissecttest.Packets(packets...)), []dissecttest.Row{
		{Frame: 4, Field: "_ws.expert.message", Want: ""}, {Frame: 3, Field: "wlan.rsn.akms.type", Want: "PSK (2)"}})
}

// hostile has cut and changed frames dissected, with keys of all sorts.
func hostile(t *testing.T, pmk []byte, packets [][]byte) {
	t.Helper()
	reg := dissecttest.Registry(t, protocols.All())
	table := reg.Preference("80211_keys")
	given, err := table.Parse(`"wpa-psk","` + hexOf(pmk) + "\"\n" + `"wep","0102030405"` + "\n" +
		`"tk","` + hexOf(pmk[:16]) + `"`)
	if err != nil {
		t.Fatal(err)
	}
	reg.SetPreference(table, given)
	try := func(i int, b []byte) {
		changed := slices.Clone(packets)
		changed[i] = b
		dissecttest.SessionOf(t, reg, 105, dissecttest.Packets(changed...))
	}
	for i, b := range packets {
		for at := range b {
			try(i, b[:at])
			if at > 20 {
				b = bytes.Clone(b)
				b[at] ^= 0xff
				try(i, b)
				b[at] ^= 0xff
			}
		}
	}
}

const notSeen = "The frame is not decrypted: no handshake was seen that one of the keys fits (80211_keys)"

func hexOf(b []byte) string {
	var out strings.Builder
	for _, c := range b {
		out.WriteByte("0123456789abcdef"[c>>4])
		out.WriteByte("0123456789abcdef"[c&15])
	}
	return out.String()
}
