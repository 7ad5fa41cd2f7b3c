package rtp_test

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols"
)

// The capture holds a description and its answer, and packets put together from the formats of the specifications. The
// values are what tshark 4.0 prints for them, but for losses and jitter, which are worked out by hand.
const file = "testdata/voice.pcap"

func TestHostile(t *testing.T) {
	dissecttest.Mutations(t, protocols.All(), dissecttest.Load(t, protocols.All(), file), 28)
}

func TestMedia(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), file)
	dissecttest.Owned(t, s)
	dissecttest.Check(t, s, []dissecttest.Row{
		{Frame: 3, Field: "info", Want: "PT=ITU-T G.711 PCMU, SSRC=0x11223344, Seq=65534, Time=0, Mark"},
		{Frame: 3, Field: "rtp.setup-frame", Want: "1"},
		{Frame: 3, Field: "rtp.extseq", Want: "65534"},
		{Frame: 4, Field: "info", Want: "PT=ITU-T G.711 PCMU, SSRC=0x11223344, Seq=65535, Time=160"},
		{Frame: 4, Field: "rtp.jitter", Want: ""},
		{Frame: 4, Field: "rtp.delta", Want: "0.020000000"},
		{Frame: 5, Field: "rtp.extseq", Want: "65536"},
		{Frame: 6, Field: "rtp.lost", Want: "2"},
		{Frame: 6, Field: "rtp.jitter", Want: "0.002500000"}, // 40 ms off, a sixteenth of it
		{Frame: 9, Field: "info", Want: "PT=iLBC, SSRC=0x5, Seq=10, Time=240"},
		{Frame: 11, Field: "info", Want: "Payload type=RTP Event, DTMF Five 5 (end)"},
		{Frame: 11, Field: "rtpevent.duration", Want: "352"},
		{Frame: 12, Field: "rtp.csrc.item", Want: "0x00000001 (1),0x00000002 (2)"},
		{Frame: 12, Field: "rtp.ext.rfc5285.data", Want: "aa,0102"},
		{Frame: 12, Field: "rtp.payload", Want: "7061796c6f616421"},
		{Frame: 12, Field: "rtp.padding.count", Want: "4"},
		{Frame: 13, Field: "rtp.ext.rfc5285.len", Want: "2,1"},
		{Frame: 14, Field: "rtp.hdr_ext", Want: "0x61626364 (1633837924)"},
		{Frame: 15, Field: "srtp.enc_payload", Want: "7878787878787878787878787878787878787878"},
	})
	for frame, note := range map[dissect.FrameNum]string{6: "rtp.sequence.lost", 7: "rtp.sequence.late",
		8: "rtp.sequence.twice"} {
		if _, ok := dissecttest.Find(s.Tree(frame), note); !ok {
			t.Errorf("frame %d has no note %s", frame, note)
		}
	}
}

func TestControl(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), file)
	dissecttest.Check(t, s, []dissecttest.Row{
		{Frame: 16, Field: "rtcp.pt", Want: "Sender Report (200),Source description (202)"},
		{Frame: 16, Field: "rtcp.sdes.text", Want: "alice@host,tool 1,def"},
		{Frame: 16, Field: "rtcp.timestamp.ntp", Want: "Nov 15, 2023 02:30:37.071111110 UTC"},
		{Frame: 17, Field: "rtcp.ssrc.cum_nr", Want: "-1"},
		{Frame: 17, Field: "rtcp.ssrc.high_seq", Want: "6"},
		{Frame: 17, Field: "rtcp.lsr-frame", Want: "16"},
		{Frame: 17, Field: "rtcp.roundtrip-delay", Want: "10"},
		{Frame: 18, Field: "rtcp.sdes.text", Want: "bye"},
		{Frame: 19, Field: "rtcp.app.name", Want: "TEST"},
		{Frame: 20, Field: "rtcp.rtpfb.nack_pid", Want: "100,101,103"},
		{Frame: 20, Field: "rtcp.psfb.fir.fci.csn", Want: "7"},
		{Frame: 21, Field: "rtcp.psfb.remb.rate", Want: "805072 bit/s"},
		{Frame: 22, Field: "rtcp.rtpfb.tmmbr.fci.mantissa", Want: "2330"},
		{Frame: 23, Field: "rtcp.xr.dlrr", Want: "3"},
		{Frame: 24, Field: "rtcp.senderssrc", Want: "0x00000009 (9)"},
		{Frame: 26, Field: "rtcp.pt", Want: "Receiver Report (201)"}, // where media go
	})
}

// The second capture holds the examples of RFC 2326, with a packet of media in each of the ways in which they come.
const streams = "testdata/rtsp.pcap"

func TestStreamingHostile(t *testing.T) {
	dissecttest.Mutations(t, protocols.All(), dissecttest.Load(t, protocols.All(), streams), 40)
}

func TestStreaming(t *testing.T) {
	s := dissecttest.Load(t, protocols.All(), streams)
	dissecttest.Owned(t, s)
	dissecttest.Check(t, s, []dissecttest.Row{
		{Frame: 1, Field: "info", Want: "OPTIONS rtsp://example.com/media.mp4 RTSP/1.0"},
		{Frame: 1, Field: "rtsp.method", Want: "OPTIONS"},
		{Frame: 1, Field: "rtsp.response_in", Want: "2"},
		{Frame: 2, Field: "info", Want: "Reply: RTSP/1.0 200 OK"},
		{Frame: 2, Field: "rtsp.status", Want: "200"},
		{Frame: 4, Field: "sdp.mime.type", Want: "H264"},
		{Frame: 6, Field: "rtsp.session", Want: "12345678"},
		{Frame: 7, Field: "rtp.setup-method", Want: "RTSP"},
		{Frame: 7, Field: "rtp.setup-frame", Want: "6"},
		{Frame: 8, Field: "rtcp.setup-frame", Want: "6"},
		{Frame: 9, Field: "rtsp.channel", Want: "0x00,0x01"},
		{Frame: 9, Field: "rtp.seq", Want: "8"},
		{Frame: 9, Field: "rtcp.pt", Want: "Receiver Report (201)"},
		{Frame: 11, Field: "rtsp.request_in", Want: "10"},
	})
}
