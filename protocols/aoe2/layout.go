package aoe2

import (
	"math"

	"remora/dissect"
)

// A part is one piece of an action's layout.
type part struct {
	role role
	f    *dissect.Field
	n    int  // of zeros and repeats: how many
	slot slot // where its number goes
}

type role uint8

const (
	roleNumber role = iota
	rolePlayer      // a number that is a player, 1 to 8
	roleOnes        // a number that is always 0xffffffff
	roleFloat       // slot counts floats
	roleZero        // n bytes
	roleSelected
	roleUnits // as many ids as are selected
	roleMore  // ids only if more than one is selected
	roleMany  // n numbers
	roleFloats
	roleTiles // as many bytes as there are waypoints
	roleFile  // name, leftover memory, checksum
)

// A slot is a place of an order's numbers; floats have places of their own.
type slot uint8

const (
	slotNone slot = iota
	slotPlayer
	slotSelected
	slotTarget
	slotType
	slotTileX
	slotTileY
	slotEndX
	slotEndY
	slotA // stance, formation, resource, garrison type, bell: what the action has one of
	slotB // amount, count, queue slot
	slotMode
	slotOption
	slotStance
	slotWays
	slotCount

	floatX     slot = 0
	floatY     slot = 1
	floatValue slot = 2
	floatFee   slot = 3
)

// An order is an action as it was read.
type order struct {
	id        byte
	hasPlayer bool
	ones      bool // a field of ones is not
	player    uint8
	count     int // objects; -1 when they are those of a command that was not captured
	v         [slotCount]uint64
	f         [4]float32
	units     [maxUnits]uint32
	name      []byte
}

// maxUnits is how many objects are remembered of a command; the game lets people select 40.
const maxUnits = 40

var (
	pPlayer   = part{role: rolePlayer, f: fActPlayer, slot: slotPlayer}
	pNumber   = part{role: rolePlayer, f: fActNumber, slot: slotPlayer}
	pSelected = part{role: roleSelected, f: fSelected8, slot: slotSelected}
	pUnits    = part{role: roleUnits, f: fUnit}
	pTarget   = part{f: fTarget, slot: slotTarget}
	pBuilding = part{f: fBuildingID, slot: slotTarget}
	pX        = part{role: roleFloat, f: fX, slot: floatX}
	pY        = part{role: roleFloat, f: fY, slot: floatY}
	pTileX    = part{f: fTileX, slot: slotTileX}
	pTileY    = part{f: fTileY, slot: slotTileY}
	pOnes     = part{role: roleOnes, f: fOnes}
)

func zeros(n int) part { return part{role: roleZero, f: fZero, n: n} }
func number(f *dissect.Field, s slot) part {
	return part{f: f, slot: s}
}

// layouts are the actions behind their id.
var layouts = func() (l [256][]part) {
	l[actPrimary] = []part{pPlayer, zeros(2), pTarget, pSelected, zeros(3), pX, pY, pUnits}
	l[actStop] = []part{pSelected, pUnits}
	l[actPrimaryAI] = []part{zeros(3), pTarget, pSelected, zeros(3), pX, pY, pUnits}
	l[actMove] = []part{pPlayer, zeros(2), pOnes, {role: roleSelected, f: fSelected32, slot: slotSelected}, pX, pY, pUnits}
	l[actMoveAI] = []part{pSelected, {role: rolePlayer, f: fActNumber}, pPlayer, number(fAIUnit, slotNone),
		number(fActUnknown, slotNone), pTarget,
		number(fAICount, slotNone), zeros(3), pX, pY, {role: roleFloats, f: fAISign, n: 2}, number(fActUnknown, slotNone),
		{role: roleMore, f: fUnit}}
	l[actResign] = []part{{role: rolePlayer, f: fActNumber}, pPlayer, number(fHow, slotA)}
	l[actWaypoint] = []part{pPlayer, pSelected, pTileX, pTileY, pUnits}
	l[actStance] = []part{pSelected, number(fStance, slotA), pUnits}
	l[actGuard] = []part{pSelected, zeros(2), pTarget, pUnits}
	l[actFollow] = l[actGuard]
	l[actPatrol] = []part{pSelected, number(fWayCount, slotWays), zeros(1), {role: roleFloats, f: fX, n: 10},
		{role: roleFloats, f: fY, n: 10}, pUnits}
	l[actFormation] = []part{pSelected, pNumber, zeros(1), number(fFormation, slotA), zeros(3), pUnits}
	l[actSave] = []part{number(fSaveMode, slotA), pPlayer, {role: roleFile}}
	l[actWaypointsAI] = []part{pSelected, number(fWayCount, slotWays), pUnits, {role: roleTiles, f: fTileX},
		{role: roleTiles, f: fTileY}}
	l[actTrainAI] = []part{zeros(3), pBuilding, {role: rolePlayer, f: fActNumber2, slot: slotPlayer},
		number(fUnitType, slotType), pOnes}
	l[actResearch] = []part{zeros(3), pBuilding, pNumber, zeros(1), number(fTechnology, slotType), pOnes}
	l[actBuild] = []part{pSelected, pNumber, zeros(1), pX, pY, number(fBuildType, slotType), zeros(2), pOnes,
		number(fSprite, slotNone), pUnits}
	l[actGame] = []part{number(fMode, slotMode), number(fGameSource, slotPlayer), zeros(1),
		number(fGameOption, slotOption), zeros(3),
		{role: roleFloat, f: fGameValue, slot: floatValue}, number(fGameStance, slotStance), zeros(3)}
	l[actWall] = []part{pSelected, pNumber, pTileX, pTileY, number(fEndX, slotEndX), number(fEndY, slotEndY), zeros(1),
		number(fBuildType, slotType), zeros(2), pOnes, pUnits}
	l[actDelete] = []part{zeros(3), pTarget, pNumber, zeros(3)}
	l[actGround] = []part{pSelected, zeros(2), pX, pY, pUnits}
	l[actTribute] = []part{{role: rolePlayer, f: fFrom, slot: slotPlayer}, {role: rolePlayer, f: fTo2, slot: slotOption},
		number(fResource, slotA),
		{role: roleFloat, f: fAmount, slot: floatValue}, {role: roleFloat, f: fFee, slot: floatFee}}
	l[actRepair] = l[actGuard]
	l[actUngarrison] = []part{pSelected, zeros(2), pX, pY, number(fUngarrison, slotA), zeros(3), pTarget, pUnits}
	l[actGate] = []part{zeros(3), pBuilding}
	l[actFlare] = []part{zeros(3), pOnes, zeros(1), {role: roleMany, f: fSees, n: 8}, zeros(3), pX, pY,
		{role: rolePlayer, f: fActNumber}, pPlayer, zeros(2)}
	l[actGarrison] = []part{pSelected, zeros(2), pBuilding, number(fGarrison, slotA), number(fQueueSlot, slotB), zeros(2),
		pX, pY, pOnes, pUnits}
	l[actTrain] = []part{zeros(3), pBuilding, number(fUnitType, slotType), number(fTrained, slotB)}
	l[actRally] = []part{pSelected, zeros(2), pTarget, number(fTargetType, slotType), pX, pY, pUnits}
	l[actSell] = []part{pNumber, number(fResource, slotA), number(fHundreds, slotB), pBuilding}
	l[actBuy] = l[actSell]
	l[actRelic] = []part{zeros(3), pTarget}
	l[actBell] = []part{zeros(3), pBuilding, number(fRing, slotA), zeros(3)}
	l[actWork] = []part{zeros(3), pBuilding}
	return l
}()

// takesSame reports whether 0xff stands for the objects of the command before.
func takesSame(id byte) bool {
	return id == actPrimary || id == actPrimaryAI || id == actMove || id == actWaypoint
}

func (o *order) takesSame() bool { return takesSame(o.id) }

// ids is how many ids follow where so many objects are selected.
func ids(id byte, selected uint32) int {
	if selected == same && takesSame(id) {
		return 0
	}
	return int(selected)
}

// read reads an action by its layout.
func (o *order) read(d *dissect.D, l []part) {
	for i := range l {
		p := &l[i]
		if d.Short() {
			return
		}
		switch p.role {
		case roleFloat:
			o.f[p.slot] = float32(d.Float(p.f))
		case roleZero:
			d.Bytes(p.f, p.n)
		case roleUnits:
			o.readUnits(d, ids(o.id, uint32(o.v[slotSelected])))
		case roleMore:
			if o.v[slotSelected] > 1 {
				o.readUnits(d, int(o.v[slotSelected]))
			}
		case roleMany:
			for k := range p.n {
				d.Uint(p.f)
				if d.Labelling() && !d.Short() {
					d.Suffix(p.f, ", "+playerText(uint64(k+1)))
				}
			}
		case roleFloats:
			for k := range p.n {
				switch v := float32(d.Float(p.f)); {
				case k == 0 && p.f == fX:
					o.f[floatX] = v
				case k == 0 && p.f == fY:
					o.f[floatY] = v
				case p.f == fAISign:
					unusual(d, p.f, dissect.Float64(float64(v)), v == 1 || v == -1, "1 and -1")
				}
			}
		case roleTiles:
			for k := 0; k < int(o.v[slotWays]) && !d.Short(); k++ {
				d.Uint(p.f)
			}
		case roleFile:
			o.readFile(d)
		default:
			o.readNumber(d, p)
		}
	}
}

func (o *order) readNumber(d *dissect.D, p *part) {
	v := d.Uint(p.f)
	if p.role == roleOnes && v != math.MaxUint32 && !d.Short() {
		o.ones = true
	}
	if p.f == fAICount {
		unusual(d, p.f, v, v == 1 || v == 0xFF, "0x01 and 0xff")
	}
	if p.slot != slotNone {
		o.v[p.slot] = v
	}
	if p.slot == slotPlayer {
		o.hasPlayer = true
	}
}

// readUnits reads n ids, those that the packet has.
func (o *order) readUnits(d *dissect.D, n int) {
	if n == 0 {
		return
	}
	if n > d.Left()/4 && !d.CutShort() {
		markText(d, nSelected, "%d objects are selected; there is room for %d", n, d.Left()/4)
		n = d.Left() / 4
		d.Set(fActualUnits, uint64(n))
	}
	i := d.Open(fUnits)
	for k := 0; k < n && !d.Short(); k++ {
		if id := uint32(d.Uint(fUnit)); k < maxUnits {
			o.units[k] = id
		}
	}
	d.Close(i)
}

var fActualUnits = proto.Uint32("units.room", "Objects in the packet", "How many objects the packet has room for.").
	Derived()

// readFile reads the rest of a saved game's action.
func (o *order) readFile(d *dissect.D) {
	o.name = append(o.name, d.CString(fSaveName)...)
	if n := d.Left() - 4; n > 0 && !d.Short() {
		d.Bytes(fSaveRest, n)
	}
	d.Uint(fSaveSum)
}
