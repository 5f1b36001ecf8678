package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/internal/suite"
	"github.com/cryptogauge/cryptogauge/internal/userfile"
	"github.com/cryptogauge/cryptogauge/internal/worker"
)

// tokenAccess is how a user's token is logged in to. A PIN stands in no argument, environment, run file or report:
// workers are given an open file that only they and this program can read.
type tokenAccess struct{ label, pinFile string }

func (t *tokenAccess) add(fs *pflag.FlagSet) {
	fs.StringVar(&t.label, "token", "", "")
	fs.StringVar(&t.pinFile, "pin-file", "", "")
}

// modules separates the PKCS#11 modules from the shared objects of libraries.
func modules(objects []string) (paths, others []string) {
	for _, text := range objects {
		if path, ok := strings.CutPrefix(text, subject.PKCS11+"="); ok {
			paths = append(paths, atHome(path))
		} else {
			others = append(others, text)
		}
	}
	return paths, others
}

func (t *tokenAccess) natives(ctx context.Context, paths []string, s streams) (list []suite.Native, err error) {
	if len(paths) == 0 {
		if t.label != "" || t.pinFile != "" {
			return nil, language.Errorf("--token and --pin-file go with a PKCS#11 module: --library %s=/path/to/module.so",
				"--token 与 --pin-file 须与 PKCS#11 模块同用：--library %s=/path/to/module.so", subject.PKCS11)
		}
		return nil, nil
	}
	pin, err := t.pin(ctx, s)
	if err != nil {
		return nil, err
	}
	program, absent := nativeWorker()
	for _, path := range paths {
		if !filepath.IsAbs(path) {
			return nil, language.Errorf("--library %s=%s: give the whole path, from / on",
				"--library %s=%s：请给出以 / 开头的完整路径", subject.PKCS11, path)
		}
		list = append(list, suite.Native{Library: subject.PKCS11, Missing: absent, Command: t.command(program, path, pin)})
	}
	s.Note(openToOthers(t.pinFile))
	return list, nil
}

func (t *tokenAccess) command(program, path string, pin *os.File) func(environment string, twin int) worker.Command {
	plain := nativeCommand(program, subject.PKCS11, path)
	return func(environment string, twin int) worker.Command {
		c := plain(environment, twin)
		if t.label != "" {
			c.Args = append(c.Args, "--token", t.label)
		}
		if pin != nil {
			c.Args, c.Files = append(c.Args, "--pin-fd", "3"), []*os.File{pin}
		}
		return c
	}
}

// longestPIN is more bytes than a PIN has.
const longestPIN = 256

// pin is the PIN in a file in memory: of --pin-file, or asked for where somebody sits at a terminal; nil without either.
func (t *tokenAccess) pin(ctx context.Context, s streams) (*os.File, error) {
	pin, err := t.readPIN(ctx, s)
	if err != nil || pin == nil {
		return nil, err
	}
	defer clear(pin)
	pin = bytes.TrimRight(pin, "\r\n")
	switch {
	case len(pin) == 0:
		return nil, language.Errorf("the PIN is empty", "PIN 为空")
	case len(pin) > longestPIN:
		return nil, pinTooLong()
	}
	return memoryFile("PIN", pin)
}

func (t *tokenAccess) readPIN(ctx context.Context, s streams) ([]byte, error) {
	if t.pinFile == "" {
		return askPIN(s)
	}
	pin, err := userfile.Read(ctx, t.pinFile, int64(longestPIN+len("\r\n")))
	switch {
	case ctx.Err() != nil:
		return nil, interruptedEarly()
	case errors.Is(err, userfile.ErrTooLong):
		return nil, pinTooLong()
	case err != nil:
		return nil, language.Errorf("--pin-file: %w", "--pin-file：%s", err)
	}
	return pin, nil
}

// askPIN asks for the PIN where somebody sits at a terminal, without showing it; nil where nobody does.
func askPIN(s streams) ([]byte, error) {
	in, ok := s.In.(*os.File)
	if !ok {
		return nil, nil
	}
	pin, err := command.AskSecret(in, s.Err, language.Text{EN: "PIN of the token (not shown): ", ZH: "令牌的 PIN（不显示）："}.In(s.Lang))
	switch {
	case errors.Is(err, command.ErrNoTerminal):
		return nil, nil
	case errors.Is(err, command.ErrInterrupted):
		return nil, interruptedEarly()
	}
	return pin, err
}

func pinTooLong() error {
	return language.Errorf("the PIN has more than %d bytes", "PIN 超过 %d 字节", longestPIN)
}

// openToOthers says that others than the owner of a file with a PIN may read it.
func openToOthers(path string) language.Text {
	const others = 0o044
	info, err := os.Stat(path)
	if path == "" || err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&others == 0 {
		return language.Text{}
	}
	return language.Say("--pin-file %[1]s: other users can read it; take that from them: chmod 600 %[1]s",
		"--pin-file %[1]s：其他用户可以读取该文件；请收回权限：chmod 600 %[1]s", path)
}
