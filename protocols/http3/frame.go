package http3

import (
	"strconv"

	"remora/dissect"
	"remora/protocols/internal/varint"
)

// frame reads one frame (RFC 9114 section 7.1).
func (r *reader) frame() {
	d := r.d
	typ, _ := varint.Read(d, fType)
	n, ok := varint.Read(d, fLength)
	if !ok || n > uint64(d.Left()) {
		d.Skip(d.Left() + 1)
		return
	}
	d.SetKind(fKind, min(typ, 1<<32-1))
	if d.Info().Wanted() {
		d.Info().List(frameName(typ))
	}
	if n > 0 {
		d.Put(fPayload, 0, d.Pos(), int(n))
	}
	r.last = int(n) == d.Left()
	d.Within(int(n), func() { r.body(typ) })
}

// frameName is the frame's name; every 31st type is there to be passed over (RFC 9114 section 7.2.8).
func frameName(typ uint64) string {
	switch name := frameTypes[typ]; {
	case name != "":
		return name
	case typ >= 0x21 && (typ-0x21)%0x1f == 0:
		return "Reserved (GREASE)"
	}
	return "Unknown (0x" + strconv.FormatUint(typ, 16) + ")"
}

// body reads what stands behind a frame's header. What nobody knows stays in the payload.
func (r *reader) body(typ uint64) {
	d := r.d
	switch typ {
	case frameData:
		r.data()
	case frameHeaders:
		r.pair()
		r.headers()
		r.announce()
	case framePromise:
		varint.Read(d, fPush)
		r.headers()
	case frameSettings:
		r.settings()
	case frameGoAway:
		varint.Read(d, fLastID)
	case frameCancel, frameMaxPush:
		varint.Read(d, fPush)
	case framePrioStream, framePrioPush:
		varint.Read(d, fPrioID)
		d.Padded(fPrio, d.Left())
	}
	d.Skip(d.Left())
}

// pair links a request and its answer.
func (r *reader) pair() {
	d := r.d
	key := uint64(r.link)<<40 ^ r.stream
	switch {
	case r.again || r.place.oneWay():
	case r.server:
		d.Response(key, fAnswer, fRequest, fTook)
	default:
		d.Request(key, fAnswer)
	}
}

// settings reads what the sender can take.
func (r *reader) settings() {
	d := r.d
	table, found := uint64(0), false
	for more := d.Elements(); !d.Short() && more.Next(); {
		d.In(fSet, func() {
			id, _ := varint.Read(d, fSetID)
			at := d.Pos()
			v, ok := varint.Read(d, fSetVal)
			if !ok {
				return
			}
			if f := map[uint64]*dissect.Field{setTable: fTable, setList: fList, setBlocked: fBlocked,
				setConnect: fConnect}[id]; f != nil {
				d.Put(f, v, at, d.Pos()-at)
			}
			if id == setTable {
				table, found = v, true
			}
		})
	}
	states.FirstPassIn(d, func(s *state) note {
		if t := s.table(r.link, !r.server); t != nil && found { // what the other side may fill
			t.most = min(table, maxTable)
		}
		return note{}
	})
}
