package language

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"testing"
)

func TestSession(t *testing.T) {
	for _, test := range []struct {
		all, messages, lang string
		want                Lang
	}{
		{"", "", "", English},
		{"", "", "zh_CN.UTF-8", Chinese},
		{"", "en_US.UTF-8", "zh_CN.UTF-8", English},
		{"zh_TW", "en_US.UTF-8", "C", Chinese},
		{"C", "", "zh_CN.UTF-8", English},
	} {
		t.Setenv("LC_ALL", test.all)
		t.Setenv("LC_MESSAGES", test.messages)
		t.Setenv("LANG", test.lang)
		if got := OfSession(); got != test.want {
			t.Errorf("%+v: %s", test, got)
		}
	}
}

func TestSay(t *testing.T) {
	got := Say("%s and %d", "%s 与 %d", Text{"one", "一"}, 2)
	if want := (Text{"one and 2", "一与 2"}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestChineseStandsApart: what a format is given is apart from Chinese beside it, and a name is left as it is.
func TestChineseStandsApart(t *testing.T) {
	for want, got := range map[string]Text{
		"省去了 4 轮中的 3 轮":      Say("", "省去了%s", Text{"3 of 4 rounds", "4 轮中的 3 轮"}),
		"1 个 CPU 可使 5 ms 成立": Say("", "%s可使%s成立", Text{"1 CPU", "1 个 CPU"}, "5 ms"),
		"第 3 行，SM4-GCM 更快":   Say("", "第%d行，%s更快", 3, "SM4-GCM"),
		"读取新建1/a2号失败":        Say("", "读取 %s 失败", "新建1/a2号"),
		"（10%）的、10% 的":       Say("", "（%s）的、%s 的", "10 %", "10 %"),
		"占 19%–21%":          Say("", "占 %s", Text{"19 %–21 %", "19 %–21 %"}),
		"文件 a 10 % (5) b 在":  Say("", "文件 %s在", "a 10 % (5) b "),
	} {
		if got.ZH != want {
			t.Errorf("%q, want %q", got.ZH, want)
		}
	}
}

// TestNamesKeepTheirSpaces: a sentence is closed up around a name, and not within it.
func TestNamesKeepTheirSpaces(t *testing.T) {
	if got := Say("%s is gone", "找不到 %s 了", "新 建").ZH; got != "找不到新 建了" {
		t.Errorf("%q", got)
	}
	if got := Errorf("%q is gone", "找不到 %q，%s", "新 建", Text{"a", "甲"}); Of(got).ZH != `找不到 "新 建"，甲` {
		t.Errorf("%q", Of(got).ZH)
	}
}

func TestErrors(t *testing.T) {
	_, missing := os.Open("/there/is/no/such")
	inner := Errorf("%s is not here", "没有 %s", "a.so")
	for _, test := range []struct {
		err  error
		want Text
	}{
		{errors.New("foreign"), Text{"foreign", "foreign"}},
		{missing, Text{"open /there/is/no/such: no such file or directory", "打开 /there/is/no/such：没有该文件或目录"}},
		{syscall.ENOSPC, Text{"no space left on device", "磁盘空间不足"}},
		{inner, Text{"a.so is not here", "没有 a.so"}},
		{fmt.Errorf("loading: %w", inner), Text{"loading: a.so is not here", "loading: 没有 a.so"}},
		{Errorf("writing %s: %w", "写入 %s：%s", Text{"the run", "运行文件"}, syscall.EIO), Text{"writing the run: input/output error", "写入运行文件：输入/输出错误"}},
	} {
		if got := Of(test.err); got != test.want {
			t.Errorf("%+v, want %+v", got, test.want)
		}
	}
	if err := Errorf("opening: %w", "打开：%s", missing); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v wraps nothing", err)
	}
}
