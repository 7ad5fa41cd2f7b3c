package smb

import "remora/dissect"

// blobs is the table of what proves who somebody is: see package gss.
const blobs dissect.Table = "gss"

// security reads a blob that proves who somebody is.
func security(d *dissect.D, f *dissect.Field) {
	if d.Left() == 0 {
		return
	}
	d.Put(f, 0, d.Pos(), d.Left())
	d.Next(blobs, 1)
	d.Skip(d.Left())
}
