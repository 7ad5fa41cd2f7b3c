package protocols

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// TestHonestTrafficIsFarFromTheBudget holds the costliest frame of every recorded capture to an eighth of what a frame
// may cost. REMORA_CAPTURES names a folder of more.
func TestHonestTrafficIsFarFromTheBudget(t *testing.T) {
	paths := oracleCaptures(t)
	if folder := os.Getenv("REMORA_CAPTURES"); folder != "" {
		paths = append(paths, dissecttest.Captures(t, folder)...)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			most := dissecttest.Spent(t, All(), path)
			if most.GivenUp || most.Steps >= dissect.MaxSteps/8 {
				t.Errorf("frame %d (%s) takes %d steps of %d", most.Frame, most.Protocol, most.Steps, dissect.MaxSteps)
			}
			t.Logf("at most %d steps, frame %d (%s)", most.Steps, most.Frame, most.Protocol)
		})
	}
}

// TestEmptyMembersOverHTTP shows a gzip body of nearly 3 MB that has nothing but empty members: it is said to be
// broken, and no look at a packet comes near the budget.
func TestEmptyMembersOverHTTP(t *testing.T) {
	var member bytes.Buffer
	if err := gzip.NewWriter(&member).Close(); err != nil {
		t.Fatal(err)
	}
	body := bytes.Repeat(member.Bytes(), 2900<<10/member.Len())
	texts := []string{"C:GET / HTTP/1.1\r\nHost: a\r\n\r\n",
		fmt.Sprintf("S:HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n",
			len(body))}
	for len(body) > 0 {
		n := min(len(body), 60_000)
		texts, body = append(texts, "S:"+string(body[:n])), body[n:]
	}
	packets := dissecttest.Stream(80, texts...)
	s := dissecttest.Session(t, All(), 101, packets)
	broken := 0
	for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
		if _, ok := dissecttest.Find(s.Tree(n), "http.decompression_failed"); ok {
			broken++
		}
	}
	if broken != 1 {
		t.Errorf("%d frames say that decompression failed", broken)
	}
	// the work is taken from the budget before it is done: 4 steps for 32 packed bytes
	most := dissecttest.SpentOf(t, All(), 101, packets)
	if most.GivenUp || most.Steps > dissect.MaxSteps/8 || most.Steps < 4*2900<<10/32 {
		t.Errorf("frame %d takes %d steps, given up: %v", most.Frame, most.Steps, most.GivenUp)
	}
}

// TestManyPackedMessages dissects a segment of messages over WebSocket that each unfold to more than a thousand times
// their bytes: each takes from the budget, and few are unpacked.
func TestManyPackedMessages(t *testing.T) {
	all := bombOverWebSocket(t)
	one, count := all[3][len("S:"):], 0
	var many bytes.Buffer
	many.WriteString("S:")
	for ; many.Len()+len(one) < 60_000; count++ {
		many.WriteString(one)
	}
	most := dissecttest.SpentOf(t, All(), 101, dissecttest.Stream(80, all[0], all[1], many.String()))
	if most.GivenUp || most.Steps < count*(8<<10)/32 || most.Steps > dissect.MaxSteps/8 {
		t.Errorf("%d messages take %d steps, given up: %v", count, most.Steps, most.GivenUp)
	}
}
