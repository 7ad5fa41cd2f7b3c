package aoe2

import (
	"fmt"
	"math"
	"strconv"

	"remora/dissect"
)

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// objects names how many objects act.
func (o *order) objects(what string) string {
	if o.count < 0 {
		return "the same " + what + "s"
	}
	text := plural(o.count, what)
	if o.v[slotSelected] == same && o.takesSame() {
		return "the same " + text
	}
	return text
}

func (o *order) place() string {
	return fmt.Sprintf("(%s, %s)", float(o.f[floatX]), float(o.f[floatY]))
}
func (o *order) tile() string { return fmt.Sprintf("(%d, %d)", o.v[slotTileX], o.v[slotTileY]) }

func float(x float32) string { return strconv.FormatFloat(float64(x), 'f', -1, 32) }

// thing names an object by its id.
func thing(id uint64) string { return fmt.Sprintf("object 0x%x", id) }

// named is a value's name, or its number with what it is.
func named(v dissect.Values, n uint64, what string) string {
	if name, ok := v[n]; ok {
		return name
	}
	return fmt.Sprintf("%s %d", what, n)
}

// sentence is the Info text of an action: who does what.
func (o *order) sentence(s senderNote) string {
	who := s.name(o.player)
	if o.id == actGame && o.v[slotMode] == modeQuick {
		who = s.name(0)
	}
	return who + " " + o.action()
}

func (o *order) action() string {
	switch o.id {
	case actPrimary, actPrimaryAI:
		if t := o.v[slotTarget]; t != 0 && t != none {
			return fmt.Sprintf("sends %s to %s at %s", o.objects("unit"), thing(t), o.place())
		}
		return fmt.Sprintf("sends %s to %s", o.objects("unit"), o.place())
	case actMove:
		return fmt.Sprintf("moves %s to %s", o.objects("unit"), o.place())
	case actMoveAI:
		if t := o.v[slotTarget]; t != none {
			return fmt.Sprintf("sends %s against %s at %s", o.objects("unit"), thing(t), o.place())
		}
		return fmt.Sprintf("moves %s to %s", o.objects("unit"), o.place())
	case actStop:
		return "stops " + o.objects("object")
	case actResign:
		if o.v[slotA] == 1 {
			return "lost the connection"
		}
		return "resigns"
	case actWaypoint:
		return fmt.Sprintf("sets a waypoint at tile %s for %s", o.tile(), o.objects("unit"))
	case actStance:
		return fmt.Sprintf("sets %s to %s", o.objects("unit"), named(stances, o.v[slotA], "stance"))
	case actGuard:
		return fmt.Sprintf("lets %s guard %s", o.objects("unit"), thing(o.v[slotTarget]))
	case actFollow:
		return fmt.Sprintf("lets %s follow %s", o.objects("unit"), thing(o.v[slotTarget]))
	case actRepair:
		return fmt.Sprintf("lets %s repair %s", o.objects("unit"), thing(o.v[slotTarget]))
	case actPatrol:
		return fmt.Sprintf("lets %s patrol over %s from %s", o.objects("unit"), plural(int(o.v[slotWays]), "waypoint"),
			o.place())
	case actFormation:
		return fmt.Sprintf("puts %s into formation %s", o.objects("unit"), named(formations, o.v[slotA], "number"))
	case actSave:
		text := "saves the game as " + dissect.Windows1252.Decode(o.name)
		if o.v[slotA] == 1 {
			text += " and leaves"
		}
		return text
	case actWaypointsAI:
		return fmt.Sprintf("sends %s over %s", o.objects("unit"), plural(int(o.v[slotWays]), "waypoint"))
	case actGame:
		return o.command()
	}
	return o.economy()
}

// economy is what is done with buildings and resources.
func (o *order) economy() string {
	switch o.id {
	case actTrainAI:
		return fmt.Sprintf("trains a %s at %s", named(objects, o.v[slotType], "unit type"), thing(o.v[slotTarget]))
	case actTrain:
		return fmt.Sprintf("trains %d × %s at %s", o.v[slotB], named(objects, o.v[slotType], "unit type"),
			thing(o.v[slotTarget]))
	case actResearch:
		return fmt.Sprintf("researches %s at %s", named(technologies, o.v[slotType], "technology"), thing(o.v[slotTarget]))
	case actBuild:
		return fmt.Sprintf("lets %s build a %s at %s", o.objects("unit"), named(objects, o.v[slotType], "building type"),
			o.place())
	case actWall:
		return fmt.Sprintf("lets %s build a %s from tile %s to (%d, %d)", o.objects("unit"),
			named(objects, o.v[slotType], "wall type"), o.tile(), o.v[slotEndX], o.v[slotEndY])
	case actDelete:
		return "deletes " + thing(o.v[slotTarget])
	case actGround:
		return fmt.Sprintf("lets %s attack the ground at %s", o.objects("unit"), o.place())
	case actTribute:
		return fmt.Sprintf("gives %s %s %s, fee %s", playerText(o.v[slotOption]), float(o.f[floatValue]),
			named(resources, o.v[slotA], "of resource"), float(o.f[floatFee]))
	case actUngarrison:
		return fmt.Sprintf("ungarrisons %s from %s", named(ungarrisonTypes, o.v[slotA], "type"), o.objects("object"))
	case actGate:
		return "opens or closes gate " + thing(o.v[slotTarget])
	case actFlare:
		return "sends a flare to " + o.place()
	case actGarrison:
		return o.garrison()
	case actRally:
		if t := o.v[slotTarget]; t != none {
			return fmt.Sprintf("sets the rally point of %s on %s (%s)", o.objects("building"), thing(t),
				named(noType, o.v[slotType], "type"))
		}
		return fmt.Sprintf("sets the rally point of %s at %s", o.objects("building"), o.place())
	case actSell, actBuy:
		verb := "sells"
		if o.id == actBuy {
			verb = "buys"
		}
		return fmt.Sprintf("%s %d %s at %s", verb, 100*o.v[slotB], named(resources, o.v[slotA], "of resource"),
			thing(o.v[slotTarget]))
	case actRelic:
		return "lets " + thing(o.v[slotTarget]) + " drop its relic"
	case actBell:
		if o.v[slotA] == 1 {
			return "rings the bell of " + thing(o.v[slotTarget])
		}
		return "stops the bell of " + thing(o.v[slotTarget])
	case actWork:
		return "sends the people of " + thing(o.v[slotTarget]) + " back to work"
	}
	return fmt.Sprintf("does something unknown (0x%02x)", o.id)
}

func (o *order) garrison() string {
	switch o.v[slotA] {
	case garrisonPack:
		return "packs " + o.objects("unit")
	case garrisonUnpack:
		return "unpacks " + o.objects("unit")
	case garrisonCancel:
		return fmt.Sprintf("cancels production %d of %s", o.v[slotB]+1, o.objects("building"))
	case garrisonEnter:
		return fmt.Sprintf("garrisons %s in %s", o.objects("unit"), thing(o.v[slotTarget]))
	}
	return fmt.Sprintf("orders %s by garrison type %d", o.objects("unit"), o.v[slotA])
}

// command is what an action 0x67 does.
func (o *order) command() string {
	option := o.v[slotOption]
	switch o.v[slotMode] {
	case modeDiplomacy:
		return fmt.Sprintf("declares %s %s", playerText(option), named(diplomacies, o.v[slotStance], "stance"))
	case modeSpeed:
		return "sets the game speed to " + speedText(o.f[floatValue])
	case modeInstant:
		return "uses instant build"
	case modeQuick:
		if o.v[slotPlayer] == 1 {
			return "turns quick build on"
		}
		return "turns quick build off"
	case modeAllied:
		return fmt.Sprintf("changes allied victory with %s", playerText(option))
	case modeCheat:
		return fmt.Sprintf("cheats with number 0x%02x", option)
	case modeSpies:
		return "buys treason or spies"
	case modePolicy:
		return "sets an AI policy"
	case modeFarm:
		return "queues " + plural(int(option), "farm")
	case modeUnfarm:
		return "takes " + plural(int(option), "farm") + " from the queue"
	}
	return fmt.Sprintf("gives the unknown game command 0x%02x", o.v[slotMode])
}

func speedText(x float32) string {
	switch x {
	case 1:
		return "slow"
	case 1.5:
		return "normal"
	case 2:
		return "fast"
	}
	return float(x)
}

const none = 0xFFFFFFFF

// trim writes a float that was set as a field, with two digits behind the point.
func trim(v uint64) string { return strconv.FormatFloat(math.Float64frombits(v), 'f', 2, 64) }
