package media

import "remora/dissect"

// What the Info column says of bodies, beside their type.
var _ = inInfo(proto, text, form, png, jpg, gif)

func inInfo(all ...*dissect.Protocol) bool {
	for _, p := range all {
		p.InfoWords("PNG", "JPEG JFIF image", "GIF89a").InfoCopies()
	}
	return true
}
