// Package rendertest reads what an HTML report folds away, for tests.
package rendertest

import (
	"compress/gzip"
	"encoding/ascii85"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

var folded = regexp.MustCompile(`<script type="application/gzip" id="folded">([^<]*)</script>`)

// Unfold is a page with everything drawn that its reader may open, each in its place, and
// the Markdown it carries in English and Chinese. A report of another format folds nothing.
func Unfold(report string) (page string, markdown [2]string, err error) {
	part := folded.FindStringSubmatch(report)
	if part == nil {
		return report, markdown, nil
	}
	unpacked, err := gzip.NewReader(ascii85.NewDecoder(strings.NewReader(strings.ReplaceAll(part[1], "v", "<"))))
	if err != nil {
		return "", markdown, err
	}
	var all struct {
		Fragments map[string]string
		Markdown  [][2]string
	}
	if err := json.NewDecoder(unpacked).Decode(&all); err != nil {
		return "", markdown, err
	}
	page = strings.Replace(report, part[0], "", 1)
	for _, id := range slices.Sorted(maps.Keys(all.Fragments)) {
		place := `<details class="fold" id="` + id + `"`
		if !strings.Contains(page, place) {
			return "", markdown, fmt.Errorf("%s is folded into nothing", id)
		}
		page = strings.Replace(page, place, all.Fragments[id]+place, 1)
	}
	for _, line := range all.Markdown {
		markdown[0], markdown[1] = markdown[0]+line[0], markdown[1]+line[1]
	}
	return page, markdown, nil
}

// Flow is a page without what keeps numbers, their units and their intervals on one line, so that its sentences read as
// those of other formats do.
func Flow(page string) string {
	held := regexp.MustCompile(`<span class="nb">([^<]*)</span>`)
	return strings.ReplaceAll(held.ReplaceAllString(page, "$1"), "\u00a0", " ")
}
