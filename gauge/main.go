package gauge

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

// Main makes the program a worker: it answers the laboratory's requests on standard input until that ends.
// On a terminal, or with an argument, it says what it is and what it offers. It exits with 2 where an
// operation is not as it must be: without an algorithm or Prepare, or the same case twice.
func Main(ops ...Op) {
	if err := named(ops); err != nil {
		fmt.Fprintln(os.Stderr, language.Of(err).In(language.OfSession()))
		os.Exit(2)
	}
	if stat, err := os.Stdin.Stat(); len(os.Args) > 1 || err == nil && stat.Mode()&os.ModeCharDevice != 0 {
		if !explain(os.Stdout, ops, os.Args[1:]) {
			os.Exit(2)
		}
		return
	}
	out := os.Stdout
	os.Stdout = os.Stderr // what an operation prints is no answer
	worker.EndWith(os.Stdin, func() { os.Exit(0) })
	serve := func(s provider.Setting) worker.Bench { return newBench(ops, s) }
	if err := worker.Serve(worker.Quiet(os.Stdin), out, serve); err != nil {
		fmt.Fprintln(os.Stderr, path.Base(os.Args[0])+":", err)
		os.Exit(2)
	}
}

// named gives operations the names that they leave open, and refuses what can't be measured.
func named(ops []Op) error {
	if len(ops) == 0 {
		return language.Error("gauge: Main needs at least one Op", "gauge：Main 至少需要一个 Op")
	}
	seen := map[result.Trial]bool{}
	for i := range ops {
		o := &ops[i]
		program, version := built()
		o.Library, o.Version = cmp.Or(o.Library, program), cmp.Or(o.Version, version)
		o.Operation = cmp.Or(o.Operation, "call")
		if o.Algorithm == "" || o.Prepare == nil {
			return language.Errorf("gauge: operation %d needs Algorithm and Prepare", "gauge：第 %d 个操作须有 Algorithm 与 Prepare", i+1)
		}
		if slices.ContainsFunc(o.Sizes, func(n int) bool { return n < 1 }) || slices.ContainsFunc(o.Goroutines, func(n int) bool { return n < 1 }) {
			return language.Errorf("gauge: %s: sizes and goroutines begin at 1", "gauge：%s：大小与 goroutine 数从 1 开始", o.name())
		}
		for _, c := range o.cases() {
			t := result.Trial{Subject: result.Subject{Library: o.Library, Version: o.Version}, Case: c}
			if seen[t] {
				return language.Errorf("gauge: %s of %d bytes is there twice; give one a Library or an Operation of its own",
					"gauge：%s（%d 字节）重复；请为其中之一另起 Library 或 Operation", o.name(), c.Bytes)
			}
			seen[t] = true
		}
	}
	return nil
}

func (o Op) name() string {
	return strings.TrimSuffix(o.Algorithm+"-"+o.Mode, "-") + " " + o.Operation
}

// built is what the program says of itself: its name and its module's version.
func built() (name, version string) {
	name, version = path.Base(os.Args[0]), "devel"
	if info, ok := debug.ReadBuildInfo(); ok {
		if info.Path != "" && info.Path != "command-line-arguments" {
			name = path.Base(info.Path)
		}
		if v := info.Main.Version; v != "" && v != "(devel)" {
			version = v
		}
	}
	return name, version
}

// explain says what the program is, and whether that was asked for.
func explain(w io.Writer, ops []Op, args []string) bool {
	lang := language.OfSession()
	fmt.Fprintln(w, language.Say("This program is a worker of cryptogauge, which starts it:", "本程序是 cryptogauge 的工作进程，由其启动：").In(lang))
	fmt.Fprintf(w, "\n  cryptogauge run own --worker %s\n\n", os.Args[0])
	for _, o := range ops {
		fmt.Fprintf(w, "  %s %s: %s %v\n", o.Library, o.Version, o.name(), o.Sizes)
	}
	asked := len(args) == 0 || len(args) == 1 && (args[0] == "-h" || args[0] == "--help" || args[0] == "help")
	if !asked {
		fmt.Fprintln(w, language.Say("\nIt takes no arguments.", "\n它不接受参数。").In(lang))
	}
	return asked
}
