package index

import (
	"fmt"
	"math"

	"sessiontree/internal/session/catalog"
	"sessiontree/web/components"
)

// The small tree fits a row, a box of 92 by 22: the spine on top and the branches below,
// five units per lane if they fit.
const (
	shapeLeft, shapeWidth    = 2, 86
	shapeMiddle, shapeHeight = 11, 16
	shapeLane                = 5
	maxShapeBranches         = 24 // more branches could not be told apart
)

// drawSessionShape draws the shape of a session, the spine last so that it is on top. The
// width grows with the number of entries, up to a thousand.
func drawSessionShape(lanes []catalog.Lane, entries int) []components.ShapePath {
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
		if len(out) == maxShapeBranches {
			break
		}
		out = append(out, drawBranchShape(x(l.X0), y(max(l.From, 0)), x(l.X1), y(l.Lane)))
	}
	end := x(lanes[0].X1)
	return append(out, components.ShapePath{
		D:     fmt.Sprintf("M%d %gH%g", shapeLeft, roundToTenth(top), roundToTenth(end)),
		Class: "s", EndX: roundToTenth(end), EndY: roundToTenth(top),
	})
}

// drawBranchShape draws a branch: a curve from its parent's lane, then a line along its
// own.
func drawBranchShape(x0, y0, x1, y1 float64) components.ShapePath {
	drop := roundToTenth(y1 - y0)
	return components.ShapePath{
		D:     fmt.Sprintf("M%g %gc4 0 2 %g 6 %gH%g", roundToTenth(x0), roundToTenth(y0), drop, drop, roundToTenth(max(x1, x0+8))),
		Class: "b",
	}
}

func roundToTenth(f float64) float64 { return float64(int(f*10+0.5)) / 10 }
