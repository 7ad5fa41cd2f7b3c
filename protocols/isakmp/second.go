package isakmp

import (
	"bytes"
	"errors"
	"fmt"

	"remora/dissect"
	"remora/protocols/internal/ipsec"
)

var (
	fIV        = proto.Bytes("enc.iv", "Initialization Vector", "What the encryption begins with.")
	fDecrypted = proto.Node("enc.decrypted", "Decrypted Data", "The payloads with their padding.")
	fContained = proto.Node("enc.contained", "Contained Data", "The payloads.")
	fPadding   = proto.Bytes("enc.padding", "Padding", "Bytes that say nothing.")
	fPadLength = proto.Uint8("enc.pad_length", "Pad Length", "Length of the padding.")
	fICD       = proto.Bytes("enc.icd", "Integrity Checksum Data", "The proof that nothing was changed.")

	fPart  = proto.Uint16("frag.number", "Fragment Number", "Which part of the message it is.")
	fTotal = proto.Uint16("frag.total", "Total Fragments", "How many parts the message has.")

	fParts     = proto.Node("fragments", "Message fragments", "The packets that the message came in.")
	fFragment  = proto.FrameRef("fragment", "Message fragment", "A packet with a part of the message.")
	fCount     = proto.Uint32("fragment.count", "Message fragment count", "How many parts there are.").Derived()
	fAssembled = proto.FrameRef("reassembled.in", "Reassembled in", "The packet that completes the message.")
	fWhole     = proto.Uint32("reassembled.length", "Reassembled ISAKMP length", "Length of the payloads.").Derived()

	nICD = proto.Expert("ikev2.integrity_checksum", dissect.Warn, "IKEv2 Integrity Checksum Data is incorrect").
		About(dissect.AboutChecksum)
	nShort = proto.Expert("enc.iv.not_enough_data", dissect.Warn, "Not enough data in IKEv2 Encrypted payload").
		About(dissect.AboutMalformed)
	nBlocks = proto.Expert("enc_data_length_mult_block_size", dissect.Warn,
		"Encrypted data length isn't a multiple of block size").About(dissect.AboutMalformed)
	nPad    = proto.Expert("enc.pad_length.big", dissect.Warn, "Pad length is too big").About(dissect.AboutMalformed)
	nNumber = proto.Expert("fragment_number.invalid", dissect.Warn, "Invalid fragment numbering").
		About(dissect.AboutMalformed)
)

// sealed reads an encrypted payload of version 2 (RFC 7296 section 3.14), or a part of one (RFC 7383).
func (r *reading) sealed(kind, next uint64) {
	d := r.d
	if kind == payload2SKF {
		r.part(next)
		return
	}
	plain := r.unseal()
	if plain == nil {
		return
	}
	d.From("Decrypted Data", plain, func() {
		d.In(fDecrypted, func() {
			n := contained(plain)
			if n > 0 {
				d.In(fContained, func() { d.Within(n, func() { r.payloads(next) }) })
			}
			d.Seek(n)
			padding(d)
		})
	})
}

// contained is the length of what is in front of the padding.
func contained(plain []byte) int {
	return max(0, len(plain)-1-int(plain[len(plain)-1]))
}

func padding(d *dissect.D) {
	n := d.Left() - 1
	if int(d.Peek(n)) > n {
		d.Expert(nPad)
	}
	if n > 0 {
		d.Bytes(fPadding, n)
	}
	d.Uint(fPadLength)
}

// unseal shows what an encrypted payload is made of, and returns what it decrypts to; nil where no key does.
func (r *reading) unseal() []byte {
	d := r.d
	known, _ := keys2.Loaded(d).(secrets2)
	a := known[[16]byte(append(r.head.initiator[:], r.head.responder[:]...))]
	if a == nil {
		d.Put(fEncData, 0, d.Pos(), d.Left())
		d.Skip(d.Left())
		if len(known) > 0 {
			d.ExpertText(nClosed, "Not decrypted: ikev2_decryption_table has no keys of these SPIs")
		}
		return nil
	}
	if d.CutShort() || d.Missing() > 0 {
		d.Put(fEncData, 0, d.Pos(), d.Left())
		d.Skip(d.Left())
		d.ExpertText(nClosed, "Not decrypted: the message is not whole")
		return nil
	}
	tag := max(a.cipher.Tag, a.mac.Size)
	if a.cipher.Tag > 0 {
		tag = a.cipher.Tag
	}
	n := d.Left() - a.cipher.IV - tag
	if n <= 0 {
		d.Expert(nShort)
		return nil
	}
	offset := d.Pos() - r.at
	iv := d.Data()[:a.cipher.IV]
	if a.cipher.IV > 0 {
		d.Bytes(fIV, a.cipher.IV)
	}
	at := d.Pos()
	d.Put(fEncData, 0, at, n)
	if d.Labelling() {
		d.Suffix(fEncData, fmt.Sprintf(" (%d bytes) <%s>", n, a.cipher.Name))
	}
	b := d.Data()[:n+a.cipher.Tag]
	d.Skip(n)
	if offset+a.cipher.IV+n+tag > len(r.whole) { // not of the message itself
		return nil
	}
	proof := d.Bytes(fICD, tag)
	d.Spend(len(b))
	return a.open(d, r.head.flags&bitInitiator != 0, iv, b, r.whole[:offset+a.cipher.IV+n], proof)
}

// open checks and decrypts b. Front is the message up to its proof.
func (a *agreement) open(d *dissect.D, initiator bool, iv, b, front, proof []byte) []byte {
	who := 1
	if initiator {
		who = 0
	}
	extra := front[:len(front)-len(iv)-len(b)+a.cipher.Tag]
	if a.mac.New != nil && a.cipher.Tag == 0 {
		if bytes.Equal(a.mac.Of(a.proofs[who], front), proof) {
			d.Suffix(fICD, " [correct]")
		} else {
			d.Expert(nICD)
		}
	}
	plain, err := a.cipher.Open(a.keys[who], iv, b, extra)
	switch {
	case errors.Is(err, ipsec.ErrTag):
		d.ExpertText(nICD, "Not decrypted: the integrity check fails, so the keys in ikev2_decryption_table do not fit")
		return nil
	case errors.Is(err, ipsec.ErrBlocks):
		d.Expert(nBlocks)
		return nil
	case err != nil || len(plain) == 0:
		return nil
	case a.cipher.Tag > 0:
		d.Suffix(fICD, " [correct]")
	}
	return plain
}

// A fragment is a part of a message: where it is found, and the one that came before it.
type fragment struct {
	Ref     dissect.Ref
	Frame   dissect.FrameNum
	Number  uint16
	Before  uint32
	Payload uint8
}

// fragmented are the messages of which parts came, by both SPIs, the message ID and its direction.
type fragmented struct {
	last dissect.BoundedMap[partKey, partial]
}

type partKey struct {
	initiator, responder [8]byte
	id                   uint32
	flags                uint64
}

type partial struct {
	last  uint32
	count int
	total uint16
	seen  [maxParts / 64]uint64
}

const (
	maxPartial = 256
	maxParts   = 256
)

var (
	fragments   = dissect.NewList[fragment]()
	incomplete  = dissect.NewStore[fragmented, uint32]()
	notComplete = uint32(0)
)

// part reads one part of a message, and the message with its last one.
func (r *reading) part(next uint64) {
	d := r.d
	number, total := uint16(d.Uint(fPart)), uint16(d.Uint(fTotal))
	if number == 0 || number > total || total > maxParts {
		d.Expert(nNumber)
	}
	if d.Info().Wanted() {
		d.Info().Setf(" (fragment %d/%d)", number, total)
	}
	last := r.collect(number, total, next)
	plain := r.unseal()
	if plain == nil {
		return
	}
	d.From("Decrypted Data", plain, func() {
		d.In(fDecrypted, func() {
			d.Put(fContained, 0, 0, contained(plain))
			d.Seek(contained(plain))
			padding(d)
		})
	})
	if last == notComplete {
		d.Links().ShowForward(fAssembled)
		return
	}
	r.assemble(last, int(total))
}

// collect keeps a part, and returns the newest part of a message that is complete with this one.
func (r *reading) collect(number, total uint16, next uint64) uint32 {
	d := r.d
	ref, ok := d.Stream().RefAt(r.at, len(r.whole))
	if number == 0 || number > total || total > maxParts || !ok && d.Session().FirstPass() {
		return notComplete
	}
	return incomplete.FirstPassIn(d, func(s *fragmented) uint32 {
		p := s.last.Get(partKey{r.head.initiator, r.head.responder, r.head.id, r.head.flags}, maxPartial)
		bit := uint64(1) << ((number - 1) % 64)
		if p.total != total {
			*p = partial{total: total}
		}
		if w := &p.seen[(number-1)/64]; *w&bit == 0 {
			*w |= bit
			p.count++
			p.last = fragments.Put(d, fragment{ref, d.Frame, number, p.last, uint8(next)})
		}
		if p.count < int(total) {
			return notComplete
		}
		last := p.last
		*p = partial{}
		return last
	})
}

// assemble decrypts all parts and reads them as one.
func (r *reading) assemble(last uint32, total int) {
	d := r.d
	parts := make([]fragment, total+1)
	for n, p := last, (dissect.Progress{}); n != 0 && p.Down(int(n)); {
		f := fragments.At(d, n)
		if int(f.Number) <= total {
			parts[f.Number] = f
		}
		n = f.Before
	}
	var whole []byte
	for _, f := range parts[1:] {
		if f.Frame == 0 {
			return
		}
		if f.Frame != d.Frame {
			d.Link(f.Frame, fAssembled, nil)
		}
		plain := r.again(d.Stream().Gather([]dissect.Ref{f.Ref}))
		if plain == nil {
			return
		}
		whole = append(whole, plain[:contained(plain)]...)
	}
	d.In(fParts, func() {
		for _, f := range parts[1:] {
			d.Set(fFragment, uint64(f.Frame))
		}
		d.Set(fCount, uint64(total))
		d.Set(fWhole, uint64(len(whole)))
	})
	d.From("Reassembled ISAKMP", whole, func() { r.payloads(uint64(parts[1].Payload)) })
}

// again decrypts a message that holds one part and nothing else.
func (r *reading) again(b []byte) []byte {
	known, _ := keys2.Loaded(r.d).(secrets2)
	a := known[[16]byte(append(r.head.initiator[:], r.head.responder[:]...))]
	at := headSize + 8
	if a == nil || len(b) < at+a.cipher.IV+max(a.cipher.Tag, 1) {
		return nil
	}
	end := len(b)
	if a.cipher.Tag == 0 {
		end -= a.mac.Size
	}
	who := 1
	if r.head.flags&bitInitiator != 0 {
		who = 0
	}
	if end < at+a.cipher.IV {
		return nil
	}
	plain, err := a.cipher.Open(a.keys[who], b[at:at+a.cipher.IV], b[at+a.cipher.IV:end], b[:at])
	if err != nil || len(plain) == 0 {
		return nil
	}
	return plain
}
