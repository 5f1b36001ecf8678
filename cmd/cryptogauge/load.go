package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/decide"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/render"
	"github.com/cryptogauge/cryptogauge/internal/traffic"
)

type loadFlags struct {
	traffic.Options
	rate, second, format string
	connections          int
	lasts                time.Duration
	find, quiet          bool
	seed                 uint64
}

var loadFormats = []string{"text", "json"}

func newLoad(s streams) *cobra.Command {
	var f loadFlags
	cmd := &cobra.Command{
		Use: "load URL",
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := f.resolve(cmd, args, s)
			if err != nil {
				return early(cmd.Context(), err)
			}
			return c.run(cmd.Context())
		},
	}
	fs := cmd.Flags()
	for name, into := range f.texts() {
		fs.StringVar(into, name, "", "")
	}
	fs.IntVar(&f.connections, "connections", 0, "")
	fs.DurationVar(&f.lasts, "duration", 0, "")
	fs.DurationVar(&f.Timeout, "timeout", 10*time.Second, "")
	fs.StringVar(&f.Connect, "connect", string(traffic.Kept), "")
	fs.StringVar(&f.HTTP, "http", string(traffic.HTTP1), "")
	fs.StringArrayVar(&f.Headers, "header", nil, "")
	fs.IntVar(&f.Status, "status", 0, "")
	fs.BoolVar(&f.find, "find-rate", false, "")
	fs.Uint64Var(&f.seed, "seed", 0, "")
	fs.BoolVar(&f.quiet, "quiet", false, "")
	addFormat(cmd, &f.format, loadFormats)
	return cmd
}

// texts are the flags that can't be empty.
func (f *loadFlags) texts() map[string]*string {
	return map[string]*string{"rate": &f.rate, "method": &f.Method, "body-file": &f.BodyFile, "header-file": &f.HeaderFile,
		"cert": &f.Certificate, "key": &f.Key, "ca": &f.CA, "expect-body-file": &f.ExpectBodyFile, "expect-sha256": &f.ExpectHash,
		"compare": &f.second}
}

// What is sent where the user doesn't say: so much does no server harm that is in use.
const (
	usualRate        = 1000
	usualLoad        = 10 * time.Second
	usualSearch      = 2 * time.Second // of each rate
	usualConnections = 256             // at most, at a rate
	mostConnections  = 20_000
)

type loadConfig struct {
	streams
	*loadFlags
	targets []*traffic.Target
	plan    traffic.Plan
}

func (f *loadFlags) resolve(cmd *cobra.Command, args []string, s streams) (c *loadConfig, err error) {
	s.Quiet = f.quiet
	f.seed = drawn(cmd, f.seed)
	c = &loadConfig{streams: s, loadFlags: f}
	if len(args) != 1 {
		return nil, language.Errorf("load: give the URL of one server, e.g. cryptogauge load http://127.0.0.1:8080/",
			"load：请给出一个服务器的网址，例如 cryptogauge load http://127.0.0.1:8080/")
	}
	if !slices.Contains(loadFormats, f.format) {
		return nil, language.Errorf("unknown format %q; there are: %s", "没有 %q 格式；现有：%s", f.format, strings.Join(loadFormats, ", "))
	}
	if err := f.together(cmd); err != nil {
		return nil, err
	}
	if c.plan, err = f.planned(cmd); err != nil {
		return nil, err
	}
	urls := args
	if f.second != "" {
		urls = append(urls, f.second)
	}
	c.targets, err = f.Targets(cmd.Context(), urls)
	return c, err
}

// together refuses flags that exclude each other, and those that are empty.
func (f *loadFlags) together(cmd *cobra.Command) error {
	if err := notEmpty(cmd, slices.Sorted(maps.Keys(f.texts()))...); err != nil {
		return err
	}
	switch {
	case f.find && f.rate != "":
		return language.Error("--find-rate finds the rate: leave out --rate", "--find-rate 会自行查找速率：请去掉 --rate")
	case f.find && f.second != "":
		return language.Error("--find-rate is of one server: leave out --compare", "--find-rate 只用于一个服务器：请去掉 --compare")
	case f.ExpectBodyFile != "" && f.ExpectHash != "":
		return language.Error("give --expect-body-file or --expect-sha256, not both", "--expect-body-file 与 --expect-sha256 只能用其一")
	}
	return nil
}

// planned says how requests are sent: a number of connections without a rate is a closed loop.
func (f *loadFlags) planned(cmd *cobra.Command) (p traffic.Plan, err error) {
	if err := within(cmd, "connections", f.connections, 1, mostConnections); err != nil {
		return p, err
	}
	if err := f.times(cmd); err != nil {
		return p, err
	}
	p = traffic.Plan{Connections: f.connections, Lasts: cmp.Or(f.lasts, usualLoad)}
	if f.find {
		p.Lasts = cmp.Or(f.lasts, usualSearch)
		p.Connections = cmp.Or(f.connections, usualConnections)
		return p, nil
	}
	if f.rate == "" && f.connections > 0 {
		return p, nil
	}
	p.Rate, p.Connections = usualRate, cmp.Or(f.connections, usualConnections)
	if f.rate != "" {
		if p.Rate, err = decide.ParseRate(f.rate); err != nil {
			return p, language.Errorf("--rate: %w", "--rate：%s", err)
		}
	}
	switch {
	case p.Rate > traffic.MostRate:
		return p, language.Errorf("--rate %s: give at most 1000000/s", "--rate %s：最多 1000000/s", f.rate)
	case p.Rate*p.Lasts.Seconds() < 1:
		return p, language.Errorf("--rate %s: not one request in %s; give a longer --duration", "--rate %s：%s 内不足一个请求；请延长 --duration",
			f.rate, p.Lasts)
	}
	return p, nil
}

func (f *loadFlags) times(cmd *cobra.Command) error {
	const least = 100 * time.Millisecond
	if f.second != "" && cmd.Flags().Changed("duration") && f.lasts >= least && f.lasts < traffic.LeastCompared {
		return language.Errorf("--duration %s: --compare measures each server in %d turns: give a time from %s to %s",
			"--duration %s：--compare 对每个服务器测量 %d 轮：请给出 %s 至 %s 之间的时间",
			plainTime(f.lasts), traffic.Blocks, plainTime(traffic.LeastCompared), plainTime(time.Hour))
	}
	for _, t := range []struct {
		flag        string
		value       time.Duration
		least, most time.Duration
	}{{"duration", f.lasts, least, time.Hour}, {"timeout", f.Timeout, time.Millisecond, time.Minute}} {
		if cmd.Flags().Changed(t.flag) && (t.value < t.least || t.value > t.most) {
			return language.Errorf("--%s %s: give a time from %s to %s", "--%s %s：请给出 %s 至 %s 之间的时间",
				t.flag, plainTime(t.value), plainTime(t.least), plainTime(t.most))
		}
	}
	return nil
}

// plainTime writes a time of whole units without those that are 0.
func plainTime(d time.Duration) string {
	for _, unit := range []struct {
		is   time.Duration
		name string
	}{{time.Hour, "h"}, {time.Minute, "m"}, {time.Second, "s"}, {time.Millisecond, "ms"}} {
		if d != 0 && d%unit.is == 0 {
			return fmt.Sprintf("%d %s", d/unit.is, unit.name)
		}
	}
	return d.String()
}

// run measures, and reports whatever was measured.
func (c *loadConfig) run(ctx context.Context) error {
	traffic.Roomy()
	var generators []*traffic.Generator
	for _, t := range c.targets {
		g := traffic.NewGenerator(t)
		defer g.Close()
		if err := g.Probe(ctx); err != nil {
			return early(ctx, unusable(t, err))
		}
		generators = append(generators, g)
	}
	report := &traffic.Report{Started: time.Now(), Seed: c.seed, Targets: c.targets}
	c.measure(ctx, generators, report)
	report.Stopped = ctx.Err() != nil
	if err := c.print(report); err != nil {
		return command.WithCode(command.ExitOutput, err)
	}
	return verdictOf(report)
}

// unusable says why a server gets no more than one request. A wrong body is one, however early it comes.
func unusable(t *traffic.Target, err error) error {
	code := command.ExitUsage
	if traffic.KindOf(err) == traffic.WrongBody {
		code = exitWrong
	}
	return command.WithCode(code, language.Errorf("%s: the first request had no right answer, so no more were sent: %s",
		"%s：首个请求未得到正确响应，不再发送：%s", t.Name(), t.Say(err)))
}

func (c *loadConfig) measure(ctx context.Context, generators []*traffic.Generator, report *traffic.Report) {
	whole := time.Duration(len(generators)) * c.plan.Lasts
	if c.find {
		whole *= traffic.Expected
	}
	line := c.progress(whole)
	defer line.stop()
	switch {
	case c.find:
		begun := time.Now()
		h := generators[0].Highest(ctx, c.plan, func(rate float64) {
			line.update(min(0.99, float64(time.Since(begun))/float64(whole)), language.Say("%.0f requests a second", "每秒 %.0f 个请求", rate))
		})
		report.Highest = &h
	case len(generators) == 2:
		rng := rand.New(rand.NewPCG(c.seed, 0))
		report.Turns = traffic.InTurns(ctx, rng, [2]*traffic.Generator(generators), c.plan, func(done float64) {
			line.update(done, language.Text{EN: "both servers in turns", ZH: "两个服务器轮流测量"})
		})
		report.Results = report.Turns.Results[:]
	default:
		defer c.ticking(line, whole)()
		report.Results = []*traffic.Result{generators[0].Measure(ctx, c.plan)}
	}
}

// ticking tells the progress of a single measurement, which is the clock's.
func (c *loadConfig) ticking(line *progress, whole time.Duration) (stop func()) {
	if line == nil {
		return func() {}
	}
	begun := time.Now()
	return command.Redrawn(func() {
		line.update(min(1, float64(time.Since(begun))/float64(whole)), language.Same(c.targets[0].Name()))
	})
}

func verdictOf(r *traffic.Report) error {
	if r.Stopped {
		return command.WithCode(command.ExitInterrupted, language.Error("interrupted; what was measured until then is above", "已中断；以上为中断前测得的结果"))
	}
	if r.Highest != nil && r.Highest.Rate == 0 {
		why := r.Highest.Text()
		return command.WithCode(command.ExitInconclusive, language.Error(why.EN, why.ZH))
	}
	for _, one := range r.Results {
		if one.Failures[traffic.WrongBody] > 0 {
			return command.WithCode(exitWrong, language.Error("wrong bodies were answered", "有响应正文不符"))
		}
	}
	for _, one := range r.Results {
		switch {
		case one.Right == 0:
			return command.WithCode(command.ExitInconclusive, language.Error("no request had a right answer", "没有请求得到正确响应"))
		case one.Missed():
			return command.WithCode(command.ExitInconclusive, language.Error("the rate was not reached", "未达到所要求的速率"))
		case !one.Kept():
			return command.WithCode(command.ExitInconclusive, language.Error("the generator did not keep its schedule: there are no latencies",
				"压测程序未能按计划发送：没有延迟数据"))
		case one.Failing():
			return command.WithCode(command.ExitInconclusive, language.Errorf("%d of %d requests had no right answer: more than 1 %%",
				"%[2]d 个请求中有 %[1]d 个未得到正确响应：超过 1%%", one.Failed(), one.Due))
		}
	}
	return nil
}

func (c *loadConfig) print(r *traffic.Report) error {
	if c.format == "json" {
		return r.WriteJSON(c.Out)
	}
	width, out := cmp.Or(command.TerminalWidth(c.Out), 100), bufio.NewWriter(c.Out)
	table := func(lines []traffic.Line) {
		rows := [][]string{}
		wide := 0
		for _, l := range lines {
			rows = append(rows, []string{l.What.In(c.Lang), l.Said.In(c.Lang)})
			wide = max(wide, render.Width(l.What.In(c.Lang)))
		}
		printTable(out, "  ", max(20, width-wide-4), rows)
	}
	for i, t := range r.Targets {
		fmt.Fprintln(out, t.Title().In(c.Lang))
		var lines []traffic.Line
		if i < len(r.Results) {
			lines = r.Results[i].Lines()
		}
		if r.Highest != nil {
			lines = r.Highest.Lines()
		}
		table(lines)
	}
	if r.Turns != nil {
		fmt.Fprintln(out, language.Text{EN: "comparison, in turns", ZH: "轮流测量的比较"}.In(c.Lang))
		table(r.Turns.Lines())
	}
	return out.Flush() // the first error of writing sticks to the buffer
}
