package aoe2

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// The ends of the tests' conversations.
type spot = dissecttest.Spot

var (
	host   = spot{1, 2350}
	second = spot{2, 2350}
	third  = spot{3, 2350}
)

const headers = dissecttest.Headers

func plugins() []dissect.Plugin { return dissecttest.OverUDP(Plugin(), Session()) }

// A talk builds a capture datagram by datagram.
type talk struct{ dissecttest.Conversation }

func newTalk(t testing.TB) *talk {
	return &talk{dissecttest.Conversation{T: t, Plugins: plugins()}}
}
