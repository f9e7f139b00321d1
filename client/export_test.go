package client

import "ticketing/client/demux"

// Trace makes the client that is made of o call f with every step.
func (o *Options) Trace(f func(now demux.Time, in *demux.Input, effects []demux.Effect)) { o.trace = f }

// Core is the options of the machine.
func (c *Client) Core() demux.Options { return c.shell.o }
