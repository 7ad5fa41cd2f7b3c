package rpc

import (
	"strings"

	"remora/dissect"
)

// An accessFields is a mask of access rights (RFC 1813 section 3.3.4, RFC 7530 section 16.1, RFC 8276 section 8.5) with
// its bits.
type accessFields struct {
	mask *dissect.Field
	bits []*dissect.Field
}

var accessNames = [...]struct{ name, label, short, doc string }{
	{"read", "0x001 READ", "RD", "Read a file or a folder's names."},
	{"lookup", "0x002 LOOKUP", "LU", "Look up a name in the folder."},
	{"modify", "0x004 MODIFY", "MD", "Change what is there."},
	{"extend", "0x008 EXTEND", "XT", "Write behind the end, add names."},
	{"delete", "0x010 DELETE", "DL", "Delete names from the folder."}, {"execute", "0x020 EXECUTE", "XE", "Run the file."},
	{"xattr_read", "0x040 XATTR READ", "XAR", "Read extended attributes."},
	{"xattr_write", "0x080 XATTR WRITE", "XAW", "Write extended attributes."},
	{"xattr_list", "0x100 XATTR LIST", "XAL", "List extended attributes."},
}

var (
	asked4  = accessBits("access_")
	nCheck  = accessFields{nfs.Uint8("access_check", "Check access", "What somebody wants to do.").Hex(), asked4}
	nRights = accessFields{nfs.Uint8("access_rights", "Access rights (of requested)",
		"What somebody may do, of what was asked for.").Hex(), asked4}
	nSupport = accessFields{nfs.Uint8("access_supported", "Supported types (of requested)",
		"What the server can tell of.").Hex(), accessBits("access_supp_")}
)

func accessBits(begin string) (bits []*dissect.Field) {
	for i, n := range accessNames {
		bits = append(bits, nfs.Bool(begin+n.name, n.label, n.doc).Wide(2).Masked(1<<i))
	}
	return bits
}

// access reads a mask of access rights, which says nothing of those that nobody asked for.
func access(d *dissect.D, of accessFields) uint64 { return accessAmong(d, of, d.PeekUint(0, 4)) }

// accessAmong reads a mask of the access rights in among.
func accessAmong(d *dissect.D, of accessFields, among uint64) uint64 {
	at, v := d.Pos(), d.PeekUint(0, 4)
	if d.Skip(4); d.Short() {
		return 0
	}
	d.Put(of.mask, v, at, 4)
	d.Below(func() {
		for i, bit := range of.bits {
			if among>>i&1 != 0 {
				d.Put(bit, v, at+2, 2)
			}
		}
	})
	return v
}

// rights names access rights.
func rights(v uint64) string {
	var list []string
	for i, n := range accessNames {
		if v>>i&1 != 0 {
			list = append(list, n.short)
		}
	}
	if list == nil {
		return "<none>"
	}
	return strings.Join(list, " ")
}
