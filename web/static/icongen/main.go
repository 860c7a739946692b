// Command icongen draws the icons of the installed app, which have to be PNG files, with
// the shapes of img/icon.svg, and writes the shapes of css/icons.css for the components.
package main

import (
	"image"
	"image/color"
	"image/png"
	"log"
	"math"
	"os"
)

type point struct{ x, y float64 }

// The shapes are in the units of icon.svg, which is 18 wide and high.
const (
	iconSize    = 18.0
	strokeWidth = 2.0
	curveSteps  = 48
)

var (
	paper  = color.NRGBA{0xff, 0xff, 0xff, 0xff}
	ink    = color.NRGBA{0x1a, 0x1c, 0x20, 0xff}
	accent = color.NRGBA{0x4a, 0x69, 0xe2, 0xff}

	trunk  = []point{{5, 2.5}, {5, 15.5}}
	branch = curve(point{5, 10.5}, point{5, 7}, point{12.5, 8.5}, point{12.5, 5})
	end    = []point{{12.5, 3.6}, {12.5, 3.6}}
)

func main() {
	for name, icon := range map[string]image.Image{
		"img/app-192.png":          drawIcon(192, 0.66, 0.22),
		"img/app-512.png":          drawIcon(512, 0.66, 0.22),
		"img/app-maskable-512.png": drawIcon(512, 0.52, 0), // the system cuts the corners
	} {
		if err := writePNG(name, icon); err != nil {
			log.Fatal(err)
		}
	}
	if err := writeIconShapes("css/icons.css", "../components/icon_shapes.go"); err != nil {
		log.Fatal(err)
	}
}

// drawIcon draws the icon on a square of a size in pixels. scale is the part of the square
// that the icon takes, corner the radius of the corners as a part of the size.
func drawIcon(size int, scale, corner float64) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	side := float64(size)
	unit := side * scale / iconSize // pixels
	for y := range size {
		for x := range size {
			at := point{float64(x) + 0.5, float64(y) + 0.5}
			in := point{(at.x-side/2)/unit + iconSize/2, (at.y-side/2)/unit + iconSize/2}
			c := color.NRGBA{paper.R, paper.G, paper.B, uint8(255 * coverage(-cornerDistance(at, side, side*corner)))}
			c = blend(c, ink, coverage((strokeWidth/2-distance(in, trunk))*unit))
			c = blend(c, accent, coverage((strokeWidth/2-distance(in, branch))*unit))
			c = blend(c, accent, coverage((2-distance(in, end))*unit))
			img.SetNRGBA(x, y, c)
		}
	}
	return img
}

// coverage returns which part of a pixel is covered by a shape whose border is inside pixels
// away from its center.
func coverage(inside float64) float64 { return math.Max(0, math.Min(1, inside+0.5)) }

// blend draws a color over another one, which keeps its opacity.
func blend(under, over color.NRGBA, part float64) color.NRGBA {
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a)*(1-part) + float64(b)*part)) }
	return color.NRGBA{mix(under.R, over.R), mix(under.G, over.G), mix(under.B, over.B), under.A}
}

// cornerDistance returns how far a point is outside a square with round corners; negative
// values are inside.
func cornerDistance(p point, side, radius float64) float64 {
	dx := math.Abs(p.x-side/2) - (side/2 - radius)
	dy := math.Abs(p.y-side/2) - (side/2 - radius)
	return math.Hypot(math.Max(dx, 0), math.Max(dy, 0)) + math.Min(math.Max(dx, dy), 0) - radius
}

// distance returns the distance of a point from the nearest line between neighbors of a list.
func distance(p point, line []point) float64 {
	nearest := math.Inf(1)
	for i, b := range line[1:] {
		a := line[i]
		dx, dy := b.x-a.x, b.y-a.y
		t := 0.0
		if long := dx*dx + dy*dy; long > 0 {
			t = math.Max(0, math.Min(1, ((p.x-a.x)*dx+(p.y-a.y)*dy)/long))
		}
		nearest = math.Min(nearest, math.Hypot(p.x-a.x-t*dx, p.y-a.y-t*dy))
	}
	return nearest
}

// curve returns points of a cubic Bézier curve.
func curve(a, b, c, d point) []point {
	var line []point
	for i := range curveSteps + 1 {
		t := float64(i) / curveSteps
		u := 1 - t
		at := func(a, b, c, d float64) float64 { return u*u*u*a + 3*u*u*t*b + 3*u*t*t*c + t*t*t*d }
		line = append(line, point{at(a.x, b.x, c.x, d.x), at(a.y, b.y, c.y, d.y)})
	}
	return line
}

func writePNG(name string, img image.Image) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := png.Encode(f, img); err != nil {
		return err
	}
	return f.Close()
}
