package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/spf13/cobra"

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
	filesFrom, output, resume                  string
	progress                                   bool
}

func newHash(s streams) *cobra.Command {
	var f hashFlags
	if closed(s.in) {
		s.in = closedInput{}
	}
	cmd := &cobra.Command{
		Use:   "hash [FILE|FOLDER...]",
		Short: "Make a manifest of files and trees, or check one, as md5sum does and faster",
		Long: `Make a manifest of files and trees, as md5sum, sha256sum, b2sum and cksum -a sm3 print
it, or check one with --check. Many files are hashed at once, in the lanes of the
CPU's vector registers where the algorithm allows it.

A folder stands for all regular files below it, in the order of the bytes of their
paths; symbolic links in it are left out unless -L follows them. Without FILE, or
where FILE is -, standard input is hashed. Lines come in the order in which files
were named.

--check takes -a for what the digests are by; without it what a line's tag says, or
FILE.state; or it tries what digests of that length may be by, and names what it found.

--output FILE is complete under its name, or not there: it grows as FILE.part. Beside
it stands FILE.state, which holds size, times and inode of each file. After Ctrl-C
the manifest is complete up to the file that is named, and --resume FILE goes on
from there; it also brings an old manifest up to date, and reads only files whose size,
times or inode have changed. A page written through mmap may leave all of these as they
were, and so may a bad disk: --resume FILE --rehash reads every file. What is there is
replaced only by a manifest, and in part only by more lines.

--json prints an object a line: name, algorithm, digest, bytes (of --check: name,
algorithm, status, which is ok, failed or unreadable); name_base64 where a name is no
UTF-8, error where a file could not be read, changed where it changed meanwhile.

MD5 and SHA-1 are fingerprints against accidents, not against an adversary: anyone can
make two files with the same digest. Where somebody may gain by that take sha256, sm3
or blake2b; cryptogauge run bulkhash measures what that costs on this machine.

Exit codes are those of md5sum: 0, or 1 where a file could not be read, changed while
it was read, or is not what the manifest says. 2, 6 and 130 are those of all verbs.`,
		Example: `  cryptogauge hash -a md5 photos > photos.md5
  cryptogauge hash -a sm3 --output data.sm3 /data
  cryptogauge hash --resume data.sm3 /data
  cryptogauge hash -a blake2b -l 256 --base64 backup.tar
  cryptogauge hash --check data.sm3 --quiet
  find . -newer stamp -type f -print0 | cryptogauge hash --files-from - -0`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.validate(cmd, args); err != nil {
				return err
			}
			if err := reserveDescriptors(); err != nil {
				return withCode(exitSums, err)
			}
			if f.check {
				return f.runCheck(cmd.Context(), args, s)
			}
			return f.runMake(cmd.Context(), args, s)
		},
	}
	f.add(cmd)
	return cmd
}

func (f *hashFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVarP(&f.algorithm, "algorithm", "a", "", strings.Join(digest.Names(), ", ")+" (default sha256; for --check and --resume what the manifest tells, where it does)")
	fs.IntVarP(&f.length, "length", "l", 0, "bits of a digest of blake2b, sha2 or sha3")
	fs.BoolVarP(&f.check, "check", "c", false, "read digests from FILEs, and check the files they name; GNU's and BSD's form")
	fs.BoolVar(&f.tag, "tag", false, "print BSD's form: MD5 (name) = digest")
	fs.BoolVarP(&f.zero, "zero", "z", false, "lines end in NUL, not newline, and names are not escaped; with --check too")
	fs.BoolVarP(&f.binary, "binary", "b", false, "print * before names, as md5sum -b does; files are read alike")
	fs.BoolVarP(&f.text, "text", "t", false, "print a space before names (default)")
	fs.BoolVar(&f.base64, "base64", false, "digests in base64, as in S3's checksum headers; --check takes both")
	fs.BoolVar(&f.raw, "raw", false, "print the bytes of one file's digest, and nothing else")
	fs.BoolVar(&f.json, "json", false, "print a JSON object a line")
	fs.StringVar(&f.filesFrom, "files-from", "", "read the names of files from this file, a line each; - is standard input")
	fs.BoolVarP(&f.null, "null", "0", false, "names in --files-from end in NUL, as find -print0 writes them")
	fs.BoolVarP(&f.follow, "follow", "L", false, "follow symbolic links in folders")
	fs.StringVar(&f.output, "output", "", "write the manifest into this file; - is standard output")
	fs.StringVar(&f.resume, "resume", "", "go on with this manifest, or bring it up to date; it is written anew, unless --output says where to")
	fs.BoolVar(&f.rehash, "rehash", false, "with --resume: read every file, and say whose contents changed unseen")
	fs.BoolVar(&f.progress, "progress", false, "show files, bytes, rate and time left, on a terminal")
	fs.BoolVar(&f.ignoreMissing, "ignore-missing", false, "with --check: a file that isn't there is no fault")
	fs.BoolVar(&f.quiet, "quiet", false, "with --check: print nothing for files that are right")
	fs.BoolVar(&f.status, "status", false, "with --check: print nothing, the exit code tells")
	fs.BoolVar(&f.strict, "strict", false, "with --check: a line that doesn't parse is a fault")
	fs.BoolVarP(&f.warn, "warn", "w", false, "with --check: tell of each line that doesn't parse")
	_ = cmd.RegisterFlagCompletionFunc("algorithm", cobra.FixedCompletions(digest.Names(), cobra.ShellCompDirectiveNoFileComp))
}

// validate refuses flags that have nothing to do beside each other.
func (f *hashFlags) validate(cmd *cobra.Command, args []string) error {
	given := func(name string) bool { return cmd.Flags().Changed(name) }
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
	if _, err := digest.Named(f.algorithm, f.length); err != nil {
		return language.Errorf("-a %w", "-a %s", err)
	}
	return nil
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
			return nil, was, withCode(exitUsage, err)
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

func (f *hashFlags) runMake(ctx context.Context, args []string, s streams) error {
	a, was, err := f.choose()
	if err != nil {
		return err
	}
	if (f.output == "" && f.resume == "" || f.output == "-") && closed(s.out) {
		return withCode(exitSums, errClosedOutput)
	}
	voice := newVoice(s.err)
	m := sums.Making{Algorithm: a, Form: f.form(a), JSON: f.json, Stdin: s.in, Out: s.out, Err: s.err,
		Output: f.output, Resume: f.resume, Rehash: f.rehash,
		Say: voice.say, Progress: new(treehash.Progress)}
	if m.Output == "" {
		m.Output = m.Resume
	}
	if m.Output == "-" {
		m.Output = ""
	}
	f.keepForm(&m, was)
	survey, done, err := f.source(ctx, args, s.in, &m)
	if err != nil {
		return err
	}
	defer done()
	if was.Remark != "" {
		voice.say(was.Remark)
	}
	if a.Weak && isTerminal(s.err) {
		voice.say(weakNote(a))
	}
	stop := func() {}
	if f.progress && (m.Output != "" || terminalWidth(s.out) == 0) {
		stop = voice.progress(ctx, m.Progress, survey)
	}
	made, err := sums.Make(ctx, m)
	stop()
	if err == nil && f.filesFrom != "" && made.Lines+made.Failed == 0 {
		voice.say("--files-from " + f.filesFrom + " names no file")
	}
	return f.end(ctx, made, err)
}

// weakNote is told once, to a person.
func weakNote(a *digest.Algorithm) string {
	return a.Tag + " is a fingerprint against accidents, not against an adversary; -a sha256 and -a sm3 are against both, and cryptogauge run bulkhash measures their cost"
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
		return func(ctx context.Context) sums.Total { return sums.Survey(ctx, args) }, done, nil
	}
	names, end := stdin, byte('\n')
	if f.null {
		end = 0
	}
	if f.filesFrom != "-" {
		file, err := sums.Open(ctx, f.filesFrom, os.O_RDONLY)
		if ctx.Err() != nil {
			return nil, done, withCode(exitInterrupted, errors.New("interrupted before a name was read"))
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
		return withCode(exitUsage, err)
	case errors.As(err, &output):
		return withCode(exitOutput, fmt.Errorf("%w; %s", err, madeUntil(made)))
	case ctx.Err() != nil && err != nil:
		return withCode(exitInterrupted, fmt.Errorf("interrupted; %s", madeUntil(made)))
	case err != nil:
		return withCode(exitSums, fmt.Errorf("%w; %s", err, madeUntil(made)))
	case made.Failed > 0:
		return withCode(exitSums, errSilent)
	}
	return nil
}

// madeUntil says how far a manifest goes that was given up, and what goes on from there.
func madeUntil(made *sums.Made) string {
	what := "the manifest"
	if made.File != "" {
		what = sums.Quote([]byte(made.File))
	}
	if made.Kept > 0 {
		what += fmt.Sprintf(" keeps the %d lines that it had, since this run came to %d", made.Kept, made.Lines)
	} else if made.Lines == 0 {
		what += " has no line yet"
	} else {
		what += fmt.Sprintf(" is complete up to %s (%d files)", sums.Quote([]byte(made.Last)), made.Lines)
	}
	if made.State != "" {
		what += "; the same command with --resume " + sums.Quote([]byte(made.State)) + " goes on from there"
	}
	return what
}

func (f *hashFlags) runCheck(ctx context.Context, args []string, s streams) error {
	if len(args) == 0 {
		args = []string{treehash.Stdin}
	}
	voice := newVoice(s.err)
	c := sums.Checking{Form: manifest.Form{Zero: f.zero}, JSON: f.json, Manifests: args, Stdin: s.in, Out: s.out,
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
	if f.progress && (f.quiet || f.status || terminalWidth(s.out) == 0) {
		stop = voice.progress(ctx, c.Progress, nil)
	}
	checked, err := sums.Check(ctx, c)
	stop()
	var output *sums.OutputError
	switch {
	case errors.As(err, &output):
		return withCode(exitOutput, err)
	case err != nil:
		return withCode(exitInterrupted, fmt.Errorf("interrupted; of the files that were checked "+
			"%d are as they should be, %d are not, %d could not be read", checked.Right, checked.Failed, checked.Unreadable))
	case !checked.Fine:
		return withCode(exitSums, errSilent)
	}
	return nil
}

// A voice speaks to the user, between the lines of progress.
type voice struct {
	mu   sync.Mutex
	to   io.Writer
	line bool // progress stands on the terminal
}

func newVoice(to io.Writer) *voice { return &voice{to: to} }

func (v *voice) say(text string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.line {
		fmt.Fprint(v.to, "\r"+eraseEnd)
		v.line = false
	}
	fmt.Fprintf(v.to, "cryptogauge: %s\n", text)
}

// closedInput is read in the place of a standard input that was closed when the program was started, where Go's
// runtime has put /dev/null.
type closedInput struct{}

func (closedInput) Read([]byte) (int, error) {
	return 0, errors.New("standard input is closed; name a file, or give an empty one by < /dev/null")
}

var errClosedOutput = errors.New(
	"standard output is closed; name a file with --output, or drop the lines by > /dev/null")
