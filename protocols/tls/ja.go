package tls

import (
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"remora/dissect"
)

// A hello is what the marks of programs and the state are made of: a hello's lists, as far as its bytes go.
type hello struct {
	version    uint16
	random     []byte
	session    string
	ticket     string
	suites     []uint16
	extensions []uint16
	groups     []uint16
	formats    []uint16
	signatures []uint16
	versions   []uint16
	alpn       []string
	name       bool // the client names the server
	early      bool // data comes before the handshake is over
}

// greased tells the numbers that clients reserve so that servers get used to unknown ones (RFC 8701).
func greased(v uint16) bool { return v&0x0f0f == 0x0a0a && v>>8 == v&0xff }

// A cutter takes parts off the front of bytes; beyond the end there are zeros.
type cutter []byte

func (c *cutter) take(n int) cutter {
	n = min(n, len(*c))
	b := (*c)[:n]
	*c = (*c)[n:]
	return b
}

func (c *cutter) number(size int) (v int) {
	for _, b := range c.take(size) {
		v = v<<8 | int(b)
	}
	return v
}

// list takes a vector with a length of size bytes in front.
func (c *cutter) list(size int) cutter { return c.take(c.number(size)) }

func (c cutter) numbers(size int) (out []uint16) {
	for p := (dissect.Progress{}); len(c) >= size && p.Down(len(c)); {
		out = append(out, uint16(c.number(size)))
	}
	return out
}

// parseHello reads the body of a Client Hello or Server Hello.
func parseHello(body []byte, client bool) (h hello) {
	c := cutter(body)
	h.version = uint16(c.number(2))
	h.random = c.take(32)
	draft := !client && isDraft(h.version)
	if !draft {
		h.session = string(c.list(1))
	}
	if client {
		list := c.list(2)
		h.suites = list.numbers(2)
		c.list(1)
	} else {
		h.suites = []uint16{uint16(c.number(2))}
		if !draft {
			c.number(1)
		}
	}
	for all, p := c.list(2), (dissect.Progress{}); len(all) >= 4 && p.Down(len(all)); {
		typ := uint16(all.number(2))
		h.extensions = append(h.extensions, typ)
		h.extension(typ, all.list(2), client)
	}
	return h
}

func (h *hello) extension(typ uint16, b cutter, client bool) {
	switch typ {
	case extServerName:
		h.name = true
	case extEarlyData:
		h.early = true
	case extTicket:
		h.ticket = string(b)
	case extGroups:
		list := b.list(2)
		h.groups = list.numbers(2)
	case extPointFormats:
		list := b.list(1)
		h.formats = list.numbers(1)
	case extSignatures:
		list := b.list(2)
		h.signatures = list.numbers(2)
	case extVersions:
		if client {
			b = b.list(1)
		}
		h.versions = b.numbers(2)
	case extALPN:
		for list, p := b.list(2), (dissect.Progress{}); len(list) > 0 && p.Down(len(list)); {
			h.alpn = append(h.alpn, string(list.list(1)))
		}
	}
}

// decimals joins numbers as JA3 does, without those reserved by clients.
func decimals(list []uint16) string {
	var b strings.Builder
	for _, v := range list {
		if greased(v) {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('-')
		}
		b.WriteString(strconv.Itoa(int(v)))
	}
	return b.String()
}

func digest(s string) string { sum := md5.Sum([]byte(s)); return hex.EncodeToString(sum[:]) }

// clientMarks shows JA3 and JA4.
func (c *context) clientMarks(body []byte) {
	d, h := c.d, parseHello(body, true)
	full := fmt.Sprintf("%d,%s,%s,%s,%s", h.version, decimals(h.suites), decimals(h.extensions), decimals(h.groups),
		decimals(h.formats))
	transport := byte('t')
	if c.quic {
		transport = 'q'
	}
	mark, raw := h.ja4(transport)
	d.SetText(fJA4, mark)
	d.SetText(fJA4Raw, raw)
	d.SetText(fJA3Full, full)
	d.SetText(fJA3, digest(full))
}

// serverMarks shows JA3S.
func serverMarks(d *dissect.D, body []byte) {
	h := parseHello(body, false)
	full := fmt.Sprintf("%d,%s,%s", h.version, decimals(h.suites), decimals(h.extensions))
	d.SetText(fJA3SFull, full)
	d.SetText(fJA3S, digest(full))
}

// hexes joins numbers as JA4 does: four digits each.
func hexes(list []uint16) string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = fmt.Sprintf("%04x", v)
	}
	return strings.Join(out, ",")
}

// short is the first half of a digest as JA4 writes it; nothing has zeros.
func short(s string) string {
	if s == "" {
		return "000000000000"
	}
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:6])
}

// ja4 is FoxIO's mark of a client: its head, then the digests of the sorted suites, and of the sorted extensions with
// the signature algorithms in their order. The second text has the lists in place of the digests.
func (h *hello) ja4(transport byte) (mark, raw string) {
	suites := slices.DeleteFunc(slices.Clone(h.suites), greased)
	extensions := slices.DeleteFunc(slices.Clone(h.extensions), greased)
	signatures := slices.DeleteFunc(slices.Clone(h.signatures), greased)
	version := h.version
	if offered := slices.DeleteFunc(slices.Clone(h.versions), greased); len(offered) > 0 {
		version = slices.Max(offered)
	}
	named := byte('i')
	if h.name {
		named = 'd'
	}
	head := fmt.Sprintf("%c%s%c%02d%02d%s", transport, versionMark(version), named, min(99, len(suites)),
		min(99, len(extensions)), alpnMark(h.alpn))
	slices.Sort(suites)
	extensions = slices.DeleteFunc(extensions, func(v uint16) bool { return v == extServerName || v == extALPN })
	slices.Sort(extensions)
	a, b := hexes(suites), hexes(extensions)
	if len(signatures) > 0 && b != "" {
		b += "_" + hexes(signatures)
	}
	return head + "_" + short(a) + "_" + short(b), head + "_" + a + "_" + b
}

func versionMark(v uint16) string {
	switch v {
	case 0x0304:
		return "13"
	case 0x0303:
		return "12"
	case 0x0302:
		return "11"
	case 0x0301:
		return "10"
	case 0x0300:
		return "s3"
	case 0x0002:
		return "s2"
	}
	return "00"
}

// alpnMark is the first and last character of the first protocol offered, in hexadecimal where they are no letters or
// digits.
func alpnMark(offered []string) string {
	if len(offered) == 0 || offered[0] == "" {
		return "00"
	}
	first, last := offered[0][0], offered[0][len(offered[0])-1]
	if !wordy(first) || !wordy(last) {
		return fmt.Sprintf("%02x", first)[:1] + fmt.Sprintf("%02x", last)[1:]
	}
	return string([]byte{first, last})
}

func wordy(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
