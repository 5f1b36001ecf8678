package reason

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/cryptogauge/cryptogauge/result"
)

var verb = regexp.MustCompile(`%(?:\[(\d)\])?[sq]`)

// TestTable: a code has both texts, and these say the same of as many arguments.
func TestTable(t *testing.T) {
	if records := len(regexp.MustCompile(`\n\n+[^#\n]`).FindAllString(tableText, -1)); records != len(table()) || strings.Contains(tableText, "\n\n\n") {
		t.Errorf("table.txt has %d records, of which %d have three lines", records, len(table()))
	}
	seen := map[string]bool{}
	han := regexp.MustCompile(`\p{Han}`)
	for _, s := range table() {
		if s.code == "" || s.en == "" || s.zh == "" || seen[s.code] {
			t.Errorf("%+v lacks something, or stands twice", s)
		}
		seen[s.code] = true
		en, zh := verb.FindAllStringSubmatch(s.en, -1), verb.FindAllStringSubmatch(s.zh, -1)
		used := map[string]bool{}
		for i, v := range zh {
			used[cmpOr(v[1], strconv.Itoa(i+1))] = true
		}
		if len(used) != len(en) || len(zh) != len(en) {
			t.Errorf("%s: %q has other arguments than %q", s.code, s.zh, s.en)
		}
		words := verb.ReplaceAllString(s.en, "")
		if regexp.MustCompile(`[a-z]{2}`).MatchString(words) && !han.MatchString(s.zh) {
			t.Errorf("%s: %q is not Chinese", s.code, s.zh)
		}
	}
	for _, s := range legacy {
		if now := sentences()[s.code]; now == nil || now.en == s.en || len(verb.FindAllString(now.en, -1)) != len(verb.FindAllString(s.en, -1)) {
			t.Errorf("%+v is of no code, or not of an earlier version", s)
		}
	}
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// writers are the functions that take a code, and which of their arguments it is.
var writers = map[string]int{"New": 0, "Cause": 0, "Timing": 1, "Note": 0, "Absent": 0, "Unsupported": 0, "Incorrect": 0,
	"newFault": 1, "died": 0, "nonsense": 0, "saying": 0}

// TestCodesAreUsed reads the sources: each code that is written is in the table, with as
// many arguments as it has, and each code of the table is written.
func TestCodesAreUsed(t *testing.T) {
	used := map[string]bool{foreign: true}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && path != root || path == filepath.Join(root, "vectors")):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for code, args := range written(file) {
			used[code] = true
			if s := sentences()[code]; s == nil {
				t.Errorf("%s: there is no code %q", path, code)
			} else if n := len(verb.FindAllString(s.en, -1)); args >= 0 && args != n {
				t.Errorf("%s: %q has %d arguments, not %d", path, code, n, args)
			}
		}
		return nil
	})
	if err != nil || len(used) < 100 {
		t.Fatal(err, len(used))
	}
	said := saidWithoutCodes(t, "stat", filepath.Join("internal", "clock"))
	for _, s := range table() {
		if !used[s.code] && !said[s.en] {
			t.Errorf("nobody gives the reason %q", s.code)
		}
	}
}

// written are the codes in a file, with the number of their arguments; -1 where a list is passed on.
func written(file *ast.File) map[string]int {
	codes := map[string]int{}
	reasons := slices.ContainsFunc(file.Imports, func(s *ast.ImportSpec) bool {
		return strings.HasSuffix(s.Path.Value, `/internal/reason"`) || strings.HasSuffix(s.Path.Value, `/internal/provider"`)
	}) || slices.Contains([]string{"reason", "provider", "worker"}, file.Name.Name)
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || !reasons {
			return true
		}
		name, of := "", ""
		switch f := call.Fun.(type) {
		case *ast.Ident:
			name = f.Name
		case *ast.SelectorExpr:
			name = f.Sel.Name
			if x, ok := f.X.(*ast.Ident); ok {
				of = x.Name
			}
		}
		at, ok := writers[name]
		if !ok || name == "New" && of != "reason" || len(call.Args) <= at {
			return true
		}
		if code, ok := stringOf(call.Args[at]); ok {
			codes[code] = len(call.Args) - at - 1
			if call.Ellipsis.IsValid() {
				codes[code] = -1
			}
		}
		return true
	})
	return codes
}

func stringOf(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		return s, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		x, isX := stringOf(e.X)
		y, isY := stringOf(e.Y)
		return x + y, isX && isY
	case *ast.SelectorExpr:
		return GivenUp, e.Sel.Name == "GivenUp"
	}
	return "", false
}

// saidWithoutCodes are the sentences of packages stat, which is public, and clock, which
// has no use for codes: the table knows them all.
func saidWithoutCodes(t *testing.T, pkgs ...string) map[string]bool {
	t.Helper()
	said := map[string]bool{}
	var files []string
	for _, pkg := range pkgs {
		of, err := filepath.Glob(filepath.Join("..", "..", pkg, "*.go"))
		if err != nil || len(of) == 0 {
			t.Fatal(err, pkg)
		}
		files = append(files, of...)
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok {
				if s, ok := stringOf(e); ok {
					said[regexp.MustCompile(`%(\.0f|\.4g|[dvw])`).ReplaceAllString(s, "%s")] = true
					return false // nor are the parts of a sentence sentences
				}
			}
			return true
		})
	}
	return said
}

// TestStatisticsAreSaid: what a fit or a statistic gives as its reason, or warns of, stands
// in the table, so that reports word it in Chinese too.
func TestStatisticsAreSaid(t *testing.T) {
	sentence := regexp.MustCompile(`[a-z]{2,} ([^ ]+ )*[a-z]{2,}`)
	// What a sentence of package stat has as an argument: readings that it names.
	arguments := []string{"%s bytes in %s calls (%+.3g %%)"}
	known := map[string]bool{}
	for _, s := range table() {
		known[s.en] = true
	}
	said := 0
	for en := range saidWithoutCodes(t, "stat") {
		if !sentence.MatchString(verb.ReplaceAllString(en, "")) || slices.Contains(arguments, en) {
			continue
		}
		if said++; !known[en] {
			t.Errorf("package stat says %q, which the table has not", en)
		}
	}
	if said < 25 {
		t.Errorf("only %d sentences of package stat were found", said)
	}
}

func TestText(t *testing.T) {
	inner := New("wrong-from", 3, "0x01", "0x02")
	for _, test := range []struct {
		err    error
		en, zh string
	}{
		{New("not-run"), "there is no output to check: nothing ran since the last check", "没有可核对的输出：上次核对之后没有任何运行"},
		{New("goroutines-wrong", 96, 4, 89, inner), "of 96 outputs by 4 concurrent goroutines, 89 were wrong; the first: the output is wrong from byte 3 on (0x01, should be 0x02)",
			"4 个 goroutine 同时使用时，96 个结果中有 89 个错误，首个错误：输出自第 3 字节起错误（为 0x01，应为 0x02）"},
		{New("sealing", 64, errors.New("cipher: bad nonce")), "sealing 64 bytes: cipher: bad nonce", "加密 64 字节时：“cipher: bad nonce”"},
		{New("making-file", "/tmp", syscall.EROFS), "making a file in /tmp: read-only file system", "无法在 /tmp 中创建文件（文件系统只读）"},
		{New("unknown-verb", "sing"), `unknown verb "sing"`, `未知的请求 "sing"`},
	} {
		if got := Text(Of(test.err)); got.EN != test.en || got.ZH != test.zh || test.err.Error() != test.en {
			t.Errorf("%+v, want %q and %q", got, test.en, test.zh)
		}
	}
	if err := New("opening", 1, 2, inner).Wrapping(errors.ErrUnsupported); !errors.Is(err, inner) || !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("%v wraps nothing", err)
	}
	if got := Text(result.Cause{Code: "of another version"}); got.EN != "" || got.ZH != "" {
		t.Errorf("%+v", got)
	}
	if got := Said("what it was", result.Cause{Code: "of another version"}); got.EN != "what it was" {
		t.Errorf("%+v", got)
	}
}

// TestParse: what a run file of an earlier version says in English alone.
func TestParse(t *testing.T) {
	for en, want := range map[string]string{
		"of 96 outputs of 4 goroutines at once 89 were wrong, the first so: the tag is wrong from byte 1024 of the output on (tag byte 0); the body is right": "" +
			"4 个 goroutine 同时使用时，96 个结果中有 89 个错误，首个错误：认证标签自输出第 1024 字节（标签第 0 字节）起错误；密文正确",
		"/tmp does not exist; set TMPDIR or --dir to a directory that does": "" +
			"/tmp 不存在；请将 TMPDIR 或 --dir 设为已有的目录",
		"making a file in /tmp: read-only file system; set TMPDIR or --dir to another directory": "" +
			"无法在 /tmp 中创建文件（文件系统只读）；请将 TMPDIR 或 --dir 设为其他目录",
		"/tmp has 3 MiB left, and the files need 40 MiB at a time; set TMPDIR or --dir to another directory, or give a smaller --total (streaming) or fewer --chunks": "" +
			"/tmp 仅剩 3 MiB，而文件同时需要 40 MiB；请将 TMPDIR 或 --dir 设为其他目录，或减小 --total（streaming）、减少 --chunks",
		"the output is wrong from byte 3 on (0x01, should be 0x02)": "" +
			"输出自第 3 字节起错误（为 0x01，应为 0x02）",
		"the S-box is computed with vector instructions (avx2+gfni), without tables": "" +
			"S 盒用向量指令计算（avx2+gfni），不查表",
		"the S-box is a table lookup in Go (sm4/sm4.go)": "" +
			"S 盒用 Go 代码查表实现（sm4/sm4.go）",
		"of 2 outputs of 2 goroutines at once 1 were wrong, the first so: nobody knows": "" +
			"2 个 goroutine 同时使用时，2 个结果中有 1 个错误，首个错误：“nobody knows”",
		"of 16 outputs of 4 goroutines at once 15 were wrong, the first so: an authentic message was refused: cipher: x": "" +
			"4 个 goroutine 同时使用时，16 个结果中有 15 个错误，首个错误：合法消息被拒绝：“cipher: x”",
		"tampered text was opened without an error: one bit of the tag flipped, in byte 1039": "" +
			"密文翻转一位（认证标签，第 1039 字节）后仍照常解密，不报错",
		"it wrote 8 bytes past the end of its output of 5000 bytes": "" +
			"越过长度为 5000 字节的输出缓冲区末尾，多写了 8 字节",
		"sealing 64 bytes: botan_cipher_update says that it wrote 0 bytes, and it had to be 64": "" +
			"加密 64 字节时：botan_cipher_update 报告写出 0 字节，应为 64 字节",
		"/a.so has no function f, which every Botan has since 2.19": "" +
			"/a.so 中没有函数 f，而 Botan 自 2.19 起均有该函数",
		"/a.so lacks 7 functions, f, g, h among them": "" +
			"/a.so 缺少 7 个函数，其中包括“f, g, h”",
		"/a.so was replaced while the run went on: its SHA-256 began with 0a, and begins with 1b now": "" +
			"/a.so 在运行期间被替换：SHA-256 原以 0a 开头，现以 1b 开头",
		"SIGSEGV: segmentation violation, in the library's own code": "" +
			"SIGSEGV（段错误），发生在密码库自身的代码中",
		"it ended with exit status 7":                                      "进程结束（退出状态 7）",
		"it ended with signal: killed: some words":                         "进程结束（信号 killed）：“some words”",
		"given up after two calls that did not return":                     "两次调用均未返回，已放弃该库",
		`no answer to "run" in time; it was killed`:                        `对 "run" 请求未及时应答，工作进程已被终止`,
		"with the handle made last: the output is wrong":                   "使用最后创建的实例：输出错误",
		"9 goroutines take about 3 MiB, and 1 MiB of memory are to be had": "9 个 goroutine 约需 3 MiB，而可用内存为 1 MiB",
		"2 blocks are too few to look for steps in, it takes 4":            "2 个数据组不足以寻找台阶，至少需要 4 个",
		"what nobody translated":                                           "“what nobody translated”",
		"opening the cycle counter: the CPU or its hypervisor offers no counters, no PMU (ENOENT)": "" +
			"无法打开周期计数器：CPU 或虚拟化层不提供性能计数器（PMU）（ENOENT）",
		"opening the cycle counter: not permitted with kernel.perf_event_paranoid=4; 2 or less would do (EACCES)": "" +
			"无法打开周期计数器：权限不足：kernel.perf_event_paranoid=4，该值须为 2 或更小（EACCES）",
		"opening the cycle counter: unsupported operation on this system": "无法打开周期计数器：本系统不支持该操作",
		"opening the cycle counter: refused (EBUSY)":                      "无法打开周期计数器：被拒绝（EBUSY）",
		"the CPU's clock was more than 3 % off the run's median in 3 of 18 samples; times are given at its usual rate, of which they follow 7.7 %": "" +
			"18 个采样中有 3 个的 CPU 主频偏离全程中位数超过 3%；耗时已按常用主频换算，其中随主频变化的部分为 7.7%",
		"": "",
	} {
		if got := Text(Parse(en)); got.ZH != want {
			t.Errorf("%q is\n%q, want\n%q", en, got.ZH, want)
		}
	}
}

// TestParseFinds: each sentence of the table is known by its English text, but for those
// that have hardly a letter of their own.
func TestParseFinds(t *testing.T) {
	lost := map[string]bool{}
	for _, s := range table() {
		args := make([]any, len(verb.FindAllString(s.en, -1)))
		for i := range args {
			args[i] = "x" + strconv.Itoa(i)
		}
		c := Cause(s.code, args...)
		if got := Parse(English(c)); Text(got) != Text(c) {
			lost[s.code] = true
		}
	}
	if len(lost) > 30 {
		t.Errorf("%d of %d: %v", len(lost), len(table()), slices.Sorted(maps.Keys(lost)))
	}
	t.Log(slices.Sorted(maps.Keys(lost)))
}

// TestNotes: what libraries note stands in notes.txt in both languages, and nothing else.
func TestNotes(t *testing.T) {
	han := regexp.MustCompile(`\p{Han}`)
	said := map[string]bool{}
	add := func(en string) {
		en = regexp.MustCompile(`%(\[\d\])?[ds]`).ReplaceAllString(en, "%s")
		for part := range strings.SplitSeq(strings.TrimSuffix(en, "; "), "; ") {
			said[strings.TrimPrefix(part, "%s")] = true
		}
	}
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() != "testdata" {
			if of, _ := filepath.Glob(filepath.Join(path, "*.go")); len(of) > 0 && strings.Contains(path, "internal") {
				for en := range saidWithoutCodes(t, strings.TrimPrefix(path, filepath.Join("..", "..")+string(filepath.Separator))) {
					add(en)
				}
			}
		}
		return err
	})
	if err != nil || len(notes()) < 80 {
		t.Fatal(err, len(notes()))
	}
	for _, name := range []string{"python/worker.py", "java/src/main/java/cryptogauge/Library.java"} { // in other languages
		text, err := os.ReadFile(filepath.Join("..", "..", "workers", name))
		if err != nil {
			t.Fatal(err)
		}
		said[string(text)] = true
	}
	together := strings.Join(slices.Collect(maps.Keys(said)), "\n")
	for _, n := range notes() {
		if !han.MatchString(n.zh) || len(verb.FindAllString(n.en, -1)) != len(verb.FindAllString(n.zh, -1)) {
			t.Errorf("%q has no Chinese, or of other arguments: %q", n.en, n.zh)
		}
		if piece := slices.MaxFunc(n.pieces, func(x, y string) int { return len(x) - len(y) }); !strings.Contains(together, piece[:min(len(piece), 30)]) { // the rest may be joined to it
			t.Errorf("nobody notes %q", n.en)
		}
	}
	for _, note := range legacyNotes {
		was, now := Note(note[0]), Note(note[1])
		if !slices.ContainsFunc(notes(), func(p pattern) bool { return p.en == note[1] }) || was.ZH != now.ZH || was.EN != note[0] {
			t.Errorf("%q is said as %q, and %q as %q", note[0], was.ZH, note[1], now.ZH)
		}
	}
	en := "one call is 64 messages and one crossing; 2 goroutines that live on take 16 at a time from a channel with room for 128 such items; sm4.NewCipher; mine alone"
	want := "一次调用包含 64 条消息，跨越语言边界一次；2 个常驻 goroutine，每次从 channel 取 16 条（channel 容量 128 项）；sm4.NewCipher；“mine alone”"
	if got := Note(en); got.EN != en || got.ZH != want {
		t.Errorf("%+v", got)
	}
}

// TestOne: what is said of several is said of one in the singular, and no other number is taken for one.
func TestOne(t *testing.T) {
	for blocks, want := range map[string]string{
		"1":  "1 block is too few for an interval at 90 %: the value stands alone",
		"11": "11 blocks are too few for an interval at 90 %: the value stands alone",
		"2":  "2 blocks are too few for an interval at 90 %: the value stands alone",
	} {
		if got := English(result.Cause{Code: "interval-blocks", Args: []result.Argument{{Text: blocks}}}); got != want {
			t.Errorf("%s: %q, want %q", blocks, got, want)
		}
	}
}
