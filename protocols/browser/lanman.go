package browser

import (
	"strings"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

var lanman = dissect.NewProtocol("lanman", "LANMAN",
	"The remote administration protocol of LAN Manager: lists of servers and shares (MS-RAP).").LittleEndian().
	Summary("Microsoft Windows Lanman Remote API Protocol").Color(dissect.HueBlue).SharesFields(proto)

var (
	rCode     = lanman.Kind("function_code", "Function Code", functions, "What is asked.").Wide(2).LE().Dec().Wordless()
	rParams   = lanman.String("parameter_description", "Parameter Descriptor", "The form of the parameters.")
	rReturns  = lanman.String("return_description", "Return Descriptor", "The form of what is wanted.")
	rLevel    = lanman.Uint16("level", "Detail Level", "How much is wanted of each.")
	rBuffer   = lanman.Uint16("recv_buf_len", "Receive Buffer Length", "How much the response may bring.")
	rDomain   = lanman.String("enumeration_domain", "Enumeration Domain", "Whose servers.")
	rStatus   = lanman.Uint16("status", "Status", "How it went.")
	rConvert  = lanman.Uint16("convert", "Convert", "What to take off from places in the data.")
	rEntries  = lanman.Uint16("entry_count", "Entry Count", "How many there are here.")
	rTotal    = lanman.Uint16("available_count", "Available Entries", "How many there are.")
	rRest     = lanman.Bytes("data", "Data", "Parameters of an unknown form.")
	functions = dissect.Values{0: "NetShareEnum", 1: "NetShareGetInfo", 13: "NetServerGetInfo", 38: "NetGroupGetUsers",
		56: "NetUserGetInfo", 59: "NetUserGetGroups", 63: "NetWkstaGetInfo", 69: "DosPrintQEnum", 70: "DosPrintQGetInfo",
		104: "NetServerEnum2", 132: "NetWkstaUserLogon", 133: "NetWkstaUserLogoff", 215: "NetServerEnum3"}
)

// Remote attaches the calls to their pipe. The layer around tells whether they are a response, and to which function.
func Remote() dissect.Plugin {
	return dissect.Plugin{Protocol: lanman, Dissect: call, On: []dissect.Key{{Table: tables.SMBLanman, Value: 1}}}
}

func call(d *dissect.D) {
	told := d.LayerData()
	if len(told) >= 3 && told[0] != 0 {
		result(d, uint64(told[1])|uint64(told[2])<<8)
		d.Rest(rRest)
		return
	}
	code := d.Kind(rCode)
	d.CString(rParams)
	d.CString(rReturns)
	if d.Info().Wanted() {
		d.Info().Setf("%s Request", title(code))
	}
	if code == 104 {
		d.Uint(rLevel)
		d.Uint(rBuffer)
		kind := d.Uint(fType)
		if d.Info().Wanted() {
			d.Info().List(strings.Join(words(kind), ", "))
		}
		if d.More() {
			d.CString(rDomain)
		}
	}
	d.Rest(rRest)
}

func result(d *dissect.D, code uint64) {
	d.SetKind(rCode, code)
	if d.Info().Wanted() {
		d.Info().Setf("%s Response", title(code))
	}
	d.Uint(rStatus)
	d.Uint(rConvert)
	if code == 104 {
		d.Uint(rEntries)
		d.Uint(rTotal)
	}
}

func title(code uint64) string {
	if name := functions[code]; name != "" {
		return name
	}
	return "Unknown function"
}
