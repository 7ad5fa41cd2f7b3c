package rpc

import "remora/dissect"

// asks3 are the shapes of the arguments of version 3 (RFC 1813 section 3.3), by procedure.
var asks3 = map[uint32]shape{
	1: "h", 2: "hsg", 3: "hn", 4: "hA", 5: "h", 6: "hOC", 7: "hOCSW", 8: "hnm", 9: "hns", 10: "hnst", 11: "hn", 12: "hn",
	13: "hn",
	14: "hnhn", 15: "hhn", 16: "hKVC", 17: "hKVDX", 18: "h", 19: "h", 20: "h", 21: "hOC",
}

// tells3 are those of the results: where it went well, and where not.
var tells3 = map[uint32][2]shape{
	1: {"f", ""}, 2: {"w", "w"}, 3: {"haa", "a"}, 4: {"aB", "a"}, 5: {"al", "a"}, 6: {"aCER", "a"}, 7: {"wCMV", "w"},
	8: {"Paw", "w"},
	9: {"Paw", "w"}, 10: {"Paw", "w"}, 11: {"Paw", "w"}, 12: {"w", "w"}, 13: {"w", "w"}, 14: {"ww", "ww"},
	15: {"aw", "aw"},
	16: {"aVd", "a"}, 17: {"aVp", "a"}, 18: {"a", "a"}, 19: {"a", "a"}, 20: {"a", "a"}, 21: {"wV", "w"},
}

var nfs3Args, nfs3Results = func() (args, results map[uint32]routine) {
	args, results = map[uint32]routine{}, map[uint32]routine{}
	for proc, s := range asks3 {
		args[proc] = func(d *dissect.D) {
			s.read(d)
			asked(d, proc)
		}
	}
	for proc, s := range tells3 {
		results[proc] = func(d *dissect.D) {
			if d.Uint(nStatus) != 0 {
				s[1].read(d)
				d.Info().Set(" Error: {nfs.status3:name}")
				return
			}
			s[0].read(d)
			nfs3Info(d, proc)
		}
	}
	return args, results
}()

// asked is what Wireshark says of a call: the handle, the name, the range.
func asked(d *dissect.D, proc uint32) {
	switch proc {
	case 4:
		d.Info().Set(", FH: {nfs.fh.hash}, \\[Check: " + rights(d.PeekUint(-4, 4)) + "\\]")
	case 6:
		d.Info().Set(", FH: {nfs.fh.hash} Offset: {nfs.offset3} Len: {nfs.count3}")
	case 7:
		d.Info().Set(", FH: {nfs.fh.hash} Offset: {nfs.offset3} Len: {nfs.count3} {nfs.write.stable:name}")
	case 3, 9, 10, 11, 12, 13:
		d.Info().Set(", DH: {nfs.fh.hash}/{nfs.name}")
	case 8:
		d.Info().Set(", DH: {nfs.fh.hash}/{nfs.name} Mode: {nfs.createmode:name}")
	case 14:
		d.Info().Set(", From DH: {nfs.fh.hash}/{nfs.name}")
	default:
		d.Info().Set(", FH: {nfs.fh.hash}")
	}
}

// nfs3Info is what Wireshark says of results.
func nfs3Info(d *dissect.D, proc uint32) {
	switch proc {
	case 4:
		d.Info().Set(", \\[Allowed: " + rights(d.PeekUint(-4, 4)) + "\\]")
	case 1:
		d.Info().Set("  {nfs.fattr3.type:name} mode: {nfs.mode3} uid: {nfs.fattr3.uid} gid: {nfs.fattr3.gid}")
	case 3:
		d.Info().Set(", FH: {nfs.fh.hash}")
	case 6:
		d.Info().Set(" Len: {nfs.count3}")
	case 7:
		d.Info().Set(" Len: {nfs.count3} {nfs.write.committed:name}")
	case 18:
		for _, f := range sizes {
			d.Uint(f)
		}
		d.Uint(nInvar)
	case 19:
		for _, f := range limits {
			d.Uint(f)
		}
		d.Uint(nMaxFile)
		moment(d, nDelta)
		d.Uint(nProps)
	case 20:
		d.Uint(nLinkMax)
		d.Uint(nNameMax)
		for _, f := range habits {
			d.Bool(f)
		}
	}
}

var (
	sizes = []*dissect.Field{
		nfs.Uint64("fsstat3_resok.tbytes", "Total bytes", "Size of the file system."),
		nfs.Uint64("fsstat3_resok.fbytes", "Free bytes", "How much of it is free."),
		nfs.Uint64("fsstat3_resok.abytes", "Available free bytes", "How much the caller may use."),
		nfs.Uint64("fsstat3_resok.tfiles", "Total file slots", "How many files it can hold."),
		nfs.Uint64("fsstat3_resok.ffiles", "Free file slots", "How many more."),
		nfs.Uint64("fsstat3_resok.afiles", "Available free file slots", "How many more of the caller's."),
	}
	nInvar = nfs.Uint32("fsstat.invarsec", "invarsec", "How many seconds this holds.")
	limits = []*dissect.Field{
		nfs.Uint32("fsinfo.rtmax", "rtmax", "How much can be read at once."),
		nfs.Uint32("fsinfo.rtpref", "rtpref", "How much should be."),
		nfs.Uint32("fsinfo.rtmult", "rtmult", "In multiples of what."),
		nfs.Uint32("fsinfo.wtmax", "wtmax", "How much can be written at once."),
		nfs.Uint32("fsinfo.wtpref", "wtpref", "How much should be."),
		nfs.Uint32("fsinfo.wtmult", "wtmult", "In multiples of what."),
		nfs.Uint32("fsinfo.dtpref", "dtpref", "How much of a folder should be read at once."),
	}
	nMaxFile = nfs.Uint64("fsinfo.maxfilesize", "maxfilesize", "How long a file can be.")
	nDelta   = nfs.Span("dtime", "time delta", "How exact times are.")
	nProps   = nfs.Flags32("fsinfo.properties", "Properties", []dissect.Flag{
		{Name: "setattr", Label: "SETATTR can set time on server", Mask: 0x10, Doc: "The caller can set times."},
		{Name: "pathconf", Label: "PATHCONF", Mask: 0x8, Doc: "PATHCONF holds for all files."},
		{Name: "symlinks", Label: "File System supports symbolic links", Mask: 0x2, Doc: "There are symbolic links."},
		{Name: "hardlinks", Label: "File System supports hard links", Mask: 0x1, Doc: "There are hard links."},
	}, "What the file system can do.")
	nLinkMax = nfs.Uint32("pathconf.linkmax", "linkmax", "How many links a file can have.")
	nNameMax = nfs.Uint32("pathconf.name_max", "name_max", "How long a name can be.")
	habits   = []*dissect.Field{
		nfs.Bool("pathconf.no_trunc", "no_trunc", "Names that are too long are an error.").Wide(4).TrueFalse("Yes", "No"),
		nfs.Bool("pathconf.chown_restricted", "chown_restricted", "Files cannot be given away.").Wide(4).
			TrueFalse("Yes", "No"),
		nfs.Bool("pathconf.case_insensitive", "case_insensitive", "Upper and lower case are the same.").Wide(4).
			TrueFalse("Yes", "No"),
		nfs.Bool("pathconf.case_preserving", "case_preserving", "Names stay as they were written.").Wide(4).
			TrueFalse("Yes", "No"),
	}
)
