package follow

import (
	"context"
	"io"

	"remora/ui/export"
	"remora/ui/humanize"
	"remora/ui/source"
	"remora/ui/transcript"
	"remora/ui/view"
)

// export has what is read written to a file, beside the screen: messages as lines of text, else the bytes of the
// directions shown, as they are shown.
func (v *View) export(path string) {
	if path == "" {
		return
	}
	stream, dir, reading, epoch := v.stream, v.Direction, v.Reading, v.c.Scope().Epoch
	write := func(_ context.Context, path string, replace bool) (string, error) {
		n := 0
		err := export.File(path, replace, func(w io.Writer) (err error) {
			n, err = transcript.Write(w, stream, reading, dir, epoch)
			return err
		})
		return humanize.Group(n) + " bytes", err
	}
	view.Saving{Path: source.ExpandHome(path), Label: " save to: ", Write: write}.Save(v.c)
}
