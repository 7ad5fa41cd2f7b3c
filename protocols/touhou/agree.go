package touhou

import (
	"fmt"
	"math"

	"remora/dissect"
)

// What both players must have the same of in every frame. Frames are those of the players' GAME_INPUTs.
var (
	hostHeld   = &dissect.Subject{Title: "host's input", Tick: "frame", Text: inputText}
	clientHeld = &dissect.Subject{Title: "client's input", Tick: "frame", Text: inputText}
	weatherOf  = &dissect.Subject{Title: "weather", Tick: "frame",
		Text: func(v uint64, _ uint16) string { return number(v) }}
	stateValues = [5]*dissect.Subject{stateSubject(0), stateSubject(1), stateSubject(2), stateSubject(3), stateSubject(4)}
)

func inputText(value uint64, scene uint16) string { return short(keysOf(uint64(scene)), uint16(value)) }

func stateSubject(i int) *dissect.Subject {
	return &dissect.Subject{Title: stateNames[i], Tick: "frame", Text: func(v uint64, _ uint16) string {
		if i == len(stateNames)-1 {
			return fmt.Sprintf("0x%08x", v)
		}
		return fmt.Sprintf("%g", math.Float32frombits(uint32(v)))
	}}
}

// The sources of a comparison: the players, and behind them the conversations with spectators.
const (
	hostTells = iota + 1
	clientTells
	spectatorsTold
)

// round numbers the scenes of a play: frame numbers start again in each.
func (p *play) round(scene uint8) uint32 { return 2*uint32(p.matches) + uint32(trackOf(scene)) }

// compareInputs tells of one frame of a GAME_INPUT: of the host's, and in its pairs of the client's, which is that of
// the frame before.
func (p *play) compareInputs(d *dissect.D, in *inputs, frame uint32, words [2]uint16, who, step int) {
	t := dissect.TickValue{Game: p.game, Round: p.round(in.scene), Tick: frame, About: hostHeld, Side: hostTells,
		Value: uint64(words[0]), Form: uint16(in.scene)}
	if who == sideClient {
		t.About, t.Side = clientHeld, clientTells
	}
	d.Session().Compare(t)
	if step == 2 && frame > 0 {
		t.Tick, t.About, t.Value = frame-1, clientHeld, uint64(words[1])
		d.Session().Compare(t)
	}
}

// compareReplay adds the inputs that spectators see in one game frame of a replay, whose words are at i.
func (r *record) compareReplay(d *dissect.D, p *play, in *replay, i int) {
	if d.Conversation() == nil {
		return
	}
	live := (in.newest-uint32(i))/2 + uint32(r.shift)
	t := dissect.TickValue{Game: p.game, Round: p.round(sceneBattle), Tick: live, About: hostHeld,
		Side: spectatorsTold + d.Conversation().ID, Value: uint64(in.words[i+1]), Form: sceneBattle}
	d.Session().Compare(t)
	if t.About, t.Value = clientHeld, uint64(in.words[i]); r.pairs {
		t.Tick--
	}
	d.Session().Compare(t)
}

// compareState adds the values of a SOKUROLL_STATE to the comparison.
func (p *play) compareState(d *dissect.D, frame uint32, values *[5]uint32) {
	if p == nil {
		return
	}
	for i, v := range values {
		d.Session().
			Compare(dissect.TickValue{Game: p.game, Round: p.round(sceneBattle), Tick: frame, About: stateValues[i],
				Side: hostTells + uint32(d.Dir), Value: uint64(v)})
	}
}
