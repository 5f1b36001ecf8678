package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// TestWideTablesKeepWordsWhole: a table that is too wide for the terminal becomes
// several, each naming its rows, and no word and no number in it is broken.
func TestWideTablesKeepWordsWhole(t *testing.T) {
	table := layout.Table{Columns: []layout.Column{{Title: layout.Text{EN: "Cipher", ZH: "算法"}}, {Title: layout.Text{EN: "Library", ZH: "密码库"}}}}
	for i := range 12 {
		table.Columns = append(table.Columns, layout.Column{Title: layout.Same(fmt.Sprintf("%d KiB", 4<<i)), Numeric: true})
	}
	for _, name := range []string{"AES-256-GCM", "ChaCha20-Poly1305"} {
		row := layout.TableRow{Cells: []layout.Cell{{Text: layout.Same(name)}, {Text: layout.Same("cryptogauge"), New: true}}}
		for i := range 12 {
			row.Cells = append(row.Cells, layout.Cell{Text: layout.Same(fmt.Sprintf("%d.25 GB/s", 10+i)), Footnotes: []layout.Text{layout.Same("doubt")}})
		}
		table.Rows = append(table.Rows, row)
	}
	for _, lang := range []layout.Lang{layout.English, layout.Chinese} {
		p := newPainter(Options{Lang: lang, Width: 80})
		lines := p.drawn(table, &footnotes{})
		all := strings.Join(lines, "\n")
		for _, line := range lines {
			if Width(line) > 80 {
				t.Errorf("%d columns: %s", Width(line), line)
			}
		}
		for i := range 12 {
			for _, want := range []string{fmt.Sprintf("%d.25 GB/s", 10+i), fmt.Sprintf(" %d KiB", 4<<i)} {
				if !strings.Contains(all, want) {
					t.Errorf("%s: no %q in\n%s", lang, want, all)
				}
			}
		}
		parts := strings.Count(all, "\n\n") + 1
		if parts < 2 || strings.Count(all, "AES-256-GCM") != parts || strings.Count(all, "Poly1305") != parts {
			t.Errorf("%s: %d tables, and not each names its rows:\n%s", lang, parts, all)
		}
	}
}

// TestUnbroken: words break behind their joints, and numbers keep their units.
func TestUnbroken(t *testing.T) {
	for text, want := range map[string]int{"ChaCha20-Poly1305": 17, "X25519MLKEM768+ECDSA-P-256": 15, "cryptogauge (new)": 11, "64 KiB": 6, "密码库": 2, "": 0, "a-": 2} {
		if got := unbroken(text); got != want {
			t.Errorf("%q takes %d columns, want %d", text, got, want)
		}
	}
	for _, c := range []struct {
		text string
		w    int
		want string
	}{
		{"ChaCha20-Poly1305 go", 12, "ChaCha20-|Poly1305 go"}, {"sealing 64 B", 10, "sealing|64 B"}, {"abcdef", 4, "abcd|ef"},
	} {
		if got := strings.Join(wrap(c.text, c.w), "|"); got != c.want {
			t.Errorf("%q in %d columns is %q, want %q", c.text, c.w, got, c.want)
		}
	}
}

// TestChineseBreaksAtPunctuation: a line ends inside a run of characters only where it
// would otherwise be less than half full, or the run is longer than a line.
func TestChineseBreaksAtPunctuation(t *testing.T) {
	for _, c := range []struct {
		text string
		w    int
		want string
	}{
		{"数据与次序由随机种子决定，种子相同则计划相同。", 32, "数据与次序由随机种子决定，|种子相同则计划相同。"},
		{"本底噪声 0.20%，随机种子 7，未被限流", 20, "本底噪声 0.20%，|随机种子 7，未被限流"},
		{"用 gmsm 的 SM4-GCM（认证加密）代替", 22, "用 gmsm 的 SM4-GCM|（认证加密）代替"},
		{"快，这一整段文字之中没有任何标点符号", 20, "快，这一整段文字之中|没有任何标点符号"}, // less than half full
		{"没有标点符号的长文字也要折行", 10, "没有标点符|号的长文字|也要折行"},
		{"句子，很长很长很长的（括号）", 12, "句子，很长很|长很长的|（括号）"},
		{"逗号不在行首，句号也不在。", 12, "逗号不在行|首，句号也不|在。"},
	} {
		if got := strings.Join(wrap(c.text, c.w), "|"); got != c.want {
			t.Errorf("%q in %d columns is %q, want %q", c.text, c.w, got, c.want)
		}
	}
}

// TestListsOfStandardsBecomeFootnotes: a column whose cells would go on for many lines is
// footnotes, each text once; a column of a sentence that has room stays.
func TestListsOfStandardsBecomeFootnotes(t *testing.T) {
	table := layout.Table{Columns: []layout.Column{{Title: layout.Same("Cipher")}, {Title: layout.Same("Standard")}, {Title: layout.Same("Note")}}}
	for i := range 6 {
		table.Columns = append(table.Columns, layout.Column{Title: layout.Same(fmt.Sprintf("%d KiB", 1<<i)), Numeric: true})
	}
	const standards = "GB/T 32907-2016; GB/T 17964-2021; GB/T 15852.2-2024; GB/T 32905-2016"
	for _, name := range []string{"SM4-CBC+HMAC-SM3", "SM4-CTR+HMAC-SM3"} {
		row := layout.TableRow{Cells: []layout.Cell{{Text: layout.Same(name)}, {Text: layout.Same(standards)}, {Text: layout.Same("short")}}}
		for range 6 {
			row.Cells = append(row.Cells, layout.Cell{Text: layout.Same("204 MB/s")})
		}
		table.Rows = append(table.Rows, row)
	}
	notes := &footnotes{}
	lines := newPainter(Options{Width: 100}).drawn(table, notes)
	if len(lines) != 3 || !strings.HasPrefix(lines[1], "  SM4-CBC+HMAC-SM3  ¹ ") || !strings.HasPrefix(lines[2], "  SM4-CTR+HMAC-SM3  ¹ ") ||
		!strings.Contains(lines[1], "short") || len(notes.texts) != 1 || notes.texts[0] != standards {
		t.Errorf("%q\n%s", notes.texts, strings.Join(lines, "\n"))
	}
	if table.Rows[0].Cells[1].Text != layout.Same(standards) {
		t.Error("the table itself was changed")
	}
}
