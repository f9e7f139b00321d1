package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// module is what one run of the lint looks at.
type module struct {
	root     string // directory, absolute and without symbolic links
	path     string // "ticketing"
	fset     *token.FileSet
	packages []*pkg
}

// pkg is one package of the module with its types.
type pkg struct {
	path     string
	dir      string
	files    []*ast.File
	excluded []string // files that a build constraint leaves out here
	broken   []compileError
	info     *types.Info
}

type compileError struct {
	pos token.Position
	msg string
}

// local is a package's path inside the module: "client/demux", "." for the root.
func (m *module) local(path string) string {
	if path == m.path {
		return "."
	}
	return strings.TrimPrefix(path, m.path+"/")
}

func (m *module) owns(path string) bool {
	return path == m.path || strings.HasPrefix(path, m.path+"/")
}

// listed is the part of go list's answer that is read here.
type listed struct {
	ImportPath, Dir, Export           string
	GoFiles, CgoFiles, IgnoredGoFiles []string
	Module                            *struct {
		Path, Dir string
		Main      bool
	}
	Error *struct{ Pos, Err string }
}

// load lists, parses and type-checks the module. Types of imported packages come from the export data that
// the build writes anyway.
func load(root string) (*module, error) {
	root, err := filepath.EvalSymlinks(root)
	if err == nil {
		root, err = filepath.Abs(root)
	}
	if err != nil {
		return nil, fmt.Errorf("lint: %w", err)
	}
	all, err := list(root)
	if err != nil {
		return nil, err
	}
	m := &module{root: root, fset: token.NewFileSet()}
	exports := map[string]string{}
	for _, l := range all {
		exports[l.ImportPath] = l.Export
		if l.Module != nil && l.Module.Main {
			m.path = l.Module.Path
		}
	}
	imp := importer.ForCompiler(m.fset, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, errors.New("no export data")
		}
		return os.Open(exports[path])
	})
	for _, l := range all {
		if l.Module == nil || !l.Module.Main {
			continue
		}
		p, err := m.check(l, imp)
		if err != nil {
			return nil, err
		}
		m.packages = append(m.packages, p)
	}
	if len(m.packages) == 0 {
		return nil, fmt.Errorf("lint: no package in %s", root)
	}
	return m, nil
}

// list asks the go command for every package of the module and all that they depend on. A directory whose name
// begins with a dot is in no pattern, so these are named.
func list(root string) ([]listed, error) {
	args := []string{"list", "-e", "-pgo=off", "-deps", "-export", // else packages come by main package too
		"-json=ImportPath,Dir,Export,GoFiles,CgoFiles,IgnoredGoFiles,Module,Error", "./..."}
	for _, name := range []string{"lint", "needs", "paired", "score"} {
		if _, err := os.Stat(filepath.Join(root, ".ci", name, "main.go")); err == nil {
			args = append(args, "./.ci/"+name)
		}
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = root
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("lint: go list: %w: %s", err, bytes.TrimSpace(stderr.Bytes()))
	}
	var all []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		if err := dec.Decode(&l); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("lint: go list: %w", err)
		}
		all = append(all, l)
	}
}

// check parses and type-checks one package. What does not compile is kept as a finding: a rule that could
// not be checked must not look kept.
func (m *module) check(l listed, imp types.Importer) (*pkg, error) {
	p := &pkg{path: l.ImportPath, dir: l.Dir, info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{},
		Uses:  map[*ast.Ident]types.Object{},
		Defs:  map[*ast.Ident]types.Object{},
	}}
	for _, name := range l.IgnoredGoFiles {
		if !strings.HasSuffix(name, "_test.go") {
			p.excluded = append(p.excluded, filepath.Join(l.Dir, name))
		}
	}
	for _, name := range append(l.GoFiles, l.CgoFiles...) {
		f, err := parser.ParseFile(m.fset, filepath.Join(l.Dir, name), nil, parser.ParseComments)
		if err != nil {
			return nil, fmt.Errorf("lint: %w", err)
		}
		p.files = append(p.files, f)
	}
	conf := types.Config{Importer: imp, Error: func(err error) {
		var e types.Error
		if errors.As(err, &e) {
			p.broken = append(p.broken, compileError{m.fset.Position(e.Pos), e.Msg})
		}
	}}
	// Its error is the first of those that Error was given.
	_, err := conf.Check(l.ImportPath, m.fset, p.files, p.info)
	if err != nil && len(p.broken) == 0 {
		return nil, fmt.Errorf("lint: %s: %w", l.ImportPath, err)
	}
	if l.Error != nil && len(p.files) == 0 && len(p.excluded) == 0 {
		return nil, fmt.Errorf("lint: %s: %s", l.ImportPath, strings.ReplaceAll(l.Error.Err, "\n", " "))
	}
	return p, nil
}
