package imf

import (
	"strings"

	"remora/dissect"
)

// objects are whole messages, named by their subjects, from the address of their authors.
var objects = &dissect.Objects{Name: proto.Name(), New: func(*dissect.Session) dissect.ObjectReader {
	return readMails
}}

func readMails(t *dissect.Tree, add dissect.ObjectPart) {
	for i := range t.Nodes {
		if t.Field(i) != proto.Self() || t.IsQuoted(i) {
			continue
		}
		o := &dissect.Object{Frame: t.Frame, Type: "EML file"}
		for k := i + 1; k < t.End(i); k++ {
			switch t.Field(k) {
			case headers["from"]:
				o.Host = author(t.Text(k))
			case headers["subject"]:
				o.Name = t.Text(k)
			}
		}
		o.Name += ".eml"
		add(o, 0, t.Carried(i))
	}
}

// author is what stands in angle brackets, or all of it.
func author(from string) string {
	begin, end := strings.LastIndexByte(from, '<'), strings.LastIndexByte(from, '>')
	if begin >= 0 && end > begin+2 {
		return from[begin+1 : end]
	}
	return from
}
