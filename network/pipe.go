package network

import (
	"encoding/binary"

	"ticketing/sim/clock"
)

// pipe is one direction of a connection: what one side had accepted and the other has not received.
type pipe struct {
	data   []byte // the live bytes are those from head on
	head   int
	chunks []chunk // the live ones are those from first on
	first  int
	end    ending // what follows the last byte
	endAt  window
	hole   bool // nothing accepted from here on arrives, an end neither
}

// chunk is a run of bytes that travel together.
type chunk struct {
	size    int
	trickle bool
	at      window
}

// window is when something under way arrives.
type window struct{ earliest, latest clock.Time }

func (w window) appendState(now clock.Time, dst []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(max(w.earliest-now, 0)))
	return binary.AppendUvarint(dst, uint64(max(w.latest-now, 0)))
}

// ending is how a direction ends.
type ending uint8

const (
	endNone  ending = iota
	endFin          // an end of the stream
	endReset        // an error
)

func (p *pipe) size() int         { return len(p.data) - p.head }
func (p *pipe) live() []chunk     { return p.chunks[p.first:] }
func (p *pipe) hasBytes() bool    { return p.first < len(p.chunks) }
func (p *pipe) headChunk() *chunk { return &p.chunks[p.first] }

// push adds a chunk, or joins it to the last one where there are chunksMax.
func (p *pipe) push(data []byte, c chunk, chunksMax int) {
	p.slide()
	p.data = append(p.data, data...)
	if len(p.chunks) == chunksMax {
		p.chunks[len(p.chunks)-1].size += c.size
		return
	}
	p.chunks = append(p.chunks, c)
}

// slide moves what lives to the front, so that the slices never grow beyond their bounds.
func (p *pipe) slide() {
	if p.head > 0 {
		p.data = p.data[:copy(p.data, p.data[p.head:])]
		p.head = 0
	}
	if p.first > 0 {
		p.chunks = p.chunks[:copy(p.chunks, p.chunks[p.first:])]
		p.first = 0
	}
}

// take removes the first size bytes and appends them to dst. What is left of the chunk that they end
// in arrives within rest.
func (p *pipe) take(dst []byte, size int, rest window) []byte {
	dst = append(dst, p.data[p.head:p.head+size]...)
	p.head += size
	for size > 0 {
		c := p.headChunk()
		if c.size > size {
			c.size -= size
			c.at = rest
			break
		}
		size -= c.size
		p.first++
	}
	return dst
}

// lose destroys the bytes in flight.
func (p *pipe) lose() {
	p.data, p.head = p.data[:0], 0
	p.chunks, p.first = p.chunks[:0], 0
}

// reset makes p a pipe on which nothing happened.
func (p *pipe) reset() {
	p.lose()
	p.end, p.endAt, p.hole = endNone, window{}, false
}

// calm lets all that is under way arrive by latest. The end of a hole stays where it is: it is not a delay but the
// survivor's own patience.
func (p *pipe) calm(now, latest clock.Time) {
	for i := range p.live() {
		c := &p.live()[i]
		c.trickle = false
		if c.at.latest > latest {
			c.at = window{now, latest}
		}
	}
	if p.end != endNone && !p.hole && p.endAt.latest > latest {
		p.endAt = window{now, latest}
	}
}

func (p *pipe) copyFrom(src *pipe) {
	p.data, p.head = append(p.data[:0], src.data[src.head:]...), 0
	p.chunks, p.first = append(p.chunks[:0], src.live()...), 0
	p.end, p.endAt, p.hole = src.end, src.endAt, src.hole
}

func (p *pipe) appendState(now clock.Time, dst []byte) []byte {
	dst = append(dst, byte(p.end)|flag(p.hole, 1<<4))
	if p.end != endNone {
		dst = p.endAt.appendState(now, dst)
	}
	dst = binary.AppendUvarint(dst, uint64(len(p.live())))
	for _, c := range p.live() {
		dst = binary.AppendUvarint(dst, uint64(c.size))
		dst = append(dst, flag(c.trickle, 1))
		dst = c.at.appendState(now, dst)
	}
	return append(dst, p.data[p.head:]...)
}

func flag(on bool, bit byte) byte {
	if on {
		return bit
	}
	return 0
}
