// Package capturefilter says display filters in the language of capture filters, as far as that goes: no packet that
// the display filter wants is left out.
package capturefilter

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"remora/dissect/filter"
)

// Ports are the usual ports of a protocol that capture filters do not know, or none.
type Ports func(protocol string) (tcp, udp []uint32)

// A Result is a capture filter. What it cannot say is left out of it, so that it lets more packets through.
type Result struct {
	Text    string   // "": all packets
	LeftOut []string // parts of the display filter
	Guessed []string // protocols that stand for their usual ports: on other ones they are not captured
}

// Of translates a display filter.
func Of(display string, ports Ports) (Result, error) {
	t := translator{source: display, ports: ports}
	if strings.TrimSpace(display) == "" {
		return Result{}, nil
	}
	e, err := filter.Parse(display)
	if err != nil {
		return Result{}, err
	}
	t.Text = t.say(e, false).text
	return t.Result, nil
}

type translator struct {
	Result
	source string
	ports  Ports
}

// A part is what was said, and whether it has to stand in brackets beside others.
type part struct {
	text  string // "": every packet
	loose bool
}

func (p part) within() string {
	if p.loose {
		return "(" + p.text + ")"
	}
	return p.text
}

// say translates an expression, or what is not it.
func (t *translator) say(e *filter.Expr, not bool) part {
	switch e.Op {
	case "!":
		return t.say(e.Args[0], !not)
	case "&&", "||":
		var parts []part
		for _, a := range e.Args {
			parts = append(parts, t.say(a, not))
		}
		return join(parts, (e.Op == "&&") != not)
	}
	text := t.term(e)
	switch {
	case text == "":
		t.LeftOut = append(t.LeftOut, strings.TrimSpace(t.source[e.Pos:e.End]))
		return part{}
	case not && strings.ContainsAny(text, " "):
		return part{text: "not (" + text + ")"}
	case not:
		return part{text: "not " + text}
	}
	return part{text: text, loose: strings.Contains(text, " or ")}
}

// join joins parts that all hold, or of which one does; an alternative of which a part is every packet is every packet.
func join(parts []part, all bool) part {
	word := " or "
	if all {
		word = " and "
		parts = slices.DeleteFunc(parts, func(p part) bool { return p.text == "" })
	} else if slices.ContainsFunc(parts, func(p part) bool { return p.text == "" }) {
		return part{}
	}
	if len(parts) == 1 {
		return parts[0]
	}
	var texts []string
	for _, p := range parts {
		texts = append(texts, p.within())
	}
	return part{strings.Join(texts, word), len(parts) > 1}
}

// protocols are those that capture filters know, by the names of display filters.
var protocols = map[string]string{"eth": "ether", "ip": "ip", "ipv6": "ip6", "arp": "arp", "tcp": "tcp", "udp": "udp",
	"icmp": "icmp", "icmpv6": "icmp6", "igmp": "igmp", "sctp": "sctp", "vlan": "vlan", "stp": "stp"}

// hosts and numbers are fields with the words of capture filters.
var (
	hosts = map[string]string{"ip.addr": "", "ip.src": "src ", "ip.dst": "dst ", "ipv6.addr": "", "ipv6.src": "src ",
		"ipv6.dst": "dst ", "ip.src_host": "src ", "ip.dst_host": "dst ", "ip.host": ""}
	ethers = map[string]string{"eth.addr": "ether host ", "eth.src": "ether src ", "eth.dst": "ether dst "}
	ended  = map[string]string{"port": "", "srcport": "src ", "dstport": "dst "}
	plain  = map[string]string{"ip.proto": "ip proto ", "ipv6.nxt": "ip6 proto ", "eth.type": "ether proto "}
	flags  = map[string]string{"syn": "syn", "fin": "fin", "reset": "rst", "push": "push", "ack": "ack", "urg": "urg"}
)

// term translates a comparison or a field alone; "" where capture filters cannot say it.
func (t *translator) term(e *filter.Expr) string {
	switch {
	case e.Op == filter.OpExists && len(e.Args) == 1:
		return t.protocol(e.Args[0].Text)
	case e.Quant != "" || len(e.Args) == 0 || e.Args[0].Layered || !named(e.Args[0]):
		return ""
	case e.Op == filter.OpIn:
		var parts []part
		for _, r := range e.Set {
			to := ""
			if r.To != nil {
				to = r.To.Text
			}
			parts = append(parts, part{text: t.compare(e.Args[0].Text, "==", r.From.Text, to)})
		}
		return join(parts, false).text
	case len(e.Args) == 2 && literal(e.Args[1]):
		return t.compare(e.Args[0].Text, string(e.Op), e.Args[1].Text, "")
	}
	return ""
}

func named(e *filter.Expr) bool { return e.Op == filter.OpWord || e.Op == filter.OpField }

func literal(e *filter.Expr) bool { return named(e) || e.Op == filter.OpLiteral }

// protocol is a protocol alone: one that capture filters know, or the ports that another usually has.
func (t *translator) protocol(name string) string {
	if word := protocols[name]; word != "" {
		if word == "ether" {
			return ""
		}
		return word
	}
	if t.ports == nil {
		return ""
	}
	var parts []part
	tcp, udp := t.ports(name)
	for _, p := range tcp {
		if word := "tcp port "; slices.Contains(udp, p) {
			parts = append(parts, part{text: fmt.Sprint("port ", p)})
		} else {
			parts = append(parts, part{text: fmt.Sprint(word, p)})
		}
	}
	for _, p := range udp {
		if !slices.Contains(tcp, p) {
			parts = append(parts, part{text: fmt.Sprint("udp port ", p)})
		}
	}
	if len(parts) == 0 || len(parts) > 20 {
		return ""
	}
	t.Guessed = append(t.Guessed, name)
	return join(parts, false).text
}

// compare translates a comparison of a field with a value, or with a range.
func (t *translator) compare(field, op, value, to string) string {
	equal := op == "==" || op == "===" || op == "eq"
	unequal := op == "!=" || op == "ne"
	said := ""
	switch proto, last, _ := strings.Cut(field, "."); {
	case field == "frame.len" && to == "" && slices.Contains([]string{"==", "!=", "<", ">", "<=", ">="}, op) &&
		isNumber(value):
		return "len " + op + " " + value
	case !equal && !unequal:
		return ""
	case hasKey(hosts, field) && to == "":
		said = host(hosts[field], value)
	case hasKey(ethers, field) && to == "" && strings.Count(value, ":") == 5:
		said = ethers[field] + value
	case (proto == "tcp" || proto == "udp" || proto == "sctp") && hasKey(ended, last) && isNumber(value):
		switch {
		case to == "":
			said = proto + " " + ended[last] + "port " + value
		case isNumber(to):
			said = proto + " " + ended[last] + "portrange " + value + "-" + to
		}
	case hasKey(plain, field) && to == "" && isNumber(value):
		said = plain[field] + value
	case proto == "tcp" && strings.HasPrefix(last, "flags.") && flags[last[6:]] != "" && isBool(value):
		sign := " != 0"
		if (value == "1" || strings.EqualFold(value, "true")) == unequal {
			sign = " == 0"
		}
		return "tcp[tcpflags] & tcp-" + flags[last[6:]] + sign
	}
	if said != "" && unequal {
		return "not " + said
	}
	return said
}

func hasKey(m map[string]string, key string) bool { _, ok := m[key]; return ok }

func isNumber(s string) bool { _, err := strconv.ParseUint(s, 0, 32); return err == nil }

func isBool(s string) bool {
	return s == "0" || s == "1" || strings.EqualFold(s, "true") || strings.EqualFold(s, "false")
}

// host is an address or a network.
func host(side, value string) string {
	if a, err := netip.ParseAddr(value); err == nil {
		return side + "host " + a.String()
	}
	if p, err := netip.ParsePrefix(value); err == nil {
		return side + "net " + p.Masked().String()
	}
	return ""
}
