package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"ticketing/checker/blackbox"
	"ticketing/model"
)

// checkCmd judges recorded histories, or generates one.
type checkCmd struct {
	Files    []string    `arg:"" optional:"" name:"file" help:"Histories, as text or as JSON lines; - is stdin. With --generate: the one to write, by default stdout."`
	JSON     bool        `name:"json" help:"Print one JSON object a file. With --generate: write JSON lines."`
	Generate *int        `placeholder:"OPS" help:"Do not judge: write a history of so many operations. Those that are open then come on top."`
	History  generateCmd `embed:"" group:"With --generate:"`
}

func (c *checkCmd) run(t *tool) (exit, error) {
	switch {
	case c.Generate != nil:
		return c.History.run(t, *c.Generate, c.Files, c.JSON)
	case c.History != generateCmd{}:
		return exitUsage, errors.New("check: flags of --generate without it")
	case len(c.Files) == 0:
		return exitUsage, errors.New("check: expected a file")
	}
	return c.judge(t)
}

// judge judges the files, one after the other. A signal ends it with those that are judged by then.
func (c *checkCmd) judge(t *tool) (exit, error) {
	signal := listen()
	defer signal.stop()
	judge := blackbox.NewJudge()
	code := exitOK
	for i, name := range c.Files {
		var v blackbox.Verdict
		var err error
		if !unless(signal, func() { v, err = judgeFile(t, judge, name) }) {
			cut := fmt.Errorf("interrupted: %d of %d files were not judged", len(c.Files)-i, len(c.Files))
			return worst(code, t.complain(signal.exit(), cut)), nil
		}
		if err != nil {
			code = worst(code, t.complain(exitUsage, err))
			continue
		}
		code = worst(code, exitOfResult(v.Result))
		// Each result at once: the next file may take long, and a signal may come.
		if err := c.print(t.stdout, name, &v); err != nil {
			return t.complain(worst(code, exitInternal), fmt.Errorf("cannot write the results: %w", err)), nil
		}
		if v.Ops == 0 {
			code = worst(code, t.complain(exitNothing, fmt.Errorf("%s: no operations: there was nothing to judge", name)))
		}
	}
	return code, nil
}

// unless says whether f ended before a signal came. If not, it may be reading what never comes, or judge for hours: it is left
// behind, and what it has in its hands with it.
func unless(signal *interrupt, f func()) bool {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		f()
	}()
	select {
	case <-ended:
		return true
	case <-signal.done:
		return false
	}
}

// print writes the verdict on one file.
func (c *checkCmd) print(w io.Writer, name string, v *blackbox.Verdict) error {
	if c.JSON {
		return newEncoder(w).Encode(newJudged(name, v))
	}
	out := bufio.NewWriter(w)
	printJudged(out, name, v)
	return out.Flush()
}

// judgeFile reads and judges one history. Its errors name the file, and the place in it.
func judgeFile(t *tool, judge *blackbox.Judge, name string) (blackbox.Verdict, error) {
	in, label := t.stdin, "stdin"
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return blackbox.Verdict{}, err
		}
		defer f.Close()
		in, label = f, name
	}
	h, err := model.Read(in)
	if err != nil {
		return blackbox.Verdict{}, fmt.Errorf("%s: %w", label, err)
	}
	v := judge.Check(h)
	if v.Result == blackbox.Invalid {
		return v, fmt.Errorf("%s: %s", label, v.Facts[0])
	}
	return v, nil
}

// verdictOf is what the tool calls a judge's result.
func verdictOf(r blackbox.Result) string {
	switch r {
	case blackbox.Legal:
		return "pass"
	case blackbox.Illegal:
		return "violation"
	case blackbox.Inconclusive:
		return "inconclusive"
	case blackbox.Disagree:
		return "disagreement"
	}
	panic("ticketsim: unknown result " + r.String())
}

func exitOfResult(r blackbox.Result) exit {
	switch r {
	case blackbox.Legal:
		return exitOK
	case blackbox.Illegal:
		return exitViolation
	case blackbox.Inconclusive:
		return exitInconclusive
	}
	return exitSelf
}

// judged is the verdict on one file as JSON.
type judged struct {
	Type        string   `json:"type"`
	File        string   `json:"file"`
	Verdict     string   `json:"verdict"`
	Property    string   `json:"property"`
	Key         string   `json:"key"`
	At          int64    `json:"at"` // nanoseconds of the recorder's clock
	Facts       []string `json:"facts"`
	Ops         int      `json:"ops"`
	Grants      int      `json:"grants"`
	ShortGrants int      `json:"short_grants"`
}

func newJudged(name string, v *blackbox.Verdict) judged {
	return judged{
		Type: "check", File: name, Verdict: verdictOf(v.Result), Property: v.Property, Key: v.Key, At: v.At,
		Facts: append([]string{}, v.Facts...), Ops: v.Ops, Grants: v.Grants, ShortGrants: v.ShortGrants,
	}
}

// printJudged writes a verdict. Where no grant could have outlived its lease unseen, the judges had something
// to say; where few could, the reader should know.
func printJudged(w io.Writer, name string, v *blackbox.Verdict) {
	fmt.Fprintf(w, "%s: %s: %d ops, %d grants, %d of them with a window shorter than their lease\n",
		name, verdictOf(v.Result), v.Ops, v.Grants, v.ShortGrants)
	if v.Result == blackbox.Legal {
		return
	}
	if v.Result == blackbox.Illegal {
		fmt.Fprintf(w, "violation of %s on key %s at %s\n", v.Property, v.Key, time.Duration(v.At))
	}
	for _, f := range v.Facts {
		fmt.Fprintf(w, "    %s\n", f)
	}
	fmt.Fprintf(w, "go run ./cmd/ticketsim check %s\n", quoted(name))
}

// quoted makes one word for a shell of a file name.
func quoted(name string) string {
	for _, r := range name {
		ok := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '/' || r == '.' || r == '-' || r == '_'
		if !ok {
			return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
		}
	}
	return name
}
