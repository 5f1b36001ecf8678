package plan

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/result"
)

// Bounds of a histogram's file. Every worker is sent what it holds.
const (
	MaxHistogramRows = 100_000
	maxHistogramFile = 16 << 20
	mostWeight       = 1e18 // so that no sum overflows
)

// ReadHistogram reads a histogram of message sizes: CSV (RFC 4180) with the header
// line "bytes,weight", then a line a size. bytes is a whole number from 0 to 1 GiB,
// weight a positive number: a count, a share, whatever adds up. Lines of the same
// size add up; the result rises by size. name is the file's, for errors, which
// tell the line.
func ReadHistogram(name string, r io.Reader) ([]result.SizeShare, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxHistogramFile+1))
	if err != nil {
		return nil, language.Errorf("reading sizes: %w", "读取消息大小：%s", err)
	}
	if len(text) > maxHistogramFile {
		return nil, language.Errorf("%s: a histogram is a file of at most 16 MiB", "%s：直方图文件最大 16 MiB", name)
	}
	rows := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))))
	rows.FieldsPerRecord, rows.ReuseRecord, rows.TrimLeadingSpace = -1, true, true
	h := histogram{name: name, rows: -1, weights: map[int64]float64{}}
	for {
		fields, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return h.shares()
		}
		if parse := (*csv.ParseError)(nil); errors.As(err, &parse) {
			h.line = parse.Line
			if h.rows < 0 {
				return nil, h.wrong(`it is no CSV whose first line is "bytes,weight"`, `不是首行为 "bytes,weight" 的 CSV`)
			}
			return nil, h.wrong("a quotation mark is out of place; give two numbers, bytes,weight",
				"引号位置有误；请给出两个数字 bytes,weight")
		}
		h.line, _ = rows.FieldPos(0)
		if err := h.row(fields); err != nil {
			return nil, err
		}
		h.rows++
	}
}

type histogram struct {
	name    string
	line    int
	rows    int // below the header; -1 before it was read
	weights map[int64]float64
}

func (h *histogram) wrong(en, zh string, args ...any) error {
	return language.Errorf("%s:%d: "+en, "%s:%d："+zh, append([]any{h.name, h.line}, args...)...)
}

func (h *histogram) row(fields []string) error {
	for i := range fields {
		fields[i] = strings.TrimSpace(fields[i])
	}
	switch {
	case h.rows < 0 && !slices.Equal(fields, []string{"bytes", "weight"}):
		return h.wrong(`the first line must be "bytes,weight", and is %q`, `首行应为 "bytes,weight"，而不是 %q`,
			language.Clip(strings.Join(fields, ",")))
	case h.rows < 0:
		return nil
	case h.rows >= MaxHistogramRows:
		return h.wrong("more than %d lines of sizes; merge some into wider classes", "大小超过 %d 行；请合并为更宽的区间",
			MaxHistogramRows)
	case len(fields) != 2:
		return h.wrong("%d fields; give 2, bytes,weight", "有 %d 个字段；应为 bytes,weight 两个", len(fields))
	}
	size, err := strconv.ParseInt(fields[0], 10, 64)
	if err != nil || size < 0 || size > MaxSize {
		return h.wrong("bytes %q is not a whole number from 0 to %d (1GiB)", "bytes %q 不是 0 至 %d（1GiB）的整数",
			language.Clip(fields[0]), MaxSize)
	}
	weight, err := strconv.ParseFloat(fields[1], 64)
	if err != nil || !(weight > 0) || math.IsInf(weight, 1) || strings.ContainsAny(fields[1], "xXpP_") {
		return h.wrong("weight %q is not a positive number", "weight %q 不是正数", language.Clip(fields[1]))
	}
	if weight > mostWeight {
		return h.wrong("weight %q is greater than 1e18", "weight %q 大于 1e18", language.Clip(fields[1]))
	}
	h.weights[size] += weight
	return nil
}

func (h *histogram) shares() (shares []result.SizeShare, err error) {
	switch {
	case h.rows < 0:
		return nil, language.Errorf(`%s is empty; give CSV with the header line "bytes,weight"`,
			`%s 为空；请给出首行为 "bytes,weight" 的 CSV`, h.name)
	case h.rows == 0:
		return nil, language.Errorf("%s has no line of sizes below its header", "%s 在首行之后没有消息大小", h.name)
	}
	for _, size := range slices.Sorted(maps.Keys(h.weights)) {
		shares = append(shares, result.SizeShare{Bytes: size, Weight: h.weights[size]})
	}
	return shares, nil
}

// Replay says why an experiment can't replay a histogram; nil where it can, or
// where there is none. It names those of all that can.
func (e Experiment) Replay(mix []result.SizeShare, all []Experiment) error {
	if len(mix) == 0 {
		return nil
	}
	if e.LongestMixed == 0 {
		var can []string
		for _, other := range all {
			if other.LongestMixed > 0 {
				can = append(can, other.Name)
			}
		}
		return language.Errorf("%s measures fixed sizes and can't replay a histogram; these can: %s",
			"%s 只测量固定大小，不能重放直方图；可以的有：%s", e.Name, strings.Join(can, ", "))
	}
	longest := slices.MaxFunc(mix, func(a, b result.SizeShare) int { return cmp.Compare(a.Bytes, b.Bytes) })
	if longest.Bytes > e.LongestMixed {
		return language.Errorf("%s replays messages of up to %d bytes, and the histogram has one of %d: "+
			"leave out what is longer, or cut it as your code does",
			"%s 最多重放 %d 字节的消息，而直方图中有 %d 字节的：请去掉更长的消息，或按你的代码的方式切分",
			e.Name, e.LongestMixed, longest.Bytes)
	}
	return nil
}

func MeanSize(mix []result.SizeShare) float64 {
	var sum, weight float64
	for _, s := range mix {
		sum += float64(s.Bytes) * s.Weight
		weight += s.Weight
	}
	return sum / weight
}
