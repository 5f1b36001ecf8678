package layout

import (
	"unicode"
	"unicode/utf8"
)

// Axes of a chart of speed over size.
var (
	axisSize = Text{EN: "message size", ZH: "消息长度"}
	axisRate = Text{EN: "throughput", ZH: "吞吐量"}
)

// Sides are the chart's, or what a chart of speed over size shows.
func (c Chart) Sides() (x, y Axis) {
	x, y = c.X, c.Y
	if x == (Axis{}) {
		x = Axis{axisSize, "B"}
	}
	if y == (Axis{}) {
		y = Axis{axisRate, "B/s"}
	}
	return x, y
}

// Axes says under the chart what its axes are.
func (c Chart) Axes() Text {
	x, y := c.Sides()
	first, size := utf8.DecodeRuneInString(y.Title.EN)
	scales := Text{EN: "; both axes are logarithmic,", ZH: "双对数坐标"}
	if x.Unit == UnitDate {
		scales = Text{EN: ", logarithmic;", ZH: "对数坐标"}
	}
	return Text{
		EN: string(unicode.ToUpper(first)) + y.Title.EN[size:] + " over " + x.Title.EN + scales.EN + " bars are 99 % intervals.",
		ZH: y.Title.ZH + "随" + x.Title.ZH + "的变化，" + scales.ZH + "；竖线为置信区间。",
	}
}
