package touhou

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// The ends of the tests' conversations.
type end = dissecttest.Spot

var (
	host      = end{1, 10800}
	client    = end{2, 50000}
	spectator = end{3, 50001}
)

func plugins() []dissect.Plugin { return dissecttest.OverUDP(Plugin()) }

// A talk builds a capture datagram by datagram.
type talk struct{ dissecttest.Conversation }

func newTalk(t testing.TB) *talk {
	return &talk{dissecttest.Conversation{T: t, Plugins: plugins()}}
}
