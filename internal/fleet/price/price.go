// Package price reads lists of what an hour of a vCPU costs, by machine: CSV that people write. It stands apart from
// package fleet, since it needs no store.
package price

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

// A List has prices in one currency.
type List struct {
	Currency string // as it was written; empty where none was
	Lines    []Line
}

// Line is a line of a price list.
type Line struct {
	Machine  string // its key, label or product
	VCPUHour float64
	number   int
}

// Bounds of a price list.
const (
	mostPrices    = 10_000
	mostPriceFile = 1 << 20
	mostName      = 200 // characters
	mostVCPUHour  = 1e9
	leastVCPUHour = 1e-9
)

// Read reads a price list: CSV (RFC 4180) with the header line "machine,vcpu_hour" or
// "machine,vcpu_hour,currency", then a line a machine. name is the file's, for errors, which tell line and column.
func Read(name string, r io.Reader) (*List, error) {
	text, err := io.ReadAll(io.LimitReader(r, mostPriceFile+1))
	switch {
	case err != nil:
		return nil, language.Errorf("reading prices: %w", "读取价格：%s", err)
	case len(text) > mostPriceFile:
		return nil, language.Errorf("%s: a price list is a file of at most 1 MiB", "%s：价格文件最大 1 MiB", name)
	}
	l := reading{name: name, rows: csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")))), line: 1, column: 1}
	l.rows.FieldsPerRecord, l.rows.ReuseRecord, l.rows.TrimLeadingSpace = -1, true, true
	if !utf8.Valid(text) {
		return nil, l.wrong("it is not in UTF-8", "不是 UTF-8 编码")
	}
	for {
		fields, err := l.rows.Read()
		if errors.Is(err, io.EOF) {
			return l.done()
		}
		if parse := (*csv.ParseError)(nil); errors.As(err, &parse) {
			l.line, l.column = parse.Line, parse.Column
			return nil, l.wrong("a quotation mark is out of place", "引号位置有误")
		}
		if err := l.row(fields); err != nil {
			return nil, err
		}
	}
}

// reading is a list that is being read.
type reading struct {
	name         string
	rows         *csv.Reader
	line, column int
	columns      []string // of its header; nil before it was read
	prices       List
	first        int // line of the first price
}

var priceColumns = []string{"machine", "vcpu_hour", "currency"}

func (l *reading) wrong(en, zh string, args ...any) error {
	return language.Errorf("%s:%d:%d: "+en, "%s:%d:%d："+zh, append([]any{l.name, l.line, l.column}, args...)...)
}

// at goes to a field of the row that was read last, for what is wrong with it.
func (l *reading) at(field int) { l.line, l.column = l.rows.FieldPos(field) }

func (l *reading) row(fields []string) error {
	for i := range fields {
		fields[i] = strings.TrimSpace(fields[i])
	}
	l.at(0)
	switch {
	case l.columns == nil && !slices.Equal(fields, priceColumns) && !slices.Equal(fields, priceColumns[:2]):
		return l.wrong(`the first line must be "machine,vcpu_hour" or "machine,vcpu_hour,currency", and is %q`,
			`首行应为 "machine,vcpu_hour" 或 "machine,vcpu_hour,currency"，而不是 %q`, language.Clip(strings.Join(fields, ",")))
	case l.columns == nil:
		l.columns = slices.Clone(fields)
		return nil
	case len(fields) != len(l.columns):
		return l.wrong("%d fields; give %d, as the first line has", "有 %d 个字段；应与首行一样为 %d 个", len(fields), len(l.columns))
	case len(l.prices.Lines) == mostPrices:
		return l.wrong("more than %d prices", "价格超过 %d 个", mostPrices)
	}
	return l.price(fields)
}

// price reads a line of the list.
func (l *reading) price(fields []string) error {
	name := fields[0]
	switch {
	case name == "":
		return l.wrong("machine is empty; give its key, its label or its product", "machine 为空；请给出机器的键、名称或产品名")
	case utf8.RuneCountInString(name) > mostName || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
		return l.wrong("machine %q is no name of one line of at most %d characters", "machine %q 不是一行以内、至多 %d 个字符的名称", language.Clip(name), mostName)
	}
	for _, before := range l.prices.Lines {
		if strings.EqualFold(before.Machine, name) {
			return l.wrong("%q has a price on line %d already", "%q 在第 %d 行已有价格", language.Clip(name), before.number)
		}
	}
	l.at(1)
	hour, err := strconv.ParseFloat(fields[1], 64)
	if err != nil || math.IsNaN(hour) || hour < leastVCPUHour || hour > mostVCPUHour || strings.ContainsAny(fields[1], "xXpP_") {
		return l.wrong("vcpu_hour %q: give the price of a vCPU for an hour, a number above 0, e.g. 0.042",
			"vcpu_hour %q：请给出每 vCPU 小时的价格，应为大于 0 的数，例如 0.042", language.Clip(fields[1]))
	}
	if len(fields) > 2 {
		if err := l.currency(fields[2]); err != nil {
			return err
		}
	}
	line, _ := l.rows.FieldPos(0)
	l.prices.Lines = append(l.prices.Lines, Line{name, hour, line})
	return nil
}

// currency reads that of a line: costs in two of them have no order.
func (l *reading) currency(text string) error {
	l.at(2)
	const most = 16 // characters
	switch {
	case utf8.RuneCountInString(text) > most || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsGraphic(r) || unicode.IsSpace(r) }):
		return l.wrong("currency %q: give a code such as USD or CNY", "currency %q：请给出 USD、CNY 之类的代码", language.Clip(text))
	case len(l.prices.Lines) == 0:
		l.prices.Currency, l.first = text, l.line
	case text != l.prices.Currency:
		return l.wrong("currency %q, and line %d has %q; give all prices in one", "currency %q 与第 %d 行的 %q 不同；请统一为一种货币",
			text, l.first, l.prices.Currency)
	}
	return nil
}

func (l *reading) done() (*List, error) {
	switch {
	case l.columns == nil:
		return nil, l.wrong(`the file is empty; give CSV with the header line "machine,vcpu_hour,currency"`,
			`文件为空；请给出首行为 "machine,vcpu_hour,currency" 的 CSV`)
	case len(l.prices.Lines) == 0:
		return nil, l.wrong("no price stands below the first line", "首行之后没有价格")
	}
	return &l.prices, nil
}

// Of is the index of a machine's price among the lines: the one that names it most exactly, by its key, then its label, then its
// product, then the end of that, which in a cloud is the type of the instance behind its maker. -1 where none does.
func (p *List) Of(key, label, product string) int {
	best, exact := -1, 0
	for i, l := range p.Lines {
		n := 0
		switch {
		case strings.EqualFold(l.Machine, key):
			n = mostName + 3
		case strings.EqualFold(l.Machine, label):
			n = mostName + 2
		case strings.EqualFold(l.Machine, product):
			n = mostName + 1
		case endsIn(product, l.Machine):
			n = utf8.RuneCountInString(l.Machine)
		}
		if n > exact {
			best, exact = i, n
		}
	}
	return best
}

// endsIn says whether a product's name ends in a word or words.
func endsIn(product, words string) bool {
	product, words = strings.ToLower(product), strings.ToLower(words)
	return strings.HasSuffix(product, " "+words)
}
