package main

import (
	"fmt"
	"strconv"
	"strings"
)

// seedRange is the seeds from..to-1.
type seedRange struct{ from, to uint64 }

// UnmarshalText reads "A..B".
func (r *seedRange) UnmarshalText(text []byte) error {
	a, b, ok := strings.Cut(string(text), "..")
	if !ok {
		return fmt.Errorf("%q is not A..B, two seeds (B is excluded)", text)
	}
	from, err := parseSeed(a)
	if err != nil {
		return err
	}
	to, err := parseSeed(b)
	if err != nil {
		return err
	}
	if from > to {
		return fmt.Errorf("%q runs backwards", text)
	}
	*r = seedRange{from, to}
	return nil
}

func (r seedRange) size() uint64 { return r.to - r.from }

// parseSeed reads a decimal number below 2^64.
func parseSeed(s string) (uint64, error) {
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a seed, a number in 0..2^64-1", s)
	}
	return n, nil
}
