package voip

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"remora/dissect"
)

// A codec is a form of sound or pictures.
type codec struct {
	name     string
	clock    int                           // of the time stamps, in Hz
	channels int                           // 0: it is not played
	decode   func() func(b []byte) []int16 // begins a stream
	faster   int                           // how many samples there are to a tick of the clock; 0: one
}

// codecs are the static payload types (RFC 3551 section 6).
var codecs = map[uint8]codec{
	0: {"G.711 PCMU", 8000, 1, each(fromMu), 0}, 8: {"G.711 PCMA", 8000, 1, each(fromA), 0},
	2:  {"G.721", 8000, 1, decodeG726(4, false), 0},
	9:  {"G.722", 8000, 1, decodeG722, 2}, // whose clock is half of what it should be
	10: {"L16 stereo", 44100, 2, linear, 0}, 11: {"L16", 44100, 1, linear, 0},
	3: {name: "GSM", clock: 8000}, 4: {name: "G.723", clock: 8000}, 5: {name: "DVI4", clock: 8000},
	6: {name: "DVI4 16k", clock: 16000}, 7: {name: "LPC", clock: 8000},
	12: {name: "QCELP", clock: 8000}, 13: {name: "comfort noise", clock: 8000}, 14: {name: "MPEG audio", clock: 90000},
	15: {name: "G.728", clock: 8000}, 18: {name: "G.729", clock: 8000}, 26: {name: "JPEG", clock: 90000},
	31: {name: "H.261", clock: 90000}, 32: {name: "MPEG video", clock: 90000}, 33: {name: "MPEG-TS", clock: 90000},
	34: {name: "H.263", clock: 90000},
}

// clocks are those of forms that descriptions of streams name; all others are taken to have one of 8 kHz, as telephony
// has.
var clocks = map[string]int{"opus": 48000, "amr-wb": 16000, "g7221": 16000, "silk": 24000, "vp8": 90000, "vp9": 90000,
	"av1": 90000, "h264": 90000, "h265": 90000, "h263-1998": 90000, "mp4v-es": 90000, "jpeg": 90000, "mpv": 90000,
	"mp2t": 90000, "rtx": 90000}

// codec is what a stream carries, by its description or its payload type.
func (s *Stream) codec() codec {
	form := strings.ToLower(s.Form)
	wide := strings.TrimPrefix(form, "aal2-")
	switch {
	case form == "":
		return codecs[s.Payload]
	case form == "pcmu":
		return codecs[0]
	case form == "pcma":
		return codecs[8]
	case form == "g722":
		return codecs[9]
	case strings.HasPrefix(wide, "g726-"):
		if rate, err := strconv.Atoi(wide[5:]); err == nil && rate%8 == 0 && rate >= 16 && rate <= 40 {
			return codec{s.Form, 8000, 1, decodeG726(rate/8, wide != form), 0}
		}
	}
	c := codec{name: s.Form, clock: clocks[form]}
	if c.clock == 0 {
		c.clock = 8000
	}
	return c
}

// played is how many samples a second has.
func (c codec) played() int { return c.clock * max(1, c.faster) }

// Codec is what a stream's payload type is called.
func (s *Stream) Codec() string {
	if c := s.codec(); c.name != "" {
		return c.name
	}
	return fmt.Sprintf("type %d", s.Payload)
}

// Playable tells whether the sound of a stream can be written.
func (s *Stream) Playable() bool { return s.codec().channels > 0 }

func each(sample func(byte) int16) func() func(b []byte) []int16 {
	decode := func(b []byte) []int16 {
		out := make([]int16, len(b))
		for i, c := range b {
			out[i] = sample(c)
		}
		return out
	}
	return func() func([]byte) []int16 { return decode }
}

// fromMu and fromA are the samples of the two laws of ITU-T G.711.
func fromMu(c byte) int16 {
	c = ^c
	v := (int16(c&15)<<3+0x84)<<(c>>4&7) - 0x84
	if c&0x80 != 0 {
		return -v
	}
	return v
}

func fromA(c byte) int16 {
	c ^= 0x55
	v := int16(c&15)<<4 + 8
	if exponent := c >> 4 & 7; exponent > 0 {
		v = (v + 0x100) << (exponent - 1)
	}
	if c&0x80 == 0 {
		return -v
	}
	return v
}

func linear() func(b []byte) []int16 {
	return func(b []byte) []int16 {
		out := make([]int16, len(b)/2)
		for i := range out {
			out[i] = int16(binary.BigEndian.Uint16(b[2*i:]))
		}
		return out
	}
}

// maxSamples bounds the sound that is put together: an hour of telephony, with room for silence.
const maxSamples = 1 << 25

// Errors of streams that cannot be written.
var (
	ErrCodec = errors.New("only G.711, G.722, G.726 and L16 are written as sound; a name that ends in .raw takes the " +
		"payload")
	errLong = errors.New("the sound is longer than an hour; filter for a part of it")
)

// Sound reads the samples of a stream, each at its time stamp: what was lost is silence, and what came late is in its
// place.
func Sound(ctx context.Context, s *dissect.Session, st *Stream) ([]int16, error) {
	c := st.codec()
	if c.channels == 0 {
		return nil, ErrCodec
	}
	var out []int16
	decode := c.decode()
	var base uint32
	err := payloads(ctx, s, st, func(at int, stamp uint32, b []byte) (err error) {
		if at == 0 {
			base = stamp
		}
		out, err = place(out, int(int32(stamp-base))*c.channels*max(1, c.faster), decode(b))
		return err
	})
	return out, err
}

// WritePayload writes what the packets of a stream carry, one behind the other, as it is: for a codec that is not
// decoded here.
func WritePayload(ctx context.Context, s *dissect.Session, st *Stream, w io.Writer) error {
	return payloads(ctx, s, st, func(_ int, _ uint32, b []byte) error {
		_, err := w.Write(b)
		return err
	})
}

// payloads gives what the packets of a stream carry of its own type.
func payloads(ctx context.Context, s *dissect.Session, st *Stream,
	do func(at int, stamp uint32, b []byte) error) error {
	m := s.Registry().MediaFields()
	var (
		wants = s.Registry().Wants(m.Timestamp, m.Type, m.Payload)
		at    int
		err   error
	)
	s.Guard().Run(func(l *dissect.Dissector) {
		for ; at < len(st.Frames) && err == nil; at++ {
			if err = ctx.Err(); err != nil {
				return
			}
			stamp, b := uint32(0), []byte(nil)
			for t, i := l.Redissect(st.Frames[at], wants), 0; i < len(t.Nodes); i++ {
				switch t.Field(i) {
				case m.Timestamp:
					stamp = uint32(t.Nodes[i].Val)
				case m.Type:
					if uint8(t.Nodes[i].Val) != st.Payload { // tones and comfort noise between the words
						b = nil
						i = len(t.Nodes)
					}
				case m.Payload:
					b = t.Bytes(i)
				}
			}
			err = do(at, stamp, b)
		}
	})
	return err
}

// place puts samples where they belong; what stands before the first packet's is left out.
func place(out []int16, at int, samples []int16) ([]int16, error) {
	if len(samples) == 0 || at < 0 {
		return out, nil
	}
	end := at + len(samples)
	if end > maxSamples {
		return out, errLong
	}
	if end > len(out) {
		out = append(out, make([]int16, end-len(out))...)
	}
	copy(out[at:], samples)
	return out, nil
}

// WriteSound writes one stream, or two of one kind as the sides of a stereo sound; a file called .au is one of Sun's,
// any other a WAV file.
func WriteSound(w io.Writer, path string, st *Stream, sides ...[]int16) error {
	c := st.codec()
	rate := c.played()
	samples, channels := sides[0], c.channels
	if len(sides) > 1 && c.channels == 1 {
		samples, channels = interleave(sides), len(sides)
	}
	var order binary.ByteOrder = binary.LittleEndian
	var head []byte
	if strings.EqualFold(filepath.Ext(path), ".au") {
		order = binary.BigEndian
		head = binary.BigEndian.AppendUint32([]byte(".snd"), 24)
		for _, v := range []int{2 * len(samples), 3, rate, channels} { // 3: linear, 16 bits
			head = binary.BigEndian.AppendUint32(head, uint32(v))
		}
	} else {
		le := binary.LittleEndian
		head = append(le.AppendUint32([]byte("RIFF"), uint32(36+2*len(samples))), "WAVEfmt "...)
		head = le.AppendUint16(le.AppendUint16(le.AppendUint32(head, 16), 1), uint16(channels))
		head = le.AppendUint32(le.AppendUint32(head, uint32(rate)), uint32(2*channels*rate))
		head = le.AppendUint16(le.AppendUint16(head, uint16(2*channels)), 16)
		head = le.AppendUint32(append(head, "data"...), uint32(2*len(samples)))
	}
	if _, err := w.Write(head); err != nil {
		return err
	}
	return binary.Write(w, order, samples)
}

// interleave has the samples of several sides in turn; the shorter ones end in silence.
func interleave(sides [][]int16) []int16 {
	longest := 0
	for _, s := range sides {
		longest = max(longest, len(s))
	}
	out := make([]int16, longest*len(sides))
	for k, s := range sides {
		for i, v := range s {
			out[i*len(sides)+k] = v
		}
	}
	return out
}

// user is the part of an address of SIP in front of the host.
func user(uri string) string {
	_, uri, _ = strings.Cut(uri, ":")
	name, _, _ := strings.Cut(uri, "@")
	return name
}

// Together are the sides of a call, each begun as much later as its first packet came.
func Together(streams []Stream, samples [][]int16) [][]int16 {
	first := streams[0].First
	for i := range streams {
		first = min(first, streams[i].First)
	}
	for i := range streams {
		c := streams[i].codec()
		wait := min(maxSamples, (streams[i].First-first)*int64(c.played())/1e9*int64(c.channels))
		samples[i] = append(make([]int16, wait), samples[i]...)
	}
	return samples
}
