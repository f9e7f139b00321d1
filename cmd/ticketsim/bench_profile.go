package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
)

// profile is what is read of a processor profile as runtime/pprof writes it: stacks, and how often each was seen. It is a
// message of the public profile.proto; fields that say nothing about that are passed over.
type profile struct {
	samples   []profileSample
	locations map[uint64][]uint64 // their functions, the innermost first
	functions map[uint64]int64    // their names
	strings   []string
}

type profileSample struct {
	stack []uint64 // locations, the innermost first
	count int64
}

// The numbers of the fields, of the profile itself and of what it holds.
const (
	profileSamples, profileLocations, profileFunctions, profileStrings = 2, 4, 5, 6

	sampleLocations, sampleValues = 1, 2
	locationID, locationLines     = 1, 4
	lineFunction                  = 1
	functionID, functionName      = 1, 2
)

var errProfile = errors.New("what the runtime wrote is no profile")

// readProfile reads a profile, which is compressed.
func readProfile(b []byte) (*profile, error) {
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	if b, err = io.ReadAll(z); err != nil {
		return nil, err
	}
	p := &profile{locations: map[uint64][]uint64{}, functions: map[uint64]int64{}}
	return p, eachField(b, func(field int, n uint64, part []byte) error {
		switch field {
		case profileSamples:
			return p.sample(part)
		case profileLocations:
			return p.location(part)
		case profileFunctions:
			return p.function(part)
		case profileStrings:
			p.strings = append(p.strings, string(part))
		}
		return nil
	})
}

func (p *profile) sample(b []byte) error {
	var s profileSample
	var values []uint64
	err := eachField(b, func(field int, n uint64, part []byte) error {
		switch field {
		case sampleLocations:
			return numbers(&s.stack, n, part)
		case sampleValues:
			return numbers(&values, n, part)
		}
		return nil
	})
	if err == nil && len(values) == 0 {
		return errProfile
	}
	if err == nil {
		s.count = int64(values[0])
		p.samples = append(p.samples, s)
	}
	return err
}

func (p *profile) location(b []byte) error {
	var id uint64
	var functions []uint64
	err := eachField(b, func(field int, n uint64, part []byte) error {
		switch field {
		case locationID:
			id = n
		case locationLines:
			return eachField(part, func(field int, n uint64, _ []byte) error {
				if field == lineFunction {
					functions = append(functions, n)
				}
				return nil
			})
		}
		return nil
	})
	p.locations[id] = functions
	return err
}

func (p *profile) function(b []byte) error {
	var id, name uint64
	err := eachField(b, func(field int, n uint64, _ []byte) error {
		switch field {
		case functionID:
			id = n
		case functionName:
			name = n
		}
		return nil
	})
	p.functions[id] = int64(name)
	return err
}

// names are the functions of a stack, the innermost first.
func (p *profile) names(stack []uint64) (names []string) {
	for _, l := range stack {
		for _, f := range p.locations[l] {
			if at := p.functions[f]; at >= 0 && at < int64(len(p.strings)) {
				names = append(names, p.strings[at])
			}
		}
	}
	return names
}

// numbers appends a repeated number: one, or, packed, those in part.
func numbers(to *[]uint64, n uint64, part []byte) error {
	if part == nil {
		*to = append(*to, n)
		return nil
	}
	for len(part) > 0 {
		v, size := binary.Uvarint(part)
		if size <= 0 {
			return errProfile
		}
		*to, part = append(*to, v), part[size:]
	}
	return nil
}

// The ways in which a field is written.
const (
	wireVarint, wireFixed64, wireBytes, wireFixed32 = 0, 1, 2, 5
)

// eachField calls f with each field of a message: with its number n, or with its bytes, which are not nil.
func eachField(b []byte, f func(field int, n uint64, part []byte) error) error {
	for len(b) > 0 {
		key, size := binary.Uvarint(b)
		if size <= 0 {
			return errProfile
		}
		b = b[size:]
		var n uint64
		var part []byte
		switch key & 7 {
		case wireVarint:
			if n, size = binary.Uvarint(b); size <= 0 {
				return errProfile
			}
		case wireBytes:
			length, head := binary.Uvarint(b)
			if head <= 0 || length > uint64(len(b)-head) {
				return errProfile
			}
			size = head + int(length)
			part = b[head:size:size]
		case wireFixed64:
			size = 8
		case wireFixed32:
			size = 4
		default:
			return errProfile
		}
		if size > len(b) {
			return errProfile
		}
		b = b[size:]
		if err := f(int(key>>3), n, part); err != nil {
			return err
		}
	}
	return nil
}
