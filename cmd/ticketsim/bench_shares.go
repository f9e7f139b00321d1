package main

import (
	"bytes"
	"errors"
	"runtime/pprof"
	"strings"
	"time"

	"ticketing/cmd/ticketsim/pairs"
)

// sharesFor is how much processor time is sampled, a hundred times a second: a share is right to about two in a hundred.
const sharesFor = 5 * time.Second

// Who can take the time of a sweep. A sample is of whoever the innermost function of this module on its stack belongs to, so
// that what somebody has the runtime and the codec do is their own.
const (
	shareWorld   = "the world: service, callers, driver, log"
	shareQueue   = "the queue of events, and the choices"
	shareNetwork = "the network"
	shareDemux   = "the client's core"
	shareAudits  = "judges: the audits"
	shareHistory = "judges: the history and the black box"
	shareTwin    = "judges: the reference core"
	shareSweep   = "the sweep itself, and the run of a world"
	shareRuntime = "the collector, and other work of the runtime's own"
)

var shareNames = []string{shareWorld, shareQueue, shareNetwork, shareDemux, shareAudits, shareHistory, shareTwin, shareSweep, shareRuntime}

// shareOwners says by the beginning of a function's name whose it is; the first that fits counts. "" is passed over.
var shareOwners = []struct{ prefix, owner string }{
	{"ticketing/client/wire.", ""},
	{"ticketing/client/", shareDemux},
	{"ticketing/network.", shareNetwork},
	{"ticketing/sim.(*Recorder).", shareHistory},
	{"ticketing/sim/reference.", shareTwin},
	{"ticketing/sim/clock.", shareQueue},
	{"ticketing/sim/choice.", shareQueue},
	{"ticketing/sim/", shareWorld},
	{"ticketing/sim.", shareWorld},
	{"ticketing/checker/audit.", shareAudits},
	{"ticketing/checker/blackbox.", shareHistory},
	{"ticketing/model.", shareHistory},
	{"ticketing/", shareSweep},
	{"main.", shareSweep},
}

// shareOwner is whose a stack is.
func shareOwner(names []string) string {
	for _, n := range names {
		for _, o := range shareOwners {
			if strings.HasPrefix(n, o.prefix) {
				if o.owner == "" {
					break
				}
				return o.owner
			}
		}
	}
	return shareRuntime
}

// shares samples a sweep on one core.
func (b *bench) shares() error {
	defer pairs.OnCores(1)()
	var out bytes.Buffer
	if err := pprof.StartCPUProfile(&out); err != nil {
		return err
	}
	var err error
	for began := pairs.ProcessorTime(); err == nil && pairs.ProcessorTime()-began < sharesFor; {
		_, err = b.swept(batchSeeds, 1)
	}
	pprof.StopCPUProfile()
	if err != nil {
		return err
	}
	p, err := readProfile(out.Bytes())
	if err != nil {
		return err
	}
	by, total := p.shares()
	if total == 0 {
		return errors.New("no sample was taken")
	}
	for _, name := range shareNames {
		b.tell(name, 100*float64(by[name])/float64(total), "%")
	}
	b.tell("samples of the processor's profile, from which these are", float64(total), "")
	return nil
}

// shares counts the samples by owner.
func (p *profile) shares() (by map[string]int64, total int64) {
	by = map[string]int64{}
	for _, s := range p.samples {
		by[shareOwner(p.names(s.stack))] += s.count
		total += s.count
	}
	return by, total
}
