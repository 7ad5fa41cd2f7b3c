package rpc

import "remora/dissect"

var (
	n4Share = nfs.Uint32("open4.share_access", "share_access", "What the file is opened for.").
		Named(dissect.Values{1: "OPEN4_SHARE_ACCESS_READ", 2: "OPEN4_SHARE_ACCESS_WRITE", 3: "OPEN4_SHARE_ACCESS_BOTH"})
	n4Deny = nfs.Uint32("open4.share_deny", "share_deny", "What others may not do meanwhile.").
		Named(dissect.Values{0: "OPEN4_SHARE_DENY_NONE", 1: "OPEN4_SHARE_DENY_READ", 2: "OPEN4_SHARE_DENY_WRITE",
			3: "OPEN4_SHARE_DENY_BOTH"})
	n4Owner  = nfs.Bytes("open_owner4", "owner", "Who opens it, in the client's words.")
	n4Create = nfs.Uint32("open.opentype", "Open Type", "Whether to create the file.").
			Named(dissect.Values{0: "OPEN4_NOCREATE", 1: "OPEN4_CREATE"})
	n4How = nfs.Uint32("createmode4", "Create Mode", "What if the file is there already.").
		Named(dissect.Values{0: "UNCHECKED4", 1: "GUARDED4", 2: "EXCLUSIVE4", 3: "EXCLUSIVE4_1"})
	n4Claim = nfs.Uint32("open.claim_type", "Claim Type", "By what right.").Named(dissect.Values{
		0: "CLAIM_NULL", 1: "CLAIM_PREVIOUS", 2: "CLAIM_DELEGATE_CUR", 3: "CLAIM_DELEGATE_PREV", 4: "CLAIM_FH",
		5: "CLAIM_DELEG_CUR_FH", 6: "CLAIM_DELEG_PREV_FH",
	})
	n4Atomic = nfs.Bool("change_info.atomic", "Atomic", "Nothing else happened in between.").Wide(4).TrueFalse("Yes", "No")
	n4Before = nfs.Uint64("changeid4.before", "changeid (before)", "Number of the folder's change before.")
	n4After  = nfs.Uint64("changeid4.after", "changeid (after)", "And after.")
	n4RFlags = nfs.Flags32("open_rflags", "result flags", []dissect.Flag{
		{Name: "confirm", Label: "confirm", Mask: 0x2, Doc: "The client must confirm."},
		{Name: "locktype_posix", Label: "locktype posix", Mask: 0x4, Doc: "Locks are those of POSIX."},
		{Name: "preserve_unlinked", Label: "preserve unlinked", Mask: 0x8, Doc: "The file stays while it is open."},
		{Name: "may_notify_lock", Label: "may notify lock", Mask: 0x20, Doc: "The server may tell when a lock is free."},
	}, "What else to know.")
	n4Deleg = nfs.Uint32("open.delegation_type", "Delegation Type", "What the client may do without asking.").
		Named(dissect.Values{0: "OPEN_DELEGATE_NONE", 1: "OPEN_DELEGATE_READ", 2: "OPEN_DELEGATE_WRITE",
			3: "OPEN_DELEGATE_NONE_EXT"})
	n4Entry = nfs.String("name", "Name", "Name of a file in the folder.").
		Also(nfs.String("entry_name", "Name", "Name of a file in the folder."))
	n4DirEOF = nfs.Bool("dirlist4.eof", "EOF", "The folder ends here.").Wide(4).TrueFalse("Yes", "No")
)

// open4 reads how a file is opened (RFC 7530 section 16.16). It tells whether what follows can be read.
func open4(c *compound, d *dissect.D) bool {
	d.Uint(n4Seq)
	d.Uint(n4Share)
	d.Uint(n4Deny)
	d.Uint(n4Client)
	opaque(d, fTextLen, n4Owner)
	if d.Uint(n4Create) == 1 {
		how := d.Uint(n4How)
		if how >= 2 {
			d.Uint(n4Verf)
		}
		if how != 2 {
			c.part(d, 'a')
		}
	}
	switch d.Uint(n4Claim) {
	case 0, 3:
		c.part(d, 'n')
	case 1:
		d.Uint(n4Deleg)
	case 2:
		c.part(d, 's')
		c.part(d, 'n')
	case 5:
		c.part(d, 's')
	}
	return true
}

// opened4 reads the result of it. What comes with a delegation is not taken apart.
func opened4(c *compound, d *dissect.D) bool {
	c.part(d, 's')
	change4(d)
	d.Uint(n4RFlags)
	bitmap(d)
	return d.Uint(n4Deleg) == 0
}

func change4(d *dissect.D) {
	d.Bool(n4Atomic)
	d.Uint(n4Before)
	d.Uint(n4After)
}

// readdir4 reads the names in a folder.
func readdir4(_ *compound, d *dissect.D) bool {
	d.Uint(n4Verf)
	list(d, nMore, nEntry4, func(d *dissect.D) {
		d.Uint(n4Cookie)
		opaque(d, fTextLen, n4Entry)
		values4(d)
	})
	d.Bool(n4DirEOF)
	return true
}

var nEntry4 = nfs.Group("readdir.entry4", "Entry", "A name in a folder.").Summary("Entry: {nfs.name}")

// special4 are the operations whose arguments or results have no plain shape, by code; those of results have 1<<16 on
// top.
var special4 = map[uint64]func(c *compound, d *dissect.D) bool{
	18: open4, 1<<16 | 18: opened4, 1<<16 | 26: readdir4,
	1<<16 | 28: func(c *compound, d *dissect.D) bool { change4(d); return true },
	1<<16 | 29: func(c *compound, d *dissect.D) bool { change4(d); change4(d); return true },
}
