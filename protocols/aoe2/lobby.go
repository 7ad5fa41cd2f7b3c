package aoe2

import "remora/dissect"

var (
	fConnect1 = proto.Uint32("connect.connecting1", "Connecting 1",
		"Used while connecting only: 0x0032d2a4 from the host, 0x00503a87 from others, then 0 (u32 at 12).").Hex()
	fConnectID = proto.Uint32("connect.unknown", "Unknown", "Unique for a player, in every packet (u32 at 16).").Hex().
			Unknown()
	fConnect2 = proto.Uint32("connect.connecting2", "Connecting 2",
		"Used while connecting only: 0x005016b5 from the host, 0x0032b5c4 from others, then 0xffffffff (u32 at 20).").Hex()
	fConnecting = proto.Uint8("connect.state", "State", "What the options and both connecting fields say together.").
			Named(connectStates).Derived()

	fReadyByte  = proto.Uint8("ready.unknown", "Unknown", "Always 1 (u8 at 12).").Hex().Unknown()
	fReadyID    = proto.Uint8("ready.player", "Player id", "The player who is ready; 0 from one who is not (u8 at 13).")
	fReadyByte2 = proto.Uint8("ready.unknown2", "Unknown 2", "1 from one who is ready, else 0 (u8 at 14).").Hex().Unknown()
	fReadyAlign = proto.UnknownBytes("ready.alignment", "Alignment",
		"A byte that the notes leave out, probably alignment (at 15).")
	fReadyZero  = proto.Uint32("ready.zero", "Zero", "Always 0 (u32 at 16).")
	fReadyByte3 = proto.Uint32("ready.unknown3", "Unknown 3", "4 from one who is ready, else 0 (u32 at 20).").Hex().
			Unknown()
	fReady = proto.Bool("ready", "Ready", "Whether the player is ready, by option 1.").Derived().
		TrueFalse("yes", "no")
	fReadyCount = proto.Uint8("ready.count", "Players ready",
		"How many players have said that they are ready and not taken it back.").Derived()

	fLobby1    = proto.Uint16("lobby_turn.unknown1", "Unknown 1", "4 or 8 (u16 at 20).").Unknown()
	fLobby2    = proto.Uint16("lobby_turn.unknown2", "Unknown 2", "Perhaps a ping (u16 at 22).").Unknown()
	fLobbyTurn = proto.Uint16("lobby_turn.turn", "Communication turn", "The low 16 bits of the header's turn (u16 at 24).")

	nLobbyTurn = proto.Expert("lobby_turn.bad", dissect.Hint, "The turn is not that of the header")
	nTwoHosts  = proto.Expert("lobby.hosts", dissect.Warn, "Another player was the host so far; only the host sends this")
)

// The states of a 24BC35.
const (
	connectOther = iota
	connectHost
	connectPlayer
	connectDone
)

var connectStates = dissect.Values{connectOther: "none that the notes know", connectHost: "the host is connecting",
	connectPlayer: "a player is connecting", connectDone: "connected"}

// dissectConnect reads a 24BC35.
func dissectConnect(d *dissect.D, h *head) {
	one := uint32(d.Uint(fConnect1))
	d.Uint(fConnectID)
	two := uint32(d.Uint(fConnect2))
	if d.Short() {
		return
	}
	state := connectState(h.options)
	d.Set(fConnecting, uint64(state))
	switch state {
	case connectOther:
		unusual(d, fOption1, uint64(h.options[0]), false, "the options 35 32 00, 35 f8 0a and 30 5d 00")
	case connectHost:
		unusual(d, fConnect1, uint64(one), one == 0x0032D2A4, "0x0032d2a4 from a host")
		unusual(d, fConnect2, uint64(two), two == 0x005016B5, "0x005016b5 from a host")
	case connectPlayer:
		unusual(d, fConnect1, uint64(one), one == 0x00503A87, "0x00503a87 from players")
		unusual(d, fConnect2, uint64(two), two == 0x0032B5C4, "0x0032b5c4 from players")
	case connectDone:
		unusual(d, fConnect1, uint64(one), one == 0, "0 once connected")
		unusual(d, fConnect2, uint64(two), two == 0xFFFFFFFF, "0xffffffff once connected")
	}
	if state == connectHost {
		hostNotes.of(d, func(w *world) hostNote { return w.hosts(d, h, false) })
	}
	d.Info().Set("{connect.state}")
}

// connectState is the meaning of the options of a 24BC35.
func connectState(o [3]byte) int {
	switch o {
	case [3]byte{0x35, 0x32, 0x00}:
		return connectHost
	case [3]byte{0x35, 0xF8, 0x0A}:
		return connectPlayer
	case [3]byte{0x30, 0x5D, 0x00}:
		return connectDone
	}
	return connectOther
}

// dissectReady reads a 24BC52. One who is not ready any more says no player id: the source id tells who it is.
func dissectReady(d *dissect.D, h *head, s senderNote) {
	one := d.Uint(fReadyByte)
	player := d.Uint(fReadyID)
	two := d.Uint(fReadyByte2)
	d.Bytes(fReadyAlign, 1)
	zero := d.Uint(fReadyZero)
	three := d.Uint(fReadyByte3)
	if d.Short() {
		return
	}
	ready := h.options[0] != 0
	d.Set(fReady, truth(ready))
	unusual(d, fOption1, uint64(h.options[0]), h.options[0] <= 1, "0x01 from one who is ready, else 0x00")
	unusual(d, fReadyByte, one, one == 1, "0x01")
	unusual(d, fReadyID, player, ready == (player != 0) && player <= 8, "the id of one who is ready, else 0")
	unusual(d, fReadyZero, zero, zero == 0, "0")
	if ready {
		unusual(d, fOption2, uint64(h.options[1]), h.options[1] == 0x1E, "0x1e from one who is ready")
		unusual(d, fReadyByte2, two, two == 1, "0x01 from one who is ready")
		unusual(d, fReadyByte3, three, three == 4, "0x00000004 from one who is ready")
	} else {
		unusual(d, fOption2, uint64(h.options[1]), h.options[1] == 0, "0x00 from one who is not ready")
		unusual(d, fReadyByte2, two, two == 0, "0x00 from one who is not ready")
		unusual(d, fReadyByte3, three, three == 0, "0x00000000 from one who is not ready")
	}
	unusual(d, fOption3, uint64(h.options[2]), h.options[2] == 0, "0x00")
	n := readyNotes.of(d, func(w *world) readyNote { return w.ready(d, h, uint8(player), ready) })
	n.copy.show(d)
	d.Transcript().Repeats(n.copy.repeat)
	d.Set(fReadyCount, uint64(n.count))
	who(d, s, uint8(player))
	if d.Info().Wanted() {
		verb := "is ready"
		if !ready {
			verb = "is not ready any more"
		}
		d.Info().Setf("%s %s", s.name(uint8(player)), verb)
	}
}

// dissectLobbyTurn reads a 26BC53, which only the lobby's host sends.
func dissectLobbyTurn(d *dissect.D, h *head) {
	one := d.Uint(fLobby1)
	d.Uint(fLobby2)
	turn := d.Uint(fLobbyTurn)
	if d.Short() {
		return
	}
	unusual(d, fLobby1, one, one == 4 || one == 8, "4 and 8")
	if turn != uint64(h.turn&0xFFFF) {
		d.Expert(nLobbyTurn)
	}
	if n := hostNotes.of(d, func(w *world) hostNote { return w.hosts(d, h, true) }); n.second {
		d.Expert(nTwoHosts)
	}
	d.Info().Set("of the host, turn {lobby_turn.turn}")
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
