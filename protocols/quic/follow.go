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
	Read: readStreams, Sub: fStreamID, ReadSub: readStream, Number: fConn}}

func readStreams(t *dissect.Tree, add func(dissect.FollowPiece)) {
	for _, src := range t.Sources() {
		if number, ok := strings.CutPrefix(src.Name, sourceStream); ok && len(src.Data) > 0 {
			add(dissect.FollowPiece{Data: src.Data, Info: fmt.Sprintf("stream %s, %d bytes", number, len(src.Data)),
				Typed: true})
		}
	}
}

// readStream reads the frames of one stream, as they come.
func readStream(t *dissect.Tree, sub uint64, add func(dissect.FollowPiece)) {
	for i := range t.Nodes {
		if t.Field(i) != fStreamID || t.Nodes[i].Val != sub || t.IsQuoted(i) {
			continue
		}
		piece := dissect.FollowPiece{Empty: true, Info: fmt.Sprintf("stream %d", sub), Typed: true}
		for k := i + 1; k < t.End(t.Parent(i)); k++ {
			if t.Field(k) == fStream {
				piece.Data = t.Bytes(k)
				piece.Empty = len(piece.Data) == 0
			}
		}
		add(piece)
	}
}
