package media

import (
	"bytes"
	"net/url"

	"remora/dissect"
	"remora/protocols/internal/tables"
)

var form = dissect.NewProtocol("urlencoded-form", "Form", "What a person filled in a form, as a URL writes it.").
	Summary("HTML Form URL Encoded[: {urlencoded-form.type}]").Quiet()

var (
	fFormType = form.String("type", "Media type", "What the body is.").Derived().Hidden()
	fWhole    = form.String("whole", "Whole form", "The form with all its signs.").Hidden()
	fItem     = form.Group("item", "Form item", "An entry of the form.").
			Summary("Form item: \"{urlencoded-form.key}\"[ = \"{urlencoded-form.value}\"]")
	fKey   = form.String("key", "Key", "The name of an entry.")
	fValue = form.String("value", "Value", "What was filled in.")
)

// Form attaches forms to their media type.
func Form() dissect.Plugin {
	return dissect.Plugin{Protocol: form, Dissect: items,
		On: []dissect.Key{{Table: tables.MediaType, Value: dissect.Word("application/x-www-form-urlencoded")}}}
}

// maxItems bounds the entries that are shown one by one.
const maxItems = 5000

func items(d *dissect.D) {
	kind, _ := mediaType(d.LayerData())
	name(d, kind)
	d.SetText(fFormType, kind)
	d.Put(fWhole, 0, d.Pos(), d.Left())
	for n, more := 0, d.Elements(); n < maxItems && more.Next(); n++ {
		b := d.Data()
		size := bytes.IndexByte(b, '&')
		if size < 0 {
			size = len(b)
		}
		d.In(fItem, func() { item(d, b[:size]) })
		if d.More() {
			d.Skip(1)
		}
	}
	d.Skip(d.Left())
}

// item shows an entry: its name and what stands behind the equals sign.
func item(d *dissect.D, b []byte) {
	at := d.Pos()
	key, value, _ := bytes.Cut(b, []byte{'='})
	plain(d, fKey, key, at)
	if len(value) > 0 {
		plain(d, fValue, value, at+len(key)+1)
	}
	d.Skip(len(b))
}

// plain records a part of an entry as it was meant.
func plain(d *dissect.D, f *dissect.Field, b []byte, at int) {
	if !d.Wanted(f) {
		return
	}
	text, err := url.QueryUnescape(string(b))
	if err != nil {
		text = string(b)
	}
	d.PutText(f, text, at, len(b))
}
