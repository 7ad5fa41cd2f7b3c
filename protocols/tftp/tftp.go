// Package tftp dissects the Trivial File Transfer Protocol (RFC 1350) with its options (RFC 2347, 2348, 2349, 7440).
// The server answers from a port of its own choice; the transfer is known by the client's.
package tftp

import (
	"bytes"
	"strconv"
	"strings"

	"remora/dissect"
)

// tableData is empty: contents of files are data.
const tableData dissect.Table = "tftp"

var proto = dissect.NewProtocol("tftp", "TFTP", "Trivial File Transfer Protocol: files, block by block.").
	Summary("Trivial File Transfer Protocol").Color(dissect.HueGreen)

var opcodes = dissect.Values{
	1: "Read Request", 2: "Write Request", 3: "Data Packet", 4: "Acknowledgement", 5: "Error Code",
	6: "Option Acknowledgement", 255: "Information (MSDP)",
}

var errorCodes = dissect.Values{
	0: "Not defined", 1: "File not found", 2: "Access violation", 3: "Disk full or allocation exceeded",
	4: "Illegal TFTP Operation",
	5: "Unknown transfer ID", 6: "File already exists", 7: "No such user", 8: "Option negotiation failed",
}

var (
	fOpcode = proto.Kind("opcode", "Opcode", opcodes, "What the packet is.").Wide(2).Dec().Wordless()
	fSource = proto.String("source_file", "Source File", "The file that is read.")
	fDest   = proto.String("destination_file", "Destination File", "The file that is written.")
	fOfDest = proto.String("destination_file", "Destination File", "The file of the transfer.").Derived()
	fAsked  = proto.FrameRef("request_frame", "Request in frame", "The request that began the transfer.")
	fMode   = proto.String("type", "Type", "How the file is written: netascii or octet.")
	fBlock  = proto.Uint16("block", "Block", "Number of the block, counted from 1.")
	fFull   = proto.Uint32("block.full", "Full Block Number",
		"Number of the block, counted on where the 16 bits begin anew.").Derived()
	fWindow = proto.Uint16("nextwindowsize", "Next Window Size",
		"How many blocks to send before the next acknowledgement.")
	fCode   = proto.Uint16("error.code", "Error code", "What went wrong.").Named(errorCodes)
	fText   = proto.String("error.message", "Error message", "What went wrong, in the sender's words.")
	fOption = proto.Group("option", "Option", "An option of the transfer.").
		Summary("Option: {option.name}[ = {option.value}]")
	fName  = proto.String("option.name", "Option name", "Which option.")
	fValue = proto.String("option.value", "Option value", "What it is set to.")
	fRest  = proto.Bytes("data", "Data", "Bytes that are of no known kind.")

	nError = proto.Expert("error", dissect.Warn, "TFTP ERROR packet").About(dissect.AboutResponse)
	nSize  = proto.Expert("blocksize_range", dissect.Warn, "TFTP blocksize out of range").About(dissect.AboutResponse)
	nWrap  = proto.Expert("block.wrap", dissect.Hint, "TFTP block number is about to wrap").About(dissect.AboutSequence)
)

const (
	opRead = iota + 1
	opWrite
	opData
	opAck
	opError
	opOptions
)

// A transfer is what is known of a client's transfer.
type transfer struct {
	asked dissect.FrameNum
	write bool
	size  uint32 // of a block; 0 is usualBlock
	full  uint32
	file  dissect.Ref
}

// A note is what a packet of a transfer remembers of it.
type note struct {
	Asked dissect.FrameNum
	Write bool
	Size  uint32
	Full  uint32
	File  dissect.Ref
}

var transfers = dissect.NewStore[transfer, note]()

// Plugin attaches TFTP to its port; from there it follows the clients.
func Plugin() dissect.Plugin {
	return dissect.Plugin{Protocol: proto, Objects: objects, Dissect: packet, UDP: []uint16{serverPort}, Guess: recognise,
		Fits: func(d *dissect.D) bool { return recognise(d) != dissect.No }}
}

const serverPort = 69

// recognise says that a packet may be one; that counts at ends which began a transfer, and on the port.
func recognise(d *dissect.D) dissect.Confidence {
	b := d.Data()
	if len(b) < 2 || b[0] != 0 || b[1] < opRead || b[1] > opOptions {
		return dissect.No
	}
	return dissect.Weak
}

func packet(d *dissect.D) {
	op := d.Kind(fOpcode)
	if op == opRead || op == opWrite {
		request(d, op)
		return
	}
	n := transferOf(d, op)
	if n.Asked != 0 {
		d.Stream().SetEarlier(fOfDest, n.File, func(b []byte) string { return string(b) })
		d.Set(fAsked, uint64(n.Asked))
	}
	switch op {
	case opData, opAck:
		block(d, op, n)
	case opError:
		d.Uint(fCode)
		text(d, fText)
		d.Expert(nError)
		d.Info().Set("Error Code, Code: {error.code:name}, Message: {error.message}")
	case opOptions:
		d.Info().Set("{opcode:name}")
		options(d)
	default:
		d.Info().Set("{opcode:name}")
	}
	d.Rest(fRest)
}

// request reads what a client asks for.
func request(d *dissect.D, op uint64) {
	f := fSource
	if op == opWrite {
		f = fDest
	}
	at := d.Pos()
	name := text(d, f)
	file, _ := d.Stream().RefAt(at, len(name))
	text(d, fMode)
	if op == opRead {
		d.Info().Set("Read Request, File: {source_file}[, Transfer type: {type}]")
	} else {
		d.Info().Set("Write Request, File: {destination_file}[, Transfer type: {type}]")
	}
	transfers.FirstPassAt(d, d.Src, func(t *transfer) note {
		*t = transfer{asked: d.Frame, write: op == opWrite, file: file}
		return note{}
	})
	d.Ends().Claim(d.Src)
	options(d)
	d.Rest(fRest)
}

// transferOf finds the transfer of a packet: by either end, as the client's is the one that asked.
func transferOf(d *dissect.D, op uint64) note {
	block := uint32(d.PeekUint(0, 2))
	size := blockSize(d, op)
	step := func(t *transfer) note {
		if t.asked == 0 {
			return note{}
		}
		if size != 0 {
			t.size = size
		}
		full := t.full&^0xffff | block
		switch {
		case op != opData && op != opAck:
			full = t.full
		case full+0x8000 < t.full:
			full += 0x10000
		case full > t.full+0x8000 && full >= 0x10000:
			full -= 0x10000
		}
		t.full = full
		return note{t.asked, t.write, t.size, full, t.file}
	}
	n := transfers.FirstPassAt(d, d.Src, step)
	if m := transfers.FirstPassAt(d, d.Dst, step); n.Asked == 0 {
		n = m
	}
	return n
}

// blockSize is the size of blocks that an option acknowledgement sets, or 0.
func blockSize(d *dissect.D, op uint64) uint32 {
	if op != opOptions {
		return 0
	}
	parts := bytes.Split(d.Data()[:min(d.Left(), 512)], []byte{0})
	for i := 0; i+1 < len(parts); i += 2 {
		if strings.EqualFold(string(parts[i]), "blksize") {
			n, _ := strconv.ParseUint(string(parts[i+1]), 10, 16)
			return uint32(n)
		}
	}
	return 0
}

func block(d *dissect.D, op uint64, n note) {
	if v := d.Uint(fBlock); v == 0xffff && op == opData {
		d.Expert(nWrap)
	}
	if n.Asked != 0 && !d.Short() {
		d.Set(fFull, uint64(n.Full))
	}
	size := int(n.Size)
	if size == 0 {
		size = usualBlock
	}
	switch {
	case op == opAck:
		if d.Left() == 2 {
			d.Uint(fWindow)
		}
		d.Info().Set("{opcode:name}, Block: {block}")
	case d.Left() < size && !d.CutShort():
		d.Info().Set("{opcode:name}, Block: {block} (last)")
	default:
		d.Info().Set("{opcode:name}, Block: {block}")
	}
	if op == opData && d.More() {
		d.Next(tableData, 0)
	}
}

// text reads a string up to a NUL byte, or to the end.
func text(d *dissect.D, f *dissect.Field) []byte {
	if bytes.IndexByte(d.Data(), 0) < 0 && !d.CutShort() {
		return d.Rest(f)
	}
	return d.CString(f)
}

// options reads names and values.
func options(d *dissect.D) {
	for more := d.Elements(); more.Next(); {
		d.In(fOption, func() {
			name := strings.ToLower(string(text(d, fName)))
			value := text(d, fValue)
			if d.Info().Wanted() && !d.Short() {
				d.Info().List(name + "=" + string(value))
			}
			if n, err := strconv.Atoi(string(value)); name == "blksize" && (err != nil || n < 8 || n > 65464) {
				d.Expert(nSize)
			}
		})
	}
}
