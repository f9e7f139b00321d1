package sim

import (
	"strings"

	"ticketing/client/demux"
	"ticketing/client/wire"
	"ticketing/network"
	"ticketing/sim/choice"
)

// oddLines are what a service might say that is barely a frame, or barely none, each beside how the protocol wants the
// connection to end that reads it (ReasonNone: it goes on). They are written out: no codec has a say in them.
var oddLines = [...]struct {
	line string
	ends demux.Reason
}{
	// No frame at all.
	{"", demux.ReasonFatal},
	{" ", demux.ReasonFatal},
	{"\r", demux.ReasonFatal},
	{"\x00", demux.ReasonFatal},
	{"~", demux.ReasonFatal},
	{"1", demux.ReasonFatal},
	{"@ a o", demux.ReasonFatal},
	{"[ a o", demux.ReasonFatal},
	{"AA a o 1 64", demux.ReasonFatal},
	{" T a o", demux.ReasonFatal},
	{"t a o", demux.ReasonFatal},
	{"l n0:1", demux.ReasonFatal},
	{"H 1 c", demux.ReasonFatal},
	{"Q", demux.ReasonFatal},
	{"Z n0:1", demux.ReasonFatal},
	// Fields that are missing, empty, or too many.
	{"A", demux.ReasonFatal},
	{"A ", demux.ReasonFatal},
	{"A a", demux.ReasonFatal},
	{"A a o", demux.ReasonFatal},
	{"A a o 1", demux.ReasonFatal},
	{"A a o 1 ", demux.ReasonFatal},
	{"A a o  64", demux.ReasonFatal},
	{"A  o 1 64", demux.ReasonFatal},
	{"A  a o 1 64", demux.ReasonFatal},
	{"A a  o 1 64", demux.ReasonFatal},
	{"A a o 1 64 ", demux.ReasonFatal},
	{"A a o 1 64 1", demux.ReasonFatal},
	{"A\ta o 1 64", demux.ReasonFatal},
	{"T", demux.ReasonFatal},
	{"T a", demux.ReasonFatal},
	{"T a ", demux.ReasonFatal},
	{"T a o 1", demux.ReasonFatal},
	{"B a", demux.ReasonFatal},
	{"B a o ", demux.ReasonFatal},
	{"R a", demux.ReasonFatal},
	{"R 1", demux.ReasonFatal},
	{"R a 1 1", demux.ReasonFatal},
	{"N a", demux.ReasonFatal},
	{"N a 1 ", demux.ReasonFatal},
	{"M", demux.ReasonFatal},
	{"M ", demux.ReasonFatal},
	{"M  n1:1", demux.ReasonFatal},
	{"M n1:1 ", demux.ReasonFatal},
	{"M n1:1 n0:1", demux.ReasonFatal},
	{"L", demux.ReasonFatal},
	{"L n1:1 x", demux.ReasonFatal},
	{"L n1:1\r", demux.ReasonFatal},
	{"E", demux.ReasonFatal},
	{"E ", demux.ReasonFatal},
	{"E no_leader ", demux.ReasonFatal},
	{"E  no_leader", demux.ReasonFatal},
	{"E no_leader\r", demux.ReasonFatal},
	{"E no_leader\tx", demux.ReasonFatal},
	{"E no_leader x\x1f", demux.ReasonFatal},
	{"E no_leader x\x7f", demux.ReasonFatal},
	{"E no_leader \x80", demux.ReasonFatal},
	{"E not_active \x00", demux.ReasonFatal},
	// Numbers.
	{"A a o 0 64", demux.ReasonFatal},
	{"A a o 01 64", demux.ReasonFatal},
	{"A a o +1 64", demux.ReasonFatal},
	{"A a o -1 64", demux.ReasonFatal},
	{"A a o 1x 64", demux.ReasonFatal},
	{"A a o x1 64", demux.ReasonFatal},
	{"A a o 1: 64", demux.ReasonFatal},
	{"A a o 1/ 64", demux.ReasonFatal},
	{"A a o 0x1 64", demux.ReasonFatal},
	{"A a o 18446744073709551616 64", demux.ReasonFatal},
	{"A a o 18446744073709551625 64", demux.ReasonFatal},
	{"A a o 20000000000000000000 64", demux.ReasonFatal},
	{"A a o 99999999999999999999 64", demux.ReasonFatal},
	{"A a o 184467440737095516151 64", demux.ReasonFatal},
	{"A a o 1 0", demux.ReasonFatal},
	{"A a o 1 064", demux.ReasonFatal},
	{"A a o 1 2147483648", demux.ReasonFatal},
	{"A a o 1 4294967297", demux.ReasonFatal},
	{"A a o 1 18446744073709551617", demux.ReasonFatal},
	{"R a 0", demux.ReasonFatal},
	{"R a 007", demux.ReasonFatal},
	{"R a 18446744073709551616", demux.ReasonFatal},
	{"N a 00", demux.ReasonFatal},
	{"N a 1.0", demux.ReasonFatal},
	// Words that are too long, or hold what no word may.
	{"A " + word(201) + " o 1 64", demux.ReasonFatal},
	{"T a " + word(201), demux.ReasonFatal},
	{"M " + word(256), demux.ReasonFatal},
	{"L " + word(256), demux.ReasonFatal},
	{"T a\x1f o", demux.ReasonFatal},
	{"T a\x7f o", demux.ReasonFatal},
	{"T a \x80", demux.ReasonFatal},
	{"T a o\x00", demux.ReasonFatal},
	{"T a o\r", demux.ReasonFatal},
	{"M \xc3\xa9:1", demux.ReasonFatal},
	// Frames that are whole, though they look odd: nobody waits for them, or they say something after all.
	{"A ! ~ 18446744073709551615 2147483647", demux.ReasonUnmatched},
	{"A " + word(200) + " " + word(200) + " 1 1", demux.ReasonUnmatched},
	{"A 1 1 10 20", demux.ReasonUnmatched},
	{"A a o 18446744073709551609 100", demux.ReasonUnmatched},
	{"T + -", demux.ReasonUnmatched},
	{"T a " + word(200), demux.ReasonUnmatched},
	{"B B B", demux.ReasonUnmatched},
	{"R a 18446744073709551615", demux.ReasonUnmatched},
	{"N 0 9999999999999999999", demux.ReasonUnmatched},
	{"M ~!", demux.ReasonMoved},
	{"M " + word(255), demux.ReasonMoved},
	{"L !~", demux.ReasonNone},
	{"L " + word(255), demux.ReasonNone},
	{"L L", demux.ReasonNone},
	{"E no_leader   ", demux.ReasonNoLeader},
	{"E no_leader ~ two  words ! ", demux.ReasonNoLeader},
	{"E not_active no_leader", demux.ReasonNotActive},
	{"E ~", demux.ReasonFatal},
	{"E no_leader_ x", demux.ReasonFatal},
}

// word is one of so many bytes.
func word(n int) string { return strings.Repeat("~", n) }

// lieOdd says an odd line, and then the answer.
func lieOdd(w *World, c network.Conn, _ *wire.Reply, frame []byte) {
	w.count(CountHostileOdd)
	odd := oddLines[w.choose(labelOdd, len(oddLines))].line
	w.write(c, append(append(append(w.scratch[:0], odd...), '\n'), frame...))
}

var labelOdd = choice.Label{Stream: choice.Service, Name: "hostile.odd"}
