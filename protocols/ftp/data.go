package ftp

import (
	"remora/dissect"
)

var dataProto = dissect.NewProtocol("ftp-data", "FTP-DATA", "FTP Data: files and lists of them.").Summary("FTP Data").
	Color(dissect.HueCyan)

var (
	dSetup   = dataProto.FrameRef("setup-frame", "Setup frame", "Where it was said which connection the file takes.")
	dMethod  = dataProto.String("setup-method", "Setup method", "How it was said.").Derived()
	dCommand = dataProto.String("command", "Command", "What asked for the file.").Derived()
	dAsked   = dataProto.FrameRef("command-frame", "Command frame", "Where it asked.")
	dDir     = dataProto.String("current-working-directory", "Current working directory", "Where the client was.").
			Derived()
	dBytes = dataProto.Bytes("data", "Data", "The file, or a part of it.")
)

// expected is the table of what goes through connections that FTP announces.
const expected dissect.Table = "ftp.data"

// Data attaches the connections with files: those from port 20, and those that were announced.
func Data() dissect.Plugin {
	return dissect.Plugin{Protocol: dataProto, Objects: objects, Dissect: data, TCP: []uint16{20},
		On: []dissect.Key{{Table: expected, Value: 0}}}
}

// A place is an end where files pass, with what the last one is.
type place struct {
	now    transfer
	number uint32 // of it in the list, 0 while it is not there
}

// A transfer is one file on its way.
type transfer struct {
	Setup   dissect.FrameNum
	Method  uint8
	Asked   dissect.FrameNum
	Command dissect.Ref // its line
	Dir     uint32
}

var methods = [...]string{"", "PASV", "EPASV", "PORT", "EPRT"}

var (
	places    = dissect.NewStore[place, uint32]()
	transfers = dissect.NewList[transfer]()
)

// method is how the line says where a file will pass.
func (l *line) method() uint8 {
	switch code, _, _ := answerCode(l.text); {
	case l.note.Server && code == 227:
		return 1
	case l.note.Server:
		return 2
	case len(l.text) > 0 && (l.text[0] == 'P' || l.text[0] == 'p'):
		return 3
	}
	return 4
}

// place remembers where a file will pass, and later which.
func (l *line) place() {
	d, n := l.d, l.note
	if !n.Announces && n.Setup == 0 {
		return
	}
	in := d.Inner().Find(expected, 0)
	for i := range l.ends {
		e := l.ends[i]
		if n.Announces && !l.private {
			d.Ends().Expect(dissect.TableTCP, e, in)
		}
		places.FirstPassAt(d, e, func(p *place) uint32 {
			if n.Announces {
				*p = place{now: transfer{Setup: d.Frame, Method: l.method(), Dir: n.Dir}}
				return 0
			}
			p.now.Asked, p.now.Dir, p.number = d.Frame, n.Dir, 0
			p.now.Command, _ = d.Stream().RefAt(l.at, len(l.text))
			return 0
		})
	}
}

// data shows bytes of a file, and which it is.
func data(d *dissect.D) {
	size := d.Left()
	number := uint32(0)
	for _, e := range [...]dissect.Endpoint{d.Dst, d.Src} {
		number = places.FirstPassAt(d, e, func(p *place) uint32 {
			if p.number == 0 && p.now.Setup != 0 {
				p.number = transfers.Put(d, p.now)
			}
			return p.number
		})
		if number != 0 {
			break
		}
	}
	t := transfers.At(d, number)
	d.Info().Setf("FTP Data: %d bytes", size)
	if number != 0 {
		t.show(d)
	}
	d.Rest(dBytes)
}

func (t transfer) show(d *dissect.D) {
	d.Set(dSetup, uint64(t.Setup))
	d.SetText(dMethod, methods[t.Method])
	if d.Info().Wanted() {
		d.Info().Setf("(%s)", methods[t.Method])
	}
	if t.Asked != 0 {
		if (d.Wanted(dCommand) || d.Info().Wanted()) && t.Command.Len > 0 {
			if command, known := d.Stream().Recall(t.Command); known {
				d.SetText(dCommand, string(command))
				d.Info().Setf("(%s)", command)
			}
		}
		d.Link(t.Asked, fFirst, dAsked)
	}
	if t.Dir != 0 && d.Wanted(dDir) {
		d.SetText(dDir, dirs.At(d, t.Dir).String())
	}
}
