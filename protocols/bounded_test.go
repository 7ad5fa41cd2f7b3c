package protocols

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"remora/dissect"
)

// bounded are the maps in the states of stores that are no BoundedMap: each is emptied or refuses more at a length of
// its own, in the file that declares it. A map that is not here has none.
var bounded = []string{
	"dcerpc.state.contexts", "dcerpc.state.open", "dcerpc.waiting.calls", "dhcp.waiting.asked",
	"dhcp.waiting.hosts", "dhcpv6.waiting.asked", "dissect.fragmentState.waiting", "dissect.pairState.waiting",
	"dns.exchangeState.others", "eap.state.flows", "eap.stations", "http2.words.pairs",
	"http3.state.tables", "imap.session.waiting", "map[uint32]arp.owner",
	"map[usb.transfer]usb.start", "openvpn.channel.early", "quic.world.ids", "quic.world.pairs",
	"quic.world.tokens", "realnet.values.last", "rpc.callState.open", "rtp.sentState.all", "rtp.setup.forms",
	"rtp.streamState.all", "sctp.waiting", "sip.callState.open", "sip.transaction.responses", "smb.oldState.open",
	"smb.shareState.asked", "smb.shareState.awaits", "smb.shareState.files", "smb.shareState.frames",
	"smb.shareState.levels", "smb.shareState.pipes", "smb.shareState.proven", "smb.shareState.trees",
	"soaprun.connection.rooms",
	"texts.words.known", "tls.association.sides.parts", "tls.earlier.sessions",
	"wireguard.handshakes.exchanges", "wireguard.handshakes.streams",
}

// TestMapsInStatesAreBounded goes through the types of all that stores keep. A map that grows with what comes is an
// attack on the memory: it is a dissect.BoundedMap, or its bound is written in code and its name here.
func TestMapsInStatesAreBounded(t *testing.T) {
	All() // declares all
	found := map[string]bool{}
	for _, state := range dissect.StateTypes() {
		mapsIn(state, state.String(), found, map[reflect.Type]bool{})
	}
	if len(found) < 20 {
		t.Fatalf("only %d maps are found", len(found))
	}
	for name := range found {
		if !slices.Contains(bounded, name) {
			t.Errorf("%s grows without a bound: use a dissect.BoundedMap, or bound it and name it in bounded", name)
		}
	}
	for _, name := range bounded {
		if !found[name] {
			t.Errorf("there is no map %s any more", name)
		}
	}
}

// mapsIn adds the maps of a type, by the field that holds them.
func mapsIn(t reflect.Type, name string, found map[string]bool, seen map[reflect.Type]bool) {
	if t.Kind() == reflect.Map {
		found[name] = true
		mapsIn(t.Elem(), name, found, seen)
		return
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		mapsIn(t.Elem(), name, found, seen)
	case reflect.Struct:
		// those are declared
		if seen[t] || t == reflect.TypeFor[dissect.Field]() || t == reflect.TypeFor[dissect.Protocol]() {
			return
		}
		seen[t] = true
		for i := range t.NumField() {
			f := t.Field(i)
			if strings.HasPrefix(t.Name(), "BoundedMap[") {
				if f.Name == "all" {
					mapsIn(f.Type.Elem(), name, found, seen)
				}
				continue
			}
			owner := t.String()
			if t.Name() == "" {
				owner = name
			}
			mapsIn(f.Type, owner+"."+f.Name, found, seen)
		}
	}
}
