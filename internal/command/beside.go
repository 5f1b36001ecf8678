package command

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

// Store is the program that speaks to databases and object stores. It lies beside this one.
const Store = "cryptogauge-store"

// ThisProgram is where this program's file lies. Linux tells by /proc; where that is not
// mounted, the name tells by which it was started.
func ThisProgram() (string, error) {
	self, err := os.Executable()
	if err != nil && WithoutProc() != (language.Text{}) {
		self, err = startedAs(os.Args[0])
	}
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(self)
}

// startedAs finds a program by the name it was started by, as a shell does.
func startedAs(name string) (string, error) {
	places := []string{""}
	if !strings.Contains(name, "/") {
		places = filepath.SplitList(os.Getenv("PATH"))
	}
	for _, place := range places {
		path, err := filepath.Abs(filepath.Join(place, name))
		if err != nil {
			return "", err
		}
		if executable(path) {
			return path, nil
		}
	}
	return "", language.Errorf("%s is not found: mount /proc (mount -t proc proc /proc), or start it by its whole path",
		"找不到 %s：请挂载 /proc（mount -t proc proc /proc），或以完整路径启动", name)
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}

// WithoutProc says in one line what is unknown where /proc is not mounted; "" where it is.
func WithoutProc() language.Text {
	if _, err := os.Stat("/proc/self/stat"); err == nil || runtime.GOOS != "linux" {
		return language.Text{}
	}
	return language.Text{EN: "/proc is not mounted: the CPU, its load and its limits are unknown; mount it with: mount -t proc proc /proc",
		ZH: "/proc 未挂载：CPU、负载与限制均未知；请执行 mount -t proc proc /proc"}
}

// Beside is the path of a program that lies beside this one. Where there is none the error is of fs.ErrNotExist,
// and folder is where it should be.
func Beside(name string) (path, folder string, err error) {
	self, err := ThisProgram()
	if err != nil {
		return "", "", err
	}
	folder = filepath.Dir(self)
	if path = filepath.Join(folder, name); !executable(path) {
		return "", folder, &os.PathError{Op: "find", Path: path, Err: os.ErrNotExist}
	}
	return path, folder, nil
}

// Forwarded is a verb of the program beside this one.
func Forwarded(s Session, verb string) *cobra.Command {
	return &cobra.Command{Use: verb, DisableFlagParsing: true, RunE: func(*cobra.Command, []string) error { return BecomeStore(s) }}
}

// StoreProgram is the path of the program beside this one.
func StoreProgram() (string, error) {
	path, folder, err := Beside(Store)
	switch {
	case err == nil:
		return path, nil
	case folder == "":
		return "", language.Errorf("finding %s: %w", "查找 %s：%s", Store, err)
	}
	return "", language.Errorf("%s is not in %s; it holds what speaks to stores: build it there, or copy it beside cryptogauge",
		"%[2]s 中没有 %[1]s；访问存储的功能在该程序中：请在该目录构建它，或将其复制到 cryptogauge 旁", Store, folder)
}

// BecomeStore goes on as the program beside this one, with the same arguments. It returns where that can't be.
func BecomeStore(s Session) error {
	path, err := StoreProgram()
	if err != nil {
		return err
	}
	return language.Errorf("starting %s: %w", "启动 %s：%s", path, become(path, s.Args))
}
