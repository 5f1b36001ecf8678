package sums

import "net/url"

// noWord stands for an empty one.
const noWord = "-"

// appendWord appends what a store has said so that it is one word on a line, whatever the store says.
func appendWord(line []byte, s string) []byte {
	switch s {
	case "":
		return append(line, noWord...)
	case noWord:
		return append(line, "%2D"...)
	}
	return append(line, url.QueryEscape(s)...)
}

// word takes back what appendWord did.
func word(text []byte) (string, error) {
	if string(text) == noWord {
		return "", nil
	}
	return url.QueryUnescape(string(text))
}
