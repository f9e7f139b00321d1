package main

import (
	"fmt"
	"slices"
	"strings"

	"ticketing/sim/choice"
)

// strategy is the name of what answers the questions of a seed; empty: the default.
type strategy string

// defaultStrategy is the one that finds the planted bugs soonest.
const defaultStrategy = choice.Random

// UnmarshalText reads the name.
func (s *strategy) UnmarshalText(text []byte) error {
	if !slices.Contains(choice.Strategies, string(text)) {
		return fmt.Errorf("unknown strategy %q, not one of %s", text, strings.Join(choice.Strategies, ", "))
	}
	*s = strategy(text)
	return nil
}

func (s strategy) String() string {
	if s == "" {
		return defaultStrategy
	}
	return string(s)
}

// source makes one.
func (s strategy) source() choice.Strategy {
	source, ok := choice.NewStrategy(s.String())
	if !ok {
		panic("ticketsim: no strategy " + s.String())
	}
	return source
}

// aside is what a line of text says of it: nothing of the default.
func (s strategy) aside() string {
	if s.flag() == "" {
		return ""
	}
	return ", strategy " + s.String()
}

// flag is what a line to paste says of it: nothing of the default.
func (s strategy) flag() string {
	if s.String() == defaultStrategy {
		return ""
	}
	return " --strategy " + s.String()
}
