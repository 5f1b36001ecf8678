package language

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// Errorf is [fmt.Errorf] in both languages: the same arguments, of which texts and
// errors take part in their own language. The Chinese format has %s in the place of %w.
func Errorf(en, zh string, args ...any) error {
	english, chinese := slices.Clone(args), slices.Clone(args)
	for i, a := range args {
		switch a := a.(type) {
		case Text:
			english[i], chinese[i] = a.EN, a.ZH
		case error:
			chinese[i] = Of(a).ZH
		}
	}
	return &both{fmt.Errorf(en, english...), closeUp(fmt.Sprintf(zh, chinese...))}
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
	case *fs.PathError:
		return Text{en, doing(e.Op) + " " + e.Path + "：" + Of(e.Err).ZH}
	case *os.LinkError:
		return Text{en, doing(e.Op) + " " + e.Old + " → " + e.New + "：" + Of(e.Err).ZH}
	}
	if zh, known := system[en]; known {
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

// System is what the system says in English, in both languages.
func System(en string) (Text, bool) {
	zh, known := system[en]
	return Text{en, zh}, known
}

// system are texts of errno(3), as package syscall words them.
var system = map[string]string{
	"segmentation violation":             "段错误",
	"bus error":                          "总线错误",
	"illegal instruction":                "非法指令",
	"floating-point exception":           "算术异常",
	"bad file descriptor":                "文件描述符无效",
	"broken pipe":                        "管道已断开",
	"cannot allocate memory":             "内存不足",
	"connection refused":                 "连接被拒绝",
	"device or resource busy":            "设备或资源正忙",
	"disk quota exceeded":                "超出磁盘配额",
	"exec format error":                  "可执行文件格式错误",
	"file exists":                        "文件已存在",
	"file name too long":                 "文件名过长",
	"file too large":                     "文件过大",
	"input/output error":                 "输入/输出错误",
	"invalid argument":                   "参数无效",
	"is a directory":                     "是一个目录",
	"no space left on device":            "磁盘空间不足",
	"no such device or address":          "没有该设备或地址",
	"no such file or directory":          "没有该文件或目录",
	"not a directory":                    "不是目录",
	"operation not permitted":            "操作不被允许",
	"operation not supported":            "不支持该操作",
	"permission denied":                  "权限不足",
	"read-only file system":              "文件系统只读",
	"resource temporarily unavailable":   "资源暂时不可用",
	"text file busy":                     "文件正在被执行",
	"too many levels of symbolic links":  "符号链接层数过多",
	"too many open files":                "打开的文件过多",
	"unexpected EOF":                     "文件意外结束",
	"EOF":                                "文件结束",
	"context canceled":                   "已取消",
	"context deadline exceeded":          "超时",
	"unsupported operation":              "不支持该操作",
	"executable file not found in $PATH": "在 $PATH 中找不到该程序",
}

func doing(op string) string {
	verbs := map[string]string{"open": "打开", "openat": "打开", "read": "读取", "write": "写入", "stat": "查询", "lstat": "查询",
		"mkdir": "创建目录", "rename": "重命名", "remove": "删除", "unlinkat": "删除", "close": "关闭", "sync": "同步"}
	return cmp.Or(verbs[op], op)
}
