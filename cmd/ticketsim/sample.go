package main

import "golang.org/x/exp/stats"

// sampleMax bounds the memory of a sample: a quantile of 16,384 worlds is exact enough.
const sampleMax = 1 << 14

// sample keeps the sizes of worlds for quantiles: all of them while they are few, then every second, every
// fourth and so on. What it keeps in the end depends on which worlds ran, not on their order.
type sample struct {
	stride uint64
	worlds []uint64 // index of each world kept
	sizes  []float64
	max    int64
}

// add takes the size of the world with that index in its sweep.
func (s *sample) add(index uint64, size int64) {
	s.max = max(s.max, size)
	if s.stride == 0 {
		s.stride = 1
	}
	if index%s.stride != 0 {
		return
	}
	s.worlds = append(s.worlds, index)
	s.sizes = append(s.sizes, float64(size))
	for len(s.sizes) > sampleMax {
		s.thin()
	}
}

func (s *sample) thin() {
	s.stride *= 2
	kept := 0
	for i, w := range s.worlds {
		if w%s.stride == 0 {
			s.worlds[kept], s.sizes[kept] = w, s.sizes[i]
			kept++
		}
	}
	s.worlds, s.sizes = s.worlds[:kept], s.sizes[:kept]
}

// quantiles of the sizes, zero where nothing ran.
type quantiles struct {
	P50 int64 `json:"p50"`
	P90 int64 `json:"p90"`
	P99 int64 `json:"p99"`
	Max int64 `json:"max"`
}

func (s *sample) quantiles() quantiles {
	if len(s.sizes) == 0 {
		return quantiles{}
	}
	q := stats.Quantiles(s.sizes, 0.5, 0.9, 0.99)
	return quantiles{int64(q[0]), int64(q[1]), int64(q[2]), s.max}
}
