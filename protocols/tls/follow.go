package tls

import "remora/dissect"

// followModes reads the application's data of records, where they could be decrypted. QUIC has no records.
var followModes = []dissect.FollowMode{{Name: proto.Name(), Transport: dissect.TableTCP, OneEnd: true,
	Opens: dissect.OpensRead, Decrypts: true, Read: readRecords}}

func readRecords(t *dissect.Tree, add func(dissect.FollowPiece)) {
	if data := decrypted(t); len(data) > 0 {
		add(dissect.FollowPiece{Data: data})
	}
}

// sourceDecrypted is how the data sources are called that decryption made.
const sourceDecrypted = "Decrypted TLS"

// applicationData is the type of records whose contents are the application's (RFC 8446 section 5.1).
const applicationData = 23

// decrypted is the application data of the packet's TLS records, as far as they could be decrypted: of every data
// source that decryption made, what is no handshake and no alert.
func decrypted(tree *dissect.Tree) []byte {
	var out []byte
	kind := map[uint8]uint64{} // of a source's content
	length := map[uint8]int{}  // of a source's content: behind it are its type and padding
	last, lastKnown := uint64(0), false
	for i, n := range tree.Nodes {
		f := tree.Field(i)
		if _, met := kind[n.Src]; n.Src > 0 && !met && lastKnown {
			kind[n.Src] = last // until the source itself says otherwise
		}
		if f != fContent && f != fInnerType {
			continue
		}
		if n.Src == 0 || tree.Sources()[n.Src].Name != sourceDecrypted {
			last, lastKnown = n.Val, true
			continue
		}
		kind[n.Src], length[n.Src] = n.Val, int(n.Off)
	}
	for k, src := range tree.Sources() {
		if id := uint8(k); src.Name == sourceDecrypted && kind[id] == applicationData {
			data := src.Data
			if n, ok := length[id]; ok {
				data = data[:min(n, len(data))]
			}
			out = append(out, data...)
		}
	}
	return out
}
