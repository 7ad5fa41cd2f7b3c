package quic

import (
	"fmt"
	"strings"

	"remora/dissect"
)

// sourceStream is how the data sources are called that hold what a stream carries; its number follows.
const sourceStream = "QUIC stream "

// followModes reads the bytes that the streams of a packet hand on, each in its order.
var followModes = []dissect.FollowMode{{Name: proto.Name(), Transport: dissect.TableUDP, Decrypts: true,
	Read: readStreams}}

func readStreams(t *dissect.Tree, add func(dissect.FollowPiece)) {
	for _, src := range t.Sources() {
		if number, ok := strings.CutPrefix(src.Name, sourceStream); ok && len(src.Data) > 0 {
			add(dissect.FollowPiece{Data: src.Data, Info: fmt.Sprintf("stream %s, %d bytes", number, len(src.Data)),
				Typed: true})
		}
	}
}
