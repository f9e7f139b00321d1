package client

import "ticketing/client/demux"

// Trace makes the client that is made of o call f with every step.
func (o *Options) Trace(f func(now demux.Time, in *demux.Input, effects []demux.Effect)) { o.trace = f }

// Core is the options of the machine. The shell does not keep the credential.
func (c *Client) Core(credential string) demux.Options {
	o := c.shell.o
	o.Credential = credential
	return o
}
