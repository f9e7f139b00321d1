package main

import "ticketing/checker"

// What a sweep does with some of its seeds, that it does not do with all.
const (
	repeatEvery = 128 // one seed in so many runs twice: the second run must be the first
	pairEvery   = 64  // one seed in so many, none of those, runs beside the reference core
	pairAt      = pairEvery / 2
	clonesMax   = 8 // in a second run
)

// worker runs the seeds of a sweep, one after the other, each the way that the seed says: who runs it does not show. It is
// not safe for concurrent use.
type worker struct {
	engine *engine
	config checker.Config
	shadow bool   // all seeds run beside the reference core
	runner runner // of most seeds
	again  runner // of the second runs
	pair   runner // of those beside the reference core
}

func newWorker(e *engine, scenario string, shadow bool) *worker {
	newRunner := e.maker(shadow)
	return &worker{engine: e, config: checker.Config{Scenario: scenario}, shadow: shadow,
		runner: newRunner(), again: newRunner(), pair: e.newShadowed()}
}

// try runs a seed.
func (w *worker) try(seed uint64) outcome {
	if !w.shadow && seed%pairEvery == pairAt {
		return w.beside(seed)
	}
	o := w.alone(seed)
	if seed%repeatEvery == 0 && !o.broken() {
		o = w.repeat(o)
	}
	o.shadow = w.shadow
	return o
}

func (w *worker) alone(seed uint64) outcome {
	o := w.engine.try(w.runner, seed, w.config)
	if o.broken() {
		w.runner = w.engine.maker(w.shadow)()
	}
	return o
}

// repeat runs a seed again. Worlds of different histories went before on the two runners, so that what one world leaves to
// the next shows as well, and a few times a clone takes the world's place.
func (w *worker) repeat(first outcome) outcome {
	cloned := w.config
	cloned.CloneEvery = first.Events/clonesMax + 1
	second := w.engine.try(w.again, first.Seed, cloned)
	switch {
	case second.Property == checker.Redact:
		return second
	case !same(&first, &second):
		w.again = w.engine.maker(w.shadow)()
		return unsteady(&first, &second)
	}
	return first
}

// beside runs a seed beside the reference core: the world is the same, but for one judge more. What fails without it is told
// without it, as the client's alone.
func (w *worker) beside(seed uint64) outcome {
	o := w.engine.try(w.pair, seed, w.config)
	if o.broken() {
		w.pair = w.engine.newShadowed()
	}
	if o.code == exitOK {
		return o
	}
	o.shadow = true
	if plain := w.alone(seed); plain.code != exitOK {
		return plain
	}
	return o
}
