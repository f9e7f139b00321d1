package clock

import (
	"encoding/binary"
	"fmt"
)

// Bounds of a Local.
const (
	MaxPPM   = 500_000            // parts per million that it may run fast or slow
	MaxLocal = Never >> 4         // about 18 years: neither a world nor a reading goes beyond it
	million  = 1_000_000          // of parts
	readings = "of a local clock" // in panics
)

// Local is the clock of one process: world time, begun elsewhere and run at a rate of its own. It is a plain value. It
// only steps in whole nanoseconds, and two of its readings can be alike; between jumps it never goes back.
//
// The zero Local shows world time.
type Local struct {
	origin Time  // world time of the last jump
	base   Time  // what it showed then
	ppm    int64 // parts per million by which it is fast
}

// NewLocal is a clock that shows offset as the world begins, and gains ppm parts per million on it (loses, if
// negative). It panics if ppm is beyond MaxPPM or offset beyond MaxLocal, either way.
func NewLocal(offset Time, ppm int64) Local {
	if ppm < -MaxPPM || ppm > MaxPPM {
		panic(fmt.Sprintf("clock: rate %s is %d ppm", readings, ppm))
	}
	check(offset)
	return Local{base: offset, ppm: ppm}
}

func check(t Time) {
	if t < -MaxLocal || t > MaxLocal {
		panic(fmt.Sprintf("clock: reading %s is %dns", readings, t))
	}
}

// Local is what the clock shows at an instant of the world, not before its last jump.
func (l *Local) Local(world Time) Time {
	passed := world - l.origin
	if passed < 0 || world > MaxLocal {
		panic(fmt.Sprintf("clock: instant %s is %dns", readings, world))
	}
	if l.ppm == 0 {
		return l.base + passed
	}
	// Split, for the product of both would overflow after hours.
	rate := Time(million + l.ppm)
	return l.base + passed/million*rate + passed%million*rate/million
}

// World is the earliest instant of the world at which the clock shows local or later, if it does not jump before:
// the inverse of Local. For what it has shown already that is its last jump. For what lies beyond MaxLocal it is Never.
func (l *Local) World(local Time) Time {
	if local <= l.base {
		return l.origin
	}
	if local > MaxLocal {
		return Never
	}
	ahead := local - l.base
	if l.ppm == 0 {
		return l.origin + ahead
	}
	rate := Time(million + l.ppm)
	return l.origin + ahead/rate*million + (ahead%rate*million+rate-1)/rate
}

// Jump sets the clock forward, or back if by is negative, at an instant of the world that is now.
func (l *Local) Jump(now, by Time) {
	base := l.Local(now) + by
	check(base)
	l.base, l.origin = base, now
}

// AppendState appends the canonical encoding at now: clocks of equal encoding advance alike. What the clock shows is
// no part of it, for a process only ever uses the difference of two readings; it encodes them itself.
func (l *Local) AppendState(now Time, dst []byte) []byte {
	dst = binary.AppendVarint(dst, l.ppm)
	phase := (now - l.origin) % million * (million + Time(l.ppm)) % million // of the nanosecond begun
	return binary.AppendUvarint(dst, uint64(phase))
}
