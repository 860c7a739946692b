package web

import (
	"fmt"
	"strings"

	"rsc.io/qr"

	"sessiontree/web/components"
)

// quietZone is how many units of light readers want around a code.
const quietZone = 4

// newQRCode draws a link as a QR code; nil when it is too long for one.
func newQRCode(link string) *components.QRCodeModel {
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
