package plan

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

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
		return nil, fmt.Errorf("reading sizes: %w", err)
	}
	if len(text) > maxHistogramFile {
		return nil, fmt.Errorf("%s: a histogram is a file of at most 16 MiB", name)
	}
	rows := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))))
	rows.FieldsPerRecord, rows.ReuseRecord, rows.TrimLeadingSpace = -1, true, true
	h := histogram{name: name, weights: map[int64]float64{}}
	for {
		fields, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return h.shares()
		}
		if parse := (*csv.ParseError)(nil); errors.As(err, &parse) && !h.header {
			return nil, h.wrong(parse.Line, `it is no CSV whose first line is "bytes,weight"`)
		} else if errors.As(err, &parse) {
			return nil, h.wrong(parse.Line, "a quotation mark is out of place; give two numbers, bytes,weight")
		}
		line, _ := rows.FieldPos(0)
		if err := h.row(line, fields); err != nil {
			return nil, err
		}
	}
}

// histogram is one that is being read.
type histogram struct {
	name    string
	header  bool // was read
	rows    int
	weights map[int64]float64
}

func (h *histogram) wrong(line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", h.name, line, fmt.Sprintf(format, args...))
}

func (h *histogram) row(line int, fields []string) error {
	for i := range fields {
		fields[i] = strings.TrimSpace(fields[i])
	}
	if !h.header {
		h.header = true
		if !slices.Equal(fields, []string{"bytes", "weight"}) {
			return h.wrong(line, `the first line must be "bytes,weight", and is %q`, clip(strings.Join(fields, ",")))
		}
		return nil
	}
	if h.rows++; h.rows > MaxHistogramRows {
		return h.wrong(line, "more than %d lines of sizes; merge some into wider classes", MaxHistogramRows)
	}
	if len(fields) != 2 {
		return h.wrong(line, "%d fields; give 2, bytes,weight", len(fields))
	}
	size, err := strconv.ParseInt(fields[0], 10, 64)
	if err != nil || size < 0 || size > MaxSize {
		return h.wrong(line, "bytes %q is not a whole number from 0 to %d (1GiB)", clip(fields[0]), MaxSize)
	}
	weight, err := strconv.ParseFloat(fields[1], 64)
	if err != nil || !(weight > 0) || math.IsInf(weight, 1) || strings.ContainsAny(fields[1], "xXpP_") {
		return h.wrong(line, "weight %q is not a positive number", clip(fields[1]))
	}
	if weight > mostWeight {
		return h.wrong(line, "weight %q is greater than 1e18", clip(fields[1]))
	}
	h.weights[size] += weight
	return nil
}

// clip keeps an error on one line of a screen, whatever was in the file.
func clip(text string) string {
	if runes := []rune(text); len(runes) > 40 {
		return string(runes[:40]) + "…"
	}
	return text
}

func (h *histogram) shares() ([]result.SizeShare, error) {
	switch {
	case !h.header:
		return nil, fmt.Errorf(`%s is empty; give CSV with the header line "bytes,weight"`, h.name)
	case h.rows == 0:
		return nil, fmt.Errorf("%s has no line of sizes below its header", h.name)
	}
	var shares []result.SizeShare
	for size, weight := range h.weights {
		shares = append(shares, result.SizeShare{Bytes: size, Weight: weight})
	}
	slices.SortFunc(shares, func(a, b result.SizeShare) int { return int(a.Bytes - b.Bytes) })
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
		return fmt.Errorf("%s measures fixed sizes and can't replay a histogram; these can: %s", e.Name, strings.Join(can, ", "))
	}
	if longest := slices.MaxFunc(mix, func(a, b result.SizeShare) int { return int(a.Bytes - b.Bytes) }); longest.Bytes > e.LongestMixed {
		return fmt.Errorf("%s replays messages of up to %d bytes, and the histogram has one of %d: leave out what is longer, or cut it as your code does", e.Name, e.LongestMixed, longest.Bytes)
	}
	return nil
}

// MeanSize is the mean of a histogram, in bytes.
func MeanSize(mix []result.SizeShare) float64 {
	var sum, weight float64
	for _, s := range mix {
		sum += float64(s.Bytes) * s.Weight
		weight += s.Weight
	}
	return sum / weight
}
