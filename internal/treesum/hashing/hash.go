// Package hashing is the verb hash: flags in, manifests out. Both programs of the command line have it.
package hashing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/treesum/digest"
	"github.com/cryptogauge/cryptogauge/internal/treesum/manifest"
	"github.com/cryptogauge/cryptogauge/internal/treesum/sums"
	"github.com/cryptogauge/cryptogauge/internal/treesum/treehash"
)

// exitSums is md5sum's: a file couldn't be read, changed under the reader, or isn't what a manifest says.
const exitSums = 1

// hashFlags are the flags of hash as they were typed.
type hashFlags struct {
	algorithm                                  string
	length                                     int
	check, tag, zero, json, null, follow       bool
	binary, text, base64, raw, rehash          bool
	ignoreMissing, quiet, status, strict, warn bool
	filesFrom, output, resume, shard           string
	merge, progress                            bool
}

// New is the verb. Without open this program can't read objects, and becomes the one that can where they are named.
func New(s command.Session, open Opener) *cobra.Command {
	var f hashFlags
	if command.Closed(s.In) {
		s.In = closedInput{}
	}
	cmd := &cobra.Command{
		Use: "hash [FILE|FOLDER|s3://BUCKET/PREFIX...]",
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if err = f.validate(cmd, args); err != nil {
				return err
			}
			if args, err = withoutScheme(args); err != nil {
				return err
			}
			if err := command.ReserveDescriptors(); err != nil {
				return command.WithCode(exitSums, err)
			}
			return f.run(cmd.Context(), args, s, open)
		},
	}
	f.add(cmd)
	return cmd
}

func (f *hashFlags) run(ctx context.Context, args []string, s command.Session, open Opener) (err error) {
	var objects treehash.Objects
	switch {
	case f.namesObjects(args) && open == nil:
		return command.BecomeStore(s)
	case open != nil:
		if objects, err = open(); err != nil {
			return err
		}
	}
	switch {
	case f.merge:
		return f.runMerge(ctx, args, s)
	case f.check:
		return f.runCheck(ctx, args, objects, s)
	}
	return f.runMake(ctx, args, objects, s)
}

func (f *hashFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVarP(&f.algorithm, "algorithm", "a", "", "")
	fs.IntVarP(&f.length, "length", "l", 0, "")
	fs.BoolVarP(&f.check, "check", "c", false, "")
	fs.BoolVar(&f.tag, "tag", false, "")
	fs.BoolVarP(&f.zero, "zero", "z", false, "")
	fs.BoolVarP(&f.binary, "binary", "b", false, "")
	fs.BoolVarP(&f.text, "text", "t", false, "")
	fs.BoolVar(&f.base64, "base64", false, "")
	fs.BoolVar(&f.raw, "raw", false, "")
	fs.BoolVar(&f.json, "json", false, "")
	fs.StringVar(&f.filesFrom, "files-from", "", "")
	fs.BoolVarP(&f.null, "null", "0", false, "")
	fs.BoolVarP(&f.follow, "follow", "L", false, "")
	fs.StringVar(&f.output, "output", "", "")
	fs.StringVar(&f.resume, "resume", "", "")
	fs.BoolVar(&f.rehash, "rehash", false, "")
	fs.StringVar(&f.shard, "shard", "", "")
	fs.BoolVar(&f.merge, "merge", false, "")
	fs.BoolVar(&f.progress, "progress", false, "")
	fs.BoolVar(&f.ignoreMissing, "ignore-missing", false, "")
	fs.BoolVar(&f.quiet, "quiet", false, "")
	fs.BoolVar(&f.status, "status", false, "")
	fs.BoolVar(&f.strict, "strict", false, "")
	fs.BoolVarP(&f.warn, "warn", "w", false, "")
	_ = cmd.RegisterFlagCompletionFunc("algorithm", cobra.FixedCompletions(digest.Names(), cobra.ShellCompDirectiveNoFileComp))
}

// validate refuses flags that have nothing to do beside each other.
func (f *hashFlags) validate(cmd *cobra.Command, args []string) error {
	given := func(name string) bool { return cmd.Flags().Changed(name) }
	if err := f.validateNames(cmd, args); err != nil {
		return err
	}
	without := func(names ...string) error {
		for _, name := range names {
			if f.check && given(name) {
				return language.Errorf("--%s makes no sense with --check", "--%s 不能与 --check 并用", name)
			}
		}
		return nil
	}
	if err := without("files-from", "null", "follow", "output", "resume", "rehash", "binary", "text", "raw", "tag"); err != nil {
		return err
	}
	for _, name := range []string{"ignore-missing", "quiet", "status", "strict", "warn"} {
		if !f.check && given(name) {
			return language.Errorf("--%s is only for --check", "--%s 只能与 --check 并用", name)
		}
	}
	switch {
	case f.json && (f.tag || f.binary || f.text || f.base64 || f.zero && !f.check):
		return language.Errorf("--json is a form of its own; leave --tag, --zero, --base64, -b and -t out",
			"--json 是独立的输出格式；请去掉 --tag、--zero、--base64、-b 与 -t")
	case f.binary && f.text, f.tag && f.text:
		return language.Errorf("-t goes with neither -b nor --tag", "-t 不能与 -b 或 --tag 并用")
	case f.rehash && !given("resume"):
		return language.Errorf("--rehash is only for --resume: without it every file is read",
			"--rehash 只能与 --resume 并用：没有 --resume 时本来就读取每个文件")
	case given("length") && !given("algorithm"):
		return language.Errorf("-l goes with -a blake2b, sha2 or sha3", "-l 只能与 -a blake2b、sha2 或 sha3 并用")
	case f.raw:
		if err := f.validateRaw(args); err != nil {
			return err
		}
	}
	switch {
	case given("files-from") && f.filesFrom == "", given("output") && f.output == "", given("resume") && f.resume == "":
		return language.Errorf("an empty name: give a file to --files-from, --output and --resume, or leave them out",
			"文件名为空：请为 --files-from、--output、--resume 给出文件，或省略该选项")
	case f.null && !given("files-from"):
		return language.Errorf("-0 tells how names in --files-from end, and there is no --files-from; lines that end in NUL are -z",
			"-0 说明 --files-from 中的文件名如何结尾，而此处没有 --files-from；以 NUL 结尾的行请用 -z")
	case given("files-from") && len(args) > 0:
		return language.Errorf("name files as arguments or in --files-from, not both (%s)",
			"文件名要么作为参数给出，要么写在 --files-from 中，不能同时使用（%s）", sums.Quote([]byte(args[0])))
	case f.resume == "-":
		return language.Errorf("--resume -: name the file of a manifest", "--resume -：请给出清单文件的名字")
	case given("resume") && len(args) == 0 && !given("files-from"):
		return language.Errorf("--resume %s: name the files and folders to hash; - for standard input",
			"--resume %s：请给出要计算的文件与目录；- 表示标准输入", f.resume)
	}
	if !given("algorithm") {
		return nil
	}
	return f.validateAlgorithm()
}

func (f *hashFlags) validateAlgorithm() error {
	if _, err := digest.Named(f.algorithm, f.length); err != nil {
		return language.Errorf("-a %w", "-a %s", err)
	}
	return nil
}

// validateNames refuses names that can't be, and what can't be done with them.
func (f *hashFlags) validateNames(cmd *cobra.Command, args []string) error {
	err := refuseCredentials(args)
	if err == nil && cmd.Flags().Changed("shard") {
		err = f.validateShard(args)
	}
	if err == nil && f.merge {
		err = f.validateMerge(cmd, args)
	}
	return err
}

// validateRaw refuses what gives more than one digest, or a file that nobody could tell from others.
func (f *hashFlags) validateRaw(args []string) error {
	formed := f.json || f.tag || f.zero || f.base64 || f.binary || f.text
	if formed || f.output != "" || f.resume != "" || f.filesFrom != "" {
		return language.Errorf("--raw is a digest and nothing else; give it one file, and no --output, --resume or form",
			"--raw 只输出摘要本身；请只给一个文件，不要用 --output、--resume 或其他格式")
	}
	if len(args) > 1 {
		return language.Errorf("--raw is for one file, and there are %d",
			"--raw 只用于一个文件，而此处有 %d 个", len(args))
	}
	if len(args) == 1 && treehash.IsObject([]byte(args[0])) {
		return language.Errorf("--raw is for one file, and %s may be many objects",
			"--raw 只用于一个文件，而 %s 可能是许多对象", sums.Quote([]byte(args[0])))
	}
	if len(args) == 1 && args[0] != treehash.Stdin {
		if info, err := os.Stat(args[0]); err == nil && info.IsDir() {
			return language.Errorf("--raw is for one file, and %s is a directory",
				"--raw 只用于一个文件，而 %s 是目录", sums.Quote([]byte(args[0])))
		}
	}
	return nil
}

// form is how lines look.
func (f *hashFlags) form(a *digest.Algorithm) manifest.Form {
	form := manifest.Form{Zero: f.zero, Binary: f.binary, Base64: f.base64, Raw: f.raw}
	if f.tag {
		form.Tag = a.Tag
	}
	return form
}

// choose is the algorithm of a manifest that is made.
func (f *hashFlags) choose() (a *digest.Algorithm, was sums.Resumed, err error) {
	if f.algorithm != "" {
		if a, err = digest.Named(f.algorithm, f.length); err != nil {
			return nil, was, language.Errorf("-a %w", "-a %s", err)
		}
	}
	if f.resume != "" {
		if was, err = sums.LookResumed(f.resume, a); err != nil {
			return nil, was, command.WithCode(command.ExitUsage, err)
		}
	}
	if a = cmp.Or(a, was.Algorithm); a != nil {
		return a, was, nil
	}
	if a, err = digest.Named("sha256", 0); err != nil {
		return nil, was, language.Errorf("-a %w", "-a %s", err)
	}
	return a, was, nil
}

// keepForm writes a manifest on in the form that it has, unless the user names a form, or another file.
func (f *hashFlags) keepForm(m *sums.Making, was sums.Resumed) {
	named := f.json || f.tag || f.zero || f.base64 || f.binary || f.text
	if named || f.output != "" || !was.Lines {
		return
	}
	m.Form, m.JSON = was.Form, was.JSON
	if m.Form.Tag != "" {
		m.Form.Tag = m.Algorithm.Tag
	}
}

func (f *hashFlags) runMake(ctx context.Context, args []string, objects treehash.Objects, s command.Session) error {
	a, was, err := f.choose()
	if err != nil {
		return err
	}
	if (f.output == "" && f.resume == "" || f.output == "-") && command.Closed(s.Out) {
		return command.WithCode(exitSums, errClosedOutput)
	}
	voice := newVoice(s)
	part, err := f.part(a, args)
	if err != nil {
		return err
	}
	m := sums.Making{Algorithm: a, Form: f.form(a), JSON: f.json, Part: part, Objects: objects, Stdin: s.In, Out: s.Out, Err: s.Err,
		Output: f.output, Resume: f.resume, Rehash: f.rehash,
		Say: voice.say, Progress: new(treehash.Progress)}
	if m.Output == "" {
		m.Output = m.Resume
	}
	if m.Output == "-" {
		m.Output = ""
	}
	f.keepForm(&m, was)
	survey, done, err := f.source(ctx, args, s.In, &m)
	if err != nil {
		return err
	}
	defer done()
	if was.Remark != (language.Text{}) {
		voice.say(was.Remark)
	}
	if a.Weak && command.IsTerminal(s.Err) {
		voice.say(weakNote(a))
	}
	stop := func() {}
	if f.progress && (m.Output != "" || command.TerminalWidth(s.Out) == 0) {
		stop = voice.counting(ctx, m.Progress, survey)
	}
	made, err := sums.Make(ctx, m)
	stop()
	if err == nil && f.filesFrom != "" && made.Lines+made.Failed == 0 {
		voice.say(language.Text{EN: "--files-from " + f.filesFrom + " names no file", ZH: "--files-from " + f.filesFrom + " 中没有文件名"})
	}
	return f.end(ctx, made, err)
}

// weakNote is told once, to a person.
func weakNote(a *digest.Algorithm) language.Text {
	return language.Say("%s is a fingerprint against accidents, not against an adversary; -a sha256 and -a sm3 are against both, "+
		"and cryptogauge run bulkhash measures their cost",
		"%s 只能发现意外损坏，不能防范攻击者；-a sha256 与 -a sm3 两者皆可，其代价可用 cryptogauge run bulkhash 测量", a.Tag)
}

// source is where the names of files come from, and what can be said of them before.
func (f *hashFlags) source(ctx context.Context, args []string, stdin io.Reader, m *sums.Making) (survey func(context.Context) sums.Total, done func(), err error) {
	done = func() {}
	links := treehash.Leave
	if f.follow {
		links = treehash.Follow
	}
	if f.filesFrom == "" {
		if len(args) == 0 {
			args = []string{treehash.Stdin}
		}
		m.Source, m.Inputs = treehash.Paths(args, links), args
		return func(ctx context.Context) sums.Total { return sums.Survey(ctx, *m) }, done, nil
	}
	names, end := stdin, byte('\n')
	if f.null {
		end = 0
	}
	if f.filesFrom != "-" {
		file, err := sums.Open(ctx, f.filesFrom, os.O_RDONLY)
		if ctx.Err() != nil {
			return nil, done, command.WithCode(command.ExitInterrupted, language.Error("interrupted before a name was read", "尚未读取文件名即中断"))
		} else if err != nil {
			return nil, done, language.Errorf("--files-from: %w", "--files-from：%s", err)
		}
		done = func() { file.Close() }
		names = file
	}
	if list, ok := names.(*os.File); ok {
		m.List, _ = list.Stat()
	}
	m.Source = treehash.Names(names, end, links)
	return nil, done, nil
}

// end maps what became of a manifest to the exit code and the last line.
func (f *hashFlags) end(ctx context.Context, made *sums.Made, err error) error {
	var usage *sums.UsageError
	var output *sums.OutputError
	switch {
	case errors.As(err, &usage):
		return command.WithCode(command.ExitUsage, err)
	case errors.As(err, &output):
		return command.WithCode(command.ExitOutput, language.Errorf("%w; %s", "%s；%s", err, madeUntil(made)))
	case ctx.Err() != nil && err != nil:
		return command.WithCode(command.ExitInterrupted, language.Errorf("interrupted; %s", "已中断；%s", madeUntil(made)))
	case err != nil:
		return command.WithCode(exitSums, language.Errorf("%w; %s", "%s；%s", err, madeUntil(made)))
	case made.Failed > 0:
		return command.WithCode(exitSums, command.ErrSilent)
	}
	return nil
}

// madeUntil says how far a manifest goes that was given up, and what goes on from there.
func madeUntil(made *sums.Made) language.Text {
	what := language.Text{EN: "the manifest", ZH: "清单"}
	if made.File != "" {
		what = language.Same(sums.Quote([]byte(made.File)))
	}
	switch {
	case made.Kept > 0:
		what = language.Say("%s keeps the %d lines that it had, since this run came to %d", "%s 保留原有的 %d 行，因为本次运行只到第 %d 行",
			what, made.Kept, made.Lines)
	case made.Lines == 0:
		what = language.Say("%s has no line yet", "%s 尚无一行", what)
	default:
		what = language.Say("%s is complete up to %s (%d files)", "%s 到 %s 为止是完整的（%d 个文件）",
			what, sums.Quote([]byte(made.Last)), made.Lines)
	}
	if made.State != "" {
		what = language.Say("%s; the same command with --resume %s goes on from there", "%s；同一命令加上 --resume %s 即可继续",
			what, sums.Quote([]byte(made.State)))
	}
	return what
}

func (f *hashFlags) runCheck(ctx context.Context, args []string, objects treehash.Objects, s command.Session) error {
	if len(args) == 0 {
		args = []string{treehash.Stdin}
	}
	voice := newVoice(s)
	c := sums.Checking{Form: manifest.Form{Zero: f.zero}, JSON: f.json, Manifests: args, Objects: objects, Stdin: s.In, Out: s.Out,
		IgnoreMissing: f.ignoreMissing, Quiet: f.quiet, Status: f.status, Strict: f.strict, Warn: f.warn,
		Say: voice.say, Progress: new(treehash.Progress)}
	if f.algorithm != "" {
		var err error
		if c.Algorithm, err = digest.Named(f.algorithm, f.length); err != nil {
			return language.Errorf("-a %w", "-a %s", err)
		}
		c.AnyLength = digest.LengthOpen(f.algorithm) && f.length == 0
	}
	stop := func() {}
	if f.progress && (f.quiet || f.status || command.TerminalWidth(s.Out) == 0) {
		stop = voice.counting(ctx, c.Progress, nil)
	}
	checked, err := sums.Check(ctx, c)
	stop()
	var output *sums.OutputError
	switch {
	case errors.As(err, &output):
		return command.WithCode(command.ExitOutput, err)
	case errors.Is(err, treehash.ErrUnreached):
		return command.WithCode(exitSums, language.Errorf("%w; %s", "%s；%s", err, checkedUntil(checked)))
	case err != nil:
		return command.WithCode(command.ExitInterrupted, language.Errorf("interrupted; %s", "已中断；%s", checkedUntil(checked)))
	case !checked.Fine:
		return command.WithCode(exitSums, command.ErrSilent)
	}
	return nil
}

// checkedUntil says what a check had found when it was given up.
func checkedUntil(c *sums.Checked) language.Text {
	return language.Say("of the files that were checked %d are as they should be, %d are not, %d could not be read",
		"已校验的文件中，%d 个正确，%d 个不符，%d 个无法读取", c.Right, c.Failed, c.Unreadable)
}

// A voice speaks to the user, between the lines of progress.
type voice struct {
	command.Session
	mu   sync.Mutex
	line bool // progress stands on the terminal
}

func newVoice(s command.Session) *voice { return &voice{Session: s} }

func (v *voice) say(t language.Text) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.line {
		fmt.Fprint(v.Err, "\r"+command.EraseEnd)
		v.line = false
	}
	v.Remark(t)
}

// closedInput is read in the place of a standard input that was closed when the program was started, where Go's
// runtime has put /dev/null.
type closedInput struct{}

func (closedInput) Read([]byte) (int, error) {
	return 0, language.Error("standard input is closed; name a file, or give an empty one by < /dev/null",
		"标准输入已关闭；请给出文件，或用 < /dev/null 给出空输入")
}

var errClosedOutput = language.Error("standard output is closed; name a file with --output, or drop the lines by > /dev/null",
	"标准输出已关闭；请用 --output 给出文件，或用 > /dev/null 丢弃输出")
