package view

import (
	"fmt"
	"math"

	"sessiontree/internal/session/catalog"
	"sessiontree/web/components"
)

// The small tree stands in a box of 90 by 30: the spine on top, branches below
// it, six units a lane where that fits.
const (
	shapeLeft, shapeWidth    = 2, 86
	shapeMiddle, shapeHeight = 15, 24
	shapeLane                = 6
	shapeMax                 = 24 // branches drawn; more are a blot
)

// shape draws a catalog's shape, the spine last so that it lies on top. Longer
// sessions are drawn longer: a thousand entries fill the box.
func shape(lanes []catalog.Lane, entries int) []components.ShapePath {
	if len(lanes) == 0 {
		return nil
	}
	deepest := 0
	for _, l := range lanes {
		deepest = max(deepest, int(l.Lane))
	}
	step := min(float64(shapeLane), float64(shapeHeight)/float64(max(deepest, 1)))
	top := shapeMiddle - step*float64(deepest)/2
	width := shapeWidth * min(1, max(0.25, math.Log10(float64(entries+1))/3))
	y := func(lane int8) float64 { return top + step*float64(lane) }
	x := func(at int16) float64 { return shapeLeft + float64(at)*width/1000 }
	var out []components.ShapePath
	for _, l := range lanes[1:] {
		if len(out) == shapeMax {
			break
		}
		out = append(out, branchShape(x(l.X0), y(max(l.From, 0)), x(l.X1), y(l.Lane)))
	}
	end := x(lanes[0].X1)
	return append(out, components.ShapePath{
		D:     fmt.Sprintf("M%d %gH%g", shapeLeft, round(top), round(end)),
		Class: "s", EndX: int(end + 0.5), EndY: int(top + 0.5),
	})
}

// branchShape leaves a lane in a curve and runs along its own.
func branchShape(x0, y0, x1, y1 float64) components.ShapePath {
	drop := round(y1 - y0)
	return components.ShapePath{
		D:     fmt.Sprintf("M%g %gc4 0 2 %g 6 %gH%g", round(x0), round(y0), drop, drop, round(max(x1, x0+8))),
		Class: "b",
	}
}

func round(f float64) float64 { return float64(int(f*10+0.5)) / 10 }
