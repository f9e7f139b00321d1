// Command lint holds this module to the rules that its design fixes and that no compiler checks: who may
// import whom, what code that has to run alike everywhere may not do, and how long a function or a file may
// be. It reads what ships; tests are free.
//
//	go run ./.ci/lint [-C directory]
//
// It prints one line a finding, file:line: message, and exits with 1 if there was one, 2 if it could not look.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	dir := flag.String("C", ".", "root of the module")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "lint: it takes no arguments: it always reads the whole module")
		os.Exit(2)
	}
	found, err := lint(*dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	for _, f := range found {
		fmt.Println(f)
	}
	if len(found) > 0 {
		os.Exit(1)
	}
}

// lint runs every check over the module at root and returns the findings by place.
func lint(root string) ([]finding, error) {
	m, err := load(root)
	if err != nil {
		return nil, err
	}
	r := &report{root: m.root, seen: map[finding]bool{}}
	if err := checkTop(r, m); err != nil {
		return nil, err
	}
	for _, p := range m.packages {
		if len(p.broken) > 0 { // the others often follow from the first
			r.add(p.broken[0].pos, "does not compile: %s", p.broken[0].msg)
		}
		checkImports(r, m, p)
		checkSize(r, m, p)
		if deterministic(m.local(p.path)) {
			checkPurity(r, m, p)
		}
	}
	return r.sorted(), nil
}
