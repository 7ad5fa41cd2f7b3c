package follow

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"remora/dissect/follow"
	"remora/ui/humanize"
	"remora/ui/source"
	"remora/ui/view"
)

// savePart asks for a file for what is under the cursor alone: the bytes of the packet in the stream, without the head
// where a body follows it.
func (v *View) savePart() {
	u, ok := v.unit()
	if !ok || len(u.Data) == 0 {
		v.c.Notify("nothing under the cursor has bytes")
		return
	}
	b, what := u.Data, "part"
	if body := bodyOf(b); body != nil {
		if b, what = body, "body"; v.stream.Mode() == follow.Transport && !wholeBody(u.Data, body) {
			what = "part of the body" // following the protocol has all of it
		}
	}
	name := "packet-" + strconv.Itoa(int(u.Frame)) + ending(b)
	v.c.Prompt(view.Prompt{Label: " save this " + what + " to: ", Text: name, Forget: true, Accept: func(path string) {
		if path == "" {
			return
		}
		view.Saving{Path: source.ExpandHome(path), Label: " save this " + what + " to: ",
			Write: view.Bytes(b, humanize.Group(len(b))+" bytes")}.Save(v.c)
	}})
}

// bodyOf is what follows a head of lines "Name: value" behind a first line, or nil where there is none.
func bodyOf(b []byte) []byte {
	head, body, found := bytes.Cut(b, []byte("\r\n\r\n"))
	lines := bytes.Split(head, []byte("\r\n"))
	if !found || len(body) == 0 || len(lines) < 2 {
		return nil
	}
	for _, line := range lines[1:] {
		name, _, ok := bytes.Cut(line, []byte(":"))
		if !ok || len(name) == 0 || bytes.ContainsAny(name, " \t") && line[0] != ' ' && line[0] != '\t' {
			return nil
		}
	}
	return body
}

// wholeBody tells whether a body has the length that its head says.
func wholeBody(message, body []byte) bool {
	for line := range bytes.Lines(message[:len(message)-len(body)]) {
		name, value, _ := bytes.Cut(line, []byte(":"))
		if bytes.EqualFold(name, []byte("Content-Length")) {
			return string(bytes.TrimSpace(value)) == strconv.Itoa(len(body))
		}
	}
	return false
}

// forms are the endings of files that begin in a way of their own.
var forms = [][2]string{{"\x89PNG\r\n", ".png"}, {"\xff\xd8\xff", ".jpg"}, {"GIF8", ".gif"}, {"%PDF", ".pdf"},
	{"PK\x03\x04", ".zip"},
	{"\x1f\x8b", ".gz"}, {"\x28\xb5\x2f\xfd", ".zst"}, {"BM", ".bmp"}, {"OggS", ".ogg"}, {"ID3", ".mp3"},
	{"\x7fELF", ".elf"},
	{"MZ", ".exe"}, {"<?xml", ".xml"}, {"<!doctype html", ".html"}, {"<html", ".html"}, {"{", ".json"}, {"[", ".json"}}

// ending is what a file of some bytes is usually called.
func ending(b []byte) string {
	start := strings.ToLower(string(b[:min(len(b), 16)]))
	for _, f := range forms {
		if strings.HasPrefix(start, strings.ToLower(f[0])) {
			return f[1]
		}
	}
	if len(b) > 12 && string(b[:4]) == "RIFF" {
		return "." + strings.ToLower(strings.TrimSpace(string(b[8:12])))
	}
	if utf8.Valid(b) && !bytes.Contains(b, []byte{0}) {
		return ".txt"
	}
	return ".bin"
}
