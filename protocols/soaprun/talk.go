package soaprun

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"remora/dissect"
)

var (
	fGame = proto.Uint16("game.version", "Game version", "Version of the game; 432 is 0.432. u16, little-endian.").
		Format(gameVersion)
	fProto  = proto.String("protocol", "Protocol", "Name of the protocol, ending in a NUL; 8 bytes.")
	fProtoV = proto.Uint16("protocol.version", "Protocol version",
		"Version of the protocol; the last game demands 64. u16, little-endian.")
	fTest = proto.UnknownBytes("test.data", "Test data",
		"508 bytes without a meaning, to measure the speed of the connection.")
	fTestNo = proto.Uint8("test.number", "Test", "Which of the four tests of the connection it is, counted from 1.").
		Derived()
	fTextLen = proto.Uint32("log.length", "Text length",
		"Length of the text; the original client counts the NUL at its end, others have none. u32, little-endian.").
		In("bytes")
	fText  = proto.String("log.text", "Text", "What the server shall write into its log.").Encoded(dissect.ShiftJIS)
	fEnded = proto.Bool("log.nul", "Ends with NUL", "The text has the NUL that the original client sends.").Derived().
		TrueFalse("yes, as the original client sends it", "no")
	fEvent = proto.String("log.event", "Event", "What the text tells of the player.").Derived()
	fSpeed = proto.Group("speed", "Speed test",
		"The four tests as the client measured them, and as the capture shows them.").Summary("Speed test")
	fClientT = proto.Uint32("speed.client", "Measured by the client", "Time of one test as the client gives it.").In("ms").
			Derived()
	fWireT = proto.Span("speed.captured", "Seen in the capture", "Time of one test between question and answer.").
		Derived()
	fAccept = proto.Bool("protocol.accepted", "Accepted by the game", "The game plays with Soaprun 64 only.").Derived().
		TrueFalse("yes", "no")

	fPlayed = proto.Span("played", "Played for", "Time since the first message of the connection in this capture.").
		Derived()

	nFull = proto.Expert("server.full", dissect.Warn,
		"The server is full: it hangs up now, and the player has to try again later")
	nVersion = proto.Expert("version.mismatch", dissect.Warn,
		"The game demands the protocol Soaprun in version 64 and would leave this server")
	nWon  = proto.Expert("player.goal", dissect.Chat, "The player has reached the goal")
	nDead = proto.Expert("player.dead", dissect.Chat, "The player is dead")
)

func gameVersion(v uint64) string { return fmt.Sprintf("0.%03d (%d)", v, v) }

// greeting is the server's first message: WLCM, or OVER when it has no room.
func greeting(d *dissect.D, kind uint32) {
	showNamed(d)
	if kind == tOver {
		d.Expert(nFull)
		d.Info().Set("the server is full")
		return
	}
	d.Info().Set("the server is ready")
}

// A playNote is how long the connection's player has played, in ns.
type playNote struct{ played int64 }

// farewell is Bye.: the player leaves.
func farewell(d *dissect.D) {
	n := remember(d, &playNotes, func(c *connection) playNote { return playNote{d.Time() - c.met} })
	if n.played > 0 {
		d.Set(fPlayed, uint64(n.played))
	}
	d.Info().Set("leaves the game[ after {played} s]")
}

// dissectGame reads the client's Prtc (2 bytes): the version of the game.
func dissectGame(d *dissect.D) {
	d.Uint(fGame)
	d.Info().Set("game version {game.version}")
}

// dissectProtocol reads the server's Prtc (10 bytes): name and version of the protocol.
func dissectProtocol(d *dissect.D) {
	name := d.Padded(fProto, nameSize)
	version := d.Uint(fProtoV)
	if d.Short() {
		return
	}
	fine := string(name) == protocolName && version == protocolVersion
	d.Set(fAccept, truth(fine))
	if !fine {
		d.ExpertText(nVersion,
			fmt.Sprintf("The server speaks %q in version %d; the game demands %s in version %d", name, version, protocolName,
				protocolVersion))
	}
	d.Info().Set("{protocol} version {protocol.version}")
}

func dissectTest(d *dissect.D, m messageNote) {
	d.Rest(fTest)
	if m.test > 0 {
		d.Set(fTestNo, uint64(m.test))
	}
	if d.Info().Wanted() {
		text := "speed test"
		if m.test > 0 {
			text += " " + number(uint64(m.test))
		}
		if m.from() == fromServer {
			text += " comes back"
		}
		d.Info().Setf("%s", text)
	}
}

// A speedNote is how long the four tests took in the capture, in µs.
type speedNote struct{ took [4]uint32 }

// dissectLog reads Dlog: u32 length, text.
func dissectLog(d *dissect.D, b []byte) {
	n := int(d.Uint(fTextLen))
	if d.Short() {
		return
	}
	if n > d.Left() { // told by the mark
		d.Skip(n)
		d.Rest(fText)
		return
	}
	text := d.Padded(fText, n)
	d.Set(fEnded, truth(n > 0 && b[4+n-1] == 0))
	text = bytes.TrimRight(text, "\x00")
	if d.Info().Wanted() {
		d.Info().Setf("%q", dissect.ShiftJIS.Decode(text))
	}
	readLogText(d, string(text))
}

// readLogText reads the texts that the original client is known to send.
func readLogText(d *dissect.D, text string) {
	x, y, at := place(text)
	switch {
	case strings.HasPrefix(text, "512byte "):
		speedTest(d, strings.Split(strings.TrimSuffix(strings.TrimPrefix(text, "512byte "), "msec"), ","))
	case strings.HasPrefix(text, "Dead("):
		d.Expert(nDead)
		if at {
			d.SetText(fEvent, fmt.Sprintf("died at (%d, %d)", x, y))
		}
	case strings.HasPrefix(text, "Goal("):
		d.Expert(nWon)
		if at {
			d.SetText(fEvent, fmt.Sprintf("reached the goal at (%d, %d)", x, y))
		}
	case strings.HasPrefix(text, "fps "):
		if d.Wanted(fEvent) {
			d.SetText(fEvent, "pictures per second: "+strings.TrimPrefix(text, "fps "))
		}
	}
}

// place reads the "(x,y)" of a text.
func place(text string) (x, y int, ok bool) {
	i := strings.IndexByte(text, '(')
	if i < 0 {
		return 0, 0, false
	}
	n, err := fmt.Sscanf(text[i:], "(%d,%d)", &x, &y)
	return x, y, n == 2 && err == nil
}

// speedTest shows the client's four measurements beside those of the capture.
func speedTest(d *dissect.D, parts []string) {
	n := remember(d, &speedNotes, func(c *connection) speedNote { return speedNote{c.speed} })
	if len(parts) > 4 {
		return
	}
	d.In(fSpeed, func() {
		for i, p := range parts {
			if ms, err := strconv.ParseUint(strings.TrimSpace(p), 10, 31); err == nil {
				d.Set(fClientT, ms)
			}
			if n.took[i] > 0 {
				d.Set(fWireT, uint64(n.took[i])*1000)
			}
		}
	})
}
