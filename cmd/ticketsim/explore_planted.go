package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"ticketing/seeds/mutants"
	"ticketing/sim"
)

// soughtFile lists, from the root of the sources, which planted bugs the search of which scope must find: a scope, a mutant
// and the property that its shortest path violates, a line each.
const soughtFile = mutants.Dir + "/scopes.txt"

// sought is a planted bug that the search of a scope must find.
type sought struct{ scope, mutant, property string }

// readSought reads the list. Errors name the line.
func readSought(root fs.FS) ([]sought, error) {
	text, err := fs.ReadFile(root, soughtFile)
	if err != nil {
		return nil, err
	}
	var all []sought
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		words := strings.Fields(line)
		switch {
		case strings.HasPrefix(line, "#"):
			continue
		case len(words) != 3:
			return nil, fmt.Errorf("%s line %d: want a scope, a mutant and a property", soughtFile, n)
		}
		if i := scopeIndex(words[0]); i < 0 {
			return nil, fmt.Errorf("%s line %d: there is no scope %q", soughtFile, n, words[0])
		}
		all = append(all, sought{words[0], words[1], words[2]})
	}
	return all, nil
}

// scopeIndex is the place of a scope among sim.Scopes, or -1.
func scopeIndex(name string) int {
	for i := range sim.Scopes {
		if sim.Scopes[i].Name == name {
			return i
		}
	}
	return -1
}

// planted builds the tool with one planted bug after the other and has it explore the scopes in which they must show: each
// as a shortest path that the mutated tool replays, and that means nothing to the tool as it is.
func (c *exploreCmd) planted(t *tool, signal *interrupt) (exit, error) {
	root, err := sourceRoot()
	if err != nil {
		return exitUsage, fmt.Errorf("explore: --planted: %s", strings.TrimPrefix(err.Error(), "mutants: "))
	}
	all, err := readSought(os.DirFS(root))
	if err != nil {
		return exitUsage, err
	}
	dir, err := os.MkdirTemp("", "ticketsim-explore-")
	if err != nil {
		return t.complain(exitInternal, err), nil
	}
	defer os.RemoveAll(dir)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go func() {
		<-signal.done
		stop()
	}()
	h := &plantedHunt{shop: &shop{ctx: ctx, root: root, dir: dir}, statesMax: c.MaxStates, built: map[string]string{}}
	code, tried := exitOK, 0
	for _, w := range all {
		if c.Scope != "" && c.Scope != w.scope {
			continue
		}
		tried++
		found, err := h.find(w)
		if signal.exit() != exitOK {
			return t.complain(worst(code, signal.exit()), errors.New("explore: interrupted: not all planted bugs were tried")), nil
		}
		line := fmt.Sprintf("%-16s %-36s %s", w.scope, w.mutant, found)
		if err != nil {
			code = worst(code, h.code(err))
			line = fmt.Sprintf("%-16s %-36s %v", w.scope, w.mutant, err)
		}
		if _, err := fmt.Fprintln(t.stdout, line); err != nil {
			return worst(code, exitInternal), fmt.Errorf("cannot write the results: %w", err)
		}
	}
	if tried == 0 {
		return t.complain(exitNothing, fmt.Errorf("explore: %s has no planted bug for scope %q", soughtFile, c.Scope)), nil
	}
	return code, nil
}

// plantedHunt looks for planted bugs.
type plantedHunt struct {
	shop      *shop
	statesMax int
	built     map[string]string // by mutant: the tool that has it
}

// errSurvived is why a planted bug was not found: the search ended without it, or with another property.
var errSurvived = errors.New("survived")

func (h *plantedHunt) code(err error) exit {
	var unfit *unfitError
	switch {
	case errors.As(err, &unfit):
		return unfit.code
	case errors.Is(err, errSurvived):
		return exitViolation
	}
	return exitInternal
}

// find plants one bug, and returns what the search found.
func (h *plantedHunt) find(w sought) (string, error) {
	tool, err := h.tool(w.mutant)
	if err != nil {
		return "", err
	}
	kept := filepath.Join(h.shop.dir, w.scope+"-"+w.mutant+".case")
	p := h.shop.command(h.shop.ctx, tool, "explore", "--scope", w.scope, "--max-states", fmt.Sprint(h.statesMax), "--record", kept, "--json")
	text, err := p.Output()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		return "", err
	}
	var x explored
	if err := json.Unmarshal(text, &x); err != nil {
		return "", fmt.Errorf("what it printed is no result: %w", err)
	}
	switch {
	case x.Property != w.property:
		return "", fmt.Errorf("%w: %s %s after %d states, and not %s", errSurvived, x.Verdict, x.Property, x.States, w.property)
	case !x.Shortest:
		return "", fmt.Errorf("%w: the path of %d events may not be the shortest", errSurvived, x.Events)
	}
	return fmt.Sprintf("%s after %d events; %d states until the first path", x.Property, x.Events, x.States), h.replay(tool, kept, w)
}

// tool builds the tool with a bug, once.
func (h *plantedHunt) tool(id string) (string, error) {
	if tool := h.built[id]; tool != "" {
		return tool, nil
	}
	all, err := mutants.Load(os.DirFS(h.shop.root), id)
	if err != nil {
		return "", err
	}
	if len(all) != 1 {
		return "", &unfitError{exitUsage, fmt.Sprintf("%s names no planted bug", path.Base(soughtFile))}
	}
	files, err := all[0].Apply(os.DirFS(h.shop.root))
	if err != nil {
		return "", err
	}
	overlay, err := h.shop.overlay(id, files)
	if err != nil {
		return "", err
	}
	tool, err := h.shop.build(id, overlay)
	h.built[id] = tool
	return tool, err
}

// replay runs the path in the mutated tool, which must show the property again, and in the tool as it is, which must not.
func (h *plantedHunt) replay(tool, kept string, w sought) error {
	clean, err := h.shop.unchanged()
	if err != nil {
		return err
	}
	text, err := h.shop.command(h.shop.ctx, tool, "run", kept).CombinedOutput()
	if err == nil || !bytes.Contains(text, []byte(" of "+w.property+" at ")) {
		return fmt.Errorf("%w: its path does not replay: %s", errSurvived, firstLines(text, 2))
	}
	var failed *exec.ExitError
	text, err = h.shop.command(h.shop.ctx, clean, "run", kept).CombinedOutput()
	if errors.As(err, &failed) && exit(failed.ExitCode()) != exitDiverged {
		return &unfitError{exitSelf, fmt.Sprintf("its path fails without it: %s", firstLines(text, 2))}
	}
	return nil
}
