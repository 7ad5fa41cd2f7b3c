package ui

import (
	"strconv"
	"strings"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/ui/term"
)

// term is the filter for the line under the cursor.
func (v *talkersView) term() string {
	at := v.tables[v.part].cur
	switch {
	case at >= v.rows():
		return ""
	case v.part == partLevels:
		return levelFilter(v.levels[at])
	case v.part == partPorts:
		return portFilter(&v.ports[at])
	case v.part == partAnswers:
		return answerFilter(&v.answers[at])
	case v.part == partPlayers:
		return playerFilter(v.table.Session(), v.playerRows[at])
	case v.part == 1:
		if t := &v.talks[at]; t.Conv != nil {
			return talkFilter(t.Conv)
		} else {
			return endFilter(t.A, "") + " && " + endFilter(t.B, "")
		}
	}
	return endFilter(v.ends[at].End, v.ends[at].Transport)
}

// talkFilter is the filter for a conversation.
func talkFilter(c *dissect.Conversation) string {
	if name := transportName(c.Transport); name == "tcp" || name == "udp" {
		return name + ".stream == " + strconv.Itoa(int(c.Stream))
	}
	return endFilter(c.A, c.Transport) + " && " + endFilter(c.B, c.Transport)
}

func endFilter(e dissect.Endpoint, t dissect.Table) string {
	text := addressField(e.Addr) + " == " + e.Addr.String()
	if name := transportName(t); e.Port != 0 && (name == "tcp" || name == "udp") {
		text += " && " + name + ".port == " + strconv.Itoa(int(e.Port))
	}
	return text
}

// transportName is the protocol of a table of ports: udp of udp.port.
func transportName(t dissect.Table) string {
	name, _, _ := strings.Cut(string(t), ".")
	return name
}

func addressField(a dissect.Addr) string {
	switch a.Kind() {
	case dissect.AddrEther:
		return "eth.addr"
	case dissect.AddrIPv6:
		return "ipv6.addr"
	}
	return "ip.addr"
}

// levelFilter is the filter for a level: a protocol, or one of its packet types.
func levelFilter(l *stats.Level) string {
	switch {
	case l.Kind == nil:
		return l.Protocol.Name()
	case term.Plain(l.Name):
		return l.Kind.Name() + " == " + l.Name
	case l.Name != "":
		return l.Kind.Name() + " == " + term.Quote(l.Name)
	}
	return l.Kind.Name() + " == " + l.Kind.NumberText(l.Value)
}
