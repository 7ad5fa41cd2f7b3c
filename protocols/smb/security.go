package smb

import (
	"remora/dissect"
	"remora/protocols/internal/tables"
)

// security reads a blob that proves who somebody is.
func security(d *dissect.D, f *dissect.Field) {
	if d.Left() == 0 {
		return
	}
	d.Put(f, 0, d.Pos(), d.Left())
	d.Next(tables.GSS, 1)
	d.Skip(d.Left())
}
