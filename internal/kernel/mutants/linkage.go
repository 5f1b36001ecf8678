package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A linkage is what a program is linked of. The compiler does not look into assembly, so a mutant in it need only be
// assembled and linked, in a fifth of the time that it takes to compile all that imports its package once more.
type linkage struct {
	main     string            // the archive of package main
	archives map[string]string // of all packages, by import path
	module   string
	include  string // the folder of what assembly includes
	pack     string // the program: go tool would look each time whether it must be built
}

// linkageOf asks for the parts of a folder's tests.
func linkageOf(folder string) (linkage, error) {
	l := linkage{archives: map[string]string{}}
	out, err := goSays("list", "-test", "-deps", "-export", "-f", "{{.ImportPath}}\t{{.Export}}", folder)
	if err != nil {
		return l, err
	}
	for line := range strings.Lines(out) {
		name, archive, _ := strings.Cut(strings.TrimSpace(line), "\t")
		name, withTests, _ := strings.Cut(name, " ")
		if l.archives[name] == "" || withTests != "" { // a package under test comes without its tests, too
			l.archives[name] = archive
		}
		if strings.HasSuffix(name, ".test") {
			l.main = archive
		}
	}
	if l.module, err = goSays("list", "-m"); err != nil {
		return l, err
	}
	root, err := goSays("env", "GOROOT")
	if err != nil {
		return l, err
	}
	l.include = filepath.Join(root, "pkg", "include")
	l.pack, err = goSays("tool", "-n", "pack")
	return l, err
}

// link links the program with an assembly file mutated: file is the original, mutated lies in a folder of its own.
func (l linkage) link(binary, file, mutated string) error {
	dir, pkg := filepath.Dir(mutated), path.Join(l.module, path.Dir(file))
	object := strings.TrimSuffix(path.Base(file), ".s") + ".o"
	if _, err := goSays("tool", "asm", "-p", pkg, "-I", l.include, "-D", "GOOS_linux", "-D", "GOARCH_amd64", "-D", "GOAMD64_v1",
		"-o", filepath.Join(dir, object), mutated); err != nil {
		return err
	}
	archive, err := l.replaced(pkg, filepath.Join(dir, object))
	if err != nil {
		return err
	}
	var packages bytes.Buffer
	for name, of := range l.archives {
		if name == pkg {
			of = archive
		}
		if of != "" { // unsafe has none
			fmt.Fprintf(&packages, "packagefile %s=%s\n", name, of)
		}
	}
	config := filepath.Join(dir, "importcfg")
	if err := os.WriteFile(config, packages.Bytes(), 0o644); err != nil {
		return err
	}
	_, err = goSays("tool", "link", "-importcfg", config, "-buildmode=exe", "-s", "-w", "-X", "testing.testBinary=1", "-o", binary, l.main)
	return err
}

// replaced packs a package's archive once more, with an object in the place of the one of its name, and gives its path.
func (l linkage) replaced(pkg, object string) (string, error) {
	dir := filepath.Dir(object)
	held, err := says(exec.Command(l.pack, "t", l.archives[pkg]))
	if err != nil {
		return "", err
	}
	members := strings.Fields(held)
	at := slices.Index(members, filepath.Base(object))
	if at < 0 {
		return "", fmt.Errorf("package %s has no %s", pkg, filepath.Base(object))
	}
	members = slices.Delete(members, at, at+1)
	extract := exec.Command(l.pack, append([]string{"x", l.archives[pkg]}, members...)...)
	extract.Dir = dir
	if _, err := says(extract); err != nil {
		return "", err
	}
	archive := filepath.Join(dir, "replaced.a")
	parts := []string{"c", archive}
	for _, m := range members {
		parts = append(parts, filepath.Join(dir, m))
	}
	_, err = says(exec.Command(l.pack, append(parts, object)...))
	return archive, err
}

// goSays runs the go command and gives what it prints, without the last newline.
func goSays(args ...string) (string, error) { return says(exec.Command("go", args...)) }

func says(cmd *exec.Cmd) (string, error) {
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args[:3], " "), err, said.Bytes())
	}
	return strings.TrimSuffix(string(out), "\n"), nil
}
