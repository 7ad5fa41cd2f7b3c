package print

import "testing"

// TestXMLText: what is of the markup and what no reader may see is written in other words, wherever it stands.
func TestXMLText(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "plain": "plain", "&": "&amp;", `<a b="c">'`: "&lt;a b=&quot;c&quot;&gt;&#x27;", "a&b\x01<": `a&amp;b\001&lt;`,
		"ä<ö": "ä&lt;ö", "\xff&": "\ufffd&amp;", "tab\there": `tab\there`, "end>": "end&gt;", "a\u202eb&": `a\u202Eb&amp;`,
	} {
		if got := string(appendXML([]byte("."), text)); got != "."+want {
			t.Errorf("%q: %q, not %q", text, got[1:], want)
		}
		if got := string(appendXML(nil, []byte(text))); got != want {
			t.Errorf("bytes of %q: %q, not %q", text, got, want)
		}
	}
}
