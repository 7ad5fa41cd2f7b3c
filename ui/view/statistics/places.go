package statistics

import (
	"cmp"
	"strconv"

	"remora/dissect"
	"remora/dissect/stats"
	"remora/internal/sorting"
)

// Lines keep their places while packets come: what somebody reads does not go away because another line grew. New ones
// come behind, and the order is made anew when it is asked for.

// mostSteady bounds the lines that keep their places; of more only the first are looked at anyway.
const mostSteady = 2000

// keepPlaces puts lines back to where they were in lists made before.
func (l *lists) keepPlaces(was lists) {
	keepLevels(l.whole, was.whole)
	l.conversations = inPlaces(l.conversations, was.conversations, conversationKey)
	l.ends = inPlaces(l.ends, was.ends, endKey)
	l.ports = inPlaces(l.ports, was.ports, portKey)
}

func keepLevels(list, was []*stats.Level) {
	key := func(l **stats.Level) any { return levelID(*l) }
	copy(list, inPlaces(list, was, key))
	before := map[any]*stats.Level{}
	for _, l := range was {
		before[levelID(l)] = l
	}
	for _, l := range list {
		if b := before[levelID(l)]; b != nil {
			keepLevels(l.Below, b.Below)
			keepLevels(l.Types, b.Types)
		}
	}
}

// inPlaces sorts a list so that what was in another one stands in its order, and what is new behind that.
func inPlaces[T any](list, was []T, key func(*T) any) []T {
	if len(was) == 0 || len(was) > mostSteady {
		return list
	}
	ranks := make(map[any]int, len(was))
	for i := range was {
		ranks[key(&was[i])] = i + 1
	}
	sorting.Stable(list, func(a, b T) int {
		i, j := ranks[key(&a)], ranks[key(&b)]
		if i == 0 || j == 0 {
			return cmp.Compare(j, i) // one without a place comes behind
		}
		return i - j
	})
	return list
}

func levelID(l *stats.Level) any {
	text := l.Path
	if l.Kind != nil {
		text += " " + l.Name + " " + strconv.FormatUint(l.Value, 10)
	}
	return text
}

// The endpoints of a conversation may change places when others are shown, but not while packets come.
func conversationKey(t *stats.Conversation) any {
	if t.Conv != nil {
		return t.Conv.ID
	}
	return [2]dissect.Endpoint{t.A, t.B}
}

func endKey(e *stats.EndpointCount) any {
	return struct {
		dissect.Endpoint
		dissect.Table
	}{e.End, e.Transport}
}

func portKey(p *stats.PortCount) any {
	return struct {
		uint16
		dissect.Table
	}{p.Port, p.Transport}
}

// keyAt names the line under the cursor of the part that is shown, nil for none.
func (v *View) keyAt(at int) any {
	if at < 0 || at >= v.rows() {
		return nil
	}
	switch v.part {
	case partLevels:
		return levelID(v.levels[at])
	case partConversations:
		return conversationKey(&v.conversations[at])
	case partEnds:
		return endKey(&v.ends[at])
	case partPorts:
		return portKey(&v.ports[at])
	}
	return nil
}

// backTo puts the cursor on a line again, wherever that is now.
func (v *View) backTo(key any) {
	t := &v.tables[v.part]
	if key == nil || v.keyAt(t.Cur) == key {
		return
	}
	for i := range min(v.rows(), mostSteady) {
		if v.keyAt(i) == key {
			t.Cur = i
			return
		}
	}
}
