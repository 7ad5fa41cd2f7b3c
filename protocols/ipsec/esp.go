package ipsec

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

	"remora/dissect"
	alg "remora/protocols/internal/ipsec"
	"remora/protocols/internal/tables"
)

var proto = dissect.NewProtocol("esp", "ESP", "Encapsulating Security Payload: encrypted packets.").
	Summary("Encapsulating Security Payload").Color(dissect.HueMagenta)

var (
	fSPI       = proto.Uint32("spi", "ESP SPI", "The receiver's number of the agreement.").HexFirst()
	fNumber    = proto.Uint32("sequence", "ESP Sequence", "Number of the packet.")
	fIV        = proto.Bytes("iv", "ESP IV", "What the encryption begins with.")
	fEncrypted = proto.Bytes("encrypted_data", "ESP Encrypted Data", "What only the receiver can read.")
	fPayload   = proto.Bytes("payload", "ESP Payload", "What only the receiver can read, with its proof.").Hidden().Own()
	fICV       = proto.Bytes("icv", "ESP ICV", "The proof that nothing was changed.")
	fGood      = proto.Bool("icv_good", "Good", "The proof is right.").TrueFalse("True", "False").Derived()
	fBad       = proto.Bool("icv_bad", "Bad", "The proof is wrong.").TrueFalse("True", "False").Derived()
	fDecrypted = proto.Bytes("decrypted_data", "ESP Decrypted Data", "The packet inside with its padding.")
	fContained = proto.Bytes("contained_data", "ESP Contained Data", "The packet inside.")
	fPad       = proto.Bytes("pad", "Pad", "Padding.")
	fPadLength = proto.Uint8("pad_len", "ESP Pad Length", "Length of the padding.")
	fProtocol  = proto.Uint8("protocol", "ESP Next Header", "What is inside, as a protocol number of IP.").Hex()

	fExpected = proto.Uint32("sequence-analysis.expected-sn", "Expected SN", "The number that should have followed.").
			Derived()
	fPrevious = proto.FrameRef("sequence-analysis.previous-frame", "Previous Frame", "The packet before this one.")

	nOrder = proto.Expert("sequence-analysis.wrong-sequence-number", dissect.Warn, "Wrong Sequence Number").
		About(dissect.AboutSequence)
	nClosed = proto.Expert("closed", dissect.Hint, "Not decrypted")
)

const headSize = 8

// Plugin attaches ESP to its number in IP; in UDP it is found by table.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Dissect: packet, Make: remake,
		On: []dissect.Key{{Table: dissect.TableIP, Value: 50}, {Table: tables.ESP, Value: 0}}}
}

// A gap is a packet that does not follow the one before it.
type gap struct {
	Number uint32
	Frame  dissect.FrameNum
}

// numbers are the packets that came last, by SPI.
type numbers struct {
	last dissect.BoundedMap[uint32, gap]
}

const maxNumbers = 1 << 14

var sequences = dissect.NewStore[numbers, gap]()

func packet(d *dissect.D) {
	whole := d.Data()
	spi := uint32(d.Uint(fSPI))
	number := uint32(d.Uint(fNumber))
	if d.Info().Wanted() {
		d.Info().Setf("ESP (SPI=0x%08x)", spi)
	}
	if d.Short() {
		return
	}
	follows(d, spi, number)
	size := len(whole) + d.Missing()
	a := association(d, spi)
	switch {
	case a == nil:
		d.Rest(fPayload)
	case size != len(whole) || d.CutShort():
		d.ExpertText(nClosed, "Not decrypted: the packet is not whole")
		d.Rest(fPayload)
	default:
		a.packet(d, whole)
	}
}

// follows compares the number with that of the packet before.
func follows(d *dissect.D, spi, number uint32) {
	before := sequences.FirstPassIn(d, func(s *numbers) (n gap) {
		known := s.last.Find(spi) != nil
		last := s.last.Get(spi, maxNumbers)
		if known && number != last.Number+1 {
			n = *last
		}
		*last = gap{number, d.Frame}
		return n
	})
	if before.Frame != 0 {
		d.Set(fExpected, uint64(before.Number+1))
		d.Set(fPrevious, uint64(before.Frame))
		d.Expert(nOrder)
	}
}

// packet decrypts a packet of the association.
func (a *agreement) packet(d *dissect.D, whole []byte) {
	tag := a.cipher.Tag
	if tag == 0 {
		tag = a.mac.Size
	}
	n := len(whole) - headSize - a.cipher.IV - tag
	if n < 2 {
		d.ExpertText(nClosed, "Not decrypted: the packet is too short for the algorithms in esp_sa")
		d.Rest(fPayload)
		return
	}
	ref, _ := d.Stream().RefAt(d.Pos()-headSize, len(whole))
	if a.cipher.IV > 0 {
		d.Bytes(fIV, a.cipher.IV)
	}
	d.Bytes(fEncrypted, n)
	if d.Labelling() {
		d.Suffix(fEncrypted, fmt.Sprintf(" (%d bytes) <%s>", n, a.cipher.Name))
	}
	d.Spend(len(whole))
	plain, err := a.open(whole, n)
	good, checked := err == nil, a.cipher.Tag > 0
	proof := whole[len(whole)-tag:]
	if a.mac.New != nil && !checked {
		good, checked = bytes.Equal(a.mac.Of(a.proof, whole[:len(whole)-tag]), proof), true
	}
	if tag > 0 {
		d.Bytes(fICV, tag)
		d.Below(func() {
			d.Set(fGood, truth(checked && good))
			d.Set(fBad, truth(checked && !good))
		})
	}
	if why := a.why(err, good, checked, plain); why != "" {
		d.ExpertText(nClosed, why)
		return
	}
	recipe := func() uint32 { return sealedPackets.Put(d, sealed{ref, a.number, uint32(n)}) }
	d.Stream().FromDecrypted("Decrypted Data", plain, recipe, func() { inside(d, plain) })
}

// open decrypts a packet of which n bytes are encrypted, without a proof behind them.
func (a *agreement) open(whole []byte, n int) ([]byte, error) {
	iv, body := whole[headSize:headSize+a.cipher.IV], whole[headSize+a.cipher.IV:]
	return a.cipher.Open(a.key, iv, body[:n+a.cipher.Tag], whole[:headSize])
}

// A sealed packet has so many bytes that are encrypted, by the agreement of that number.
type sealed struct {
	At            dissect.Ref
	Number, Bytes uint32
}

var sealedPackets = dissect.NewList[sealed]()

// remake decrypts a packet again.
func remake(d *dissect.D, n uint32) []byte {
	p := sealedPackets.At(d, n)
	list, _ := pTable.Loaded(d).([]*agreement)
	whole := d.Stream().Remade(p.At)
	if int(p.Number) >= len(list) {
		return nil
	}
	a := list[p.Number]
	if len(whole) < headSize+a.cipher.IV+int(p.Bytes)+a.cipher.Tag {
		return nil // evicted
	}
	plain, err := a.open(whole, int(p.Bytes))
	if err != nil {
		return nil
	}
	return plain
}

// why tells why a packet cannot be read with the keys, or nothing.
func (a *agreement) why(err error, good, checked bool, plain []byte) string {
	switch {
	case errors.Is(err, alg.ErrBlocks):
		return "Not decrypted: the encrypted bytes are no whole blocks of the cipher in esp_sa"
	case err != nil || checked && !good:
		return "Not decrypted: the integrity check fails, so the keys in esp_sa do not fit"
	case int(plain[len(plain)-2]) > len(plain)-2:
		return "Not decrypted: the padding is longer than the packet, so the keys in esp_sa do not fit"
	}
	return ""
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// inside shows the trailer, and hands on the packet in front of it.
func inside(d *dissect.D, plain []byte) {
	size := len(plain) - 2
	pad, next := int(plain[size]), plain[size+1]
	size -= pad
	d.Put(fDecrypted, 0, 0, len(plain))
	d.Below(func() {
		if size > 0 {
			d.Put(fContained, 0, 0, size)
		}
		d.Seek(size)
		if pad > 0 {
			d.Bytes(fPad, pad)
		}
		d.Uint(fPadLength)
		d.Uint(fProtocol)
	})
	d.Seek(0)
	d.Limit(size)
	if next != 59 { // nothing is inside
		exportNext(d, uint32(next))
		d.Next(dissect.TableIP, uint32(next))
	}
}

func itoa(v uint64) string { return strconv.FormatUint(v, 10) }
