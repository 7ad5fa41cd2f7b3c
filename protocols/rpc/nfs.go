package rpc

import (
	"fmt"
	"hash/crc32"

	"remora/dissect"
)

var nfs = dissect.NewProtocol("nfs", "NFS", "Network File System: files on another machine.").
	Summary("Network File System").Color(dissect.HueYellow).SharesFields(proto)

var (
	nProc3  = nfs.Uint32("procedure_v3", "V3 Procedure", "What is asked.").Named(nfs3).Derived()
	nProc4  = nfs.Uint32("procedure_v4", "V4 Procedure", "What is asked.").Named(nfs4).Derived()
	nHandle = nfs.Group("fh", "FileHandle", "What names a file or folder.").Summary("FileHandle[: {nfs.fh.hash}]")
	nFHLen  = nfs.Uint32("fh.length", "length", "Length of the handle.")
	nFHHash = nfs.Uint32("fh.hash", "hash (CRC-32)", "A short name for the handle.").Hex().Derived()
	nFH     = nfs.Bytes("fhandle", "FileHandle", "The handle, which only its server understands.")
	nName   = nfs.String("name", "Name", "Name of a file within its folder.")
	nTarget = nfs.String("symlink.to", "To", "What a symbolic link stands for.")
	nLink   = nfs.String("readlink.data", "Data", "What a symbolic link stands for.")
	nStatus = nfs.Uint32("status3", "Status", "How it went.").Named(status3).
		Also(nfs.Uint32("status", "Status", "How it went.").Named(status3))
	nFill   = nfs.Bytes("fill_bytes", "fill bytes", "Bytes up to the next four.")
	nRest   = nfs.Bytes("unknown_data", "Data", "Bytes of an unknown form.")
	nOffset = nfs.Uint64("offset3", "offset", "Where in the file.")
	nCount  = nfs.Uint32("count3", "count", "How many bytes.")
	nDirN   = nfs.Uint32("count3_dircount", "dircount", "How many bytes of names.")
	nMaxN   = nfs.Uint32("count3_maxcount", "maxcount", "How many bytes at most.")
	nCookie = nfs.Uint64("cookie3", "cookie", "Where in the folder.")
	nVerf   = nfs.Bytes("verifier", "Verifier", "Tells whether the server has begun anew.")
	nStable = nfs.Uint32("write.stable", "Stable", "How safe the bytes must be before the reply.").Named(stable)
	nCommit = nfs.Uint32("write.committed", "Committed", "How safe they are.").Named(stable)
	nEOF    = nfs.Bool("read.eof", "EOF", "The file ends here.").Wide(4).TrueFalse("Yes", "No")
	nDirEOF = nfs.Uint32("readdir.eof", "EOF", "The folder ends here.").Named(dissect.Values{0: "No", 1: "Yes"})
	nData   = nfs.Bytes("data", "Data", "A part of the file.")
	nMode   = nfs.Uint32("createmode", "Create Mode", "What if the file is there already.").Named(createModes)
	nEntry  = nfs.Node("readdir.entry", "Entry", "A name in a folder.").Summary("Entry: name {nfs.name}")
	nMore   = nfs.Bool("value_follows", "Value Follows", "The list goes on.").Wide(4).TrueFalse("Yes", "No")
	nHasFH  = nfs.Bool("handle_follow", "handle_follow", "A handle follows.").Wide(4).
		TrueFalse("value follows", "no value")
	nGuard = nfs.Bool("sattrguard3", "check", "A time that the file must have follows.").Wide(4).
		TrueFalse("value follows", "no value")
)

var nfsKinds = map[uint32]*dissect.Field{3: nProc3, 4: nProc4}

// handle reads a file handle and returns its short name, if somebody reads texts.
func handle(d *dissect.D) (short string) {
	d.In(nHandle, func() {
		n := int(d.Uint(nFHLen))
		if d.Info().Wanted() && n > 0 && n <= d.Left() {
			short = fmt.Sprintf("0x%08x", crc32.ChecksumIEEE(d.Data()[:n]))
		}
		handleBytes(d, n)
	})
	return short
}

func handleBytes(d *dissect.D, n int) {
	if n == 0 || d.Short() {
		return
	}
	if n <= d.Left() && d.Wanted(nFHHash) {
		d.Put(nFHHash, uint64(crc32.ChecksumIEEE(d.Data()[:n])), d.Pos(), n)
	}
	d.Bytes(nFH, n)
	if pad := -n & 3; pad > 0 && d.Left() > 0 {
		d.Bytes(nFill, min(pad, d.Left()))
	}
}

// A shape is what a procedure's arguments or results consist of: a letter for each part, see part3.
type shape string

// read reads the parts of a shape in turn.
func (s shape) read(d *dissect.D) {
	for i := 0; i < len(s) && !d.Short(); i++ {
		part3(d, s[i])
	}
}

func part3(d *dissect.D, c byte) {
	switch c {
	case 'h':
		handle(d)
	case 'n':
		opaque(d, fTextLen, nName)
	case 't':
		opaque(d, fTextLen, nTarget)
	case 'l':
		opaque(d, fTextLen, nLink)
	case 'f':
		attributes(d)
	case 'a':
		maybeAttributes(d, nAttrs)
	case 'w':
		weak(d)
	case 's':
		newAttributes(d)
	case 'g':
		if d.Bool(nGuard) {
			moment(d, nCTime)
		}
	case 'A':
		access(d, nCheck)
	case 'B':
		access(d, nRights)
	case 'O':
		d.Uint(nOffset)
	case 'C':
		d.Uint(nCount)
	case 'S':
		d.Uint(nStable)
	case 'M':
		d.Uint(nCommit)
	case 'E':
		d.Bool(nEOF)
	case 'R':
		opaque(d, fTextLen, nData)
	case 'W':
		opaque(d, fTextLen, nData)
	case 'V':
		d.Bytes(nVerf, 8)
	case 'K':
		d.Uint(nCookie)
	case 'D':
		d.Uint(nDirN)
	case 'X':
		d.Uint(nMaxN)
	case 'P':
		if d.Bool(nHasFH) {
			handle(d)
		}
	case 'm':
		if d.Uint(nMode) == 2 {
			d.Bytes(nVerf, 8)
		} else {
			newAttributes(d)
		}
	case 'd':
		entries(d, false)
	case 'p':
		entries(d, true)
	}
}

// An entryFields is how the parts of a name in a folder are called.
type entryFields struct{ id, name, cookie *dissect.Field }

func entriesOf(name string) entryFields {
	return entryFields{
		id: nfs.Uint64(name+".fileid", "File ID", "Number of the file."),
		name: nfs.String(name+".name", "Name", "Name of a file in the folder.").
			Also(nfs.String("name", "Name", "Name of a file in a folder.")),
		cookie: nfs.Uint64(name+".cookie", "Cookie", "Where in the folder the next name is."),
	}
}

var plainEntry, plusEntry = entriesOf("readdir.entry3"), entriesOf("readdirplus.entry")

// entries reads the names in a folder; those of READDIRPLUS with what is known of the files.
func entries(d *dissect.D, plus bool) {
	gap, of := " ", plainEntry // what stands in front is the title, which ends without
	if plus {
		of = plusEntry
	}
	list(d, fMore, nEntry, func(d *dissect.D) {
		d.Uint(of.id)
		if name := opaque(d, fTextLen, of.name); d.Info().Wanted() {
			d.Info().Setf("%s%s", gap, name)
			gap = ""
		}
		d.Uint(of.cookie)
		if plus {
			maybeAttributes(d, nAttrs)
			part3(d, 'P')
		}
	})
	d.Uint(nDirEOF)
}
