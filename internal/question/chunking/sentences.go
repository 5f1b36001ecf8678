package chunking

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// answers are the sentences, the most useful first: of each library what it cuts up
// and the way around it, then what is healthy and what could not be told. The sick
// ciphers one by one are findings.
func (c *chunkingView) answers() (out []layout.Answer) {
	add := func(a *layout.Answer) {
		if a != nil {
			a.Experiment = c.Experiment
			out = append(out, *a)
		}
	}
	for _, name := range c.libraries() {
		add(c.summary(name))
	}
	for _, name := range c.libraries() {
		add(c.healthy(name))
		add(c.untold(name))
	}
	for _, h := range c.compared {
		add(c.refused(h))
	}
	return out
}

// list joins texts as a sentence lists them.
func list(parts []layout.Text) layout.Text {
	var en, zh []string
	for _, p := range parts {
		en, zh = append(en, p.EN), append(zh, p.ZH)
	}
	if n := len(en); n > 1 {
		en = append(en[:n-2], en[n-2]+" and "+en[n-1])
	}
	return layout.Text{EN: strings.Join(en, ", "), ZH: strings.Join(zh, "、")}
}

// told says that the pieces' length was estimated.
func (s sickness) told() bool { return s.steps != nil && s.steps.OK }

// span is how long the pieces are, in bytes: what was measured, or within that what the
// library says itself.
func (s sickness) span() (low, high float64) {
	if s.agreed() {
		return float64(s.said), float64(s.said)
	}
	return s.steps.Low, s.steps.High
}

// agreed says that the library says a length that was measured.
func (s sickness) agreed() bool {
	return s.told() && s.said > 0 && float64(s.said) >= s.steps.Low && float64(s.said) <= s.steps.High
}

// length is the span as a table has it: "5 B", "1–5 B".
func (s sickness) length() string {
	low, high := s.span()
	if low == high {
		return layout.FormatCount(low) + " B"
	}
	return layout.FormatCount(low) + "–" + layout.FormatCount(high) + " B"
}

// pieces words the estimated chunk and what each costs: "pieces of 1 byte, 6.2 ns each".
func (s sickness) pieces() layout.Text {
	_, least, most := s.pieceCost()
	each := layout.Say("%s each", "每块 %s", answer.Ranging(least, most))
	low, high := s.span()
	length := layout.Say("%s to %s bytes", "%s 至 %s 字节", layout.FormatCount(low), layout.FormatCount(high))
	if low == high {
		length = byteCount(high)
	}
	switch {
	case s.agreed():
		return layout.Say("pieces of %s, as the library itself says, %s", "%s 的小块（与该库自身所报一致），%s", length, each)
	case s.said > 0:
		return layout.Say("pieces of %s, though the library itself says %s, %s", "%s 的小块（该库自身所报为 %s），%s", length,
			byteCount(float64(s.said)), each)
	}
	return layout.Say("pieces of %s, %s", "%s 的小块，%s", length, each)
}

func byteCount(n float64) layout.Text {
	if n == 1 {
		return layout.Text{EN: "1 byte", ZH: "1 字节"}
	}
	return layout.Say("%s bytes", "%s 字节", layout.FormatCount(n))
}

// pieceCost is what each piece costs, in ns, with its interval: the price that a byte
// has more, times the bytes of a piece.
func (s sickness) pieceCost() (ns, least, most float64) {
	low, high := s.span()
	middle := s.steps.Bytes
	if s.agreed() {
		middle = low
	}
	return s.slope.Excess * middle * 1e9, s.slope.ExcessLow * low * 1e9, s.slope.ExcessHigh * high * 1e9
}

// untoldLength says of pieces that nothing was measured of their length, and what the
// library says of it.
func (s sickness) untoldLength() layout.Text {
	if s.said > 0 {
		return layout.Say("their length could not be measured; the library itself says %s", "小块长度未能测定，该库自身所报为 %s",
			byteCount(float64(s.said)))
	}
	return layout.Text{EN: "their length could not be measured", ZH: "小块长度未能测定"}
}

// remedy says what to do instead, and what it gives.
func (c *chunkingView) remedy(s sickness) layout.Text {
	if s.around == nil {
		return layout.Say("No faster way was found for %s.", "未发现 %s 有更快的方式。", cipherName(s.pattern))
	}
	x := s.around
	return layout.Say("For %s use %s: at %s it is %s times as fast as update (%s).",
		"%s 请改用%s：消息长度 %s 时速度为 update 的 %s 倍（%s）。",
		cipherName(s.pattern), aroundName(c.ByID[x.Other]), answer.SizeText(page), answer.Factor(x.Ratio), answer.Interval(*x.Low, *x.High))
}

// words are a finding.
func (c *chunkingView) words(s sickness) layout.Text {
	ratio, span, other := answer.Factor(s.slope.Ratio), answer.Interval(s.slope.Low, s.slope.High), handingName(s.slope.other)
	if !s.told() {
		return layout.Say("%[1]s: update of %[2]s probably loops over small pieces: at every call size a byte costs %[3]s times as much as with %[5]s (%[4]s); %[7]s. %[6]s",
			"%[1]s 的 %[2]s：无论每次调用多长，update 每字节的代价都是“%[5]s”的 %[3]s 倍（%[4]s），很可能在内部逐小块循环；%[7]s。%[6]s",
			libraryName(s.pattern), cipherName(s.pattern), ratio, span, other, c.remedy(s), s.untoldLength())
	}
	return layout.Say("%[1]s: update of %[2]s works in %[7]s. At every call size a byte costs %[3]s times as much as with %[5]s (%[4]s). %[6]s",
		"%[1]s 的 %[2]s：update 在内部把输入切成 %[7]s。无论每次调用多长，每字节代价都是“%[5]s”的 %[3]s 倍（%[4]s）。%[6]s",
		libraryName(s.pattern), cipherName(s.pattern), ratio, span, other, c.remedy(s), s.pieces())
}

// evidence are the rows whose times made the slopes, and the workaround. The steps rest
// on the rows of neighbouring lengths, of which there are dozens.
func (c *chunkingView) evidence(s sickness) (ids []string) {
	for _, way := range []string{wayUpdate, s.slope.other} {
		if w := s.pattern.way(way); w != nil {
			ids = append(ids, w.RowIDs...)
		}
	}
	if s.around != nil {
		ids = append(ids, s.around.ID, s.around.Base, s.around.Other)
	}
	return ids
}

// summary is a library's findings in one line, for the quick screen: the worst of
// them with its way around.
func (c *chunkingView) summary(library string) *layout.Answer {
	var sick []sickness
	for _, s := range c.sick {
		if libraryName(s.pattern) == library {
			sick = append(sick, s)
		}
	}
	if len(sick) == 0 {
		return nil
	}
	slices.SortStableFunc(sick, func(x, y sickness) int {
		switch {
		case x.slope.Ratio > y.slope.Ratio:
			return -1
		case x.slope.Ratio < y.slope.Ratio:
			return 1
		}
		return 0
	})
	a := &layout.Answer{Mark: layout.Stop, Short: true}
	var times []layout.Text
	for _, s := range sick {
		en := "%s times in %s"
		if len(times) == 0 {
			en = "%s times as much in %s"
		}
		name := cipherName(s.pattern)
		if s.told() {
			times = append(times, layout.Say(en+" (pieces of %[3]s)", "%[2]s 为 %[1]s 倍（小块 %[3]s）", answer.Factor(s.slope.Ratio), name,
				s.length()))
		} else {
			times = append(times, layout.Say(en, "%[2]s 为 %[1]s 倍", answer.Factor(s.slope.Ratio), name))
		}
		a.Evidence = append(a.Evidence, s.pattern.way(wayUpdate).RowIDs[0], s.pattern.way(s.slope.other).RowIDs[0])
	}
	instead := layout.Same("")
	if x := sick[0].around; x != nil {
		instead = layout.Say(" For %s use %s: at %s it is %s times as fast as update (%s).",
			"%s 请改用 %s：%s 时速度为 update 的 %s 倍（%s）。",
			cipherName(sick[0].pattern), insteadName(c.ByID[x.Other]), answer.SizeText(page), answer.Factor(x.Ratio), answer.Interval(*x.Low, *x.High))
		a.Evidence = append(a.Evidence, x.ID)
	}
	a.Text = layout.Say("%s: update works in small pieces; compared with the cheapest other way, a byte costs %s.%s",
		"%s：update 在内部逐小块处理，每字节代价与最省的其他方式相比：%s。%s", library, list(times), instead)
	return a
}

// healthy names the ciphers of a library of which it is certain that no way costs half
// as much a byte again.
func (c *chunkingView) healthy(library string) *layout.Answer {
	a := &layout.Answer{Mark: layout.Plain}
	var names []layout.Text
	for _, h := range c.compared {
		if s := h.worstSlope(); libraryName(h) == library && s != nil && c.isHealthy(h) {
			names = append(names, layout.Same(cipherName(h)))
			a.Evidence = append(a.Evidence, h.ways[0].RowIDs[0])
		}
	}
	if len(names) == 0 {
		return nil
	}
	a.Text = layout.Say("%s: no internal pieces in %s; a byte of update costs less than %s times as much as in one call per message.",
		"%s：%s 没有内部切块；update 每字节的代价不到整条消息一次调用的 %s 倍。", library, list(names), answer.Factor(degradedSlope))
	return a
}

// isHealthy says that every comparison of a cipher was told, and none was dear.
func (c *chunkingView) isHealthy(h *pattern) bool {
	return !slices.ContainsFunc(h.slopes, func(s slope) bool { return !s.OK || s.other != wayBlocks && s.High > degradedSlope })
}

// untold names the ciphers of which neither is certain.
func (c *chunkingView) untold(library string) *layout.Answer {
	a := &layout.Answer{Mark: layout.Unclear}
	var names []layout.Text
	for _, h := range c.compared {
		s := h.worstSlope()
		if libraryName(h) != library || c.isHealthy(h) || h.isDegraded() || slices.ContainsFunc(h.ways, func(w wayCost) bool { return !w.OK }) {
			continue
		}
		if s == nil {
			names = append(names, layout.Say("%s (too few blocks could be fitted: %s)", "%s（可拟合的数据组只有 %s 个，太少）", cipherName(h), strconv.Itoa(mostBlocks(h))))
		}
		for _, x := range h.slopes {
			if x.OK && x.other != wayBlocks && x.High > degradedSlope {
				names = append(names, layout.Say("%s %s times as much as with %[4]s (%[3]s)", "%s 为“%[4]s”的 %[2]s 倍（%[3]s）", cipherName(h), answer.Factor(x.Ratio), answer.Interval(x.Low, x.High), handingName(x.other)))
			}
		}
		a.Evidence = append(a.Evidence, h.ways[0].RowIDs[0])
	}
	if len(names) == 0 {
		return nil
	}
	a.Text = layout.Say("%s: inconclusive whether update costs more per byte than another way: %s.", "%s：update 每字节代价是否高于其他方式，无法判定：%s。", library, list(names))
	return a
}

// mostBlocks is in how many blocks two ways could be fitted, at most.
func mostBlocks(h *pattern) (n int) {
	for _, s := range h.slopes {
		n = max(n, s.Blocks)
	}
	return n
}

// refused says where the cost model does not hold, so that no slope can be compared.
func (c *chunkingView) refused(h *pattern) *layout.Answer {
	for _, w := range h.ways {
		if !w.OK {
			return &layout.Answer{Mark: layout.Unclear, Evidence: w.RowIDs,
				Text: layout.Say("%s, %s by %s: the cost model does not fit, so no cost per byte is given (%s).", "%s，%s，经 %s：代价模型与测量不符，因此不给出每字节代价（%s）。",
					libraryName(h), cipherName(h), handingName(w.way), reason.Words(w.Reason))}
		}
	}
	return nil
}

// findings are the sick ciphers, as reports list them.
func (c *chunkingView) findings() (out []layout.Finding) {
	for _, s := range c.sick {
		f := layout.Finding{Kind: "granularity", Severity: s.severity, Text: c.words(s), Evidence: map[string]any{
			"library": s.Library, "version": s.Version, "call_path": s.CallPath, "algorithm": s.Algorithm, "mode": s.Mode,
			"way": wayUpdate, "against": s.slope.other, "rows": c.evidence(s),
			"slope_ratio":        estimate(s.slope.Ratio, s.slope.Low, s.slope.High),
			"excess_ns_per_byte": estimate(s.slope.Excess*1e9, s.slope.ExcessLow*1e9, s.slope.ExcessHigh*1e9),
			"confidence_level":   s.slope.Level,
			"chunk_bytes":        nil,
			"chunk_ns":           nil,
			"workaround":         nil,
		}}
		if s.said > 0 {
			f.Evidence["said_bytes"] = s.said
		}
		if s.told() {
			f.Evidence["chunk_bytes"] = estimate(s.steps.Bytes, s.steps.Low, s.steps.High)
			if s.agreed() {
				f.Evidence["chunk_bytes"] = estimate(float64(s.said), float64(s.said), float64(s.said))
			}
			f.Evidence["chunk_ns"] = estimate(s.pieceCost())
		} else if s.steps != nil {
			f.Evidence["chunk_reason"] = s.steps.Reason
		}
		if x := s.around; x != nil {
			r := c.ByID[x.Other]
			way, _ := r.Way()
			f.Evidence["workaround"] = map[string]any{"implementation": implementationIfNamed(r, way), "way": way, "comparison": x.ID,
				"bytes": page, "ratio": x.Ratio, "low": *x.Low, "high": *x.High}
		}
		out = append(out, f)
	}
	return out
}

func implementationIfNamed(r *document.Row, way string) string {
	if way != "" && way != wayUpdate {
		return ""
	}
	return r.Implementation
}

func estimate(value, low, high float64) map[string]float64 {
	return map[string]float64{"value": value, "low": low, "high": high}
}
