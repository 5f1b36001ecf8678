package build

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

// pattern compiles an expression when it is first asked for: whoever builds nothing does not wait for it.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

const (
	fullEN = "building %s: the disk is full (%s): free some space, or set XDG_CACHE_HOME and GOCACHE to another disk"
	fullZH = "构建 %s 时磁盘已满（%s）：请腾出空间，或将 XDG_CACHE_HOME 与 GOCACHE 设到其他磁盘"

	unfetchedEN = "%s is not in the module cache and can't be fetched (%s): connect to the network, or set GOPROXY to a proxy that can be reached"
	unfetchedZH = "%s 不在模块缓存中，也无法下载（%s）：请连接网络，或将 GOPROXY 设为可访问的代理"
)

// known are failures that users meet, by what the go command says of them, and what to do. The
// first that matches counts. A verb is what was asked for, the next what the go command said.
var known = []struct {
	said, en, zh string
}{
	{
		`no space left on device|disk quota exceeded`,
		fullEN, fullZH,
	}, {
		`requires go >= \S+|requires newer Go|compiled with newer|go\.mod requires go`,
		"%s needs a newer Go (%s): install it, or let the go command fetch it with GOTOOLCHAIN=auto",
		"%s 需要更新的 Go（%s）：请安装，或设置 GOTOOLCHAIN=auto 让 go 命令自行下载",
	}, {
		`40[13] (Unauthorized|Forbidden)|407 Proxy`,
		"the module proxy refuses %s (%s): it does not exist, or may not be fetched there; GOPROXY names another proxy",
		"模块代理拒绝提供 %s（%s）：该版本不存在，或不允许下载；可用 GOPROXY 指定其他代理",
	}, {
		`toolchain not available|invalid toolchain|invalid GOTOOLCHAIN|golang\.org/toolchain@.* (40[04]|410) `,
		"there is no toolchain %s (%s): https://go.dev/dl lists those that exist",
		"没有工具链 %s（%s）：现有版本见 https://go.dev/dl",
	}, {
		`GOPROXY=off|dial tcp|no such host|[Cc]ould not resolve host|connection refused|network is unreachable|i/o timeout|TLS handshake|proxyconnect|502 Bad Gateway|503 Service`,
		unfetchedEN, unfetchedZH,
	}, {
		`directory not found|is not in std|no required module provides package|does not contain package|cannot find module providing|no Go files in`,
		"%s is no package that can be built (%s): name one that is there, such as ./cmd/mybench",
		"%s 不是可以构建的包（%s）：请指定存在的包，例如 ./cmd/mybench",
	}, {
		`unknown revision|invalid version|no matching versions|40[04] [A-Z]|410 Gone|reading file:.*no such file|malformed module path|not a known`,
		"there is no %s (%s): go list -m -versions MODULE lists what exists",
		"没有 %s（%s）：可用 go list -m -versions 模块路径 列出现有版本",
	}, {
		`SECURITY ERROR|checksum mismatch`,
		"%s is not what its checksum says (%s): do not use it before you know why; go clean -modcache fetches it anew",
		"%s 与校验和不符（%s）：查明原因之前请勿使用；go clean -modcache 后会重新下载",
	}, {
		`permission denied|read-only file system`,
		"building %s: a directory can't be written to (%s): set XDG_CACHE_HOME, GOCACHE and GOMODCACHE to ones that can",
		"构建 %s 时目录不可写（%s）：请将 XDG_CACHE_HOME、GOCACHE 与 GOMODCACHE 设为可写的目录",
	},
}

// explain says in one line why the go command failed, and what to do. What it is asked of is
// named as the user named it. What the compiler says is shown as it stands.
func explain(of string, err error) error {
	said := output(err)
	if said == "" {
		return err
	}
	if len(complaints(said)) > 0 {
		return &CompileError{Of: of, Output: said}
	}
	for _, k := range known {
		if line := lineWith(said, regexp.MustCompile(k.said)); line != "" {
			return usage(k.en, k.zh, of, line)
		}
	}
	return &CompileError{Of: of, Output: said}
}

// explain does so for what was compiled. On a full disk the go command may miss packages that are there.
func (w *workplace) explain(of string, err error) error {
	var compile *CompileError
	if err = explain(of, err); !errors.As(err, &compile) {
		return err
	}
	const least = 1 << 20 // that a build writes
	room := filepath.Join(w.temporary(), "room")
	full := os.WriteFile(room, make([]byte, least), 0o600)
	if _ = os.Remove(room); full == nil {
		return err
	}
	return usage(fullEN, fullZH, of, full)
}

// lineWith is the first line that matches, without what a reader does not need of it.
func lineWith(said string, what *regexp.Regexp) string {
	for line := range strings.Lines(said) {
		if what.MatchString(line) {
			return strings.TrimPrefix(strings.TrimSpace(line), "go: ")
		}
	}
	return ""
}

// harmless are flags that make no faster and no slower program.
var harmless = pattern(`^--?(trimpath|buildvcs|modcacherw|v|x|p|mod=mod|mod=readonly)\b`)

// inEffect are notes of the user's settings that a build respects.
func inEffect(g *goCommand) (notes []language.Text) {
	flags := slices.DeleteFunc(strings.Fields(g.is["GOFLAGS"]), func(flag string) bool { return harmless().MatchString(flag) })
	if flags := strings.Join(flags, " "); flags != "" {
		notes = append(notes, language.Say("GOFLAGS=%s is in effect", "GOFLAGS=%s 生效", flags))
	}
	return notes
}
