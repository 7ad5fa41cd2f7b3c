package lab

import (
	"encoding/binary"
	"strings"
	"testing"
)

// asked are requests of several kinds with a number, and responses that have it at another place; every tenth request
// has none, and in between come messages that nobody answers.
func asked() (out []Message) {
	time := int64(0)
	send := func(direction int, b ...byte) {
		time += 2e6
		out = append(out, Message{Time: time, Flow: 1, Direction: direction, Data: b})
	}
	for i := range 120 {
		id := binary.BigEndian.AppendUint16(nil, uint16(i*7919))
		send(0, 1, id[0], id[1], 9, byte(i%3))
		if i%4 == 0 {
			send(0, 3, 0xee, byte(i), 0, 0, 0, 1)
		}
		if i%10 != 9 {
			send(1, 2, 0, id[0], id[1], 0x80, byte(i%5), byte(i%7), 4)
		}
	}
	return out
}

func TestRequestsAndResponses(t *testing.T) {
	r := Analyse(asked(), nil)
	if len(r.Pairs) != 1 {
		t.Fatalf("%d pairs: %v", len(r.Pairs), r.Pairs)
	}
	p := r.Pairs[0]
	if p.Request.Match[0].Value != 1 || p.Response.Match[0].Value != 2 || p.Key == nil || *p.Key != (Key{1, 2, 2}) {
		t.Errorf("the pair is %s and %s by %v", p.Request, p.Response, p.Key)
	}
	if p.Answered < 0.89 || p.Answered > 0.91 || p.Delay != 2e6 {
		t.Errorf("%.2f are answered after %d", p.Answered, p.Delay)
	}
	if got := r.Answers(p.Response); !strings.Contains(got, "answers group") ||
		!strings.Contains(got, "bytes 1 to 2 and") {
		t.Errorf("of the responses it says %q", got)
	}
	var text strings.Builder
	if r.Write(&text); !strings.Contains(text.String(), "is answered by group") {
		t.Errorf("the report is\n%s", text.String())
	}
	ksy := r.KSY("pairs", "udp: 1")
	for _, want := range []string{"request: {if: 'kind == kinds::kind_1', key: request_key}",
		"request_key: {pos: 1, type: u2be}", "response_key: {pos: 2, type: u2be}"} {
		if !strings.Contains(ksy, want) {
			t.Errorf("%q is not in\n%s", want, ksy)
		}
	}
}

// TestNoPairsByChance: what both sides send all the time is no question and answer.
func TestNoPairsByChance(t *testing.T) {
	var all []Message
	for i := range 200 {
		all = append(all, Message{Time: int64(i) * 1e6, Flow: 1, Direction: i & 1,
			Data: []byte{byte(1 + i&1), byte(i * 37), byte(i * 11 >> 2), 0, 0, byte(i & 1)}})
	}
	for i := range 40 { // and something that the first side sends twice in a row
		all = append(all, Message{Time: int64(i)*5e6 + 1, Flow: 1, Direction: 1, Data: []byte{2, byte(i), 0, 0, 0, 1}})
	}
	for _, p := range Analyse(all, nil).Pairs {
		if p.Key != nil {
			t.Errorf("%s and %s by %v", p.Request, p.Response, p.Key)
		}
	}
}
