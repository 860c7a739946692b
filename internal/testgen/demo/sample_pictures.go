package main

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
)

var palette = color.Palette{
	color.RGBA{0xf4, 0xf1, 0xea, 0xff}, color.RGBA{0xa9, 0xc8, 0xd8, 0xff}, color.RGBA{0xcf, 0xdd, 0xb4, 0xff},
	color.RGBA{0xe2, 0x6d, 0x4f, 0xff}, color.RGBA{0x44, 0x52, 0x5f, 0xff}, color.RGBA{0xff, 0xff, 0xff, 0xff},
}

// mapPicture returns a small map, with hole without one tile.
func mapPicture(hole bool) []byte {
	return encodePNG(func(x, y int) uint8 {
		switch {
		case hole && x >= 48 && x < 96 && y >= 24 && y < 56:
			return 5
		case (x-20)*(x-20)/3+(y-50)*(y-50) < 420:
			return 1
		case x%37 == 0 || y%29 == 0 || x+y == 110:
			return 4
		case (x/24+y/18)%3 == 0:
			return 2
		}
		return 0
	})
}

// barPicture returns a bar chart.
func barPicture() []byte {
	heights := []int{22, 38, 31, 54, 47, 60, 28, 12}
	return encodePNG(func(x, y int) uint8 {
		bar, in := x/18, x%18
		switch {
		case y == 74:
			return 4
		case bar < len(heights) && in > 3 && y < 74 && y >= 74-heights[bar]:
			return uint8(1 + bar%3)
		}
		return 5
	})
}

// encodePNG draws 144 by 80 points. The image is not compressed, so that its bytes do not
// depend on the compressor.
func encodePNG(at func(x, y int) uint8) []byte {
	img := image.NewPaletted(image.Rect(0, 0, 144, 80), palette)
	for y := range 80 {
		for x := range 144 {
			img.SetColorIndex(x, y, at(x, y))
		}
	}
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.NoCompression}).Encode(&b, img); err != nil {
		panic(err) // writing to memory cannot fail
	}
	return b.Bytes()
}
