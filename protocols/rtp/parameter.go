package rtp

import (
	"encoding/base64"
	"strings"

	"remora/dissect"
)

// Parameters of forms, and keys.
var (
	fParameter = sdp.String("fmtp.parameter", "Media format specific parameters", "A parameter of the form.")
	fPackets   = sdp.Uint32("fmtp.h264_packetization_mode", "Packetization mode", "How pictures are packed (RFC 6184).").
			Named(dissect.Values{0: "Single NAL mode", 1: "Non-interleaved mode", 2: "Interleaved mode"})
	fH263Profile = sdp.Uint32("fmtp.h263profile", "Profile", "Which parts of H.263 are used (RFC 4629).").
			Named(dissect.Values{
			0: "Baseline Profile", 1: "H.320 Coding Efficiency Version 2 Backward-Compatibility Profile",
			2: "Version 1 Backward-Compatibility Profile",
			3: "Version 2 Interactive and Streaming Wireless Profile", 4: "Version 3 Interactive and Streaming Wireless Profile",
			5: "Conversational High Compression Profile", 6: "Conversational Internet Profile",
			7: "Conversational Interlace Profile", 8: "High Latency Profile",
		})
	fH263Level = sdp.Uint32("fmtp.h263level", "Level", "How large and fast pictures are.").Named(dissect.Values{
		10: "QCIF (176 x 144), 1 x 64Kb/s", 20: "CIF (352 x 288), 2 x 64Kb/s", 30: "CIF (352 x 288), 6 x 64Kb/s",
		40: "CIF (352 x 288), 32 x 64Kb/s",
		45: "QCIF (176 x144) support of CPFMT, 2 x 64Kb/s", 50: "CIF (352 x 288) support of CPFMT, 64 x 64Kb/s",
		60: "CPFMT: 720 x 288 support of CPFMT, 128 x 64Kb/s", 70: "CPFMT: 720 x 576 support of CPFMT, 256 x 64Kb/s",
	})
	fFirstNAL  = sdp.String("nal_unit_1_string", "NAL unit 1 string", "How all pictures are made, in base64.")
	fSecondNAL = sdp.String("nal_unit_2_string", "NAL unit 2 string", "The same of single pictures.")

	fCryptoTag = sdp.Uint32("crypto.tag", "tag", "Number of the offer (RFC 4568).")
	fSuite     = sdp.String("crypto.crypto_suite", "Crypto suite", "How media are encrypted.")
	fKeyParam  = sdp.String("crypto.key_params", "Key parameters", "The keys.")
	fKeyText   = sdp.Bytes("key_and_salt", "Key and Salt", "Key and salt in base64.")
	fMaster    = sdp.Bytes("crypto.master_key", "Master Key", "From which keys are made.")
	fSalt      = sdp.Bytes("crypto.master_salt", "Master salt", "What is mixed in.")
	fLifetime  = sdp.String("crypto.lifetime", "Lifetime", "For how many packets the key is good.")
	fMKI       = sdp.String("crypto.mki-valu", "mki-value", "Number of the key.")
	fMKILength = sdp.String("crypto.mki_length", "mki_length", "Its length within packets.")
)

// parameters reads "98 profile-level-id=42e01f;packetization-mode=1".
func (s *sheet) parameters(v span) {
	kind := s.word(&v)
	s.put(fFormat, kind)
	form := s.form(kind)
	for more := s.d.Elements(); v.from < v.to && more.NextAt(v.from); {
		var p span
		p, v = s.cut(v, ';')
		for p.from < p.to && s.b[p.from] == ' ' {
			p.from++
		}
		s.put(fParameter, p)
		name, value := s.cut(p, '=')
		key := form + " " + strings.ToLower(string(s.b[name.from:min(name.to, name.from+32)]))
		s.d.Below(func() { s.parameter(key, value) })
	}
}

// form is the name of a payload type's form in lower case.
func (s *sheet) form(kind span) string {
	n, ok := digits(s.b[kind.from:kind.to])
	if !ok || n > 127 || len(s.media) == 0 {
		return ""
	}
	return s.media[len(s.media)-1].forms[uint8(n)].text
}

// parameter reads the values of parameters that are known, by the form's name and theirs.
func (s *sheet) parameter(key string, v span) {
	switch key {
	case "h264 packetization-mode":
		s.count(fPackets, v)
	case "h263-1998 profile", "h263-2000 profile":
		s.count(fH263Profile, v)
	case "h263-1998 level", "h263-2000 level":
		s.count(fH263Level, v)
	case "h264 sprop-parameter-sets":
		first, second := s.cut(v, ',')
		s.put(fFirstNAL, first)
		s.put(fSecondNAL, second)
	}
}

// count records decimal digits as a number.
func (s *sheet) count(f *dissect.Field, v span) {
	if n, ok := digits(s.b[v.from:v.to]); ok && n < 1<<32 {
		s.d.Put(f, n, s.base+v.from, v.to-v.from)
	}
}

// keySizes are the lengths of key and salt of the suites of RFC 4568.
var keySizes = map[string][2]int{"AES_CM_128_HMAC_SHA1_80": {16, 14}, "AES_CM_128_HMAC_SHA1_32": {16, 14},
	"F8_128_HMAC_SHA1_80": {16, 14}}

// crypto reads "1 AES_CM_128_HMAC_SHA1_80 inline:KEYANDSALT|2^20|1:32".
func (s *sheet) crypto(v span) {
	s.count(fCryptoTag, s.word(&v))
	suite := s.word(&v)
	s.put(fSuite, suite)
	s.put(fKeyParam, v)
	how, rest := s.cut(v, ':')
	if string(s.b[how.from:how.to]) != "inline" {
		return
	}
	s.d.Below(func() {
		params := rest
		text, params := s.cut(params, '|')
		s.put(fKeyText, text)
		s.key(text, keySizes[string(s.b[suite.from:suite.to])])
		for more := s.d.Elements(); params.from < params.to && more.NextAt(params.from); {
			var p span
			p, params = s.cut(params, '|')
			if number, size := s.cut(p, ':'); size.from > number.to {
				s.put(fMKI, number)
				s.put(fMKILength, size)
				continue
			}
			s.put(fLifetime, p)
		}
	})
}

// key records the key and the salt that a text in base64 holds.
func (s *sheet) key(text span, sizes [2]int) {
	b, err := base64.StdEncoding.DecodeString(string(s.b[text.from:min(text.to, text.from+128)]))
	if err != nil || sizes[0] == 0 || len(b) < sizes[0]+sizes[1] {
		return
	}
	s.d.PutText(fMaster, string(b[:sizes[0]]), s.base+text.from, text.to-text.from)
	s.d.PutText(fSalt, string(b[sizes[0]:sizes[0]+sizes[1]]), s.base+text.from, text.to-text.from)
}
