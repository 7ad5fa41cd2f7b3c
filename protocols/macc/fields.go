package macc

import "remora/dissect"

var proto = dissect.NewProtocol("macc", "MAC CTRL",
	"MAC Control: a link asks the other end to send nothing for a while.").Summary("MAC Control").Color(dissect.HueYellow)

var (
	fTime   = proto.Uint16("pause_time", "pause_time", "How long to pause, in units of 512 bit times.")
	fVector = proto.Uint16("cbfc.enbv", "CBFC Class Enable Vector", "Which classes shall pause.").Hex()
	fTimes  = proto.Group("cbfc.pause_times", "CBFC Class Pause Times", "How long each class shall pause.")
	fRest   = proto.Bytes("data", "Data", "What other operations carry.")
)

var classBits = []*dissect.Field{
	proto.Bool("cbfc.enbv.c0", "C0", "The class shall pause.").Wide(2).Masked(0x1).TrueFalse("True", "False"),
	proto.Bool("cbfc.enbv.c1", "C1", "The class shall pause.").Wide(2).Masked(0x2).TrueFalse("True", "False"),
	proto.Bool("cbfc.enbv.c2", "C2", "The class shall pause.").Wide(2).Masked(0x4).TrueFalse("True", "False"),
	proto.Bool("cbfc.enbv.c3", "C3", "The class shall pause.").Wide(2).Masked(0x8).TrueFalse("True", "False"),
	proto.Bool("cbfc.enbv.c4", "C4", "The class shall pause.").Wide(2).Masked(0x10).TrueFalse("True", "False"),
	proto.Bool("cbfc.enbv.c5", "C5", "The class shall pause.").Wide(2).Masked(0x20).TrueFalse("True", "False"),
	proto.Bool("cbfc.enbv.c6", "C6", "The class shall pause.").Wide(2).Masked(0x40).TrueFalse("True", "False"),
	proto.Bool("cbfc.enbv.c7", "C7", "The class shall pause.").Wide(2).Masked(0x80).TrueFalse("True", "False"),
}

var classTimes = []*dissect.Field{
	proto.Uint16("cbfc.pause_time.c0", "C0", "How long the class shall pause, in units of 512 bit times."),
	proto.Uint16("cbfc.pause_time.c1", "C1", "How long the class shall pause, in units of 512 bit times."),
	proto.Uint16("cbfc.pause_time.c2", "C2", "How long the class shall pause, in units of 512 bit times."),
	proto.Uint16("cbfc.pause_time.c3", "C3", "How long the class shall pause, in units of 512 bit times."),
	proto.Uint16("cbfc.pause_time.c4", "C4", "How long the class shall pause, in units of 512 bit times."),
	proto.Uint16("cbfc.pause_time.c5", "C5", "How long the class shall pause, in units of 512 bit times."),
	proto.Uint16("cbfc.pause_time.c6", "C6", "How long the class shall pause, in units of 512 bit times."),
	proto.Uint16("cbfc.pause_time.c7", "C7", "How long the class shall pause, in units of 512 bit times."),
}
