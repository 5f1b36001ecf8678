package render

// Lines draws a sentence behind a prefix for a terminal of so many columns (0: the
// usual 100), as the reports do; what follows the first line is indented by the
// prefix. Nothing in the text can move the cursor.
func Lines(prefix, text string, columns int) []string {
	if columns <= 0 {
		columns = defaultWidth
	}
	return hang(prefix, width(prefix), Clean(text), max(columns, leastWidth))
}

// Width is how many columns a text takes on a terminal.
func Width(text string) int { return width(text) }
