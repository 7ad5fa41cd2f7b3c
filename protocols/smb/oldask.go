package smb

import (
	"fmt"

	"remora/dissect"
)

var (
	oLevel   = old.Uint16("qpi_loi", "Level of Interest", "What is asked of a file.").Named(oldFileLevels)
	oFSLevel = old.Uint16("qfsi_information_level", "Level of Interest", "What is asked of a file system.").
			Named(oldSystemLevels)
	oFound = old.Uint16("ff2_loi", "Level of Interest", "What is asked of each file that is found.").
		Named(oldFoundLevels)
	oSearch  = old.Uint16("search_count", "Search Count", "How many files at most.")
	oPattern = old.String("search_pattern", "Search Pattern", "Which files are looked for.")
	oReferr  = old.Uint16("max_referral_level", "Max Referral Level",
		"The newest form of the answer that the client knows.")
)

// What can be asked of files, of file systems and of files that are found (MS-CIFS sections 2.2.8.3, 2.2.8.2 and
// 2.2.8.1).
var (
	oldFileLevels = dissect.Values{
		1: "Info Standard", 2: "Info Query EA Size", 3: "Info Query EAs From List", 4: "Info Query All EAs",
		6:     "Info Is Name Valid",
		0x101: "Query File Basic Info", 0x102: "Query File Standard Info", 0x103: "Query File EA Info",
		0x104: "Query File Name Info",
		0x107: "Query File All Info", 0x108: "Query File Alt Name Info", 0x109: "Query File Stream Info",
		0x10b: "Query File Compression Info",
		0x200: "Query File Unix Basic", 0x201: "Query File Unix Link", 0x202: "Query File Unix Hardlink",
	}
	oldSystemLevels = dissect.Values{
		1: "Info Allocation", 2: "Info Volume", 0x101: "Query FS Label Info", 0x102: "Query FS Volume Info",
		0x103: "Query FS Size Info",
		0x104: "Query FS Device Info", 0x105: "Query FS Attribute Info", 0x3ef: "Query Full FS Size Info",
	}
	oldFoundLevels = dissect.Values{
		1: "Info Standard", 2: "Info Query EA Size", 3: "Info Query EAs From List", 0x101: "Find File Directory Info",
		0x102: "Find File Full Directory Info", 0x103: "Find File Names Info", 0x104: "Find File Both Directory Info",
	}
)

// askedBytes reads what a request of the second kind of transactions is about (MS-CIFS section 2.2.6).
func (o *oldReader) askedBytes() {
	d, t := o.d, &o.trans
	o.part(t.po, t.pc, func() {
		switch trans2[t.words[0]] {
		case "FIND_FIRST2":
			d.Bytes(oRes, min(2, d.Left())) // the attributes that files may have
			d.Uint(oSearch)
			d.Bytes(oRes, min(2, d.Left())) // whether to go on
			d.Uint(oFound)
			d.Bytes(oRes, min(4, d.Left()))
			o.spelled(oPattern, "Pattern")
		case "QUERY_FS_INFO":
			o.level(oFSLevel, oldSystemLevels)
		case "QUERY_PATH_INFO":
			o.level(oLevel, oldFileLevels)
			d.Bytes(oRes, min(4, d.Left()))
			o.spelled(oFileName, "Path")
		case "QUERY_FILE_INFO":
			o.fid()
			o.level(oLevel, oldFileLevels)
		case "GET_DFS_REFERRAL":
			d.Uint(oReferr)
			o.spelled(oFileName, "File")
		}
		d.Rest(oTParams)
	})
	o.part(t.do, t.dc, func() { d.Rest(oTData) })
}

// spelled reads a name, and says it.
func (o *oldReader) spelled(f *dissect.Field, label string) {
	if name := o.text(f); o.d.Info().Wanted() && name != "" {
		o.d.Info().List(label + ": " + name)
	}
}

// level reads what is asked, and says it.
func (o *oldReader) level(f *dissect.Field, names dissect.Values) {
	v := o.d.Uint(f)
	if !o.d.Info().Wanted() || o.d.Short() {
		return
	}
	name := names[v]
	if name == "" {
		name = fmt.Sprintf("Unknown (%d)", v)
	}
	o.d.Info().List(name)
}
