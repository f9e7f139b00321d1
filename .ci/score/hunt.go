package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"time"
)

// A mutant is looked for in rounds over all scenarios, each longer than the one before.
const (
	firstRound  = 64
	roundGrowth = 4
	favourites  = 2 // scenarios, the first, that get
	favour      = 4 // times the seeds of the others
)

// What a mutant may use up: one that hangs or fills the memory is stopped.
const (
	hangTime   = 1    // seconds of processor time, and one more for every
	hangSeeds  = 1000 // seeds
	memoryMax  = 4 << 20
	wallFactor = 60
)

// The ways to notice a mutant that are no property.
const (
	survived = ""
	hung     = "(hangs)"
	crashed  = "(crashes)"
)

// hunter runs the tool that holds the mutants.
type hunter struct {
	tool      string
	scenarios []string
	budget    time.Duration // of processor time, for one mutant
}

// hunt is the search for one mutant.
type hunt struct {
	h    *hunter
	id   int
	args []string
	cpu  time.Duration
}

// find returns what noticed a mutant, and where; survived if nothing did before the budget was spent.
func (h *hunter) find(id int, args ...string) (by, scenario string, err error) {
	t := &hunt{h: h, id: id, args: args}
	from := 0
	for size := firstRound; ; size *= roundGrowth {
		for i, scenario := range h.scenarios {
			if t.cpu >= h.budget {
				return survived, "", nil
			}
			times := 1
			if i < favourites {
				times = favour
			}
			by, err := t.sweep(scenario, from*times, (from+size)*times)
			if by != survived || err != nil {
				return by, scenario, err
			}
		}
		from += size
	}
}

// sweep runs some seeds of one scenario. The shell sets the limits.
func (t *hunt) sweep(scenario string, from, to int) (by string, err error) {
	limit := hangTime + (to-from)/hangSeeds
	args := []string{"-c", fmt.Sprintf(`ulimit -t %d; ulimit -v %d; exec "$@"`, limit, memoryMax), "sh", t.h.tool, "sweep",
		"--scenario", scenario, "--jobs", "1", "--json", "--max-findings", "1", "--seeds", fmt.Sprintf("%d..%d", from, to)}
	p := exec.Command("sh", append(args, t.args...)...)
	p.Env = append(os.Environ(), variable+"="+strconv.Itoa(t.id), "GOMAXPROCS=1")
	stuck := time.AfterFunc(time.Duration(limit*wallFactor)*time.Second, func() { _ = p.Process.Kill() })
	out, err := p.Output()
	stuck.Stop()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		return "", err
	}
	used := p.ProcessState.UserTime() + p.ProcessState.SystemTime()
	t.cpu += used
	by, whole := judge(out)
	switch {
	case whole:
		return by, nil
	case used >= time.Duration(limit)*time.Second-time.Second/10:
		return hung, nil
	}
	return crashed, nil
}

// judge reads what a sweep printed: the property that its last finding is a violation of, and whether it came to its end.
func judge(out []byte) (by string, whole bool) {
	for line := range bytes.Lines(out) {
		var l struct {
			Type, Verdict, Property string
			Internal                int
		}
		if json.Unmarshal(line, &l) != nil {
			return by, false
		}
		switch {
		case l.Type == "summary":
			if by == survived && l.Internal > 0 {
				by = crashed
			}
			return by, true
		case l.Verdict == "internal":
		case l.Verdict != "pass" && l.Verdict != "inconclusive":
			by = l.Property
		}
	}
	return by, false
}
