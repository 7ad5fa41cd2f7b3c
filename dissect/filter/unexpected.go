package filter

import (
	"fmt"
	"strings"
)

// unexpected is the error for a token that cannot stand where it does. It guesses what was meant.
func (p *parser) unexpected(t token) error {
	if t.kind == tokEnd {
		hint := ""
		if len(p.tokens) > 1 {
			hint = p.missing()
		}
		return p.fail(len(p.text), len(p.text), hint, "the filter ends too early")
	}
	text := p.text[t.pos:t.end]
	switch {
	case t.is("="):
		return p.fail(t.pos, t.end, "", "use == to compare")
	case t.kind == tokWord && words[strings.ToLower(text)] != "":
		return p.fail(t.pos, t.end, "operators are written in lower case: "+strings.ToLower(text), "%s does not belong here",
			text)
	case LooksLikeCapture(p.text):
		return p.fail(t.pos, t.end, "this looks like a capture filter, which belongs to -f or --bpf",
			"%s does not belong here", text)
	case p.at > 0 && p.tokens[p.at-1].is(")") &&
		(comparisons[t.text] || t.text == "+" || t.text == "-" || t.text == "*" || t.text == "/"):
		return p.fail(t.pos, t.end, "round brackets group tests; group terms with braces, as in {frame.len + 1} > 60",
			"%s does not belong here", text)
	case p.at > 0 &&
		(t.kind == tokWord || t.kind == tokField || t.kind == tokLiteral || t.kind == tokString || t.is("(")) && p.endsTerm():
		return p.fail(t.pos, t.end, "between two tests goes && or ||", "%s does not belong here", text)
	}
	return p.fail(t.pos, t.end, "", "%s does not belong here", text)
}

// endsTerm tells whether the token before the current one ends a test.
func (p *parser) endsTerm() bool {
	t := p.tokens[p.at-1]
	return t.kind != tokOp || t.is(")") || t.is("}") || t.is("]")
}

// missing names the bracket that is still open, or what an operator at the end waits for.
func (p *parser) missing() string {
	closing := map[string]string{"(": ")", "{": "}", "${": "}"}
	var open []string
	for _, t := range p.tokens {
		if t.kind != tokOp {
			continue
		}
		if c := closing[t.text]; c != "" {
			open = append(open, c)
		} else if n := len(open); n > 0 && t.text == open[n-1] {
			open = open[:n-1]
		}
	}
	if last := p.tokens[len(p.tokens)-2]; last.kind == tokOp && last.text != ")" && last.text != "}" && last.text != "]" {
		return "something belongs behind " + p.text[last.pos:last.end]
	}
	if len(open) > 0 {
		return fmt.Sprintf("a %q is missing", open[len(open)-1])
	}
	return ""
}

// captureWords begin the terms of libpcap's language.
var captureWords = map[string]bool{"host": true, "net": true, "port": true, "portrange": true, "src": true, "dst": true,
	"gateway": true, "ether": true,
	"broadcast": true, "multicast": true, "less": true, "greater": true, "proto": true, "vlan": true, "mpls": true,
	"inbound": true, "outbound": true}

// LooksLikeCapture tells whether a text that is no display filter looks like a capture filter ("host 192.0.2.1 and udp
// port 53"). It is a guess from the words alone; libpcap knows.
func LooksLikeCapture(text string) bool {
	fields := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n()", r) })
	for i, w := range fields {
		if strings.Contains(w, "==") {
			return false
		}
		if captureWords[w] && i+1 < len(fields) {
			next := fields[i+1]
			if comparisons[next] || words[next] != "" && !captureWords[next] && next != "not" {
				continue
			}
			return true
		}
	}
	return false
}
