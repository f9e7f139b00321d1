// Command ticketsim tries the Ticketing client in simulated worlds, one world a seed, and judges histories of
// locks.
//
//	ticketsim sweep [--seeds A..B | --for DURATION]   many seeds, on all cores
//	ticketsim run SEED                                one seed, readably
//	ticketsim recheck DIR                             what an old sweep found, on this build
//	ticketsim explore [--scope NAME]                  every state of small worlds
//	ticketsim check FILE...                           a recorded history
//	ticketsim mutants                                 the planted bugs, and what notices them
//	ticketsim judges A..B                             which judges the findings of seeds need
//	ticketsim live --addr HOST:PORT,...               a service that runs, judged by what real callers see
//	ticketsim bench                                   how fast all this is, beside what it is to be compared with
//
// Results go to stdout, progress and complaints to stderr. The exit status says what is worst of what
// happened; see exit.
package main

import (
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"strings"

	"github.com/alecthomas/kong"
	"golang.org/x/term"
)

// cli is the command line. Each command checks its own arguments further.
type cli struct {
	Sweep   sweepCmd   `cmd:"" help:"Run many seeds, each a world of its own, and count what happened."`
	Run     runCmd     `cmd:"" help:"Run one seed."`
	Recheck recheckCmd `cmd:"" help:"Run every finding of an old sweep again, on this build."`

	Check checkCmd `cmd:"" help:"Judge recorded histories, or generate one."`

	Explore exploreCmd `cmd:"" help:"Visit every state of small worlds."`

	Mutants mutantsCmd `cmd:"" help:"Plant the bugs of seeds/mutants, one after the other, and say what notices them."`

	Judges judgesCmd `cmd:"" help:"Say which judges the findings of some seeds need: what nobody notices without them."`

	Live liveCmd `cmd:"" help:"Try a service that runs: the same judges on what real callers see."`

	Bench benchCmd `cmd:"" help:"Measure how fast this build is on this machine, beside a bare event loop and other ways to do the same."`
}

// tool is what a command has to work with.
type tool struct {
	stdin    io.Reader
	stdout   io.Writer
	stderr   io.Writer
	terminal bool // stderr is one
	engine   engine
}

func main() {
	os.Exit(start(shipping()))
}

// start runs the tool on the process's own arguments and streams.
func start(e engine) int {
	t := &tool{
		stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
		terminal: term.IsTerminal(int(os.Stderr.Fd())),
		engine:   e,
	}
	return int(t.main(os.Args[1:]))
}

// main parses, runs and maps: what a command returns is the status, an error of its own makes it usage.
func (t *tool) main(args []string) exit {
	var c cli
	helped := false
	args = joined(args)
	parser, err := kong.New(&c, kong.Name("ticketsim"), kong.Description(description),
		kong.Writers(t.stdout, t.stderr), kong.Exit(func(int) { helped = true }))
	if err != nil {
		return t.complain(exitInternal, err)
	}
	k, err := parser.Parse(args)
	switch {
	case helped:
		return exitOK
	case err != nil:
		return t.complain(exitUsage, err)
	}
	if err := empty(k); err != nil {
		return t.complain(exitUsage, err)
	}
	command, ok := k.Selected().Target.Addr().Interface().(interface{ run(*tool) (exit, error) })
	if !ok {
		return t.complain(exitInternal, fmt.Errorf("command %s does nothing", k.Command()))
	}
	code, err := command.run(t)
	if err != nil {
		return t.complain(worst(code, exitUsage), err)
	}
	return code
}

// negative begins what a flag is told, and is no flag.
var negative = regexp.MustCompile(`^-[0-9]`)

// joined ties what begins like a negative number to the flag before it, whose own words say what is wrong with it.
func joined(args []string) []string {
	var all []string
	for _, a := range args {
		if n := len(all) - 1; n >= 0 && negative.MatchString(a) && strings.HasPrefix(all[n], "--") && !strings.Contains(all[n], "=") {
			all[n] += "=" + a
			continue
		}
		all = append(all, a)
	}
	return all
}

// empty says which flag or argument is told nothing: a script's variable that was never set is no name, and no default.
func empty(k *kong.Context) error {
	for _, p := range k.Path {
		switch {
		case p.Flag != nil && p.Flag.Target.Kind() == reflect.String && p.Flag.Target.String() == "":
			return fmt.Errorf("--%s: empty", p.Flag.Name)
		case p.Positional != nil && p.Positional.Target.Kind() == reflect.String && p.Positional.Target.String() == "":
			return fmt.Errorf("<%s>: empty", p.Positional.Name)
		}
	}
	return nil
}

// complain writes one line, whatever the error holds.
func (t *tool) complain(code exit, err error) exit {
	fmt.Fprintln(t.stderr, "ticketsim: "+strings.ReplaceAll(strings.TrimSpace(err.Error()), "\n", "; "))
	return code
}

const description = `Tries the Ticketing client in simulated worlds, one world a seed, and judges histories of locks.

Exit status: 0 all that was asked ran and passed, 1 a property was violated, 2 usage, 3 inconclusive or incomplete,
4 nothing ran, 5 the tool failed its own check, 6 a replayed case diverged, 70 internal error, 130 and 143 interrupted.`
