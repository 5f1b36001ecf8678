package build

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

// checkout is a directory of the user's, or the same directory at a revision in a work tree of
// its own.
type checkout struct {
	dir      string
	version  string // "3f2a1bc", "3f2a1bc+dirty"; "unknown" outside git
	original string // the user's directory
	top      string // the root of the tree that dir is in; "" outside git
	notes    []language.Text
	revision string // as it was asked for; "" is the tree as it is
	home     string // of a work tree, the user's own
	modfile  string // a go.mod instead of the one in the tree; "" where that one does
}

type git struct {
	path, dir string
	env       []string
}

// newGit finds git. A hook that starts this program names its own repository in the environment,
// which says nothing of the directory that is asked for.
func newGit(dir string) (*git, error) {
	path, err := exec.LookPath("git")
	if err != nil {
		return nil, language.Error("there is no git command in PATH: install git, or give a directory without a revision",
			"PATH 中没有 git 命令：请安装 git，或不指定版本而直接给出目录")
	}
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains([]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY"}, name)
	})
	return &git{path, dir, env}, nil
}

// ask returns what git answers, without the line's end.
func (g *git) ask(ctx context.Context, args ...string) (string, error) {
	// No hook of the user's runs, and nobody is asked for a password.
	args = append([]string{"-c", "core.hooksPath=/dev/null"}, args...)
	out, _, err := start(ctx, g.path, g.dir, append(g.env, "GIT_TERMINAL_PROMPT=0"), args...)
	return strings.TrimRight(string(out), "\r\n"), err
}

// asItIs is the user's directory. What git says of it is welcome, not needed.
func asItIs(ctx context.Context, dir string) (*checkout, error) {
	c := &checkout{dir: dir, original: dir, version: "unknown"}
	g, err := newGit(dir)
	if err != nil {
		return c, nil
	}
	if c.top, err = g.ask(ctx, "rev-parse", "--show-toplevel"); err != nil {
		return c, ctx.Err()
	}
	head, err := g.ask(ctx, "rev-parse", "--short", "HEAD")
	if err != nil { // no commit yet
		return c, ctx.Err()
	}
	c.version = head
	if changes, err := g.ask(ctx, "--no-optional-locks", "status", "--porcelain"); err == nil && changes != "" {
		c.version += "+dirty"
		c.notes = append(c.notes, language.Say("the tree has changes that are not committed", "工作树含有未提交的更改"))
	}
	if _, err := g.ask(ctx, "symbolic-ref", "--quiet", "HEAD"); err != nil {
		c.notes = append(c.notes, language.Say("HEAD is detached, at %s", "HEAD 处于分离状态，位于 %s", head))
	}
	return c, ctx.Err()
}

// atRevision makes a work tree of a revision below the workplace.
func atRevision(ctx context.Context, w *workplace, dir, revision string) (*checkout, error) {
	g, err := newGit(dir)
	if err != nil {
		return nil, err
	}
	commit, err := g.ask(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	if err != nil {
		return nil, noRevision(ctx, g, dir, revision, err)
	}
	c := &checkout{original: dir, revision: revision, top: filepath.Join(w.dir, "tree")}
	if c.version, err = g.ask(ctx, "rev-parse", "--short", commit); err != nil {
		return nil, err
	}
	below, err := g.ask(ctx, "rev-parse", "--show-prefix")
	if err != nil {
		return nil, err
	}
	if g.dir, err = g.ask(ctx, "rev-parse", "--show-toplevel"); err != nil {
		return nil, err
	}
	c.home = g.dir
	w.forget = func() error { return g.forget(c.top) }
	g.forgetDead(ctx, filepath.Dir(w.dir))
	if _, err := g.ask(ctx, "worktree", "add", "--detach", "--force", c.top, commit); err != nil {
		return nil, explainGit(ctx, revision, err)
	}
	c.dir = filepath.Join(c.top, filepath.FromSlash(below))
	if _, err := os.Stat(c.dir); errors.Is(err, fs.ErrNotExist) {
		return nil, usage("%s has no directory %s: name one that it has", "%s 中没有目录 %s：请指定该版本中存在的目录", revision, below)
	}
	return c, nil
}

// forget removes a work tree, and what git knows of it. It is not given up when the build is. Git refuses to
// remove one that is not whole, and forgets it once it is gone.
func (g *git) forget(tree string) error {
	ctx := context.Background()
	_, err := g.ask(ctx, "worktree", "remove", "--force", "--force", tree)
	if gone := os.RemoveAll(tree); gone != nil || err == nil {
		return gone
	}
	trees, err := g.trees(ctx)
	if err != nil || !slices.Contains(trees, tree) {
		return err
	}
	_, err = g.ask(ctx, "worktree", "remove", "--force", "--force", tree)
	return err
}

// trees are the work trees that git knows of.
func (g *git) trees(ctx context.Context) (trees []string, err error) {
	said, err := g.ask(ctx, "worktree", "list", "--porcelain")
	for line := range strings.Lines(said) {
		if tree, is := strings.CutPrefix(strings.TrimRight(line, "\r\n"), "worktree "); is {
			trees = append(trees, filepath.FromSlash(tree))
		}
	}
	return trees, err
}

// forgetDead has git forget the work trees that lay below a directory, of processes that were killed. Those of
// the user's, which may lie on a disk that is not there just now, are left alone.
func (g *git) forgetDead(ctx context.Context, below string) {
	trees, _ := g.trees(ctx)
	for _, tree := range trees {
		if _, err := os.Stat(filepath.Dir(tree)); errors.Is(err, fs.ErrNotExist) && strings.HasPrefix(tree, below+string(filepath.Separator)) {
			_ = g.forget(tree)
		}
	}
}

func noRevision(ctx context.Context, g *git, dir, revision string, err error) error {
	if ctx.Err() != nil {
		return err
	}
	if _, outside := g.ask(ctx, "rev-parse", "--show-toplevel"); outside != nil {
		return usage("%s is in no git repository (%s): give a directory of one, or no revision", "%s 不在 git 仓库中（%s）：请给出仓库内的目录，或不指定版本",
			dir, firstLine(output(outside)))
	}
	return usage("there is no revision %s in %s: git log names those that exist; git fetch gets more", "%[2]s 中没有版本 %[1]s：git log 列出现有版本，git fetch 可获取更多",
		revision, dir)
}

func explainGit(ctx context.Context, revision string, err error) error {
	said := output(err)
	if ctx.Err() != nil || said == "" {
		return err
	}
	if regexp.MustCompile(`No space left|quota`).MatchString(said) {
		return usage("checking out %s: the disk is full (%s): free some space, or set XDG_CACHE_HOME to another disk",
			"检出 %s 时磁盘已满（%s）：请腾出空间，或将 XDG_CACHE_HOME 设到其他磁盘", revision, firstLine(said))
	}
	return language.Errorf("git can't check out %s: %s", "git 无法检出 %s：%s", revision, strings.TrimSpace(said))
}

func firstLine(said string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(said), "\n")
	return line
}
