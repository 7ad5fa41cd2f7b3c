package rpc

import (
	"fmt"

	"remora/dissect"
)

// attributes4 are the attributes of files, by number (RFC 7531, RFC 5662, RFC 7863, RFC 8275, RFC 8276).
var attributes4 = dissect.Values{
	0: "Supported_Attrs", 1: "Type", 2: "FH_Expire_Type", 3: "Change", 4: "Size", 5: "Link_Support", 6: "Symlink_Support",
	7: "Named_Attr", 8: "FSID", 9: "Unique_Handles", 10: "Lease_Time", 11: "RDAttr_Error", 12: "ACL", 13: "ACLSupport",
	14: "Archive", 15: "CanSetTime", 16: "Case_Insensitive", 17: "Case_Preserving", 18: "Chown_Restricted",
	19: "Filehandle",
	20: "FileId", 21: "Files_Avail", 22: "Files_Free", 23: "Files_Total", 24: "FS_Locations", 25: "Hidden",
	26: "Homogeneous",
	27: "MaxFileSize", 28: "MaxLink", 29: "MaxName", 30: "MaxRead", 31: "MaxWrite", 32: "MimeType", 33: "Mode",
	34: "No_Trunc",
	35: "NumLinks", 36: "Owner", 37: "Owner_Group", 38: "Quota_Avail_Hard", 39: "Quota_Avail_Soft", 40: "Quota_Used",
	41: "RawDev", 42: "Space_Avail", 43: "Space_Free", 44: "Space_Total", 45: "Space_Used", 46: "System",
	47: "Time_Access",
	48: "Time_Access_Set", 49: "Time_Backup", 50: "Time_Create", 51: "Time_Delta", 52: "Time_Metadata", 53: "Time_Modify",
	54: "Time_Modify_Set", 55: "Mounted_on_FileId", 56: "Dir_Notif_Delay", 58: "DACL", 59: "SACL", 60: "Change_Policy",
	61: "FS_Status", 62: "FS_Layout_Type", 63: "Layout_hint", 64: "Layout_type", 65: "Layout_blksize",
	66: "Layout_alignment",
	67: "FS_Locations_info", 68: "MDS_Threshold", 69: "Retention_Get", 70: "Retention_Set", 71: "RetentEvt_Get",
	72: "RetentEvt_Set", 73: "Retention_Hold", 74: "Mode_Set_Masked", 75: "Suppattr_ExclCreat", 76: "FS_Charset_Cap",
	77: "Clone_Block_Size", 78: "Space_Freed", 79: "Change_Attr_Type", 80: "Security_Label", 81: "Mode_Umask",
	82: "Xattr_Support", 83: "Offline", 84: "Time_Deleg_Access", 85: "Time_Deleg_Modify",
}

var (
	n4Words  = nfs.Uint32("attr_mask_words", "Attr mask words", "How many words of bits follow.")
	n4Mask   = nfs.Uint32("attr_mask", "Attr mask", "Which attributes, of 32.").Hex()
	n4Attr   = nfs.Uint32("attr", "attr", "An attribute.").Named(attributes4)
	n4AttrN  = nfs.Uint32("attr_count", "Attr count", "How many attributes of 32 there are.").Derived()
	n4Values = nfs.Uint32("attr_vals_length", "Length of values", "Length of the values of the attributes.")
	n4Rest   = nfs.Bytes("attr_vals", "Attributes", "Values of attributes whose form is not known.")
	n4FType  = nfs.Uint32("nfs_ftype4", "ftype4", "What the file is.").Named(dissect.Values{
		1: "NF4REG", 2: "NF4DIR", 3: "NF4BLK", 4: "NF4CHR", 5: "NF4LNK", 6: "NF4SOCK", 7: "NF4FIFO", 8: "NF4ATTRDIR",
		9: "NF4NAMEDATTR",
	})
	n4Mode = nfs.Flags32("mode", "mode", []dissect.Flag{
		{Name: "set_user_id", Label: "Set user id on exec", Mask: 0x800, Doc: "It runs as its owner."},
		{Name: "set_group_id", Label: "Set group id on exec", Mask: 0x400, Doc: "It runs as its group."},
		{Name: "save_swap_text", Label: "Save swapped text even after use", Mask: 0x200,
			Doc: "Owners alone delete what is in it."},
		{Name: "read_owner", Label: "Read permission for owner", Mask: 0x100, Doc: "The owner may read it."},
		{Name: "write_owner", Label: "Write permission for owner", Mask: 0x80, Doc: "The owner may write it."},
		{Name: "exec_owner", Label: "Execute permission for owner", Mask: 0x40, Doc: "The owner may run it."},
		{Name: "read_group", Label: "Read permission for group", Mask: 0x20, Doc: "Its group may read it."},
		{Name: "write_group", Label: "Write permission for group", Mask: 0x10, Doc: "Its group may write it."},
		{Name: "exec_group", Label: "Execute permission for group", Mask: 0x8, Doc: "Its group may run it."},
		{Name: "read_other", Label: "Read permission for others", Mask: 0x4, Doc: "Others may read it."},
		{Name: "write_other", Label: "Write permission for others", Mask: 0x2, Doc: "Others may write it."},
		{Name: "exec_other", Label: "Execute permission for others", Mask: 0x1, Doc: "Others may run it."},
	}, "Who may do what with it.").Dec().Format(func(v uint64) string { return fmt.Sprintf("0%03o", v) })
	n4Sort = nfs.Uint32("mode.name", "Name", "What the file is, which servers leave out.").Masked(0xe000).
		Named(dissect.Values{2: "Directory", 4: "Regular", 5: "Symbolic Link", 6: "Socket"})
	n4Sec   = nfs.Uint64("nfstime4.seconds", "seconds", "Seconds since 1970.")
	n4Nano  = nfs.Uint32("nfstime4.nseconds", "nseconds", "Nanoseconds besides.")
	n4SetIt = nfs.Uint32("set_it", "set_it", "Whose time it is set to.").
		Named(dissect.Values{0: "SET_TO_SERVER_TIME4", 1: "SET_TO_CLIENT_TIME4"})
	n4Major  = nfs.Uint64("fsid4.major", "fsid4.major", "Number of the file system.")
	n4Less   = nfs.Uint64("fsid4.minor", "fsid4.minor", "Second number of the file system.")
	n4Expire = nfs.Uint32("fattr4_fh_expire_type", "fattr4_fh_expire_type", "How long handles hold.").Hex()
	n4Change = nfs.Uint64("changeid4", "changeid", "Number of the file's last change.")
	n4ACLs   = nfs.Flags32("fattr4.aclsupport", "aclsupport", []dissect.Flag{
		{Name: "allow_acl", Label: "ALLOW", Mask: 1, Doc: "Entries may allow."},
		{Name: "deny_acl", Label: "DENY", Mask: 2, Doc: "Entries may deny."},
		{Name: "audit_acl", Label: "AUDIT", Mask: 4, Doc: "Entries may note what was done."},
		{Name: "alarm_acl", Label: "ALARM", Mask: 8, Doc: "Entries may raise an alarm."},
	}, "What lists of rights can say.").Dec()
)

// plain4 are the attributes that are one number, truth or text.
var plain4 = map[uint64]*dissect.Field{
	1: n4FType, 2: n4Expire, 3: n4Change, 11: n4Status, 13: n4ACLs,
	5: truth4("link_support", "There are links."), 6: truth4("symlink_support", "There are symbolic links."),
	7: truth4("named_attr", "The file has named attributes."),
	9: truth4("unique_handles", "Two handles are two files."), 14: truth4("archive", "Saved since its last change."),
	15: truth4("cansettime", "Times can be set."),
	16: truth4("case_insensitive", "Upper and lower case are the same."),
	17: truth4("case_preserving", "Names stay as they were written."),
	18: truth4("chown_restricted", "Files cannot be given away."), 25: truth4("hidden", "Not to be shown."),
	26: truth4("homogeneous", "All files have the same attributes."),
	34: truth4("no_trunc", "Names that are too long are an error."), 46: truth4("system", "A file of the system."),
	82: truth4("xattr_support", "There are extended attributes."),
	83: truth4("offline", "The file is not at hand."),
	4:  long4("size", "How long the file is."), 20: long4("fileid", "Number of the file."),
	21: long4("files_avail", "How many more files the caller may make."),
	22: long4("files_free", "How many more files there can be."), 23: long4("files_total", "How many files there can be."),
	27: long4("maxfilesize", "How long a file can be."),
	30: long4("maxread", "How much can be read at once."), 31: long4("maxwrite", "How much can be written at once."),
	38: long4("quota_hard", "Room left until the hard limit."),
	39: long4("quota_soft", "Room left until the soft limit."),
	40: long4("quota_used", "Room that counts for the limits."), 42: long4("space_avail", "Room for the caller."),
	43: long4("space_free", "Free room."), 44: long4("space_total", "Room in all."),
	45: long4("space_used", "Room that the file takes."), 78: long4("space_freed", "Room that deleting it would free."),
	55: nfs.Uint64("fattr4.mounted_on_fileid", "fileid", "Number of the folder below what is mounted there.").Hex(),
	10: short4("lease_time", "Seconds that what is opened holds."),
	28: short4("maxlink", "How many links a file can have."), 29: short4("maxname", "How long a name can be."),
	35: short4("numlinks", "How many names the file has."),
	77: short4("clone_block_size", "Size of blocks that can be cloned."),
	79: short4("change_attr_type", "How the number of changes grows."),
	65: nfs.Uint32("fattr4.layout_blksize", "blksize", "Size of blocks."),
	32: nfs.String("fattr4_mimetype", "fattr4_mimetype", "Type of the file's contents."),
	36: nfs.String("fattr4_owner", "fattr4_owner", "Whose the file is."),
	37: nfs.String("fattr4_owner_group", "fattr4_owner_group", "Which group's the file is."),
}

func truth4(name, doc string) *dissect.Field {
	return nfs.Bool("fattr4_"+name, "fattr4_"+name, doc).Wide(4).TrueFalse("Yes", "No")
}
func long4(name, doc string) *dissect.Field  { return nfs.Uint64("fattr4."+name, name, doc) }
func short4(name, doc string) *dissect.Field { return nfs.Uint32("fattr4."+name, name, doc) }

// bitmap reads which attributes are meant.
func bitmap(d *dissect.D) { attributesOf(d, words4(d), func(uint64) {}) }

// values4 reads which attributes there are, and their values (RFC 7530 section 3.3.7), which stand behind all the bits.
func values4(d *dissect.D) {
	masks := words4(d)
	length := int(d.Uint(n4Values))
	if d.Short() {
		return
	}
	d.Within(length, func() {
		known := true
		attributesOf(d, masks, func(number uint64) {
			if known && d.More() {
				known = value4(d, number)
			}
		})
		d.Rest(n4Rest)
	})
}

// maxWords bounds the words of a bitmap: there are three so far.
const maxWords = 10

// words4 passes over the words of a bitmap, and returns where they stand.
func words4(d *dissect.D) (at [2]int) {
	n := int(d.Uint(n4Words))
	at[0] = d.Pos()
	if d.Short() || n > maxWords || n > d.Left()/4 {
		d.Skip(n * 4)
		return [2]int{}
	}
	d.Skip(n * 4)
	at[1] = n
	return at
}

// attributesOf records the words of a bitmap with the attributes that are set, and calls value below each.
func attributesOf(d *dissect.D, at [2]int, value func(number uint64)) {
	for w := range at[1] {
		pos := at[0] + 4*w
		mask := d.PeekUint(pos-d.Pos(), 4)
		d.Put(n4Mask, mask, pos, 4)
		d.Below(func() {
			count := 0
			for bit := range 32 {
				if mask>>bit&1 != 0 {
					count++
					d.Put(n4Attr, uint64(32*w+bit), pos, 4)
					d.Below(func() { value(uint64(32*w + bit)) })
				}
			}
			d.Set(n4AttrN, uint64(count))
		})
	}
}

// value4 reads an attribute's value and tells whether its form is known.
func value4(d *dissect.D, number uint64) bool {
	if f := plain4[number]; f != nil {
		switch f.Type() {
		case dissect.TypeString:
			opaque(d, fTextLen, f)
		case dissect.TypeBool:
			d.Bool(f)
		default:
			d.Uint(f)
		}
		return true
	}
	switch number {
	case 0, 75:
		bitmap(d)
	case 8:
		d.Uint(n4Major)
		d.Uint(n4Less)
	case 19:
		handle(d)
	case 33:
		mode4(d)
	case 41:
		d.Uint(nSpec1)
		d.Uint(nSpec2)
	case 48, 54:
		if d.Uint(n4SetIt) == 1 {
			time4(d)
		}
	case 47, 49, 50, 51, 52, 53:
		time4(d)
	default:
		return false
	}
	return true
}

func time4(d *dissect.D) {
	d.Uint(n4Sec)
	d.Uint(n4Nano)
}

func mode4(d *dissect.D) {
	at, v := d.Pos(), d.PeekUint(0, 4)
	d.Uint(n4Mode)
	d.Below(func() { d.Put(n4Sort, v, at, 4) })
}
