package print

import (
	"bytes"
	"path/filepath"
	"strings"

	"remora/dissect"
)

// psHead is PostScript that defines what tshark's output calls: "INDENT (TEXT) putline" wraps and prints a line.
const psHead = `%!PS-Adobe-2.0
%%Creator: remora
%%DocumentFonts: Helvetica Courier
%%EndComments
clippath pathbbox /top exch 56 sub def /right exch 36 sub def pop pop
/left 36 def /bottom 41 def /y top def /page 1 def
/body { /Courier findfont 8 scalefont setfont } def
/endpage {
  /Helvetica findfont 8 scalefont setfont
  left top 20 add moveto ws_pagetitle show
  right 60 sub top 20 add moveto (Page ) show page 10 string cvs show
  left top 18 add moveto right top 18 add lineto stroke
  /page page 1 add def /y top def showpage body
} def
/putpart { exch 10 mul left add y moveto show /y y 10 sub def y bottom lt { endpage } if } def
/putline {
  /text exch def /indent exch def
  /most right left sub indent 10 mul sub (A) stringwidth pop div cvi def
  { text length most le { exit } if
    indent text 0 most getinterval putpart
    /text text most text length most sub getinterval def } loop
  indent text putpart
} def
body
/ws_pagetitle (`

const psEnd = "\nendpage\n%%EOF\n"

// psStart is what stands in front of the first packet: how lines are printed, and the title of each page.
func (p *Printer) psStart() string {
	title := strings.TrimPrefix(filepath.Base(p.opt.File)+" - "+p.opt.Creator, ". - ")
	return psHead + string(psEscape(nil, []byte(dissect.Escape(title)))) + ") def\n\n"
}

// postscript prints what text prints, each line as a call of putline with its depth in the tree.
func (p *Printer) postscript(t *dissect.Tree) {
	before := p.buf
	p.buf = nil
	p.text(t)
	lines := p.buf
	p.buf = before
	inTree := !p.opt.Summary
	for line := range bytes.Lines(lines) {
		line = bytes.TrimSuffix(line, []byte{'\n'})
		depth := byte('0')
		if p.opt.Tree && inTree {
			for depth < '9' && bytes.HasPrefix(line, []byte("    ")) {
				line = line[4:]
				depth++
			}
		}
		inTree = true
		p.buf = append(p.buf, depth, ' ', '(')
		p.buf = append(psEscape(p.buf, line), ") putline\n"...)
	}
}

// psEscape appends a text as it stands in a string of PostScript.
func psEscape(dst, text []byte) []byte {
	for _, c := range text {
		if c == '(' || c == ')' || c == '\\' {
			dst = append(dst, '\\')
		}
		dst = append(dst, c)
	}
	return dst
}
