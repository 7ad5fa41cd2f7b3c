package soaprun

import (
	"fmt"
	"strings"

	"remora/dissect"
)

var (
	fState   = proto.Uint8("state", "Own state", "State of the connection's player. u8.").Named(playerStates)
	fColour  = proto.Uint8("colour", "Own colour", "Colour of the connection's player. u8.").Named(colours)
	fItems   = proto.Flags8("items", "Own items", itemBits, "What the connection's player carries. u8.")
	fPlayers = proto.Uint8("players", "Other players", "How many records of other players follow; at most 63. u8.")
	fUnits   = proto.Uint8("entities", "Entities", "How many records of entities follow; at most 64. u8.")
	fTiles   = proto.Uint8("tiles", "Changed tiles",
		"How many records of tiles follow; the original sends at most 16. u8.")
	fWeather = proto.Uint8("weather", "Weather", "The weather. u8.").Named(weathers)

	fPlayer = proto.Group("player", "Player", "One other player.").
		Summary("Player {player.index}: {player.state:name}, {player.colour:name}[, at ({player.x}, {player.y})]")
	fPIndex = proto.Uint8("player.index", "Index", "Slot of the player on the server, 0 to 63. u8.")
	fPJump  = proto.Uint8("player.generation", "Generation",
		"Counts up when the player is made anew: it then jumps to its last node instead of walking. u8, wraps.")
	fPState  = proto.Uint8("player.state", "State", "State of the player. u8.").Named(playerStates)
	fPColour = proto.Uint8("player.colour", "Colour", "Colour of the player. u8.").Named(colours)
	fPItems  = proto.Flags8("player.items", "Items", itemBits, "What the player carries. u8.")
	fPX      = proto.Int16("player.x", "Column", "Where the player is: its last node.").Derived()
	fPSince  = proto.FrameRef("player.since", "Seen since",
		"The message in which the player appeared first, or anew after it had left; told of the first six.")
	fPY = proto.Int16("player.y", "Row", "Where the player is: its last node.").Derived()

	fEntity = proto.Group("entity", "Entity", "One unit that is no player: a demon, a flame, a thing.").
		Summary("Entity {entity.index}: {entity.type:name}, {entity.state:name}[, {entity.meaning}][, at ({entity.x}, " +
			"{entity.y})]")
	fEIndex = proto.Uint8("entity.index", "Index", "Place of the entity in the server's list, 0 to 63. u8.")
	fEJump  = proto.Uint8("entity.generation", "Generation",
		"Counts up when the entity is made anew: it then jumps to its last node instead of walking. u8, wraps.")
	fEState = proto.Uint8("entity.state", "State", "State of the entity; the original sends 0, 1 and 2 only. u8.").
		Named(entityStates)
	fEType  = proto.Uint8("entity.type", "Type", "What the entity is. u8.").Named(entityTypes).Format(entityTypeText)
	fEParam = proto.Uint8("entity.parameter", "Parameter", "Direction or phase; what it means depends on the type. u8.")
	fEMean  = proto.String("entity.meaning", "Meaning", "What the parameter means for this type.").Derived()
	fEX     = proto.Int16("entity.x", "Column", "Where the entity is: its last node.").Derived()
	fEY     = proto.Int16("entity.y", "Row", "Where the entity is: its last node.").Derived()

	fTile = proto.Group("tile", "Changed tile", "One tile that is another one now.").
		Summary("Tile ({tile.x}, {tile.y}): {tile.new}")
	fTX   = proto.Int16("tile.x", "X", "Column of the tile, over all rooms. i16, little-endian.")
	fTY   = proto.Int16("tile.y", "Y", "Row of the tile, over all rooms. i16, little-endian.")
	fTNew = proto.Uint8("tile.new", "New tile", "Number of the tile that is there now. u8.").Format(tileText)
	fTPad = proto.UnknownBytes("tile.padding", "Padding",
		"A byte that the compiler left in; the original sends any value.")
	nMany   = proto.Expert("field.many", dissect.Warn, "More players or entities than the game has slots")
	nOrder  = proto.Expert("field.order", dissect.Warn, "The indexes of a list must ascend")
	nEnd    = proto.Expert("field.end", dissect.Error, "The records do not end where the message ends")
	nBadTag = proto.Expert("field.value", dissect.Hint, "Unknown value")
)

// The two lists of units in Flds.
const (
	player = iota
	entity
)

// A recordKind is what the two lists of units have as fields.
type recordKind struct {
	group, index, jump, state, third, fourth, x, y *dissect.Field
	most                                           uint64
}

var records = [2]recordKind{
	player: {fPlayer, fPIndex, fPJump, fPState, fPColour, fPItems, fPX, fPY, 63},
	entity: {fEntity, fEIndex, fEJump, fEState, fEType, fEParam, fEX, fEY, 64},
}

// dissectField reads Flds: own state, colour and items, the numbers of records, the weather, and the records.
func dissectField(d *dissect.D, b []byte) {
	n := remember(d, &eventNotes, func(c *connection) eventNote { return c.field(d, b) })
	view := remember(d, &fieldNotes, func(c *connection) fieldNote { return c.view(d, b) })
	since := remember(d, &sinceNotes, func(c *connection) sinceNote { return c.since(b) })
	snap := remember(d, &snapshots, func(c *connection) snapshot { return c.snapshot(d, view) })
	paint := remember(d, &paintNotes, func(c *connection) paintNote { return c.painters(d, b) })
	state := d.Uint(fState)
	colour := d.Uint(fColour)
	items := d.Uint(fItems)
	counts := [2]uint64{player: d.Uint(fPlayers), entity: d.Uint(fUnits)}
	tiles := d.Uint(fTiles)
	if d.Uint(fWeather) > 1 || state > 5 {
		d.Expert(nBadTag)
	}
	if d.Short() {
		return
	}
	if view.flags&ownKnown != 0 {
		d.Set(fOwnX, uint64(int64(view.x)))
		d.Set(fOwnY, uint64(int64(view.y)))
	}
	for what := range records {
		if counts[what] > records[what].most {
			d.Expert(nMany)
		}
		readRecords(d, &records[what], counts[what], since)
	}
	left := tiles
	for more := d.Elements(); left > 0 && more.Next(); left-- {
		d.In(fTile, func() {
			d.Int(fTX)
			d.Int(fTY)
			d.Uint(fTNew)
			d.Bytes(fTPad, 1)
			if i := int(tiles - left); i < len(paint.list) {
				d.Link(paint.list[i], fShownIn, fPaintIn)
			}
		})
	}
	missing(d, left)
	if d.Left() > 0 && !d.Short() {
		d.ExpertText(nEnd, fmt.Sprintf("%d bytes are left behind the last record", d.Left()))
	}
	showEvents(d, n)
	showView(d, view, snap, b)
	if d.Info().Wanted() {
		d.Info().Setf("%s", fieldLine(state, colour, items, counts, tiles, n))
	}
}

func readRecords(d *dissect.D, r *recordKind, count uint64, since sinceNote) {
	last := -1
	for i, more := 0, d.Elements(); count > 0 && more.Next(); i, count = i+1, count-1 {
		node := d.Open(r.group)
		index := int(d.Uint(r.index))
		d.Uint(r.jump)
		d.Uint(r.state)
		third := d.Uint(r.third)
		fourth := d.Uint(r.fourth)
		if r.group == fEntity && d.Wanted(fEMean) {
			if text := parameterText(third, fourth); text != "" {
				d.Below(func() { d.SetText(fEMean, text) })
			}
		}
		m := d.Uint(fCount)
		var x, y int64
		known := false
		for more := d.Elements(); m > 0 && more.Next(); m-- {
			at := d.Open(fNode)
			x, y = d.Int(fX), d.Int(fY)
			d.Close(at)
			known = !d.Short()
		}
		missing(d, m)
		if known {
			d.Set(r.x, uint64(x))
			d.Set(r.y, uint64(y))
		}
		if r.group == fPlayer && i < len(since.list) && since.list[i] != 0 && since.list[i] != d.Frame {
			d.Set(fPSince, uint64(since.list[i]))
		}
		if index <= last && !d.Short() {
			d.Expert(nOrder)
		}
		last = index
		d.Close(node)
	}
	missing(d, count)
}

// fieldLine is the Info text: "walking, blue, sword; 2 players, 5 entities, 1 tile; player 3 dies".
func fieldLine(state, colour, items uint64, counts [2]uint64, tiles uint64, n eventNote) string {
	text := named(playerStates, state, "state") + " " + named(colours, colour, "colour")
	if items != 0 {
		text += " with " + itemText(items)
	}
	var around []string
	for i, name := range [...]string{"player", "entity"} {
		if counts[i] > 0 {
			around = append(around, plural(counts[i], name))
		}
	}
	if tiles > 0 {
		around = append(around, plural(tiles, "tile"))
	}
	if len(around) > 0 {
		text += "; sees " + strings.Join(around, ", ")
	}
	for _, e := range n.list[:min(int(n.count), len(n.list))] {
		text += "; " + e.String()
	}
	if n.more > 0 {
		text += fmt.Sprintf("; %d more", n.more)
	}
	return text
}

func plural(n uint64, name string) string {
	if n == 1 {
		return "1 " + name
	}
	if name == "entity" {
		return fmt.Sprintf("%d entities", n)
	}
	return fmt.Sprintf("%d %ss", n, name)
}
