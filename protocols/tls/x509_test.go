package tls

import (
	"encoding/asn1"
	"encoding/binary"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// der is an element of a certificate that the tests change: one that holds others, or bytes.
type der struct {
	head  asn1.RawValue
	parts []*der
	stray []byte // stands behind what the element holds
}

func parseDER(b []byte) (out []*der) {
	for len(b) > 0 {
		e := &der{}
		rest, err := asn1.Unmarshal(b, &e.head)
		if err != nil {
			return nil
		}
		if e.head.IsCompound || e.head.Tag == asn1.TagOctetString {
			e.parts = parseDER(e.head.Bytes)
		}
		b = rest
		out = append(out, e)
	}
	return out
}

// bytes writes the element anew, with lengths that are right.
func (e *der) bytes(t *testing.T) []byte {
	t.Helper()
	value := asn1.RawValue{Class: e.head.Class, Tag: e.head.Tag, IsCompound: e.head.IsCompound, Bytes: e.head.Bytes}
	if e.parts != nil {
		value.Bytes = nil
		for _, p := range e.parts {
			value.Bytes = append(value.Bytes, p.bytes(t)...)
		}
	}
	value.Bytes = append(value.Bytes[:len(value.Bytes):len(value.Bytes)], e.stray...)
	b, err := asn1.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (e *der) each(do func(*der)) {
	do(e)
	for _, p := range e.parts {
		p.each(do)
	}
}

// inTheClear is a server's Certificate message of TLS 1.2.
func inTheClear(cert []byte) []byte {
	u24 := func(b []byte) []byte {
		return append(binary.BigEndian.AppendUint32(nil, uint32(len(b)))[1:], b...)
	}
	message := append([]byte{11}, u24(u24(u24(cert)))...)
	return append(binary.BigEndian.AppendUint16([]byte{22, 3, 3}, uint16(len(message))), message...)
}

// TestStrayBytes puts bytes that are no element behind the last one of everything in a certificate that holds elements.
// The dissection ends, and says what is wrong; the message behind it is dissected.
func TestStrayBytes(t *testing.T) {
	cert := parseDER(issue(t, 2).Certificate[0])[0]
	all, sent := &tap{}, 0
	cert.each(func(e *der) {
		for _, stray := range [][]byte{{0}, {0x30}, {0, 0, 0}, {0x30, 0x85, 1}, {0x30, 0x80}} {
			e.stray = stray
			c := &tap{port: 443, from: uint16(sent)}
			c.record(1, inTheClear(cert.bytes(t)))
			c.record(1, []byte{21, 3, 3, 0, 2, 2, 42})
			all.packets = append(all.packets, c.packets...)
			sent++
		}
		e.stray = nil
	})
	s, marked := passed(t, all, nil), 0
	for n := range s.Passed() {
		if s.Tree(dissect.FrameNum(n+1)).Find(nDER) >= 0 {
			marked++
		}
	}
	if marked < 40 {
		t.Errorf("only %d of %d certificates are said to be wrong", marked, sent)
	}
	if n := strings.Count(every(s, "tls.alert_message.desc"), "42"); n != sent {
		t.Errorf("%d of %d messages behind a certificate are dissected", n, sent)
	}
	dissecttest.Redissections(t, s)
}
