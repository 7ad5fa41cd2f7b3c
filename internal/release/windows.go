package main

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
)

// winres writes what Windows shows of a program, as an object file that Go links.
const winres = "github.com/tc-hib/go-winres@v0.3.3"

// resources gives the program for Windows its version and its icon, by files beside main.go that are removed
// afterwards.
func (b *build) resources(ctx context.Context, t target) (remove func(), err error) {
	icon := filepath.Join(b.work, "icon.png")
	f, err := os.Create(icon)
	if err != nil {
		return nil, err
	}
	if err := png.Encode(f, drawIcon(256)); err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	number, _ := b.number()
	_, err = output(ctx, nil, "go", "run", winres, "simply", "--arch", t.machine, "--out", "rsrc", "--icon", icon,
		"--manifest", "cli", "--product-name", "remora", "--product-version", b.version, "--file-version", number+".0",
		"--file-description", "remora, a network packet analyser for the terminal", "--original-filename", t.program(),
		"--copyright", "MIT licence")
	made := fmt.Sprintf("rsrc_windows_%s.syso", t.machine)
	return func() { os.Remove(made) }, err
}

// drawIcon draws three rows of a packet list, the middle one selected, on a dark square with round corners.
func drawIcon(size int) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	ground, bar := color.NRGBA{22, 22, 28, 255}, color.NRGBA{64, 128, 224, 255}
	inks := []color.NRGBA{{96, 192, 160, 255}, {240, 240, 248, 255}, {216, 160, 64, 255}}
	unit := size / 16
	fill(img, image.Rect(0, 0, size, size), 3*unit, ground)
	fill(img, image.Rect(unit, 6*unit, size-unit, 10*unit), unit, bar)
	for i, ink := range inks {
		y := (3 + 4*i) * unit
		fill(img, image.Rect(2*unit, y, 5*unit, y+2*unit), unit/2, ink)
		fill(img, image.Rect(6*unit, y, (14-i)*unit, y+2*unit), unit/2, ink)
	}
	return img
}

// fill paints a rectangle with round corners.
func fill(img *image.NRGBA, r image.Rectangle, round int, c color.NRGBA) {
	inner := r.Inset(round)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			dx := max(inner.Min.X-x, x-inner.Max.X+1, 0)
			dy := max(inner.Min.Y-y, y-inner.Max.Y+1, 0)
			if dx*dx+dy*dy <= round*round {
				img.SetNRGBA(x, y, c)
			}
		}
	}
}
