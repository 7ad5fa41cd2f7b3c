package smb

import (
	"fmt"

	"remora/dissect"
)

var (
	oFID  = old.Uint16("fid", "FID", "The open file.").Hex()
	oFile = old.Uint16("fid", "FID", "The open file.").Hex().Derived()
	oAndX = old.Uint8("andxcmd", "AndXCommand", "Which command follows in the same message.").Hex().
		Named(commandsAndX)
	oAndXAt    = old.Uint16("andxoffset", "AndXOffset", "Where it is.")
	oWriteTime = old.Uint32("last_write.seconds", "Last Write", "When the file was last written, seconds since 1970.").
			Hex()
	oOffset    = old.Uint32("offset", "Offset", "Where in the file.")
	oMaxCount  = old.Uint16("max_count_low", "Max Count Low", "How many bytes at most.")
	oMinCount  = old.Uint16("min_count", "Min Count", "How many bytes at least.")
	oConnFlags = old.Uint16("connect.flags", "Flags", "How to connect.").Hex()
	oPassLen   = old.Uint16("pwlen", "Password Length", "Length of the password.")
	oPassword  = old.Bytes("password", "Password", "What opens the share.")
	oPath      = old.String("path", "Path", "The share.")
	oService   = old.String("service", "Service", "What is shared.")
	oFileName  = old.String("file", "File Name", "The file within its share.")
	oDir       = old.String("dir_name", "Directory", "The folder within its share.")
	oOldFile   = old.String("old_file", "Old File Name", "The file's name so far.")
	oRemaining = old.Uint16("remaining", "Remaining", "How many more follow.")
	oWMode     = old.Uint16("write.mode", "Write Mode", "How to write.").Hex()
	oLenHigh   = old.Uint16("data_len_high", "Data Length High (multiply with 64K)", "How many bytes, upper half.")
	oLenLow    = old.Uint16("data_len_low", "Data Length Low", "How many bytes.")
	oCountLow  = old.Uint16("count_low", "Count Low", "How many bytes were written.")
	oOplock    = old.Uint8("oplock.level", "Oplock level", "What the client may keep to itself.")
	oChallenge = old.Bytes("server_guid", "Server GUID", "Names the server.")
)

var commandsAndX = dissect.Values{0xff: "No further commands", 0x2e: "Read AndX", 0x2f: "Write AndX",
	0x73: "Session Setup AndX", 0x75: "Tree Connect AndX", 0xa2: "NT Create AndX"}

func (o *oldReader) connectWords() {
	o.next()
	o.d.Uint(oConnFlags)
	o.trans.pc = int(o.d.Uint(oPassLen))
}

func (o *oldReader) connectBytes() {
	d := o.d
	if n := min(o.trans.pc, d.Left()); n > 0 {
		d.Bytes(oPassword, n)
	}
	path := o.text(oPath)
	if d.Info().Wanted() {
		d.Info().List("Path: " + path)
	}
	b := d.Data()
	if i := indexNUL(b); i >= 0 {
		d.CString(oService)
	}
}

func (o *oldReader) readWords() {
	d := o.d
	o.next()
	o.fid()
	off := d.Uint(oOffset)
	n := d.Uint(oMaxCount)
	d.Uint(oMinCount)
	if d.Info().Wanted() {
		d.Info().List(fmt.Sprintf("%d bytes at offset %d", n, off))
	}
}

func (o *oldReader) createBytes() {
	name := o.text(oFileName)
	if o.d.Info().Wanted() {
		o.d.Info().List("Path: " + name)
	}
}

func (o *oldReader) createdWords() {
	o.next()
	o.d.Uint(oOplock)
	o.fid()
}

func (o *oldReader) dialects() {
	d := o.d
	d.In(oDialect, func() {
		for more := d.Elements(); more.Next(); {
			d.Uint(oFormat)
			d.CString(oName)
		}
	})
}

// offered reads how a server answers to a client that proves who it is in newer ways.
func (o *oldReader) offered() {
	d := o.d
	if d.Left() > 16 && d.Peek(16) == 0x60 {
		d.Bytes(oChallenge, 16)
		security(d, oData)
	}
}

func (o *oldReader) proof() { security(o.d, oData) }

// named reads a name behind the byte that says its form.
func (o *oldReader) named(f *dissect.Field, label string) {
	d := o.d
	if !d.More() {
		return
	}
	d.Uint(oFormat)
	name := o.text(f)
	if d.Info().Wanted() {
		d.Info().List(label + ": " + name)
	}
}

func (o *oldReader) writeWords() {
	d := o.d
	o.next()
	o.fid()
	off := d.Uint(oOffset)
	d.Bytes(oRes, 4)
	d.Uint(oWMode)
	d.Uint(oRemaining)
	high := d.Uint(oLenHigh)
	n := high<<16 | d.Uint(oLenLow)
	d.Uint(oDO)
	if d.Info().Wanted() {
		d.Info().List(fmt.Sprintf("%d bytes at offset %d", n, off))
	}
}

// gotWords reads how much was read.
func (o *oldReader) gotWords() {
	d := o.d
	o.next()
	d.Uint(oRemaining)
	d.Bytes(oRes, 4)
	n := d.Uint(oLenLow)
	d.Uint(oDO)
	if d.Info().Wanted() {
		d.Info().List(fmt.Sprintf("%d bytes", n))
	}
}

// wroteWords reads how much was written.
func (o *oldReader) wroteWords() {
	d := o.d
	o.next()
	n := d.Uint(oCountLow)
	d.Uint(oRemaining)
	if d.Info().Wanted() {
		d.Info().List(fmt.Sprintf("%d bytes", n))
	}
}
