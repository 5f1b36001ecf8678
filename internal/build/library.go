package build

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/subject"
)

func libraryOf(name string) (subject.Library, error) {
	all := subject.Bound()
	i := slices.IndexFunc(all, func(l subject.Library) bool { return l.Name == name })
	if i < 0 {
		return subject.Library{}, usage("no library %q can be built: these can: %s", "无法构建库 %q：可构建的有 %s",
			name, strings.Join(subject.Versioned(), ", "))
	}
	return all[i], nil
}

// side is a library's worker as it is to be built.
type side struct {
	library subject.Library
	all     []subject.Library // the library, then the others
	goMod
	tree    *tree
	version string // the library's, as it is built
	dir     string // where the module cache has it; "" where it was not asked
}

// Library builds a worker that serves the protocol of docs/worker-protocol.md, for one library in
// a version. Started without arguments, it offers the subjects of that library, and of Also.
func Library(ctx context.Context, s LibrarySpec) (Built, error) {
	sd, err := newSide(s)
	if err != nil {
		return Built{}, err
	}
	w, err := newWorkplace()
	if err != nil {
		return Built{}, err
	}
	built, err := sd.build(ctx, w, s)
	if gone := w.remove(); err == nil {
		err = gone
	}
	return built, err
}

func newSide(s LibrarySpec) (*side, error) {
	l, err := libraryOf(s.Name)
	if err != nil {
		return nil, err
	}
	if s.Version != "" && l.Module == "" {
		return nil, usage("%s has no version of its own to be built in: name a toolchain, such as go@go1.25.5", "%s 没有可单独构建的版本：请指定工具链，例如 go@go1.25.5", s.Name)
	}
	sd := &side{library: l, all: []subject.Library{l}}
	for _, name := range s.Also {
		other, err := libraryOf(name)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(sd.all, other) {
			sd.all = append(sd.all, other)
		}
	}
	if sd.goMod, err = embeddedMod(); err != nil {
		return nil, err
	}
	sd.tree, err = newTree(sd.mainFile())
	return sd, err
}

func (sd *side) mainFile() []byte {
	var imports, providers []string
	for _, l := range sd.all {
		imports = append(imports, fmt.Sprintf("\t%q\n", module+"/internal/library/"+l.Binding))
		providers = append(providers, l.Binding+".Providers(j)")
	}
	slices.Sort(imports)
	return []byte(strings.NewReplacer("IMPORTS", strings.Join(imports, ""), "PROVIDERS", strings.Join(providers, ", ")).Replace(mainText))
}

const mainText = `package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/judge"
	"github.com/cryptogauge/cryptogauge/internal/library/bench"
IMPORTS	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/worker"
)

func main() {
	worker.EndWith(os.Stdin, func() { os.Exit(0) })
	err := worker.Serve(worker.Quiet(os.Stdin), os.Stdout, func(s provider.Setting) worker.Bench {
		j := judge.New(s)
		return bench.Of(j, bench.OnEveryCPU(slices.Concat(PROVIDERS)))
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
`

func (sd *side) build(ctx context.Context, w *workplace, s LibrarySpec) (Built, error) {
	g, err := newSideGo(ctx, w, s.Toolchain)
	if err != nil {
		return Built{}, err
	}
	oldest := g.release()
	if s.Oldest != "" && isOlder(s.Oldest, oldest) {
		oldest = s.Oldest
	}
	if err := sd.suit(g.release(), oldest); err != nil {
		return Built{}, err
	}
	if err := sd.choose(ctx, g, w, s.Version); err != nil {
		return Built{}, err
	}
	key, err := sd.key(g)
	if err != nil {
		return Built{}, err
	}
	if b, ok := w.cache.get(key); ok {
		return b, nil
	}
	notes, err := sd.compile(ctx, g, w)
	if err != nil {
		return Built{}, err
	}
	return w.cache.put(key, w, said{sd.version, append(inEffect(g), notes...)})
}

// newSideGo is the go command for a tree of ours. What a directory above and the user's workspace
// ask for is not of this module.
func newSideGo(ctx context.Context, w *workplace, toolchain string) (*goCommand, error) {
	if isOlder(toolchain, OldestGo) {
		return nil, usage("%s is too old to be measured: %s is the oldest toolchain that can be; name it or a newer one, as in go@%s.0",
			"%s 过旧，无法测量：可测量的最旧工具链为 %s；请指定该版本或更新的版本，例如 go@%s.0", toolchain, OldestGo, strings.TrimPrefix(OldestGo, "go"))
	}
	if err := os.WriteFile(filepath.Join(w.source(), "go.mod"), []byte("module "+module+"\n"), 0o644); err != nil {
		return nil, err
	}
	g, err := newGo(ctx, w.source(), toolchain, "GOWORK=off", "GO111MODULE=on", "CGO_ENABLED=0", "GOTMPDIR="+w.temporary())
	if err != nil {
		return nil, err
	}
	if isOlder(g.release(), OldestGo) {
		return nil, usage("a worker is built by %s or newer, and this is %s: install a newer one, or set GOTOOLCHAIN=%[1]s.0 to fetch one",
			"构建工作进程需要 %s 或更新版本，当前为 %s：请安装更新版本，或设置 GOTOOLCHAIN=%[1]s.0 自动下载", OldestGo, g.release())
	}
	return g, nil
}

// choose decides on the library's version. What a query means, only the go command knows.
func (sd *side) choose(ctx context.Context, g *goCommand, w *workplace, query string) error {
	own := sd.versions[sd.library.Module]
	sd.version = cmp.Or(query, own, g.release())
	if sd.library.Module == "" || sd.version == own {
		return nil
	}
	if !exact().MatchString(query) {
		if err := sd.fetch(ctx, g, w); err != nil {
			return err
		}
	}
	sd.replaced = map[string]string{sd.library.Module: sd.version}
	return nil
}

// exact is a version that needs no look-up.
var exact = pattern(`^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+incompatible)?$`)

// key tells builds apart: whatever goes in is in it.
func (sd *side) key(g *goCommand) (string, error) {
	of := maps.Clone(g.is)
	delete(of, "GOROOT") // where they lie changes nothing
	delete(of, "GOMOD")
	delete(of, "GOWORK")
	settings, err := json.Marshal(of)
	if err != nil {
		return "", err
	}
	sums, err := fs.ReadFile(cryptogauge.Sources, "go.sum")
	if err != nil {
		return "", err
	}
	h := sha256.New()
	for _, part := range [][]byte{[]byte(sd.tree.digest()), sd.text(sd.tree), sums, settings, []byte(rewriting)} {
		fmt.Fprintf(h, "%d\n%s\n", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil))[:32], nil
}

// rewriting is the number of the way in which sources are adapted: another way, another number.
const rewriting = "2"

// fetch has the go command find the version and put it into the module cache.
func (sd *side) fetch(ctx context.Context, g *goCommand, w *workplace) error {
	out, err := g.run(ctx, w.source(), "mod", "download", "-json", sd.library.Module+"@"+sd.version)
	var said struct{ Version, Dir, Error string }
	if parsed := json.Unmarshal(out, &said); parsed == nil && said.Error != "" {
		err = &failure{said.Error, err}
	}
	if err != nil {
		return explain(sd.library.Name+" "+sd.version, err)
	}
	sd.version, sd.dir = said.Version, said.Dir
	return nil
}

// rounds of amendments are enough: each mends every package that the compiler reached.
const rounds = 16

// compile writes the tree and has the go command build it, without what the version lacks.
func (sd *side) compile(ctx context.Context, g *goCommand, w *workplace) ([]language.Text, error) {
	who := sd.library.Name + " " + sd.version
	if sd.library.Name == subject.Go {
		who = sd.version
	}
	if sd.replaced != nil && sd.dir == "" {
		if err := sd.fetch(ctx, g, w); err != nil {
			return nil, err
		}
	}
	a := newAmendment(sd.tree, who)
	sd.withoutPackages(a, g.is["GOROOT"])
	if err := sd.writeMod(w); err != nil {
		return nil, w.unwritten(err)
	}
	for round := 0; ; round++ {
		if err := sd.tree.write(w.source()); err != nil {
			return nil, w.unwritten(err)
		}
		_, err := g.run(ctx, w.source(), "build", "-mod=mod", "-trimpath", "-buildvcs=false", "-o", w.program(), "./"+mainDir)
		if err == nil {
			return a.notes(), nil
		}
		if round == rounds || !a.amend(output(err)) {
			return nil, w.explain(who, err)
		}
	}
}

// withoutPackages leaves out what the library's version, or the toolchain, has no package for.
func (sd *side) withoutPackages(a *amendment, root string) {
	for _, of := range slices.Sorted(maps.Keys(sd.tree.outside)) {
		dir := filepath.Join(root, "src", filepath.FromSlash(of))
		if first, _, _ := strings.Cut(of, "/"); strings.Contains(first, ".") {
			below, ok := strings.CutPrefix(of, sd.library.Module+"/")
			if !ok || sd.dir == "" {
				continue
			}
			dir = filepath.Join(sd.dir, filepath.FromSlash(below))
		}
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
			a.withoutPackage(of)
		}
	}
}

func (sd *side) writeMod(w *workplace) error {
	sums, err := fs.ReadFile(cryptogauge.Sources, "go.sum")
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(filepath.Join(w.source(), "go.mod"), sd.text(sd.tree), 0o644),
		os.WriteFile(filepath.Join(w.source(), "go.sum"), sums, 0o644))
}

func (w *workplace) unwritten(err error) error {
	return language.Errorf("writing the worker's sources to %s: %w; free some space, or set XDG_CACHE_HOME to another disk",
		"将工作进程的源码写入 %s：%s；请腾出空间，或将 XDG_CACHE_HOME 设到其他磁盘", w.source(), err)
}
