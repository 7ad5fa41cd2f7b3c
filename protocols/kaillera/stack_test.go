package kaillera

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// The ends of the tests' conversations.
type end = dissecttest.Spot

var (
	srv = end{1, 27888}
	amy = end{2, 50000}
	bob = end{3, 50001}
)

const headers = dissecttest.Headers

func plugins() []dissect.Plugin { return dissecttest.OverUDP(Plugin()) }

// A talk builds a capture datagram by datagram.
type talk struct{ dissecttest.Conversation }

func newTalk(t testing.TB) *talk {
	return &talk{dissecttest.Conversation{T: t, Plugins: plugins()}}
}
