package sip_test

import (
	"testing"

	"remora/dissect/dissecttest"
	"remora/protocols"
)

// The capture holds calls of SIPp between two network namespaces with sound, one that nobody answers, and messages made
// from the examples of RFC 3261. The values are what tshark 4.0 prints for them.
const file = "testdata/call.pcap"

func TestHostile(t *testing.T) {
	dissecttest.Mutations(t, protocols.All(), dissecttest.Load(t, protocols.All(), file), 42)
}

func TestValues(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), file)
	dissecttest.Owned(t, s)
	dissecttest.Check(t, s, []dissecttest.Row{
		{Frame: 1, Field: "info", Want: "Request: INVITE sip:service@10.77.0.2:5060 |"},
		{Frame: 1, Field: "sip.Method", Want: "INVITE"},
		{Frame: 1, Field: "sip.r-uri.user", Want: "service"},
		{Frame: 1, Field: "sip.Via.sent-by.port", Want: "5060"},
		{Frame: 1, Field: "sip.response-frame", Want: "2"},
		{Frame: 2, Field: "info", Want: "Status: 180 Ringing |"},
		{Frame: 3, Field: "info", Want: "Status: 200 OK (INVITE) |"},
		{Frame: 3, Field: "sip.Status-Code", Want: "200"},
		{Frame: 3, Field: "sip.response-request", Want: "1"},
		{Frame: 3, Field: "sip.from.user", Want: "sipp"},
		{Frame: 3, Field: "sip.to.tag", Want: "16371SIPpTag011"},
		{Frame: 3, Field: "sip.contact.param", Want: "transport=UDP"},
		{Frame: 3, Field: "sdp.media.port", Want: "7000"},
		{Frame: 4, Field: "sip.response-request", Want: "1"},
		{Frame: 5, Field: "info", Want: "PT=ITU-T G.711 PCMA, SSRC=0xDEE0EE8F, Seq=59133, Time=240, Mark"},
		{Frame: 5, Field: "rtp.setup-frame", Want: "1"},
		{Frame: 25, Field: "info", Want: "PT=ITU-T G.711 PCMA, SSRC=0xDEE0EE8F, Seq=59367, Time=56400"},
	})
}

// What is sent again is told from what is sent first, and a registration from a call.
func TestMessages(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), file)
	dissecttest.Check(t, s, []dissecttest.Row{
		{Frame: 55, Field: "sip.resend", Want: "False"},
		{Frame: 56, Field: "sip.resend", Want: "True"},
		{Frame: 56, Field: "sip.resend-original", Want: "55"},
		{Frame: 59, Field: "info", Want: "Request: REGISTER sip:example.com  (2 bindings) |"},
		{Frame: 59, Field: "sip.contact.uri", Want: "sip:bob@10.77.0.1:5066;transport=udp,sip:bob2@10.77.0.1"},
		{Frame: 59, Field: "sip.contact.parameter", Want: "expires=3600,q=0.5"},
		{Frame: 59, Field: "sip.auth.username", Want: `"bob"`},
		{Frame: 59, Field: "sip.reason_cause_q850", Want: "Normal call clearing (16)"},
		{Frame: 59, Field: "sip.Route.port", Want: "5080"},
		{Frame: 61, Field: "sip.to.user", Want: "bob"},
		{Frame: 61, Field: "sip.Via.received", Want: "192.0.2.4"},
		{Frame: 62, Field: "sip.from.addr", Want: "sip:alice@atlanta.com"},
		{Frame: 62, Field: "sip.Subject", Want: `folded\r\n line here`},
		{Frame: 62, Field: "sdp.media.format",
			Want: "ITU-T G.711 PCMU,ITU-T G.711 PCMA,DynamicRTP-Type-97,DynamicRTP-Type-101,0,97,101,101,ITU-T " +
				"H.261,MPEG-I/II Video,DynamicRTP-Type-99,31,99,99"},
		{Frame: 62, Field: "sdp.ice_candidate.type", Want: "host"},
		{Frame: 68, Field: "sip.RAck.CSeq.method", Want: "INVITE"},
	})
}
