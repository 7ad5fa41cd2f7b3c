package rpc

import (
	"fmt"

	"remora/dissect"
)

var fileTypes = dissect.Values{1: "Regular File", 2: "Directory", 3: "Block Special Device",
	4: "Character Special Device", 5: "Symbolic Link", 6: "Socket", 7: "Named Pipe"}

var (
	nAttrs = nfs.Group("obj_attributes", "attributes", "What is known of a file.").
		Summary("attributes[  {nfs.fattr3.type:name} mode: {nfs.mode3} uid: {nfs.fattr3.uid} gid: {nfs.fattr3.gid}]")
	nHas = nfs.Uint32("attributes_follow", "attributes_follow", "Whether it follows.").
		Named(dissect.Values{0: "no value", 1: "value follows"})
	nFType = nfs.Uint32("fattr3.type", "Type", "What it is.").Named(fileTypes)
	nPerm  = nfs.Flags32("mode3", "Mode", []dissect.Flag{
		{Name: "suid", Label: "S_ISUID", Mask: 0x800, Doc: "It runs as its owner."},
		{Name: "sgid", Label: "S_ISGID", Mask: 0x400, Doc: "It runs as its group."},
		{Name: "sticky", Label: "S_ISVTX", Mask: 0x200, Doc: "Owners alone delete what is in it."},
		{Name: "rusr", Label: "S_IRUSR", Mask: 0x100, Doc: "The owner may read it."},
		{Name: "wusr", Label: "S_IWUSR", Mask: 0x80, Doc: "The owner may write it."},
		{Name: "xusr", Label: "S_IXUSR", Mask: 0x40, Doc: "The owner may run it."},
		{Name: "rgrp", Label: "S_IRGRP", Mask: 0x20, Doc: "Its group may read it."},
		{Name: "wgrp", Label: "S_IWGRP", Mask: 0x10, Doc: "Its group may write it."},
		{Name: "xgrp", Label: "S_IXGRP", Mask: 0x8, Doc: "Its group may run it."},
		{Name: "roth", Label: "S_IROTH", Mask: 0x4, Doc: "Others may read it."},
		{Name: "woth", Label: "S_IWOTH", Mask: 0x2, Doc: "Others may write it."},
		{Name: "xoth", Label: "S_IXOTH", Mask: 0x1, Doc: "Others may run it."},
	}, "Who may do what with it.").Dec().Format(func(v uint64) string { return fmt.Sprintf("0%03o", v) })
	nLinks  = nfs.Uint32("fattr3.nlink", "nlink", "How many names it has.")
	nUID    = nfs.Uint32("fattr3.uid", "uid", "Whose it is.")
	nGID    = nfs.Uint32("fattr3.gid", "gid", "Which group's it is.")
	nSize   = nfs.Uint64("fattr3.size", "size", "How long it is.")
	nUsed   = nfs.Uint64("fattr3.used", "used", "How much room it takes.")
	nSpec1  = nfs.Uint32("specdata1", "specdata1", "Major number of a device.")
	nSpec2  = nfs.Uint32("specdata2", "specdata2", "Minor number of a device.")
	nFSID   = nfs.Uint64("fattr3.fsid", "fsid", "Which file system it is on.").HexFirst()
	nID     = nfs.Uint64("fattr3.fileid", "fileid", "Its number there.")
	nATime  = nfs.Time("atime", "atime", "When it was last read.")
	nMTime  = nfs.Time("mtime", "mtime", "When it was last written.")
	nCTime  = nfs.Time("ctime", "ctime", "When it or what is known of it last changed.")
	nWeak   = nfs.Group("wcc", "wcc_data", "What is known of a file before and after.")
	nBefore = nfs.Group("before", "before", "What was known before.")
	nWSize  = nfs.Uint64("wcc_attr.size", "size", "How long it was.")
	nNew    = nfs.Group("new_attributes", "new_attributes", "What is to be changed.")
	nSetIt  = nfs.Uint32("set_it", "set_it", "Whether, or how.").
		Named(dissect.Values{0: "no value", 1: "value follows", 2: "client time"})
	nSetUID = nfs.Uint32("uid3", "uid", "Whose it shall be.")
	nSetGID = nfs.Uint32("gid3", "gid", "Which group's it shall be.")
	nSetLen = nfs.Uint64("set_size", "size", "How long it shall be.")
)

// nParts are the seconds and nanoseconds of times.
var nParts = map[*dissect.Field][2]*dissect.Field{nATime: partsOf("atime"), nMTime: partsOf("mtime"),
	nCTime: partsOf("ctime"), nDelta: partsOf("dtime")}

func partsOf(name string) [2]*dissect.Field {
	return [2]*dissect.Field{nfs.Uint32(name+".sec", "seconds", "Its seconds."),
		nfs.Uint32(name+".nsec", "nano seconds", "Its nanoseconds.")}
}

// moment reads a time, or a span of time, in seconds and nanoseconds.
func moment(d *dissect.D, f *dissect.Field) {
	if d.Left() >= 8 {
		d.Put(f, d.PeekUint(0, 4)*1e9+d.PeekUint(4, 4), d.Pos(), 8)
		if parts, ok := nParts[f]; ok {
			d.Below(func() { d.Uint(parts[0]); d.Uint(parts[1]) })
			return
		}
	}
	d.Skip(8)
}

// attributes reads what is known of a file (RFC 1813 section 2.6).
func attributes(d *dissect.D) {
	d.In(nAttrs, func() { attributeParts(d) })
}

func attributeParts(d *dissect.D) {
	for _, f := range [...]*dissect.Field{nFType, nPerm, nLinks, nUID, nGID, nSize, nUsed, nSpec1, nSpec2, nFSID, nID} {
		d.Uint(f)
	}
	moment(d, nATime)
	moment(d, nMTime)
	moment(d, nCTime)
}

func maybeAttributes(d *dissect.D, group *dissect.Field) {
	d.In(group, func() {
		if d.Uint(nHas) == 1 {
			attributeParts(d)
		}
	})
}

// weak reads what was known of a file before and is after, so that a client sees whether others changed it too.
func weak(d *dissect.D) {
	d.In(nWeak, func() {
		d.In(nBefore, func() {
			if d.Uint(nHas) == 1 {
				d.Uint(nWSize)
				moment(d, nMTime)
				moment(d, nCTime)
			}
		})
		maybeAttributes(d, nAttrs)
	})
}

// newAttributes reads what is to be changed of a file.
func newAttributes(d *dissect.D) {
	d.In(nNew, func() {
		for _, f := range [...]*dissect.Field{nPerm, nSetUID, nSetGID, nSetLen} {
			if d.Uint(nSetIt) == 1 {
				d.Uint(f)
			}
		}
		for _, f := range [...]*dissect.Field{nATime, nMTime} {
			if d.Uint(nSetIt) == 2 {
				moment(d, f)
			}
		}
	})
}
