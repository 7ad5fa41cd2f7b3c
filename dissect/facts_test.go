package dissect

import "testing"

// What a fact was before is known for PastFrames packets, however many changes there are, and of each fact alone.
func TestFactsOfThePast(t *testing.T) {
	var l factLog
	var one, other connected
	for n := FrameNum(1); n <= 3*PastFrames; n++ {
		l.add(&one, factChange{was: int64(n) - 1, since: n, fact: 0})
		if n%100 == 0 {
			l.add(&other, factChange{was: int64(n) - 100, since: n, fact: 1})
		}
		for _, back := range []FrameNum{0, 1, 99, PastFrames - 1} {
			if back > n {
				continue
			}
			if got := l.at(&one, 0, n-back, int64(n)); got != int64(n-back) {
				t.Fatalf("at packet %d the fact of packet %d is %d", n, n-back, got)
			}
			if got, want := l.at(&other, 1, n-back, int64(n/100*100)), int64((n-back)/100*100); got != want {
				t.Fatalf("at packet %d the rarer fact of packet %d is %d, not %d", n, n-back, got, want)
			}
			if got := l.at(&other, 0, n-back, 7); got != 7 {
				t.Fatalf("a fact that never changed is %d", got)
			}
			if back > 0 && n%1000 != 0 {
				break // the far ones now and then: each looks through all changes since
			}
		}
	}
	if len(l.changes) > 3*PastFrames {
		t.Errorf("%d changes are kept", len(l.changes))
	}
}

// A conversation of which there is little to say has no state of its own for its facts.
func TestFactsOfLittleConversations(t *testing.T) {
	for _, tc := range []struct {
		name  string
		facts [2]int64
		small bool
	}{{"complete", [2]int64{63 | 1<<8, 0}, true}, {"timed", [2]int64{1, 5e6}, false},
		{"large", [2]int64{1 << 40, 0}, false}, {"streams", [2]int64{31, 0}, false}} {
		t.Run(tc.name, func(t *testing.T) {
			c := &Conversation{}
			if tc.name == "streams" {
				c.stream(0)
			}
			d := &D{conv: c, s: &Session{}}
			for i, v := range tc.facts {
				d.Ends().SetFact(i, v/2)
				d.Ends().SetFact(i, v)
			}
			if got := c.more.Load() == nil; got != tc.small {
				t.Errorf("without state: %v", got)
			}
			if got := [2]int64{c.Fact(0), c.Fact(1)}; got != tc.facts {
				t.Errorf("the facts are %v, want %v", got, tc.facts)
			}
		})
	}
}
