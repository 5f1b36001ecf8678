package language

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
)

// Errorf is [fmt.Errorf] in both languages: the same arguments, of which texts and
// errors take part in their own language. The Chinese format has %s in the place of %w.
func Errorf(en, zh string, args ...any) error {
	return &both{fmt.Errorf(en, spoken(English, args)...), Sprintf(Chinese, zh, spoken(Chinese, args)...)}
}

// Error is [errors.New] in both languages.
func Error(en, zh string) error { return &both{errors.New(en), zh} }

type both struct {
	error
	zh string
}

func (b *both) Unwrap() error { return b.error }
func (b *both) Text() Text    { return Text{b.Error(), b.zh} }

// Of is what an error says in both languages: one that knows says it itself, of one that
// wraps another the other's words are exchanged, and of the system's the usual ones are known.
func Of(err error) Text {
	en := err.Error()
	switch e := err.(type) {
	case interface{ Text() Text }:
		return e.Text()
	case interface{ Chinese() string }: // of the public packages, which know no texts
		return Text{en, e.Chinese()}
	case *fs.PathError:
		return Text{en, doing(e.Op) + " " + e.Path + "：" + Of(e.Err).ZH}
	case *os.LinkError:
		return Text{en, doing(e.Op) + " " + e.Old + " → " + e.New + "：" + Of(e.Err).ZH}
	}
	if zh, known := system()[en]; known {
		return Text{en, zh}
	}
	if inner := errors.Unwrap(err); inner != nil {
		t := Of(inner)
		if before, after, found := strings.Cut(en, t.EN); found {
			return Text{en, closeUp(before + t.ZH + after)}
		}
	}
	return Same(en)
}

func System(en string) (Text, bool) {
	zh, known := system()[en]
	return Text{en, zh}, known
}

// system are texts of errno(3), as package syscall words them.
//
//go:embed system.txt
var systemTexts string

var system = sync.OnceValue(func() map[string]string {
	texts := map[string]string{}
	for line := range strings.Lines(systemTexts) {
		en, zh, _ := strings.Cut(strings.TrimSpace(line), " = ")
		texts[en] = zh
	}
	return texts
})

func doing(op string) string {
	verbs := map[string]string{"open": "打开", "openat": "打开", "read": "读取", "write": "写入", "stat": "查询", "lstat": "查询",
		"mkdir": "创建目录", "rename": "重命名", "remove": "删除", "unlinkat": "删除", "close": "关闭", "sync": "同步"}
	return cmp.Or(verbs[op], op)
}
