package realnet

import (
	"fmt"
	"testing"

	"remora/dissect/dissecttest"
)

// us is a time of 8 bytes in hex.
func us(v uint64) string {
	text := ""
	for range 8 {
		text += fmt.Sprintf("%02x", v&0xff)
		v >>= 8
	}
	return text
}

// accept is the server's Accept as documented, with a promise of 100 ms.
func accept(received, sent uint64) string {
	return ">00 01 01 00 01" + us(received) + us(sent) + "a0860100"
}

func syncAckOf(seq, answers uint16, sent, received uint64) string {
	return fmt.Sprintf("02 %02x%02x 01 %02x%02x", seq&0xff, seq>>8, answers&0xff, answers>>8) + us(sent) + us(received)
}

// TestClockDocumented follows the clock of a server that began 5 s before the Init came. The path takes 2 ms each way
// as seen from the capture, which stands beside the client.
func TestClockDocumented(t *testing.T) {
	k := newTalk(t)
	k.tell(1, d1) // captured at 1 ms, received by the server at 3 ms
	a := k.tell(5, accept(5_003_000, 5_004_000))
	k.tell(1, ackOf(1))
	init := k.tell(93, ">02 02 00 00")                                    // at 100 ms, sent at 98
	c := k.tell(1, syncAckOf(1, 2, 5_100_800, 5_100_300))                 // at 101 ms
	s := k.tell(5, ">"+syncAckOf(3, 1, 5_104_000, 5_103_000))             // at 106 ms
	m := k.tell(4, "06 00 02 00"+us(5_109_500)+"01 61 00 00")             // at 110 ms
	r := k.tell(5, ">05 00 04 00"+us(5_112_000)+"00 00")                  // at 115 ms, late by 1 ms
	old := k.tell(5, ">05 00 05 00"+us(5_111_000)+"00 00")                // older than the one before
	early := k.tell(80, ">02 06 00 00")                                   // at 200 ms: as promised
	late := k.tell(300, ">02 07 00 00")                                   // at 500 ms
	lie := k.tell(1, syncAckOf(3, 7, 9_000_000, 5_000_000))               // took 4 s within 1 ms
	order := k.tell(1, syncAckOf(4, 7, 5_000_000, 5_000_001))             // sent before received
	absurd := k.tell(1, ">05 00 08 00"+us(1<<63)+"00 00")                 // no time
	again := k.tell(1, ">"+syncAckOf(9, 4, 5_506_000+1000, 5_506_000-50)) // its clock drifted
	ss := k.Session()
	// The server's 0 is at 1 ms + 2 ms - 5.003 s.
	want(t, ss, a, "accept.took", "0.001000000", "rtt", "0.004000000", "clock.offset", "1704067195.000000000",
		"clock.origin", "Dec 31, 2023 23:59:55.000000000 UTC", "clock.drift", "-", "request_in", "1")
	want(t, ss, init, "sync.gap", "-", "answered_in", num(c))
	want(t, ss, c, "request_in", num(init), "time", "0.001000000", "rtt", "0.000500000", "sync.down", "0.000300000",
		"sync.took", "0.000500000")
	want(t, ss, s, "request_in", num(c), "rtt", "0.004000000", "sync.up", "0.002200000", "clock.drift", "0.000000000")
	want(t, ss, m, "delay", "0.000500000")
	want(t, ss, r, "delay", "0.003000000", "replication.stale", "-")
	want(t, ss, old, "delay", "0.009000000", "replication.stale", "")
	want(t, ss, early, "sync.gap", "0.100000000", "sync.promised", "0.100000000", "sync.interval", "-")
	want(t, ss, late, "sync.gap", "0.300000000", "sync.interval", "")
	want(t, ss, lie, "delay.bad", "", "rtt", "-")
	want(t, ss, order, "time.order", "", "sync.took", "-")
	want(t, ss, absurd, "delay", "-")
	want(t, ss, again, "clock.drift", "-0.003475000")
	dissecttest.Redissections(t, ss)
}

// TestClockWithoutInit takes the Accept alone for the clock when the capture began behind the Init.
func TestClockWithoutInit(t *testing.T) {
	k := newTalk(t)
	a := k.tell(10, accept(1000, 2000))
	m := k.tell(10, ">06 00 02 00"+us(9000)+"01 61 00 00")
	s := k.Session(asAny)
	want(t, s, a, "rtt", "-", "clock.offset", "1704067200.008000000")
	want(t, s, m, "delay", "0.003000000")
}

// TestClockBuilt works out what the server as built works out: its latency, and who lies about a delay.
func TestClockBuilt(t *testing.T) {
	now := uint64(1704067200_000000)
	k := newTalk(t)
	k.tell(1, a1)
	a := k.tell(4, ">00 00 00 01"+us(now+3000)+us(500))
	c := k.tell(30, "00 01 00 01"+us(77)+us(15))
	ack := k.tell(1, ">03 01 00")
	k.tell(100, a1)
	k.Say(1, second, server, a1)
	k.Say(1, server, second, "00 00 00 01"+us(now+107000)+us(4))
	lie := k.Say(3, second, server, "00 01 00 01"+us(77)+us(3001))
	s := k.Session()
	want(t, s, a, "rtt", "0.003500000", "accept.date", "Jan  1, 2024 00:00:00.003000000 UTC", "clock.offset",
		"-0.000250000", "clock.origin", "-", "phase", "accepted")
	want(t, s, c, "rtt", "0.029985000", "request_in", num(a), "phase", "connected", "acked_in", num(ack), "delay.bad", "-")
	want(t, s, lie, "delay.bad", "", "rtt", "-")
	dissecttest.Redissections(t, s)
}

// TestSilence tells a connection that counts as lost.
func TestSilence(t *testing.T) {
	k := newTalk(t)
	k.handshake()
	ok := k.tell(29000, said(0, 1, "a"))
	lost := k.tell(31000, said(0, 2, "b"))
	s := k.Session()
	want(t, s, ok, "silent", "-")
	want(t, s, lost, "silent", "", "silence", "31000 ms")
}
