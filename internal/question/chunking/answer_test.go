package chunking

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/answer/answertest"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/workarounds"
	"github.com/cryptogauge/cryptogauge/result"
)

// handedOver is a library whose update cuts calls into pieces of so many bytes, which
// cost ns each; 0 is one that does not.
type handedOver struct {
	library, version, algorithm, mode string
	piece, cost                       float64
	square                            bool // no model of calls and bytes
	said                              int64
}

func (h handedOver) ns(way string, bytes, call int64) float64 {
	n := float64(bytes)
	if h.square {
		return n * n
	}
	ns := 60*math.Ceil(n/float64(call)) + 150 + 0.4*n
	switch {
	case way == "blocks":
		ns = 60 + 0.1*n
	case way == "update" && h.piece > 0:
		ns += h.cost * math.Ceil(n/h.piece)
	}
	return ns
}

func (h handedOver) add(m *answertest.Timings) {
	var trials []int
	at := map[string]int{}
	s := result.Subject{Library: h.library, Version: h.version, Implementation: "unknown", CallPath: "cgo"}
	c := result.Case{Algorithm: h.algorithm, Mode: h.mode, Operation: "encrypt"}
	add := func(path, way string, bytes, call int64) {
		s.CallPath = path
		c.Bytes, c.Parameters = bytes, fmt.Sprintf("call=%d,way=%s", call, way)
		t := m.Trial("chunking", s, c, h.ns(way, bytes, call))
		if way == "update" {
			m.Run.Trials[t].Granularity = h.said
		}
		at[fmt.Sprint(path, way, bytes, call)] = t
		trials = append(trials, t)
	}
	ways := []string{"update", "oneshot"}
	if h.mode == "CTR" {
		ways = append(ways, "final", "blocks")
	}
	for _, bytes := range []int64{1 << 10, 4 << 10, 16 << 10} {
		for _, way := range ways {
			add("cgo", way, bytes, bytes)
			if way == "update" {
				add("cgo", way, bytes, 256)
			}
		}
	}
	for n := int64(33); n <= 60; n++ {
		add("c-loop", "update", n, n)
		add("c-loop", "oneshot", n, n)
	}
	for _, n := range []int64{127, 128, 129, 255, 256, 257, 511, 512, 513} {
		add("c-loop", "update", n, n)
		add("c-loop", "oneshot", n, n)
	}
	s.CallPath, c.Bytes, c.Parameters = "cgo", 4<<10, ""
	base := at[fmt.Sprint("cgo", "update", 4<<10, 4<<10)]
	var pairs []result.Pair
	if h.mode == "CTR" && h.library == "botan" {
		s.Implementation = "ctr-bypass"
		around := m.Trial("chunking", s, c, h.ns("blocks", 4<<10, 4<<10)+20)
		s.Implementation = "final"
		final := m.Trial("chunking", s, c, h.ns("final", 4<<10, 4<<10))
		trials = append(trials, around, final)
		pairs = append(pairs, result.Pair{Base: base, Other: around, Headline: true}, result.Pair{Base: base, Other: final, Headline: true})
	}
	pairs = append(pairs, result.Pair{Base: base, Other: at[fmt.Sprint("cgo", "oneshot", 4<<10, 4<<10)]})
	m.Group("chunking", trials, pairs...)
}

func TestChunkingFindsAndSays(t *testing.T) {
	m := answertest.NewTimings(15)
	handedOver{library: "botan", version: "2.19.3", algorithm: "AES-128", mode: "CTR", piece: 1, cost: 6.2}.add(m)
	handedOver{library: "botan", version: "2.19.3", algorithm: "ChaCha20-Poly1305", piece: 64, cost: 20}.add(m)
	handedOver{library: "botan", version: "2.19.3", algorithm: "AES-128", mode: "GCM"}.add(m)
	handedOver{library: "openssl", version: "3.0.19", algorithm: "AES-128", mode: "CTR"}.add(m)
	handedOver{library: "openssl", version: "3.0.19", algorithm: "SM4", mode: "CBC", square: true}.add(m)
	d := m.Document(Question)
	answertest.CheckLayout(t, d)
	for _, want := range []string{
		"botan 2.19.3 splits the input of update into small pieces, so larger calls do not help: in AES-128-CTR a byte costs " +
			"16.5 times as much (16.4–16.6) as with update with the flag FINAL, pieces of 1 B; ",
		"; in ChaCha20-Poly1305 a byte costs 1.78 times as much (1.77–1.79) as with one call a message, pieces of 64 B.",
		"We found it in Botan's source; its output was compared with update's before it was timed",
		"botan 2.19.3: pass the flag FINAL on every call (final). No manual describes this: check once, at start, that its output equals that of update. " +
			"Messages of 4 KiB, times as fast as by update: AES-128-CTR ",
		"botan 2.19.3: hand over each message in one call (oneshot). Messages of 4 KiB, times as fast as by update: ChaCha20-Poly1305 ",
		"botan 2.19.3, by hand: make the counters, call the block function and XOR yourself (ctr-bypass). Messages of 4 KiB, times as fast as by update: AES-128-CTR ",
		"botan 2.19.3: no internal pieces in AES-128-GCM",
		"AES-128-CTR of 4 KiB takes in botan 2.19.3 by update 27.2 µs, with final 1.85 µs, by hand 489 ns; by update in openssl 3.0.19 1.85 µs.",
		"openssl 3.0.19: no internal pieces in AES-128-CTR",
		"openssl 3.0.19, SM4-CBC by update: no cost per byte is given (time is not a sum of calls, messages and bytes",
	} {
		if !strings.Contains(answertest.Texts(d, layout.English), want) {
			t.Errorf("no sentence says %q in:\n%s", want, answertest.Texts(d, layout.English))
		}
	}
	if zh := answertest.Texts(d, layout.Chinese); !strings.Contains(zh,
		"botan 2.19.3 的 update 在内部把输入切成小块，因此每次传入更多数据也无济于事：AES-128-CTR 每字节代价是“带 FINAL 标志的 update”的 16.5 倍（16.4–16.6），每块 1 B；") ||
		!strings.Contains(zh, "botan 2.19.3：每次调用都带上 FINAL 标志（final）。手册未载明此法：请在启动时核对一次其输出与 update 相同。"+
			"消息长度 4 KiB 时，速度为 update 的：AES-128-CTR ") {
		t.Errorf("得到：\n%s", zh)
	}
	if len(d.Findings) != 2 || d.Findings[0].Kind != "granularity" || d.Findings[0].Severity != "pathological" || d.Findings[1].Severity != "degraded" {
		t.Fatalf("%d findings: %+v", len(d.Findings), d.Findings[0].Text)
	}
	first, second := d.Findings[0], d.Findings[1]
	if got := first.Evidence["chunk_bytes"].(map[string]float64)["value"]; got != 1 {
		t.Errorf("pieces of 1 byte were found as %v", first.Evidence)
	}
	if got := second.Evidence["chunk_bytes"].(map[string]float64)["value"]; math.Abs(got-64) > 4 {
		t.Errorf("pieces of 64 bytes were found as %v", second.Evidence)
	}
	if got := first.Evidence["chunk_ns"].(map[string]float64)["value"]; got < 5.5 || got > 7 {
		t.Errorf("pieces of 6.2 ns were found as %v", got)
	}
	around, ok := first.Evidence["workaround"].(map[string]any)
	if !ok || around["implementation"] != "ctr-bypass" || around["ratio"].(float64) < 25 {
		t.Errorf("the workaround is %v", first.Evidence["workaround"])
	}
	if !strings.Contains(first.Text.EN, "update of AES-128-CTR works in pieces of 1 byte") ||
		!strings.Contains(first.Text.ZH, "的 AES-128-CTR：update 在内部把输入切成 1 字节的小块") {
		t.Errorf("%+v", first.Text)
	}
	l := d.Layouts[len(d.Layouts)-1]
	if cells := l.Headline[0].Rows[0].Cells; cells[3].Text.EN != "16.5" || cells[5].Text.EN != "final" ||
		cells[6].Text.EN != "14.7" || cells[7].Text.EN != "55.6" {
		t.Errorf("the table compares with another way than the sentences: %+v", cells)
	}
	flag, whole, hand := l.Answers[1], l.Answers[2], l.Answers[3] // the least to write first
	if flag.Mark != layout.Choose || len(flag.Listings) != 2 || !strings.Contains(flag.Listings[0].Code, "BOTAN_CIPHER_UPDATE_FLAG_FINAL") {
		t.Errorf("the flag: %+v", flag)
	}
	if whole.Mark != layout.Choose || len(whole.Listings) != 2 || !strings.Contains(whole.Listings[1].Code, "botan_cipher_start") {
		t.Errorf("one call: %+v", whole)
	}
	if hand.Mark != layout.Plain || len(hand.Listings) != 2 || !strings.Contains(hand.Listings[0].Code, "botan_block_cipher_encrypt_blocks") ||
		!strings.Contains(hand.Listings[1].Code, "subtle.XORBytes") {
		t.Errorf("by hand: %+v", hand)
	}
	if line := l.Line.Text.EN; l.Line.Mark != layout.Stop || !strings.HasPrefix(line,
		"Avoid update for AES-128-CTR in botan, which splits its input: with FINAL on every call, after which the stream goes on, ") || len(line) > 165 {
		t.Errorf("%d columns: %s", len(line), line)
	}
	if _, err := json.Marshal(d); err != nil {
		t.Error(err)
	}
}

// TestChunkingAccusesNobody: nothing is found in libraries without pieces, whatever
// their blocks.
func TestChunkingAccusesNobody(t *testing.T) {
	for _, blocks := range []int{9, 15} {
		m := answertest.NewTimings(blocks)
		for _, mode := range []string{"CTR", "CBC", "GCM"} {
			handedOver{library: "openssl", version: "3.0.19", algorithm: "AES-128", mode: mode}.add(m)
		}
		d := m.Document(Question)
		answertest.CheckLayout(t, d)
		if len(d.Findings) != 0 {
			t.Errorf("%d blocks: %+v", blocks, d.Findings[0].Text)
		}
		if said := strings.Contains(answertest.Texts(d, layout.English), "no internal pieces"); said != (blocks == 15) {
			t.Errorf("%d blocks:\n%s", blocks, answertest.Texts(d, layout.English))
		}
		line := d.Layouts[len(d.Layouts)-1].Line.Text.EN
		if named := strings.HasPrefix(line, "Use update as it is in openssl 3.0.19: "); named != (blocks == 15) { // nothing is said of others
			t.Errorf("%d blocks: %s", blocks, line)
		}
	}
}

// TestChunkingGuesses: where blocks are too few to find anything for certain, the remedy that may pay the most is a
// guess that accuses nobody, and there is none where every way is as fast as update.
func TestChunkingGuesses(t *testing.T) {
	for _, tt := range []struct {
		piece  float64
		blocks int
		guess  string
	}{
		{1, 5, "Best guess: Avoid update for AES-128-CTR in botan: with FINAL on every call, about "}, {0, 5, ""}, {1, 3, ""},
	} {
		m := answertest.NewTimings(tt.blocks)
		handedOver{library: "botan", version: "2.19.3", algorithm: "AES-128", mode: "CTR", piece: tt.piece, cost: 6.2}.add(m)
		d := m.Document(Question)
		answertest.CheckLayout(t, d)
		line := d.Layouts[len(d.Layouts)-1].Line
		if guessed := strings.HasPrefix(line.Text.EN, "Best guess: "); guessed != (tt.guess != "") || !strings.HasPrefix(line.Text.EN, tt.guess) ||
			line.Mark != layout.Unclear || len(d.Findings) != 0 {
			t.Errorf("pieces of %g, %d blocks: %v %s, %d findings", tt.piece, tt.blocks, line.Mark, line.Text.EN, len(d.Findings))
		}
		if tt.guess != "" && (!strings.Contains(line.Text.EN, "too few blocks for a verdict") || len(line.Evidence) == 0) {
			t.Errorf("%+v", line)
		}
		if said := strings.Contains(answertest.Texts(d, layout.English), "Best guess: "); said != (tt.guess != "") {
			t.Errorf("pieces of %g, %d blocks: an answer guesses: %v", tt.piece, tt.blocks, said)
		}
	}
}

// TestChunkingTellsPieces: short pieces, long ones, what a library says of its own, and
// what it says and does not do.
func TestChunkingTellsPieces(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	for _, test := range []struct {
		piece, cost float64
		said        int64
		en, zh      string
	}{
		{5, 29, 0, "pieces of 5 bytes, ", "5 字节的小块，"},
		{5, 29, 1, "pieces of 5 bytes, though the library itself says 1 byte, ", "5 字节的小块（该库自身所报为 1 字节），"},
		{64, 80, 0, "pieces of 64 bytes, ", "64 字节的小块，"},
		{64, 80, 64, "pieces of 64 bytes, as the library itself says, ", "64 字节的小块（与该库自身所报一致），"},
		{1, 6, 0, "pieces of 1 ", "1 "},
	} {
		m := answertest.NewTimings(15)
		handedOver{library: "botan", version: "2.19.3", algorithm: "AES-128", mode: "CTR", piece: test.piece,
			cost: test.cost, said: test.said}.add(m)
		d := m.Document(Question)
		answertest.CheckLayout(t, d)
		if len(d.Findings) != 1 {
			t.Fatalf("pieces of %g bytes: %d findings", test.piece, len(d.Findings))
		}
		f := d.Findings[0]
		if !strings.Contains(f.Text.EN, test.en) || !strings.Contains(f.Text.ZH, test.zh) {
			t.Errorf("pieces of %g bytes: %q, %q", test.piece, f.Text.EN, f.Text.ZH)
		}
	}
}

// TestMended: with two versions side by side it is said in which one a cipher is mended; not where the newer is as bad, nor
// where the newer is the one that is degraded.
func TestMended(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	m := answertest.NewTimings(15)
	for _, v := range []struct {
		version string
		piece   float64
	}{{"3.4.0", 1}, {"3.11.1", 0}, {"2.19.3", 1}} {
		handedOver{library: "botan", version: v.version, algorithm: "AES-128", mode: "OFB", piece: v.piece, cost: 6.2}.add(m)
	}
	for _, version := range []string{"2.19.3", "3.11.1"} {
		handedOver{library: "botan", version: version, algorithm: "AES-128", mode: "CFB", piece: 1, cost: 6.2}.add(m)
	}
	handedOver{library: "openssl", version: "3.0.19", algorithm: "AES-128", mode: "OFB"}.add(m)
	handedOver{library: "openssl", version: "3.5.0", algorithm: "AES-128", mode: "OFB", piece: 1, cost: 6.2}.add(m)
	d := m.Document(Question)
	answertest.CheckLayout(t, d)
	want := "botan: take version 3.11.1 instead of a way around update: in AES-128-OFB update of 3.4.0 works in small pieces, that of 3.11.1 does not."
	if got := answertest.Texts(d, layout.English); !strings.Contains(got, want) || strings.Count(got, "take version") != 1 {
		t.Errorf("no sentence says %q, or others say so too:\n%s", want, got)
	}
	if zh := answertest.Texts(d, layout.Chinese); !strings.Contains(zh, "botan：请改用 3.11.1 版，而不是绕开 update：处理 AES-128-OFB 时，3.4.0 的 update 在内部切成小块，3.11.1 不再如此。") {
		t.Errorf("得到：\n%s", zh)
	}
}

func TestCompareVersions(t *testing.T) {
	for _, v := range []struct {
		a, b string
		want int
	}{{"2.19.3", "3.4.0", -1}, {"3.11.1", "3.4.0", 1}, {"3.4", "3.4.0", 0}, {"3.4.0#2", "3.4.0", 0}, {"3.4.1", "3.4", 1}, {"", "1", -1}} {
		if got := compareVersions(v.a, v.b); got != v.want {
			t.Errorf("%q and %q: %d", v.a, v.b, got)
		}
	}
}

// What somebody must know who writes a workaround is said in both languages beside the code of each.
func TestListings(t *testing.T) {
	for _, l := range workarounds.All() {
		note := arounds[l.Implementation].note
		if note.EN == "" || note.ZH == "" {
			t.Fatalf("%s has no note", l.Implementation)
		}
		found := listings(l.Library, l.Implementation)
		if len(found) != 2 || found[0].Code != l.C || found[1].Code != l.Go {
			t.Fatalf("%s: %+v", l.Implementation, found)
		}
		for _, f := range found {
			if !strings.HasSuffix(f.Title.EN, note.EN) || !strings.HasSuffix(f.Title.ZH, note.ZH) {
				t.Errorf("%s: the title is %+v", l.Implementation, f.Title)
			}
		}
	}
}
