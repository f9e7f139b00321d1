package checker

import (
	"math/bits"
	"sync"
)

// fingerprintSeeds is how many worlds a fingerprint covers, the seeds from 0 on: about 10 ms.
const fingerprintSeeds = 64

// Fingerprint is a hash over the logs of 64 fixed seeds of a scenario. It identifies a behaviour: a seed that one build
// found shows the same in every build that has the fingerprint of that one, and in another it may show nothing. A
// scenario has its own, so that a change to one leaves the seeds of the others alone.
//
// It is computed once a process, and may be called from several goroutines. A scenario that does not exist panics.
func Fingerprint(scenario string) uint64 {
	fingerprints.Lock()
	defer fingerprints.Unlock()
	if h, ok := fingerprints.of[scenario]; ok {
		return h
	}
	r := NewRunner()
	h := uint64(0)
	for seed := range uint64(fingerprintSeeds) {
		res, err := r.Run(seed, Config{Scenario: scenario})
		if err != nil {
			panic(err)
		}
		h = bits.RotateLeft64(h, 5) * 0x9e3779b97f4a7c15
		h ^= res.Hash
	}
	fingerprints.of[scenario] = h
	return h
}

var fingerprints = struct {
	sync.Mutex
	of map[string]uint64
}{of: map[string]uint64{}}
