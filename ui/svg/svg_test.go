package svg

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

// A shape is one element of a picture: its name, its attributes, its text.
type shape struct {
	name, text string
	attrs      map[string]string
}

// shapes reads a picture as XML.
func shapes(t *testing.T, picture string) (out []shape) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(picture))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatalf("%v in %q", err, picture)
		}
		switch x := token.(type) {
		case xml.StartElement:
			s := shape{name: x.Name.Local, attrs: map[string]string{}}
			for _, a := range x.Attr {
				s.attrs[a.Name.Local] = a.Value
			}
			out = append(out, s)
		case xml.CharData:
			if len(out) > 0 {
				out[len(out)-1].text += strings.TrimRight(string(x), "\n")
			}
		}
	}
}

// texts are the runs of text in a picture.
func texts(t *testing.T, screen string) (out []shape) {
	for _, s := range shapes(t, Draw(screen, 80, 24, true)) {
		if s.name == "text" {
			out = append(out, s)
		}
	}
	return out
}

func TestColours(t *testing.T) {
	for codes, want := range map[string]string{
		"": "#d8d8e0", "31": "#d05858", "91": "#ff8080", "38;5;1": "#d05858", "38;5;16": "#000000", "38;5;231": "#ffffff",
		"38;5;232": "#080808", "38;5;255": "#eeeeee", "38;5;208": "#ff8700",
		"38;2;1;2;255": "#0102ff", "38;2;999;-4;0": "#ff0000", "31;39": "#d8d8e0", "31;0": "#d8d8e0", "1;31": "#d05858",
		"7": "#16161c", "7;41": "#d05858", "38;5": "#d8d8e0", "38": "#d8d8e0", "38;2;1": "#d8d8e0",
		"38;5;1;4": "#d05858", ";;31": "#d05858",
	} {
		got := texts(t, "\x1b["+codes+"mA")
		if len(got) != 1 || got[0].attrs["fill"] != want {
			t.Errorf("%q: %v, want %s", codes, got, want)
		}
	}
}

func TestLooks(t *testing.T) {
	got := texts(t, "a\x1b[1mb\x1b[22;2mc\x1b[0;4md\x1b[24me")
	want := []struct{ text, weight, opacity, line string }{{"a", "", "", ""}, {"b", "bold", "", ""}, {"c", "", "0.7", ""},
		{"d", "", "", "underline"}, {"e", "", "", ""}}
	if len(got) != len(want) {
		t.Fatalf("%v", got)
	}
	for i, w := range want {
		if g := got[i]; g.text != w.text || g.attrs["font-weight"] != w.weight || g.attrs["opacity"] != w.opacity ||
			g.attrs["text-decoration"] != w.line {
			t.Errorf("%v, want %v", g, w)
		}
	}
}

// TestPlaces: text stands behind what is before it, wide characters included, and a coloured ground reaches as far as
// its text.
func TestPlaces(t *testing.T) {
	all := shapes(t, Draw("日本\x1b[44mab\x1b[m\nsecond", 80, 24, false))
	var ground, last shape
	for _, s := range all {
		switch {
		case s.name == "rect" && s.attrs["fill"] == "#5f8fd0":
			ground = s
		case s.name == "text":
			last = s
		}
	}
	if ground.attrs["x"] != "41.6" || ground.attrs["width"] != "16.8" || ground.attrs["y"] != "8" {
		t.Errorf("the ground of ab: %v", ground.attrs)
	}
	if last.text != "second" || last.attrs["x"] != "8.0" || last.attrs["y"] != "38" || last.attrs["textLength"] != "50.4" {
		t.Errorf("the second line: %v", last)
	}
	if all[0].attrs["width"] != "688" || all[0].attrs["height"] != "424" {
		t.Errorf("80 by 24 cells are %v", all[0].attrs)
	}
}

// TestHostile has what a terminal's screen never should; the picture must be well-formed, and show the text that there
// is.
func TestHostile(t *testing.T) {
	for screen, want := range map[string]string{
		`<script>alert("1")</script> & 'x'`: `<script>alert("1")</script> & 'x'`, "a\x00b\x01c": "abc",
		"\xff\xfex": "\uFFFDx", "a\uFFFEb\uFFFF": "ab", "\x1b[": "", "a\x1b[12": "a", "\x1b[2Jb": "b",
		"\x1b[38;2;\x1b[31mx": "", "": "", "\n\n": "", "\x1b]0;title\x07z": "]0;titlez",
	} {
		var got strings.Builder
		for _, s := range texts(t, screen) {
			got.WriteString(s.text)
		}
		if want != "" && got.String() != want {
			t.Errorf("%q shows %q, want %q", screen, got.String(), want)
		}
	}
}
