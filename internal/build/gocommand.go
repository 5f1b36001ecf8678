package build

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"go/version"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

// goCommand is the go command, and what it is started with.
type goCommand struct {
	path string
	env  []string
	is   map[string]string // what go env says
}

// OldestGo is the oldest toolchain that can build the worker's sources: the modules that these need have no
// version for an older one.
const OldestGo = "go1.25"

// asked are the settings of which a build depends, or which are said.
var asked = []string{"GOVERSION", "GOOS", "GOARCH", "GOAMD64", "GOARM64", "GOEXPERIMENT", "GOFLAGS", "GOFIPS140",
	"GOROOT", "GOMOD", "GOWORK"}

// newGo finds the go command. Toolchain and env are what it is started with beside the user's
// environment, and dir is where it is asked.
func newGo(ctx context.Context, dir, toolchain string, env ...string) (*goCommand, error) {
	path, err := exec.LookPath("go")
	if err != nil {
		return nil, language.Error("there is no go command in PATH: install Go from https://go.dev/dl, or add its bin directory to PATH",
			"PATH 中没有 go 命令：请从 https://go.dev/dl 安装 Go，或将其 bin 目录加入 PATH")
	}
	if toolchain != "" {
		if !version.IsValid(toolchain) {
			return nil, usage("%q is no Go toolchain: name one such as go1.25.5", "%q 不是 Go 工具链：请写成 go1.25.5 这样的名称", toolchain)
		}
		env = append(env, "GOTOOLCHAIN="+toolchain)
	}
	g := &goCommand{path: path, env: append(os.Environ(), env...)}
	out, err := g.run(ctx, dir, append([]string{"env", "-json"}, asked...)...)
	if err != nil {
		return nil, g.explain(ctx, dir, toolchain, err)
	}
	return g, json.Unmarshal(out, &g.is)
}

// explain does so for a toolchain that did not start. The go command says the same of one that its proxy does
// not have, and of one that it may ask no proxy for.
func (g *goCommand) explain(ctx context.Context, dir, toolchain string, err error) error {
	if !strings.Contains(output(err), "toolchain not available") {
		return explain(toolchain, err)
	}
	proxy, failed := g.with("GOTOOLCHAIN=local").run(ctx, dir, "env", "GOPROXY")
	if setting := strings.TrimSpace(string(proxy)); failed == nil && !asksProxy(setting) {
		return usage(unfetchedEN, unfetchedZH, toolchain, "GOPROXY="+setting)
	}
	return explain(toolchain, err)
}

// asksProxy says of a setting of GOPROXY that it names a proxy: toolchains come from nowhere else.
func asksProxy(setting string) bool {
	first, _, _ := strings.Cut(strings.ReplaceAll(setting, "|", ","), ",")
	return first != "off" && first != ""
}

// release is the toolchain's version, without the experiments that it may name.
func (g *goCommand) release() string {
	release, _, _ := strings.Cut(g.is["GOVERSION"], " ")
	return release
}

func (g *goCommand) with(env ...string) *goCommand {
	return &goCommand{g.path, slices.Concat(g.env, env), g.is}
}

// failure is a command that ended with an error, and what it said.
type failure struct {
	output string
	err    error
}

func (f *failure) Error() string { return f.err.Error() + ": " + strings.TrimSpace(f.output) }
func (f *failure) Unwrap() error { return f.err }

func (g *goCommand) run(ctx context.Context, dir string, args ...string) ([]byte, error) {
	out, _, err := start(ctx, g.path, dir, g.env, args...)
	return out, err
}

// patience is for a command that was asked to end.
const patience = 5 * time.Second

// start runs a command to its end. Where the context ends first, so does the command with all
// that it started, before this returns.
func start(ctx context.Context, path, dir string, env []string, args ...string) (printed []byte, remarks string, err error) {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, env, patience
	ownGroup(cmd)
	cmd.Cancel = func() error { return interrupt(cmd) }
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err = cmd.Run()
	if ctx.Err() != nil {
		if cmd.Process != nil {
			killGroup(cmd)
		}
		return nil, "", context.Cause(ctx)
	}
	if err != nil {
		return out.Bytes(), "", &failure{said.String(), err}
	}
	return out.Bytes(), said.String(), nil
}

// output is what a command said when it failed; "" where it did not run.
func output(err error) string {
	var f *failure
	if errors.As(err, &f) {
		return f.output
	}
	return ""
}
