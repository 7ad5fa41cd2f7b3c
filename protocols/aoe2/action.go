package aoe2

import "remora/dissect"

var (
	fAction = proto.Uint8("action", "Action", "What is done: the byte behind the header (u8 at 20).").Hex().
		Named(actionNames)
	fActPlayer = proto.Uint8("action.player", "Player id", "Player id of whose units act (u8).").Format(playerNumber)
	fActNumber = proto.Uint8("action.number", "Player number",
		"Player number; differs from the player id in co-op games only, where several ids share a number (u8).").
		Format(playerNumber)
	fActNumber2 = proto.Uint16("action.number2", "Player number", "Player number in two bytes (u16).").Format(playerNumber)
	fSelected8  = proto.Uint8("action.selected", "Selected",
		"How many objects are selected; 255 is the same as in the player's command before (u8, for moves u32).").
		Format(selectedText).Also(fSelected)
	fSelected32 = proto.Uint32("action.selected32", "Selected",
		"How many objects are selected; 255 is the same as in the player's command before (u32).").Format(selectedText).
		Also(fSelected)
	fSelected = proto.Uint8("selected", "Selected", "How many objects are selected, in any action.")
	fUnits    = proto.Group("units", "Objects", "The selected objects.")
	fUnit     = proto.Uint32("unit", "Object", "Id of a selected object (u32).").Hex()
	fUnitSame = proto.Uint32("unit.same", "Same object",
		"Id of an object that the player's command before selected and this one means.").Hex().Derived().Also(fUnit)
	fSameIn = proto.FrameRef("unit.same_in", "Selected in", "The command whose objects this one means.")
	fTarget = proto.Uint32("target", "Target",
		"Id of the object that is clicked, guarded, repaired and so on; 0xffffffff is none (u32).").Hex().Named(nobody)
	fBuildingID = proto.Uint32("building", "Building",
		"Id of the building that the order is for; 0xffffffff is none (u32).").Hex().Named(nobody)
	fX = proto.Float32("x", "X", "Place along the upper left edge of the map, from the left corner (f32).").
		In("tiles")
	fY = proto.Float32("y", "Y", "Place along the lower left edge of the map, from the left corner (f32).").
		In("tiles")
	fTileX      = proto.Uint8("tile.x", "Tile X", "Place along the upper left edge of the map (u8).").In("tiles")
	fTileY      = proto.Uint8("tile.y", "Tile Y", "Place along the lower left edge of the map (u8).").In("tiles")
	fEndX       = proto.Uint8("tile.endx", "End X", "End of the wall along the upper left edge (u8).").In("tiles")
	fEndY       = proto.Uint8("tile.endy", "End Y", "End of the wall along the lower left edge (u8).").In("tiles")
	fOnes       = proto.Uint32("action.ones", "All ones", "Always 0xffffffff (u32).").Hex()
	fActUnknown = proto.Uint32("action.unknown", "Unknown", "Unknown (u32).").Hex().Unknown()
	fAIUnit     = proto.Uint32("ai.unit", "A unit", "Id of one of the units (u32).").Hex()
	fAICount    = proto.Uint8("ai.count", "Count", "1 or 0xff (u8).").Hex()
	fAISign     = proto.Float32("ai.sign", "Unknown float", "1 or -1 (f32).").Unknown()

	fHow = proto.Uint8("resign.how", "How", "Whether the player resigned or lost the connection (u8).").
		Named(leavings)
	fStance    = proto.Uint8("stance", "Stance", "How the units react to enemies (u8).").Named(stances)
	fFormation = proto.Uint8("formation", "Formation", "How the units stand; sources disagree on 4 and 7 (u8).").
			Named(formations)
	fWayCount   = proto.Uint8("waypoints", "Waypoints", "How many waypoints are used (u8).")
	fUnitType   = proto.Uint16("unit.type", "Unit type", "What is trained (u16).").Named(objects)
	fBuildType  = proto.Uint16("building.type", "Building type", "What is built (u16).").Named(objects)
	fTargetType = proto.Uint32("target.type", "Target type", "Type of the target; 0xffff is none (u32).").Named(noType)
	fTechnology = proto.Uint16("technology", "Technology", "What is researched (u16).").Named(technologies)
	fSprite     = proto.Uint32("build.sprite", "Sprite variant", "Which picture of the building is used (u32).")
	fTrained    = proto.Uint16("train.count", "Count", "How many are trained (u16).").In("units")
	fResource   = proto.Uint8("resource", "Resource", "Which resource changes hands (u8).").Named(resources)
	fHundreds   = proto.Uint8("trade.amount", "Hundreds", "Amount in hundreds, 1 or 5 (u8).")
	fFrom       = proto.Uint8("tribute.from", "From", "Player who gives (u8).").Format(playerNumber)
	fTo2        = proto.Uint8("tribute.to", "To", "Player who gets (u8).").Format(playerNumber)
	fAmount     = proto.Float32("tribute.amount", "Amount", "How much is given (f32).")
	fFee        = proto.Float32("tribute.fee", "Fee", "Share that the market keeps: 0.3, 0.2 or 0 (f32).")
	fUngarrison = proto.Uint8("ungarrison.type", "Type", "Who leaves (u8).").Named(ungarrisonTypes)
	fGarrison   = proto.Uint8("garrison.type", "Type", "What is done (u8).").Named(garrisonTypes)
	fQueueSlot  = proto.Uint8("garrison.slot", "Queue slot",
		"Place in the production queue that is cancelled, counted from 0; else 0 (u8).")
	fRing     = proto.Uint8("bell", "Bell", "Whether the bell rings or stops (u8).").Named(bells)
	fSees     = proto.Uint8("flare.sees", "Sees it", "1 for a player who sees the flare, from P1 to P8 (u8).")
	fSaveMode = proto.Uint8("save.mode", "Mode", "Whether the game ends, too (u8).").Named(saves)
	fSaveName = proto.String("save.name", "File name", "Name of the saved game, up to a NUL.").
			Encoded(dissect.Windows1252)
	fSaveRest   = proto.UnknownBytes("save.leftover", "Leftover memory", "Bytes behind the name that mean nothing.")
	fSaveSum    = proto.Uint32("save.checksum", "Checksum", "Checksum at the end (u32).").Hex()
	fMode       = proto.Uint8("game.mode", "Mode", "What the game command is about (u8).").Hex().Named(gameModes)
	fGameSource = proto.Uint8("game.source", "Player number",
		"Player who commands; for quick build 1 is on and 0 off (u8).")
	fGameOption  = proto.Uint8("game.option", "Option", "Another player, a cheat or an amount, by mode (u8).")
	fGameValue   = proto.Float32("game.value", "Value", "Diplomacy as 0, 1 or 3; speed as 1, 1.5 or 2 (f32).")
	fGameStance  = proto.Uint8("game.stance", "Stance", "Diplomacy once more (u8).").Named(diplomacies)
	fActionBytes = proto.UnknownBytes("action.data", "Action data",
		"Data of an action that the network notes do not describe.")

	nRecorded  = proto.Expert("action.recorded", dissect.Chat, "This action is known from recorded games only")
	nActUnk    = proto.Expert("action.unknown.type", dissect.Hint, "Unknown action")
	nActLength = proto.Expert("action.length", dissect.Hint, "More bytes than the action has")
	nSelected  = proto.Expert("action.selected.bad", dissect.Warn,
		"More objects are said to be selected than the packet has")
	nOnes      = proto.Expert("action.ones.bad", dissect.Hint, "A field that always is 0xffffffff is not")
	nStanceBad = proto.Expert("game.stance.bad", dissect.Hint, "Value and stance say different things")
)

// same is the number of selected objects that means: those of the command before.
const same = 0xFF

func selectedText(v uint64) string {
	if v == same {
		return "same as before (255)"
	}
	return plural(int(min(v, 1<<31)), "object")
}

// dissectAction reads a player action: its id, and what its layout says.
func dissectAction(d *dissect.D, h *head, s senderNote) {
	o := order{}
	if d.Left() == 0 {
		d.Skip(1)
		return
	}
	o.id = byte(d.Uint(fAction))
	l := layouts[o.id]
	switch {
	case l != nil:
		o.read(d, l)
	case recorded[o.id]:
		d.Expert(nRecorded)
		d.Rest(fActionBytes)
	default:
		d.Expert(nActUnk)
		d.Rest(fActionBytes)
	}
	if d.Short() {
		return
	}
	if d.Left() > 0 {
		markText(d, nActLength, "%d bytes behind the end of the action", d.Left())
		d.Rest(fTrailing)
	}
	n := actionNotes.of(d, func(w *world) actionNote { return w.action(d, h, &o) })
	o.show(d, s, n)
}

// show tells what the order means among those before it.
func (o *order) show(d *dissect.D, s senderNote, n actionNote) {
	n.copy.show(d)
	d.Transcript().Repeats(n.copy.repeat)
	n.showDelay(d)
	if o.ones {
		d.Expert(nOnes)
	}
	if o.id == actGame && o.v[slotMode] == modeDiplomacy && !o.agrees() {
		d.Expert(nStanceBad)
	}
	o.count = int(o.v[slotSelected])
	if o.v[slotSelected] == same && o.takesSame() {
		o.count = -1
		if n.from != 0 {
			o.showSame(d, n.from)
		}
	}
	o.player = uint8(o.v[slotPlayer])
	if !o.hasPlayer {
		o.player = s.number
	}
	who(d, s, o.player)
	n.showPace(d)
	if n.copy.first() {
		o.remark(d)
	}
	if d.Info().Wanted() {
		d.Info().Setf("%s", o.sentence(s))
	}
}

// showSame shows the objects of the earlier command that this one means.
func (o *order) showSame(d *dissect.D, from dissect.FrameNum) {
	d.Set(fSameIn, uint64(from))
	earlier := selections.DataOf(d, from)
	o.count = int(earlier.n)
	for _, id := range earlier.ids[:min(int(earlier.n), len(earlier.ids))] {
		d.Set(fUnitSame, uint64(id))
	}
}

// agrees reports whether value and stance of a diplomacy command are the same.
func (o *order) agrees() bool { return o.f[floatValue] == float32(o.v[slotStance]) }
