package drilldown

import (
	"slices"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/dissect/stats"
)

// maxConversations bounds the conversations that a filter names one by one.
const maxConversations = 200

// ConversationRow is the filter for a conversation of a table.
func (w Writer) ConversationRow(t *stats.Conversation) string {
	if t.Conv != nil {
		return w.Conversation(t.Conv)
	}
	field, src, dst := AddressField(t.A.Addr), side(t.A.Addr, "src"), side(t.A.Addr, "dst")
	a, b := t.A.Addr.String(), t.B.Addr.String()
	quoted, twice := w.twice(layerOf(field))
	switch {
	case !quoted && !twice && a == b:
		return src + " == " + a + " && " + dst + " == " + a
	case !quoted && !twice:
		return field + " == " + a + " && " + field + " == " + b
	}
	var out []string
	for _, layer := range layers(twice) {
		but := unquoted(layer, layerOf(field), quoted)
		out = append(out, "("+src+layer+" == "+a+" && "+dst+layer+" == "+b+but+")")
		if a != b {
			out = append(out, "("+src+layer+" == "+b+" && "+dst+layer+" == "+a+but+")")
		}
	}
	return strings.Join(out, " || ")
}

// layers are the occurrences of a protocol that are asked for: the first, and where there are tunnels the second.
func layers(twice bool) []string { return []string{"#1", "#2"}[:1+btoi(twice)] }

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// unquoted leaves out packets whose second occurrence of a protocol is only quoted by an error.
func unquoted(layer, name string, quoted bool) string {
	if layer == "#1" || !quoted {
		return ""
	}
	return ` && !(frame.path matches ":icmp(v6)?:(.*:)?` + name + `(:|$)")`
}

// Conversation is the filter for a conversation: by its stream, or by its number where that shows others, too.
func (w Writer) Conversation(c *dissect.Conversation) string {
	if name := TransportName(c.Transport); w.followed(c.Transport) {
		if quoted, _ := w.twice(name); !quoted {
			return name + ".stream == " + strconv.Itoa(int(c.Stream))
		}
	}
	return "talk == " + number(c.ID)
}

// End is the filter for an endpoint, of which all conversations of its table are given.
func (w Writer) End(e *stats.EndpointCount, convs []stats.Conversation) string {
	name := TransportName(e.Transport)
	field := AddressField(e.End.Addr)
	text := field + " == " + e.End.Addr.String()
	ports := e.End.Port != 0 && w.followed(e.Transport)
	if ports {
		text += " && " + name + ".port == " + strconv.Itoa(int(e.End.Port))
	}
	if e.Transport == "" { // at layers of addresses
		quoted, twice := w.twice(layerOf(field))
		if !quoted {
			return text
		}
		var out []string
		for _, layer := range layers(twice) {
			one := field + layer + " == " + e.End.Addr.String()
			if but := unquoted(layer, layerOf(field), quoted); but != "" {
				one = "(" + one + but + ")"
			}
			out = append(out, one)
		}
		return strings.Join(out, " || ")
	}
	quoted, _ := w.twice(name)
	var ids []uint32
	plain := ports && !quoted
	for i := range convs {
		t := &convs[i]
		switch {
		case t.Conv == nil || t.Conv.Transport != e.Transport:
		case t.A == e.End || t.B == e.End:
			ids = append(ids, t.Conv.ID)
		case (t.A.Addr == e.End.Addr || t.B.Addr == e.End.Addr) && (t.A.Port == e.End.Port || t.B.Port == e.End.Port):
			plain = false // the address of one end and the port of the other
		}
	}
	return named(text, plain, ids)
}

// Port is the filter for a service's port, of which all conversations of its table are given.
func (w Writer) Port(p *stats.PortCount, convs []stats.Conversation) string {
	name := TransportName(p.Transport)
	quoted, _ := w.twice(name)
	plain := !quoted && w.ported(name)
	var ids []uint32
	for i := range convs {
		c := convs[i].Conv
		switch {
		case c == nil || c.Transport != p.Transport:
		case stats.ServicePort(c).Port == p.Port:
			ids = append(ids, c.ID)
		case c.A.Port == p.Port || c.B.Port == p.Port:
			plain = false // where it is the port of who asks
		}
	}
	return named(name+".port == "+strconv.Itoa(int(p.Port)), plain, ids)
}

// named is a filter in plain words, or one that names conversations where the words would show others, too.
func named(text string, plain bool, ids []uint32) string {
	if plain || len(ids) == 0 {
		return text
	}
	if by := "talk" + oneOf(ids); strings.Count(by, ",") < maxConversations {
		return by
	}
	return text
}

// twice tells of a protocol whether packets of it are quoted in errors, and whether it lies within itself, as in
// tunnels.
func (w Writer) twice(name string) (quoted, within bool) {
	for i := range w.s.LayerStacks() {
		seen, errors := 0, false
		for _, p := range w.s.StackProtocols(w.s.LayerStack(uint32(i))) {
			switch {
			case quotes(p):
				errors = true
			case p.Name() == name:
				seen++
				quoted = quoted || errors
				within = within || seen > 1 && !errors
			}
		}
	}
	return quoted, within
}

// Player is the filter for what a player of a game sent; with a packet type that is a word of its field, or "" for
// packets without one, only these. Others are those that no player sent.
func (w Writer) Player(p *stats.PlayerTypes, typed bool, word string) string {
	text := w.Game(p.Game)
	if typed {
		text = w.sp.Types(p.Game.Protocol, []string{word})
		if convs := w.convs(p.Game); convs != "" {
			text += " && " + convs
		}
	}
	if p.Player.Endpoint != (dissect.Endpoint{}) {
		return text + " && " + w.from(p.Game, p.Player.Endpoint)
	}
	for _, other := range p.Game.Players {
		if other.Endpoint != (dissect.Endpoint{}) {
			text += " && !(" + w.from(p.Game, other.Endpoint) + ")"
		}
	}
	return text
}

// Game is the filter for a game's packets.
func (w Writer) Game(g *dissect.Game) string {
	text := w.sp.Protocol(g.Protocol)
	if convs := w.convs(g); convs != "" {
		text += " && " + convs
	}
	return text
}

// convs is the filter for a game's conversations, where the protocol has others, too.
func (w Writer) convs(g *dissect.Game) string {
	if len(g.Convs) == 0 || len(g.Convs) > maxConversations {
		return ""
	}
	return "talk" + oneOf(slices.Clone(g.Convs))
}

// from is the filter for what an end of a game sends.
func (w Writer) from(g *dissect.Game, e dissect.Endpoint) string {
	text := side(e.Addr, "src") + " == " + e.Addr.String()
	if len(g.Convs) == 0 {
		return text
	}
	if t := w.s.Conversation(g.Convs[0]).Transport; e.Port != 0 && w.followed(t) {
		text += " && " + TransportName(t) + ".srcport == " + strconv.Itoa(int(e.Port))
	}
	return text
}

// TransportName is the protocol of a table of ports: udp of udp.port.
func TransportName(t dissect.Table) string {
	name, _, _ := strings.Cut(string(t), ".")
	return name
}

// AddressField is the field that holds an address of either end.
func AddressField(a dissect.Addr) string { return side(a, "addr") }

func side(a dissect.Addr, which string) string {
	switch a.Kind() {
	case dissect.AddrEther:
		return "eth." + which
	case dissect.AddrIPv6:
		return "ipv6." + which
	}
	return "ip." + which
}

func layerOf(field string) string {
	name, _, _ := strings.Cut(field, ".")
	return name
}
