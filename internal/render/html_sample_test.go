package render

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"math/rand/v2"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// sampleDocument is a run such as experiment modes leaves it, made up: four
// libraries, two ciphers, five modes, five sizes, and every kind of doubt.
func sampleDocument() *document.Document {
	s := &sampler{rng: rand.New(rand.NewPCG(1, 2)), doc: sampleHeader()}
	for _, cipher := range []string{"SM4", "AES-128"} {
		for _, mode := range []string{"ECB", "CBC", "CTR", "GCM", "CBC+HMAC-SM3"} {
			for _, lib := range sampleLibraries {
				for _, size := range sampleSizes {
					s.row(cipher, mode, lib, size)
				}
			}
		}
	}
	s.compare("SM4", "CBC", "ECB", 16384, "faster")
	s.compare("SM4", "GCM", "CTR", 16384, "faster")
	s.compare("SM4", "CTR", "ECB", 16384, "same")
	s.compare("SM4", "ECB", "CBC", 16384, "slower")
	s.compare("SM4", "GCM", "GCM", 64, "inconclusive")
	s.fits()
	s.layout()
	return s.doc
}

var sampleSizes = []int64{64, 1 << 10, 16 << 10, 1 << 20, 10 << 20}

type sampleLibrary struct {
	name, version, kernel string
	rate, fixed           float64
}

var sampleLibraries = []sampleLibrary{
	{"go", "go1.26.0", "aesni+pclmul", 5.2e9, 40},
	{"gmsm", "v0.44.0", "avx2+gfni", 3.9e8, 95},
	{"tjfoc", "v1.4.1", "generic", 8.4e7, 160},
	{"cryptogauge", "v0.1.0", "avx512+gfni", 2.1e9, 70},
}

func sampleHeader() *document.Document {
	seconds := 252.4
	run := &result.Run{}
	for _, name := range []string{"plain", "ecb", "cbc", "ctr"} {
		run.Artifacts = append(run.Artifacts, result.Artifact{Name: "picture/" + name + ".png", MediaType: "image/png", Data: samplePicture(name)})
	}
	return &document.Document{
		Schema: document.Schema, Tool: "v0.1.0-dev (a1b2c3d)", Suite: "modes", Command: []string{"run", "modes", "--sizes", "64,1KiB,16KiB,1MiB,10MiB"},
		Libraries: []result.Library{
			{Library: "go", Version: "go1.26.0", Implementation: "aesni+pclmul", CallPath: "go"},
			{Library: "gmsm", Version: "v0.44.0", Implementation: "avx2+gfni", CallPath: "go"},
			{Library: "openssl", Version: "3.0.22", CallPath: "cgo", Path: "/usr/lib/x86_64-linux-gnu/libcrypto.so.3", SHA256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}},
		Started: time.Date(2025, 11, 20, 11, 53, 7, 0, time.UTC), Seconds: &seconds, Seed: 7, NoiseFloor: 0.0021,
		Trust: document.Trust{Level: "fair", Reasons: []layout.Text{
			{EN: "the hypervisor gave 1.4 % of the CPU time to others", ZH: "虚拟机监控器将 1.4% 的 CPU 时间分配给了其他实例"},
			{EN: "the noise floor is ±0.21 %", ZH: "本底噪声为 ±0.21%"}}},
		Findings: []layout.Finding{
			{Kind: "allocation", Severity: "note", Text: layout.Text{EN: "gmsm allocates once per SM4-GCM call of 64 B.", ZH: "gmsm 每次 64 B 的 SM4-GCM 调用分配一次内存。"}},
			{Kind: "granularity", Severity: "pathological", Text: layout.Text{EN: "tjfoc takes 41 times as long for 1 MiB in 64 B pieces as in one piece.", ZH: "tjfoc 以 64 B 分片处理 1 MiB 的耗时是整块处理的 41 倍。"}}},
		Run: run,
	}
}

type sampler struct {
	rng *rand.Rand
	doc *document.Document
}

// cost is how much of a library's rate a mode leaves.
func (s *sampler) cost(mode string) float64 {
	return map[string]float64{"ECB": 1, "CBC": 0.31, "CTR": 0.97, "GCM": 0.83, "CBC+HMAC-SM3": 0.17}[mode]
}

func (s *sampler) row(cipher, mode string, lib sampleLibrary, size int64) {
	t := result.Trial{Case: result.Case{Algorithm: cipher, Mode: mode, Operation: "encrypt", Bytes: size},
		Subject: result.Subject{Library: lib.name, Version: lib.version, Implementation: lib.kernel, CallPath: "go"}}
	r := &document.Row{ID: t.ID(), Experiment: "modes", Algorithm: cipher, Mode: mode, Operation: "encrypt", Bytes: size,
		Library: lib.name, Version: lib.version, Implementation: lib.kernel, CallPath: "go",
		Status: result.OK, Samples: 105, Blocks: 15, Standard: "GB/T 32907-2016",
		ConstantTime: result.ConstantTime{Value: "yes", Basis: "hardware instructions, no tables"}}
	if lib.name == "tjfoc" {
		r.ConstantTime = result.ConstantTime{Value: "no", Basis: "table look-ups indexed by key and data"}
	}
	switch {
	case lib.name == "tjfoc" && mode == "GCM":
		r.Status, r.Reason = result.Incorrect, "computes the wrong tag, and opens tampered text without an error"
	case lib.name == "go" && cipher == "SM4":
		r.Status, r.Reason = result.Unsupported, "the standard library has no SM4"
	default:
		s.time(r, lib, cipher)
	}
	s.doc.Rows = append(s.doc.Rows, r)
}

func (s *sampler) time(r *document.Row, lib sampleLibrary, cipher string) {
	rate := lib.rate * s.cost(r.Mode)
	if cipher != "SM4" {
		rate *= 1.9
	}
	ns := (lib.fixed + float64(r.Bytes)/rate*1e9) * (1 + 0.02*s.rng.NormFloat64())
	low, high := ns*0.985, ns*1.018
	bps, cycles, allocs := float64(r.Bytes)/ns*1e9, ns*2.7/float64(r.Bytes), 0.0
	r.NsPerOp = &document.Estimate{Median: ns, Low: &low, High: &high, Clock: "cpu"}
	r.BytesPerSecond, r.CyclesPerByte, r.AllocsPerOp = &bps, &cycles, &allocs
	if r.Library == "gmsm" && r.Mode == "GCM" && r.Bytes == 64 {
		allocs = 1
		r.NsPerOp.Clock = "process"
		r.Warnings = []string{"process CPU time is 1.04 times the measuring thread's"}
		r.Notes = []layout.Text{{EN: "other threads, such as a garbage collector, worked for this one: process CPU time is shown", ZH: "另有线程（如垃圾回收）参与工作，此处为进程 CPU 时间"}}
	}
}

func (s *sampler) find(cipher, mode, lib string, size int64) *document.Row {
	for _, r := range s.doc.Rows {
		if r.Algorithm == cipher && r.Mode == mode && r.Library == lib && r.Bytes == size {
			return r
		}
	}
	return nil
}

func (s *sampler) compare(cipher, base, other string, size int64, verdict string) {
	a, b := s.find(cipher, base, "gmsm", size), s.find(cipher, other, "gmsm", size)
	ratio := a.NsPerOp.Median / b.NsPerOp.Median
	switch verdict {
	case "same":
		ratio = 1.001
	case "inconclusive":
		b, ratio = s.find(cipher, other, "cryptogauge", size), 1.012
	}
	low, high := ratio*0.997, ratio*1.003
	if verdict == "inconclusive" {
		low, high = 0.981, 1.044
	}
	id := fmt.Sprintf("%s|%s", a.ID, b.ID)
	s.doc.Comparisons = append(s.doc.Comparisons, document.Comparison{ID: id, Base: a.ID, Other: b.ID, Ratio: ratio, Low: &low, High: &high,
		Verdict: verdict, Headline: true, Clock: "cpu", Level: 0.998, Blocks: 15})
}

func (s *sampler) fits() {
	for _, lib := range sampleLibraries[1:] {
		f := document.Fit{Model: "affine", OK: true, RMS: 0.021, Terms: map[string]float64{"fixed_ns": lib.fixed, "ns_per_byte": 1e9 / lib.rate,
			"bytes_per_second": lib.rate, "half_size_bytes": lib.fixed * lib.rate / 1e9}}
		for _, size := range sampleSizes {
			f.RowIDs = append(f.RowIDs, s.find("SM4", "ECB", lib.name, size).ID)
		}
		s.doc.Fits = append(s.doc.Fits, f)
	}
	bad := s.doc.Fits[0]
	bad.OK, bad.RMS, bad.Reason = false, 0.22, "rms is above 15 %"
	s.doc.Fits = append(s.doc.Fits, bad)
	s.doc.Crossovers = []document.Crossover{
		{A: s.doc.Fits[0].RowIDs[0], B: s.doc.Fits[2].RowIDs[0], Bytes: &document.Estimate{Median: 812}},
		{A: s.doc.Fits[2].RowIDs[0], B: s.doc.Fits[1].RowIDs[0]}}
}

func (s *sampler) layout() {
	c := s.doc.Comparisons
	row := func(mode, lib string) string { return s.find("SM4", mode, lib, 16384).ID }
	l := layout.Layout{Experiment: "modes",
		Title:    layout.Text{EN: "Block cipher modes of operation", ZH: "分组密码工作模式"},
		Question: layout.Text{EN: "What do the modes of SM4 and AES cost on this machine, and what do the fast ones give away?", ZH: "SM4 与 AES 的各工作模式在本机上代价几何？快的模式又牺牲了什么？"},
		Answers: []layout.Answer{
			{Mark: layout.Stop, Text: layout.Text{
				EN: "SM4-ECB repeats itself: of 4,096 structured records 31 % of the ciphertext blocks occur more than once, so the pattern of the plaintext shows.",
				ZH: "SM4-ECB（电码本）会重复：4096 条结构化记录中有 31% 的密文分组出现不止一次，明文的模式因此可见。"}, Evidence: []string{row("ECB", "gmsm")}, Short: true},
			{Mark: layout.Stop, Text: layout.Text{EN: "tjfoc's own SM4-GCM computes a wrong tag and opens tampered text; no speed is shown for it.",
				ZH: "tjfoc 自带的 SM4-GCM 计算出错误的标签，并接受被篡改的密文；不给出其速度。"}, Evidence: []string{row("GCM", "tjfoc")}, Short: true},
			{Mark: layout.Choose, Text: layout.Text{
				EN: "SM4-CTR encrypts 3.1 times as fast as SM4-CBC with gmsm at 16 KiB, since its blocks do not wait for each other; where integrity matters take SM4-GCM.",
				ZH: "在 gmsm 中、16 KiB 时，SM4-CTR 的加密速度是 SM4-CBC（密文分组链接）的 3.1 倍，因为各分组无须相互等待；需要完整性时选用 SM4-GCM。"},
				Evidence: []string{c[0].ID, c[1].ID, c[2].ID, c[3].ID, row("CTR", "gmsm"), row("CTR", "cryptogauge"), row("CBC", "gmsm")}},
			{Mark: layout.Beware, Text: layout.Text{EN: "Bare CBC has no integrity: beside GCM compare SM4-CBC with HMAC-SM3, which reaches 17 % of ECB's rate.",
				ZH: "单独的 CBC 不提供完整性：与 GCM 相比时应取 SM4-CBC 加 HMAC-SM3（密码杂凑算法），其速率为 ECB 的 17%。"}, Evidence: []string{row("CBC+HMAC-SM3", "gmsm")}},
			{Mark: layout.Unclear, Text: layout.Text{EN: "SM4-GCM at 64 B, cryptogauge or gmsm: inconclusive, the ratio is between 0.98 and 1.04.",
				ZH: "64 B 时无法判定 cryptogauge 与 gmsm 的 SM4-GCM 孰快：置信区间为 0.98 至 1.04。"}, Evidence: []string{c[4].ID}},
			{Mark: layout.Plain, Text: layout.Text{EN: "The empty operation costs 2.1 ns per call.", ZH: "空操作每次调用耗时 2.1 ns。"}}},
		Next: []layout.Next{{Command: "cryptogauge run modes --sizes 16KiB --operations decrypt"}},
	}
	l.Charts = []layout.Chart{s.speed("SM4", "ECB"), s.speed("SM4", "GCM"), s.ratios()}
	l.Tables = []layout.Table{s.matrix(), s.sizes()}
	for _, p := range []layout.Text{{EN: "plain", ZH: "明文"}, {EN: "ecb", ZH: "ECB"}, {EN: "cbc", ZH: "CBC"}, {EN: "ctr", ZH: "CTR"}} {
		title := layout.Text{EN: "SM4-" + p.ZH, ZH: "SM4-" + p.ZH}
		if p.EN == "plain" {
			title = layout.Text{EN: "Plaintext", ZH: "明文"}
		}
		l.Pictures = append(l.Pictures, layout.Picture{Title: title, Artifact: "picture/" + p.EN + ".png", Caption: layout.Text{EN: "64 × 64 pixels, a block each", ZH: "64 × 64 像素，每像素一个分组"}})
	}
	l.Pictures = append(l.Pictures, layout.Picture{Title: layout.Same("SM4-GCM"), Artifact: "picture/missing.png"})
	s.doc.Layouts = []layout.Layout{l}
	s.doc.Answers = l.Answers
}

func (s *sampler) speed(cipher, mode string) layout.Chart {
	c := layout.Chart{Title: layout.Text{EN: cipher + "-" + mode + ", encryption", ZH: cipher + "-" + mode + " 加密"},
		Caption: layout.Text{EN: "gmsm and cryptogauge use GFNI; tjfoc uses tables.", ZH: "gmsm 与 cryptogauge 使用 GFNI；tjfoc 使用查表。"}}
	for _, lib := range sampleLibraries {
		if lib.name == "go" && cipher == "SM4" {
			continue
		}
		series := layout.Series{Name: layout.Same(lib.name + " " + lib.version + " " + lib.kernel), New: lib.name == "cryptogauge"}
		for _, size := range sampleSizes {
			r := s.find(cipher, mode, lib.name, size)
			if r.Status == result.Incorrect {
				y := lib.rate * s.cost(mode) / (1 + lib.fixed*lib.rate/1e9/float64(size))
				series.Struck = true
				series.Points = append(series.Points, layout.Point{X: float64(size), Y: y, Low: y, High: y, RowID: r.ID})
				continue
			}
			n := float64(size) * 1e9
			series.Points = append(series.Points, layout.Point{X: float64(size), Y: *r.BytesPerSecond, Low: n / *r.NsPerOp.High, High: n / *r.NsPerOp.Low, RowID: r.ID})
		}
		if !series.Struck {
			series.Model = func(x float64) float64 { return x / (lib.fixed + x/(lib.rate*s.cost(mode))*1e9) * 1e9 }
		}
		c.Series = append(c.Series, series)
	}
	return c
}

func (s *sampler) ratios() layout.Chart {
	labels := []layout.Text{{EN: "ECB over CBC, encryption, 16 KiB", ZH: "ECB 对 CBC，加密，16 KiB"}, {EN: "CTR over GCM, encryption, 16 KiB", ZH: "CTR 对 GCM，加密，16 KiB"},
		{EN: "ECB over CTR, encryption, 16 KiB", ZH: "ECB 对 CTR，加密，16 KiB"}, {EN: "CBC over ECB, encryption, 16 KiB", ZH: "CBC 对 ECB，加密，16 KiB"},
		{EN: "cryptogauge over gmsm, GCM, 64 B", ZH: "cryptogauge 对 gmsm，GCM，64 B"}}
	c := layout.Chart{Title: layout.Text{EN: "SM4: ratios of speeds", ZH: "SM4：速度之比"}, Caption: layout.Text{EN: "Paired by round, in the same run.", ZH: "同一次运行中按轮次配对。"}}
	for i, cmp := range s.doc.Comparisons {
		c.Ratios = append(c.Ratios, layout.Ratio{Label: labels[i], Value: cmp.Ratio, Low: *cmp.Low, High: *cmp.High, HasInterval: true, Verdict: cmp.Verdict, Says: cmp.VerdictText(), ID: cmp.ID})
	}
	return c
}

func (s *sampler) matrix() layout.Table {
	yes, no := layout.Text{EN: "yes", ZH: "是"}, layout.Text{EN: "no", ZH: "否"}
	t := layout.Table{Title: layout.Text{EN: "Which mode", ZH: "模式选择"}, Caption: layout.Text{EN: "Rates are gmsm's at 16 KiB.", ZH: "速率取 gmsm 在 16 KiB 时的数值。"},
		Columns: []layout.Column{{Title: layout.Text{EN: "Mode", ZH: "工作模式"}}, {Title: layout.Text{EN: "Standard", ZH: "标准"}}, {Title: layout.Text{EN: "Parallel", ZH: "可并行"}},
			{Title: layout.Text{EN: "Integrity", ZH: "完整性"}},
			{Title: layout.Text{EN: "Constant time", ZH: "恒定时间"}}, {Title: layout.Text{EN: "Rate", ZH: "速率"}, Numeric: true}, {Title: layout.Text{EN: "Typical use", ZH: "典型用途"}}}}
	uses := map[string]layout.Text{"ECB": {EN: "none", ZH: "无"}, "CBC": {EN: "old protocols", ZH: "旧协议"}, "CTR": {EN: "disks, streams", ZH: "磁盘、流"}, "GCM": {EN: "networks",
		ZH: "网络"}, "CBC+HMAC-SM3": {EN: "国密 deployments", ZH: "国密应用"}}
	for i, mode := range []string{"ECB", "CBC", "CTR", "GCM", "CBC+HMAC-SM3"} {
		r := s.find("SM4", mode, "gmsm", 16384)
		integrity := no
		if i > 2 {
			integrity = yes
		}
		row := layout.TableRow{RowID: r.ID, Cells: []layout.Cell{{Text: layout.Same("SM4-" + mode)}, {Text: layout.Same("GB/T 17964-2021")}, {Text: yes}, {Text: integrity}, {Text: yes},
			{Text: layout.Same(layout.FormatRate(*r.BytesPerSecond))}, {Text: uses[mode]}}}
		if i == 0 {
			row.Group = layout.Text{EN: "Without integrity", ZH: "不保护完整性"}
		}
		if i == 3 {
			row.Group = layout.Text{EN: "With integrity", ZH: "保护完整性"}
		}
		if mode == "CBC" {
			row.Cells[2] = layout.Cell{Text: layout.Text{EN: "decryption", ZH: "仅解密"}, Footnotes: []layout.Text{{EN: "a block waits for the one before it", ZH: "每个分组须等待前一分组"}}}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (s *sampler) sizes() layout.Table {
	t := layout.Table{Title: layout.Text{EN: "Throughput of SM4-GCM", ZH: "SM4-GCM 的吞吐量"}, Columns: []layout.Column{{Title: layout.Text{EN: "Library", ZH: "密码库"}}}}
	for _, size := range sampleSizes {
		t.Columns = append(t.Columns, layout.Column{Title: layout.Same(layout.FormatSize(size)), Numeric: true})
	}
	for _, lib := range sampleLibraries {
		row := layout.TableRow{Cells: []layout.Cell{{Text: layout.Same(lib.name), New: lib.name == "cryptogauge"}}}
		for _, size := range sampleSizes {
			r := s.find("SM4", "GCM", lib.name, size)
			switch r.Status {
			case result.OK:
				c := layout.Cell{Text: layout.Same(layout.FormatRate(*r.BytesPerSecond))}
				c.Footnotes = r.Notes
				row.Cells = append(row.Cells, c)
			case result.Incorrect:
				row.Cells = append(row.Cells, layout.Cell{Text: layout.Text{EN: "incorrect", ZH: "结果错误"}, Struck: true, Footnotes: []layout.Text{{EN: "wrong tag; opens tampered text", ZH: "标签错误；接受被篡改的密文"}}})
			default:
				row.Cells = append(row.Cells, layout.Cell{Text: layout.Text{EN: "unsupported", ZH: "不支持"}, Faint: true, Footnotes: []layout.Text{{EN: "the standard library has no SM4", ZH: "标准库没有 SM4"}}})
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// samplePicture stands for a drawn picture and what its encryptions look like.
func samplePicture(name string) []byte {
	const n = 64
	rng := rand.New(rand.NewPCG(3, uint64(len(name)*int(name[1]))))
	img := image.NewGray(image.Rect(0, 0, n, n))
	for y := range n {
		for x := range n {
			v := uint8(rng.IntN(256))
			r := math.Hypot(float64(x-n/2), float64(y-n/2))
			ring := int(r/6)%2 == 0
			switch {
			case name == "plain" && ring:
				v = 235
			case name == "plain":
				v = 60
			case name == "ecb" && ring:
				v = uint8(90 + 70*((x+y)%2))
			case name == "ecb":
				v = uint8(30 + 180*(x%2))
			}
			img.SetGray(x, y, color.Gray{Y: v})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic(err)
	}
	return b.Bytes()
}
