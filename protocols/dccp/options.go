package dccp

import "remora/dissect"

const (
	optionPadding   = 0
	optionLastShort = 31 // options up to this one are a byte long
	optionTimestamp = 41
	optionEcho      = 42
	optionElapsed   = 43
	optionSum       = 44
)

var optionNames = dissect.Values{optionPadding: "Padding", 1: "Mandatory", 2: "Slow Receiver", 32: "Change L",
	33: "Confirm L", 34: "Change R", 35: "Confirm R", 36: "Init Cookie", 37: "NDP Count", 38: "Ack Vector [Nonce 0]",
	39: "Ack Vector [Nonce 1]", 40: "Data Dropped", optionTimestamp: "Timestamp", optionEcho: "Timestamp Echo",
	optionElapsed: "Elapsed Time", optionSum: "Data checksum", 192: "CCID3 Loss Event Rate", 193: "CCID3 Loss Intervals",
	194: "CCID3 Receive Rate"}

var features = dissect.Values{1: "Congestion Control ID (CCID)", 2: "Allow Short Seqnums", 3: "Sequence Window",
	4: "ECN Incapable", 5: "Ack Ratio", 6: "Send Ack Vector", 7: "Send NDP Count", 8: "Minimum Checksum Coverage",
	9: "Check Data Checksum", 192: "Send Loss Event Rate"}

var (
	fOptions   = proto.Node("options", "Options", "What the ends agree on, and measure.")
	fOption    = proto.Uint8("option_type", "Option Type", "Which option.").Named(optionNames)
	fLength    = proto.Uint8("option_len", "Option Length", "Length of the option with its type.").Own()
	fFeature   = proto.Uint8("feature_number", "Feature Number", "What is agreed on.").Named(features)
	fValue     = proto.Bytes("option_reserved", "Value", "What the option says.")
	fTimestamp = proto.Uint32("timestamp", "Timestamp", "Time of the sender, in units of 10 µs.")
	fEcho      = proto.Uint32("timestamp_echo", "Timestamp Echo", "The timestamp that is answered.")
	fElapsed   = proto.Uint32("elapsed_time", "Elapsed Time", "Time since it came, in units of 10 µs.")
	fDataSum   = proto.Uint32("checksum_data", "Data Checksum", "Checksum of the payload alone.").Hex()
	nOption    = proto.Expert("option.len.bad", dissect.Warn, "Bad option length")
)

// options reads the n bytes of options.
func options(d *dissect.D, n int) {
	d.In(fOptions, func() {
		d.Within(n, func() {
			for more := d.Elements(); d.More() && more.Next(); {
				if !option(d) {
					d.Expert(nOption)
					d.Skip(d.Left())
				}
			}
		})
	})
}

// option reads one of them, and tells whether its length is one.
func option(d *dissect.D) bool {
	kind := d.Uint(fOption)
	if kind <= optionLastShort {
		return true
	}
	length := int(d.Peek(0))
	d.Uint(fLength)
	if length -= 2; length < 0 || length > d.Left() {
		return false
	}
	d.Within(length, func() {
		switch {
		case kind >= 32 && kind <= 35 && length > 0:
			d.Uint(fFeature)
		case kind == optionTimestamp && length == 4:
			d.Uint(fTimestamp)
		case kind == optionEcho && length >= 4:
			d.Uint(fEcho)
			elapsed(d)
		case kind == optionElapsed:
			elapsed(d)
		case kind == optionSum && length == 4:
			d.Uint(fDataSum)
		}
		if d.More() {
			d.Rest(fValue)
		}
	})
	return true
}

// elapsed reads a time of two or four bytes.
func elapsed(d *dissect.D) {
	if n := d.Left(); n == 2 || n == 4 {
		d.Put(fElapsed, d.PeekUint(0, n), d.Pos(), n)
		d.Skip(n)
	}
}
