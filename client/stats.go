package client

import "ticketing/client/demux"

// Stats is a snapshot of a client.
type Stats struct {
	Acquires int // acquires that wait for an answer
	Releases int // releases that wait for an answer
	Lane     int // grants that arrived for nobody and are being given back; with an honest service almost always 0
	Held     int // grants that are remembered as in use here
	Links    int // connections, those that are being dialled or closed included

	Dials    uint64     // dials so far
	Outcomes OutcomeSum // operations so far
}

// OutcomeSum counts operations by their demux.Outcome: Outcomes[demux.Granted] is the number of grants.
type OutcomeSum [demux.Closed + 1]uint64

// count brings the snapshot up to date.
func (s *shell) count() {
	z := s.m.Sizes()
	s.stats.Acquires, s.stats.Releases, s.stats.Lane, s.stats.Held = z.Acquires, z.Releases, z.Lane, z.Held
	s.stats.Links = len(s.links)
}
