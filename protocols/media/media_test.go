package media_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// A body is what a request carries.
type body struct{ kind, text string }

func sent(t *testing.T, bodies ...body) *dissect.Session {
	t.Helper()
	var lines []string
	for _, b := range bodies {
		lines = append(lines,
			fmt.Sprintf("C:POST / HTTP/1.1\r\nHost: a\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", b.kind, len(b.text),
				b.text))
	}
	return dissecttest.Session(t, protocols.All(), 101, dissecttest.Stream(80, lines...))
}

const parts = "before\r\n--b\r\nContent-Disposition: form-data;  name=\"who\"\r\n\r\nLarry\r\n--b  \r\nContent-Type: " +
	"Text/Plain; charset=x\r\nX-Own: 1\r\n\r\none\ntwo\r\n--bb\r\n--b\r\n" +
	"Content-Type: multipart/mixed;\r\n boundary=c\r\n\r\n--c\r\nContent-Type: " +
	"application/json\r\n\r\n{\"a\":1}\r\n--c--\r\n\r\n--b--\r\nbehind"

func TestBodies(t *testing.T) {
	s := sent(t,
		body{"application/x-www-form-urlencoded", "a=1&b=two+w%C3%A4rds&=x&d&e=%zz"},
		body{"multipart/form-data; boundary=\"b\"", parts},
		body{"text/html", "<b>\n</b>"},
		body{"application/x-odd", "odd"},
		body{"multipart/mixed", "no boundary"},
		body{"multipart/mixed; boundary=b", "nor here"},
		body{"image/png", "\x89PNG\r\n\x1a\n"},
		body{"application/octet-stream", "data"},
	)
	dissecttest.Check(t, s, []dissecttest.Row{
		{3, "urlencoded-form.key", "a,b,,d,e"},
		{3, "urlencoded-form.value", "1,two wärds,x,%zz"},
		{4, "mime_multipart.type", "multipart/form-data,multipart/mixed"},
		{4, "mime_multipart.preamble", "6265666f72650d0a"},
		{4, "mime_multipart.first_boundary", `--b\r\n,--c\r\n`},
		{4, "mime_multipart.boundary", `\r\n--b  \r\n,\r\n--b\r\n`},
		{4, "mime_multipart.last_boundary", `\r\n--c--\r\n,\r\n--b--\r\n`},
		{4, "mime_multipart.trailer", "626568696e64"},
		{4, "mime_multipart.header.content-disposition", `form-data;name="who"`},
		{4, "mime_multipart.header.content-type", "Text/Plain;charset=x,multipart/mixed;boundary=c,application/json"},
		{4, "mime_multipart.header.line", `X-Own: 1\r\n`},
		{4, "data.data", "4c61727279"},
		{4, "data-text-lines.line", `one\n,two\r\n,--bb`},
		{4, "json.path_with_value", "/a:1"},
		{5, "data-text-lines.line", `<b>\n,</b>`},
		{6, "media.type", "6f6464"},
		{8, "mime_multipart.preamble", "6e6f722068657265"},
		{10, "data.data", "64617461"},
	})
	for n, want := range map[dissect.FrameNum]string{
		3: "(application/x-www-form-urlencoded)", 4: "(text/plain), JavaScript Object Notation (application/json)",
		5: "(text/html)", 6: "(application/x-odd)", 9: "(PNG)", 10: "",
	} {
		if got := s.Tree(n).InfoLine(); got != strings.TrimSpace("POST / HTTP/1.1  "+want) {
			t.Errorf("frame %d: Info is %q, want %q", n, got, want)
		}
	}
	if _, ok := dissecttest.Find(s.Tree(7), "mime_multipart.no_required_parameter"); !ok {
		t.Error("there is no note")
	}
	dissecttest.Owned(t, s)
	dissecttest.Fields(t, s)
	dissecttest.Truncations(t, protocols.All(), s)
	dissecttest.Mutations(t, protocols.All(), s, 80)
}

// TestPictures reads what pictures are and their size; one that begins as another kind is a body like others.
func TestPictures(t *testing.T) {
	const chunk = "\x00\x00\x00\x08IHDR\x00\x00\x00\x03\x00\x00\x00\x04\x01\x02\x03\x04"
	s := sent(t,
		body{"image/png", "\x89PNG\r\n\x1a\n" + chunk},
		body{"image/jpeg", "\xff\xd8\xff\xe0rest"},
		body{"image/gif", "GIF87a\x05\x00\x06\x00rest"},
		body{"image/png", "\xff\xd8\xff\xe0rest"},
	)
	dissecttest.Check(t, s, []dissecttest.Row{
		{3, "png.ihdr.width", "3"},
		{3, "png.ihdr.height", "4"},
		{3, "png.chunk.crc", "0x01020304"},
		{4, "image-jfif.marker", "0xffd8"},
		{5, "image-gif.version", "GIF87a"},
		{5, "image-gif.screen.width", "5"},
		{5, "image-gif.screen.height", "6"},
	})
	if _, ok := dissecttest.Find(s.Tree(6), "png.signature"); ok {
		t.Error("a picture of another kind is read as PNG")
	}
	dissecttest.Owned(t, s)
	dissecttest.Fields(t, s)
	dissecttest.Truncations(t, protocols.All(), s)
	dissecttest.Mutations(t, protocols.All(), s, 40)
}

// TestLazily finds what bodies hold that are packed, in any look, in front of a further message in the same packet.
func TestLazily(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write([]byte("one\ntwo\n"))
	_ = w.Close()
	head := "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Type: text/plain\r\n"
	whole := head + fmt.Sprintf("Content-Length: %d\r\n\r\n%s", packed.Len(), packed.String())
	pieces := head + fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", packed.Len(), packed.String())
	s := dissecttest.Session(t, protocols.All(), 101,
		dissecttest.Stream(80, "S:"+strings.Repeat(whole+pieces, 12)+"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"))
	tree := s.Tree(3)
	if got := dissecttest.All(tree, "http.response.code"); !strings.HasSuffix(got, "200,201") {
		t.Errorf("the responses are %s", got)
	}
	if got := dissecttest.All(tree, "data-text-lines.line"); !strings.HasPrefix(got, `one\n,two\n,one\n,two\n`) {
		t.Errorf("the lines are %s", got)
	}
	dissecttest.Redissections(t, s)
	dissecttest.Fields(t, s)
}
