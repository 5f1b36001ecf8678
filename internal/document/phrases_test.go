package document

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestEveryBasisIsTranslated reads the providers' sources, of all architectures: why
// a time depends on secrets or not must stand in Chinese reports in Chinese.
func TestEveryBasisIsTranslated(t *testing.T) {
	found := 0
	err := filepath.WalkDir(filepath.Join("..", "library"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if kv, ok := n.(*ast.KeyValueExpr); ok {
				if key, ok := kv.Key.(*ast.Ident); ok && key.Name == "Basis" {
					found++
					if en := literal(kv.Value); Phrase(en).ZH == en {
						t.Errorf("%s: no Chinese for %q", path, en)
					}
				}
			}
			return true
		})
		return nil
	})
	if err != nil || found < len(phrases)-1 {
		t.Errorf("%d found, for %d translations: %v", found, len(phrases), err)
	}
}

// literal is the text of an expression, "x" for what is computed in it.
func literal(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return literal(e.X) + literal(e.Y)
	case *ast.BasicLit:
		if s, err := strconv.Unquote(e.Value); err == nil {
			return s
		}
	}
	return "x"
}

func TestPhrase(t *testing.T) {
	for en, want := range map[string]string{
		"of 96 outputs of 4 goroutines at once 89 were wrong, the first so: the tag is wrong from byte 1024 of the output on (tag byte 0); the body is right":         "4 个 goroutine 同时使用时，96 个结果中有 89 个错误，首个错误：认证标签自输出第 1024 字节（标签第 0 字节）起错误；密文正确",
		"/tmp does not exist; set TMPDIR or --dir to a directory that does":                                                                                           "/tmp 不存在；请将 TMPDIR 或 --dir 设为已有的目录",
		"making a file in /tmp: read-only file system; set TMPDIR or --dir to another directory":                                                                      "无法在 /tmp 中创建文件（read-only file system）；请将 TMPDIR 或 --dir 设为其他目录",
		"/tmp has 3 MiB left, and the files need 40 MiB at a time; set TMPDIR or --dir to another directory, or give a smaller --total (streaming) or fewer --chunks": "/tmp 仅剩 3 MiB，而文件同时需要 40 MiB；请将 TMPDIR 或 --dir 设为其他目录，或减小 --total（streaming）、减少 --chunks",
		"the output is wrong from byte 3 on (0x01, should be 0x02)":                                                                                                   "输出自第 3 字节起错误（为 0x01，应为 0x02）",
		"the S-box is computed with vector instructions (avx2+gfni), without tables":                                                                                  "S 盒用向量指令计算（avx2+gfni），不查表",
		"the S-box is a table lookup in Go (sm4/sm4.go)":                                                                                                              "S 盒用 Go 代码查表实现（sm4/sm4.go）",
		"of 2 outputs of 2 goroutines at once 1 were wrong, the first so: nobody knows":                                                                               "2 个 goroutine 同时使用时，2 个结果中有 1 个错误，首个错误：nobody knows",
		"of 16 outputs of 4 goroutines at once 15 were wrong, the first so: an authentic message was refused: cipher: x":                                              "4 个 goroutine 同时使用时，16 个结果中有 15 个错误，首个错误：真实的消息被拒绝：cipher: x",
		"it wrote 8 bytes past the end of its output of 5000 bytes":                                                                                                   "越过长度为 5000 字节的输出缓冲区末尾，多写了 8 字节",
		"sealing 64 bytes: botan_cipher_update says that it wrote 0 bytes, and it had to be 64":                                                                       "加密 64 字节时：botan_cipher_update 报告的字节数为 0，与应有的 64 不符",
		"/a.so has no function f, which every Botan has since 2.19":                                                                                                   "/a.so 中没有函数 f，而 Botan 自 2.19 起均有该函数",
		"/a.so lacks 7 functions, f, g, h among them":                                                                                                                 "/a.so 缺少 7 个函数，其中包括 f, g, h",
		"/a.so was replaced while the run went on: its SHA-256 began with 0a, and begins with 1b now":                                                                 "/a.so 在运行期间被替换：其 SHA-256 原以 0a 开头，现以 1b 开头",
		"SIGSEGV: segmentation violation, in the library's own code":                                                                                                  "SIGSEGV（segmentation violation），发生在密码库自身的代码中",
		"it ended with exit status 7":              "进程结束（exit status 7）",
		"it ended with signal: killed: some words": "进程结束（signal: killed）：some words",
		"what nobody translated":                   "what nobody translated",
	} {
		if got := Phrase(en); got.EN != en || got.ZH != want {
			t.Errorf("%q is %q, want %q", en, got.ZH, want)
		}
	}
}
