package ldap

import "remora/dissect"

// A tally counts the entries that a search has brought on a connection since the last one ended.
type tally struct{ entries uint32 }

// ended is what is known at the end of a search: how many entries it brought, and one more.
type ended uint32

var searches = dissect.NewStore[tally, ended]()

// count counts an entry.
func count(d *dissect.D) {
	searches.FirstPass(d, func(t *tally) ended {
		t.entries++
		return 0
	})
}

// countInfo says at the end of a search how many entries it brought.
func countInfo(d *dissect.D, op uint64) {
	if op != opSearchDone {
		return
	}
	n := searches.FirstPass(d, func(t *tally) ended {
		n := ended(t.entries) + 1
		t.entries = 0
		return n
	})
	switch {
	case !d.Info().Wanted() || n == 0:
	case n == 2:
		d.Info().Setf("[1 result]")
	default:
		d.Info().Setf("[%d results]", n-1)
	}
}

// opSearchDone ends a search.
const opSearchDone = 5

// extensions are what Wireshark calls extended operations (RFC 4511 section 4.14, RFC 3062).
var extensions = map[string]string{"1.3.6.1.4.1.1466.20037": "LDAP_START_TLS_OID",
	"1.3.6.1.4.1.4203.1.11.1": "passwdModifyOID"}
