package aoe2

import (
	"fmt"
	"os"
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

func TestDump(t *testing.T) {
	if os.Getenv("DUMP") == "" {
		t.Skip()
	}
	k := &talk{t: t}
	for _, v := range vectors {
		k.say(1, host, second, v.bytes)
	}
	s := k.session()
	for n := dissect.FrameNum(1); int(n) <= s.Passed(); n++ {
		fmt.Println(dissecttest.Dump(s.Tree(n)))
	}
}
