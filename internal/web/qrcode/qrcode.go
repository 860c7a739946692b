// Package qrcode draws links as QR codes.
package qrcode

import (
	"fmt"
	"strings"

	"rsc.io/qr"

	"sessiontree/web/components"
)

// quietZone is the width of the light border around a QR code, in units.
const quietZone = 4

// NewModel returns the QR code of a link, or nil if the link is too long.
func NewModel(link string) *components.QRCodeModel {
	c, err := qr.Encode(link, qr.M)
	if err != nil {
		return nil
	}
	var path strings.Builder
	for y := range c.Size {
		for x := 0; x < c.Size; x++ {
			run := 0
			for c.Black(x+run, y) {
				run++
			}
			if run > 0 {
				fmt.Fprintf(&path, "M%d %dh%dv1h-%dz", x+quietZone, y+quietZone, run, run)
				x += run
			}
		}
	}
	return &components.QRCodeModel{Size: c.Size + 2*quietZone, Path: path.String()}
}
