package json_test

import (
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

const text = `{"name": "B\"\u00e4", "n": [1, -2.5e3, true, false, null, {"k": {}}], "o": {"k": "v"}}`

func TestValues(t *testing.T) {
	s := dissecttest.Posted(t, protocols.All(), "application/json", text, "[1,[]]", `"alone"`, "{\"a\":1}\n{\"b\":2}\n",
		`{"a": [1, }`)
	dissecttest.Check(t, s, []dissecttest.Row{
		{3, "json.member", "name,n,k,o,k"},
		{3, "json.key", "name,k,n,k,o"},
		{3, "json.path", "/name,/n/[]/k,/n,/o/k,/o"},
		{3, "json.path_with_value", `/name:B"ä,/n/[]:1,/n/[]:-2.5e3,/n/[]:true,/n/[]:false,/n/[]:null,/o/k:v`},
		{3, "json.member_with_value", `name:B"ä,[]:1,[]:-2.5e3,[]:true,[]:false,[]:null,k:v`},
		{3, "json.value.string", `B"ä,v`},
		{3, "json.value.number", "1,-2.5e3"},
		{4, "json.path_with_value", "/[]:1"},
		{5, "json.value.string", "alone"},
		{6, "json.key", "a,b"},
		{7, "json.key", ""},
		{7, "json.text", `{"a": [1, }`},
	})
	if tree := s.Tree(3); tree.ProtocolText() != "HTTP/JSON" ||
		tree.InfoLine() != "POST / HTTP/1.1 , JavaScript Object Notation (application/json)" {
		t.Errorf("the columns say %q and %q", tree.ProtocolText(), tree.InfoLine())
	}
	dissecttest.Owned(t, s)
	dissecttest.Fields(t, s)
	dissecttest.Mutations(t, protocols.All(), s, 60)
}

// TestManyAndDeep stops taking values apart where they are too many or too deep.
func TestManyAndDeep(t *testing.T) {
	s := dissecttest.Posted(t, protocols.All(), "application/json", strings.Repeat("[", 500)+strings.Repeat("]", 500),
		"["+strings.Repeat("1,", 20_000)+"1]", `{"k":`+strings.Repeat(`{"k":`, 100)+"1"+strings.Repeat("}", 101))
	dissecttest.Redissections(t, s)
	ends := 0
	for n := range dissect.FrameNum(s.Passed()) {
		if _, ok := dissecttest.Find(s.Tree(n+1), "json.deep"); ok {
			ends++
		}
	}
	if ends != 3 {
		t.Errorf("%d of 3 texts have an end", ends)
	}
}
