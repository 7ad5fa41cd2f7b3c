package xml_test

import (
	"strings"
	"testing"

	"remora/dissect/dissecttest"
	"remora/protocols"
)

func TestTags(t *testing.T) {
	s := dissecttest.Posted(t, protocols.All(), "text/xml",
		`<?xml version="1.0" encoding='utf-8'?><!DOCTYPE x><?p q?>`+
			"\n<!-- c --><root a=\"1>2\" b=''>\n <b x:y=\"2\"> text </b><c/><![CDATA[<>]]></root>", "</x>", "<a <b c= d='")
	dissecttest.Check(t, s, []dissecttest.Row{
		{3, "xml.xmlpi.xml.version", "1.0"},
		{3, "xml.xmlpi.xml.encoding", "utf-8"},
		{3, "xml.xmlpi", "<?p q?>"},
		{3, "xml.doctype", "<!DOCTYPE x>"},
		{3, "xml.comment", "<!-- c -->"},
		{3, "xml.tag", `<root a="1>2" b=''>,<b x:y="2">,<c/>`},
		{3, "xml.attribute", `a="1>2",b='',x:y="2"`},
		{3, "xml.cdata", "text"},
		{3, "xml.cdatasection", "<![CDATA[<>]]>"},
		{5, "xml.tag", "<a <b c= d='"},
	})
	if got := s.Tree(3).ProtocolText(); got != "HTTP/XML" {
		t.Errorf("the Protocol column has %q", got)
	}
	if _, ok := dissecttest.Find(s.Tree(4), "xml.closing_unopened_tag"); !ok {
		t.Error("there is no note")
	}
	dissecttest.Owned(t, s)
	dissecttest.Fields(t, s)
	dissecttest.Mutations(t, protocols.All(), s, 60)
}

func TestHostile(t *testing.T) {
	dissecttest.Redissections(t,
		dissecttest.Posted(t, protocols.All(), "text/xml", strings.Repeat("<a>", 5000), strings.Repeat("<a b='", 5000),
			strings.Repeat("</a>", 5000), strings.Repeat("x<!--", 5000)))
}
