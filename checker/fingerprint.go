package checker

import (
	"math/bits"
	"sync"

	"ticketing/client/demux"
	"ticketing/sim/reference"
)

// fingerprintSeeds is how many worlds a fingerprint covers, the seeds from 0 on: about 10 ms.
const fingerprintSeeds = 64

// Fingerprint is a hash over the logs of 64 fixed seeds of a scenario. It identifies a behaviour: a seed that one build
// found shows the same in every build that has the fingerprint of that one, and in another it may show nothing. A
// scenario has its own, so that a change to one leaves the seeds of the others alone.
//
// It is computed once a process, and may be called from several goroutines. A scenario that does not exist panics.
func Fingerprint(scenario string) uint64 { return fingerprints.get(scenario, NewRunner) }

// WorldFingerprint is the same hash of worlds in which the naive core of sim/reference runs instead of the client that
// ships. It identifies what the world does and asks: a change to the client alone leaves it.
func WorldFingerprint(scenario string) uint64 {
	return worldFingerprints.get(scenario, func() *Runner {
		return NewRunnerOf(func(o demux.Options) (demux.Core, error) { return reference.New(o) })
	})
}

var fingerprints, worldFingerprints hashes

// hashes keeps what was computed, by scenario.
type hashes struct {
	mu sync.Mutex
	of map[string]uint64
}

func (s *hashes) get(scenario string, newRunner func() *Runner) uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h, ok := s.of[scenario]; ok {
		return h
	}
	r := newRunner()
	h := uint64(0)
	for seed := range uint64(fingerprintSeeds) {
		res, err := r.Run(seed, Config{Scenario: scenario})
		if err != nil {
			panic(err)
		}
		h = bits.RotateLeft64(h, 5) * 0x9e3779b97f4a7c15
		h ^= res.Hash
	}
	if s.of == nil {
		s.of = map[string]uint64{}
	}
	s.of[scenario] = h
	return h
}
