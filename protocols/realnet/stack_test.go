package realnet

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
)

// The ends of the tests' conversations.
type end = dissecttest.Spot

var (
	server = end{1, 12345}
	client = end{2, 50000}
	second = end{3, 50001}
)

const headers = dissecttest.Headers

func plugins() []dissect.Plugin { return dissecttest.OverUDP(Plugin(), AsBuilt(), AsDocumented()) }

// A talk builds a capture datagram by datagram.
type talk struct{ dissecttest.Conversation }

func newTalk(t testing.TB) *talk {
	return &talk{dissecttest.Conversation{T: t, Plugins: plugins()}}
}

// Decode as real-net on the server's port, with the layout left open or fixed.
var (
	asAny   = dissect.DecodeAs{Table: dissect.TableUDP, Value: 12345, Protocol: "realnet"}
	asAB    = dissect.DecodeAs{Table: dissect.TableUDP, Value: 12345, Protocol: "realnet_built"}
	asPaper = dissect.DecodeAs{Table: dissect.TableUDP, Value: 12345, Protocol: "realnet_doc"}
)
