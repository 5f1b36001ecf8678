package layout

import (
	"cmp"
	"strings"
	"unicode/utf8"
)

// Sides are the chart's, or what a chart of speed over size shows.
func (c Chart) Sides() (x, y Axis) {
	size, rate := Axis{Text{EN: "message size", ZH: "消息长度"}, "B"}, Axis{Text{EN: "throughput", ZH: "吞吐量"}, "B/s"}
	return cmp.Or(c.X, size), cmp.Or(c.Y, rate)
}

// Axes says under the chart what its axes are.
func (c Chart) Axes() Text {
	x, y := c.Sides()
	scales := Text{EN: "; both axes are logarithmic,", ZH: "双对数坐标"}
	if x.Unit == UnitDate {
		scales = Text{EN: ", logarithmic;", ZH: "对数坐标"}
	}
	_, first := utf8.DecodeRuneInString(y.Title.EN)
	return Text{
		EN: strings.ToUpper(y.Title.EN[:first]) + y.Title.EN[first:] + " over " + x.Title.EN + scales.EN +
			" bars are 99 % intervals.",
		ZH: y.Title.ZH + "随" + x.Title.ZH + "的变化，" + scales.ZH + "；竖线为置信区间。",
	}
}
