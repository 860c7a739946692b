package mapview

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"sessiontree/internal/session"
	"sessiontree/internal/session/branchlist"
	"sessiontree/internal/session/rowtext"
	"sessiontree/internal/session/sessionmap"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// Places and sizes in the picture, in px.
const (
	baseWidth    = 1090
	titleRoom    = 180 // right of the last entry
	contextTop   = 44
	contextY     = 122 // of no tokens
	flagY        = 152 // of the highest flags
	flagHeight   = 13
	barsY        = 208 // lower edge
	maxBar       = 24
	spineY       = 224
	laneHeight   = 48
	bottomMargin = 40
	curve        = 16 // radius
	letterWidth  = 6
	maxTitle     = 26 // runes
	flagWidth    = 19 // besides its text
	overview     = 52 // height
)

// painter makes the picture of a map.
type painter struct {
	scene  view.Scene
	params Params
	built  *sessionmap.Map
	titles map[int]string // of lines, by index of the branch
}

func newPainter(s view.Scene, p Params) *painter {
	w := &painter{scene: s, params: p, titles: map[int]string{}}
	w.built = sessionmap.Build(s.Tree, s.Costs(), sessionmap.Options{
		Axis: p.Axis, Width: float64(baseWidth * p.Zoom), Room: titleRoom, Tip: s.View.Leaf, LabelWidth: w.labelWidth,
	})
	return w
}

// labelWidth returns roughly how wide the title of a branch and its number of entries are.
func (w *painter) labelWidth(b *branchlist.Branch) float64 {
	return float64(letterWidth * (utf8.RuneCountInString(w.shortTitle(b)) + 5))
}

// shortTitle returns the title of a branch as the picture shows it.
func (w *painter) shortTitle(b *branchlist.Branch) string {
	return rowtext.Cut(view.BranchTitle(w.scene.Tree, b.Head), maxTitle)
}

func (w *painter) picture() components.MapPicture {
	m := w.built
	height := spineY + laneHeight*m.Lanes + bottomMargin
	p := components.MapPicture{
		Width: px(m.Width), Height: strconv.Itoa(height), ViewBox: fmt.Sprintf("0 0 %s %d", px(m.Width), height), Scrolls: w.params.Zoom > 1,
		Summary: w.summary(), Bottom: strconv.Itoa(height), Context: w.contextModel(), Bars: w.bars(),
	}
	for _, tick := range m.Ticks {
		p.Ticks = append(p.Ticks, components.MapText{X: px(tick.X), Y: "18", Text: w.tickText(tick.Value)})
	}
	for _, pause := range m.Pauses {
		p.Pauses = append(p.Pauses, components.MapPause{X: px(pause.X0), Width: px(pause.X1 - pause.X0), Middle: px((pause.X0 + pause.X1) / 2), Text: pauseText(pause)})
	}
	for i := range m.Branches {
		p.Lines = append(p.Lines, w.line(i))
	}
	p.Flags = w.flags()
	return p
}

// summary describes the picture to screen readers.
func (w *painter) summary() string {
	return "Map of " + strings.Join(Facts(w.scene, w.built.Listed), ", ") + ". Each branch is a link that shows its details."
}

// tickText returns the text of a tick: a time, with the day at midnight, or a number of steps.
func (w *painter) tickText(value int64) string {
	if w.params.Axis == sessionmap.Steps {
		return components.FormatCount(int(value))
	}
	at := w.scene.Config.InZone(time.UnixMilli(value))
	switch {
	case at.Hour() == 0 && at.Minute() == 0 && at.Second() == 0:
		return at.Format("2 Jan")
	case at.Second() != 0:
		return at.Format("15:04:05")
	}
	return at.Format("15:04")
}

// pauseText returns the length of a pause where there is room for it.
func pauseText(p sessionmap.Pause) string {
	if p.X1-p.X0 < 20 {
		return ""
	}
	d := time.Duration(p.Length) * time.Millisecond
	switch {
	case d < time.Hour:
		return strconv.Itoa(int(d.Minutes())) + " min"
	case d < 48*time.Hour:
		return strconv.Itoa(int(d.Hours())) + " h"
	}
	return strconv.Itoa(int(d.Hours()/24)) + " d"
}

// contextModel draws the number of tokens in the context.
func (w *painter) contextModel() (m components.MapContext) {
	points := w.built.Context
	if len(points) < 2 {
		return m
	}
	most := int64(1)
	for _, p := range points {
		most = max(most, p.Tokens)
	}
	var line strings.Builder
	for i, p := range points {
		y := contextY - float64(contextY-contextTop)*float64(p.Tokens)/float64(most)
		if p.Tokens == most && m.Text == "" {
			m.X, m.Y, m.Text = px(p.X), px(y-5), view.FormatTokens(most)
		}
		command := 'L'
		if i == 0 {
			command = 'M'
		}
		fmt.Fprintf(&line, "%c%s %s", command, px(p.X), px(y))
	}
	m.Line = line.String()
	m.Area = fmt.Sprintf("%sV%dH%sZ", m.Line, contextY, px(points[0].X))
	return m
}

// bars draws the tool calls on the path to the leaf.
func (w *painter) bars() (bars []components.MapBar) {
	most := 1
	for _, b := range w.built.Bars {
		most = max(most, b.Calls)
	}
	for _, b := range w.built.Bars {
		height := max(4, maxBar*b.Calls/most)
		if b.Failed > 0 {
			height = maxBar
		}
		bars = append(bars, components.MapBar{
			X: px(b.X), Y: strconv.Itoa(barsY - height), Height: strconv.Itoa(height), Failed: b.Failed > 0,
			Small: components.MapSmallBar{Y: strconv.Itoa(16 - height/2), Height: strconv.Itoa(height / 2)},
		})
	}
	return bars
}

// flags draws the labels on the path to the leaf. A flag whose text has no room after that of an
// earlier one hangs lower, and has no text if there is no room there either. No pole crosses a text.
func (w *painter) flags() (flags []components.MapText) {
	if len(w.built.Branches) == 0 {
		return nil
	}
	var upper, lower float64 // where there is room again
	for _, mark := range w.built.Branches[0].Marks {
		if mark.Kind != sessionmap.Label {
			continue
		}
		label, _ := w.scene.Tree.Label(mark.Pos)
		text, level := rowtext.Cut(view.OneLine(label.Text), maxTitle), 0
		end := mark.X + float64(flagWidth+letterWidth*utf8.RuneCountInString(text))
		switch {
		case mark.X < lower:
			text, level = "", 2
		case mark.X < upper:
			lower, level = end, 1
		default:
			upper = end
		}
		flags = append(flags, components.MapText{
			X: px(mark.X), Y: strconv.Itoa(flagY + flagHeight*level), LineY: strconv.Itoa(spineY), Href: w.entryHref(mark.Pos), Text: text,
		})
	}
	return flags
}

func (w *painter) entryHref(p session.Pos) string {
	return view.Params{Entry: w.scene.Tree.At(p).ID}.Href(w.scene.Base())
}

// px formats a coordinate.
func px(x float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(x, 'f', 1, 64), ".0")
}
