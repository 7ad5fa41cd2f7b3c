package follow

import (
	"context"
	"io"

	"remora/ui/export"
	"remora/ui/humanize"
	"remora/ui/source"
	"remora/ui/transcript"
)

// export has what is read written to a file, beside the screen: messages as lines of text, else the bytes of the
// directions shown, as they are shown.
func (v *View) export(path string) {
	if path == "" {
		return
	}
	stream, dir, reading, epoch := v.stream, v.Direction, v.Reading, v.c.Scope().Epoch
	v.c.Notify("saving to " + path)
	v.c.Later("saving", func(context.Context) func() {
		n := 0
		err := export.File(source.ExpandHome(path), func(w io.Writer) (err error) {
			n, err = transcript.Write(w, stream, reading, dir, epoch)
			return err
		})
		return func() { v.c.Notify(export.Done(path, humanize.Group(n)+" bytes", err)) }
	})
}
