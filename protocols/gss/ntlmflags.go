package gss

import "remora/dissect"

// lFlags are what both sides agree on (MS-NLMP section 2.2.2.5).
var lFlags = ntlm.FlagsUnder("", "negotiateflags", "Negotiate Flags", 4, []dissect.Flag{
	{Name: "negotiateunicode", Label: "Negotiate UNICODE", Mask: 0x1, Doc: "Texts are Unicode."},
	{Name: "negotiateoem", Label: "Negotiate OEM", Mask: 0x2, Doc: "Texts are in the code of the machine."},
	{Name: "requesttarget", Label: "Request Target", Mask: 0x4, Doc: "The client wants to know who the server is."},
	{Name: "negotiate00000008", Label: "Request 0x00000008", Mask: 0x8, Doc: "Unused."},
	{Name: "negotiatesign", Label: "Negotiate Sign", Mask: 0x10, Doc: "Messages are signed."},
	{Name: "negotiateseal", Label: "Negotiate Seal", Mask: 0x20, Doc: "Messages are encrypted."},
	{Name: "negotiatedatagram", Label: "Negotiate Datagram", Mask: 0x40, Doc: "There is no connection."},
	{Name: "negotiatelmkey", Label: "Negotiate Lan Manager Key", Mask: 0x80, Doc: "The key is made in the oldest way."},
	{Name: "negotiate00000100", Label: "Negotiate 0x00000100", Mask: 0x100, Doc: "Unused."},
	{Name: "negotiatentlm", Label: "Negotiate NTLM key", Mask: 0x200, Doc: "The key is made in the first way of NTLM."},
	{Name: "negotiatentonly", Label: "Negotiate NT Only", Mask: 0x400, Doc: "The old proof is left out."},
	{Name: "negotiateanonymous", Label: "Negotiate Anonymous", Mask: 0x800, Doc: "The user is nobody."},
	{Name: "negotiateoemdomainsupplied", Label: "Negotiate OEM Domain Supplied", Mask: 0x1000, Doc: "The domain is said."},
	{Name: "negotiateoemworkstationsupplied", Label: "Negotiate OEM Workstation Supplied", Mask: 0x2000, Doc: "The machine is said."},
	{Name: "negotiate00004000", Label: "Negotiate 0x00004000", Mask: 0x4000, Doc: "The server is the same machine."},
	{Name: "negotiatealwayssign", Label: "Negotiate Always Sign", Mask: 0x8000, Doc: "Messages are signed, if by nothing."},
	{Name: "targettypedomain", Label: "Target Type Domain", Mask: 0x10000, Doc: "The server is of a domain."},
	{Name: "targettypeserver", Label: "Target Type Server", Mask: 0x20000, Doc: "The server is by itself."},
	{Name: "targettypeshare", Label: "Target Type Share", Mask: 0x40000, Doc: "The server is a share."},
	{Name: "negotiatentlm2", Label: "Negotiate Extended Security", Mask: 0x80000, Doc: "The key is made in a safer way."},
	{Name: "negotiateidentify", Label: "Negotiate Identify", Mask: 0x100000, Doc: "The server may find out who the user is, and no more."},
	{Name: "negotiatent00200000", Label: "Negotiate 0x00200000", Mask: 0x200000, Doc: "Unused."},
	{Name: "requestnonntsession", Label: "Request Non-NT Session", Mask: 0x400000, Doc: "The key is that of the oldest way."},
	{Name: "negotiatetargetinfo", Label: "Negotiate Target Info", Mask: 0x800000, Doc: "More on who the server is follows."},
	{Name: "negotiatent01000000", Label: "Negotiate 0x01000000", Mask: 0x1000000, Doc: "Unused."},
	{Name: "negotiateversion", Label: "Negotiate Version", Mask: 0x2000000, Doc: "The sender's version follows."},
	{Name: "negotiatent04000000", Label: "Negotiate 0x04000000", Mask: 0x4000000, Doc: "Unused."},
	{Name: "negotiatent08000000", Label: "Negotiate 0x08000000", Mask: 0x8000000, Doc: "Unused."},
	{Name: "negotiatent10000000", Label: "Negotiate 0x10000000", Mask: 0x10000000, Doc: "Unused."},
	{Name: "negotiate128", Label: "Negotiate 128", Mask: 0x20000000, Doc: "Keys have 128 bits."},
	{Name: "negotiatekeyexch", Label: "Negotiate Key Exchange", Mask: 0x40000000, Doc: "The client chooses the key."},
	{Name: "negotiate56", Label: "Negotiate 56", Mask: 0x80000000, Doc: "Keys have 56 bits."},
}, "What is agreed on.")
