package model

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// Record is one thing that a history says after its header.
type Record struct {
	Op      Op    // unless Tainted
	Taint   Taint // if Tainted
	Tainted bool
}

// Reader reads a history line by line, in either format. Its errors are one line each and name the line of
// the file. It checks what a line says about itself; what lines say about each other is for Validate.
type Reader struct {
	in     *bufio.Reader
	line   int
	format Format
	header Header
	keys   []string
	index  map[string]int32
	last   line
}

// NewReader reads the header. An empty input, another version and what is no history at all are errors.
func NewReader(in io.Reader) (*Reader, error) {
	r := &Reader{in: bufio.NewReaderSize(in, LineMax), index: map[string]int32{}, format: Text}
	b, err := r.readLine()
	if errors.Is(err, io.EOF) {
		return nil, errors.New("model: line 1: empty, not a ticketing history")
	}
	if err != nil {
		return nil, err
	}
	if b[0] == '{' {
		r.format = JSONL
	}
	if err := r.parse(b); err != nil {
		return nil, err
	}
	if r.last.what != lineHeader {
		return nil, r.error(errors.New("not the header of a ticketing history"))
	}
	r.header = r.last.header
	return r, nil
}

// Format returns the format that was found.
func (r *Reader) Format() Format { return r.format }

// Header returns the history's header.
func (r *Reader) Header() Header { return r.header }

// Keys returns the keys so far, as records index them. It is valid until Next.
func (r *Reader) Keys() []string { return r.keys }

// Line returns the line of the last record, from 1.
func (r *Reader) Line() int { return r.line }

// Next reads the next record into rec. It returns io.EOF after the last.
func (r *Reader) Next(rec *Record) error {
	for {
		b, err := r.readLine()
		if err != nil {
			return err
		}
		if err := r.parse(b); err != nil {
			return err
		}
		if r.last.what == lineHeader {
			return r.error(errors.New("a second header"))
		}
		key, err := r.key(r.last.key)
		if err != nil {
			return r.error(err)
		}
		switch r.last.what {
		case lineOp:
			*rec = Record{Op: r.last.op}
			rec.Op.Key = key
			return nil
		case lineTaint:
			*rec = Record{Taint: Taint{Token: r.last.taint, Key: key}, Tainted: true}
			return nil
		}
	}
}

// parse reads one line into r.last.
func (r *Reader) parse(b []byte) (err error) {
	if r.format == Text {
		err = r.last.parseText(b)
	} else {
		err = r.last.parseJSON(b)
	}
	if err == nil && r.last.what == lineHeader {
		err = r.last.header.validate()
	}
	if err == nil && r.last.what == lineOp {
		err = r.last.op.validate()
	}
	if err != nil {
		return r.error(err)
	}
	return nil
}

// readLine returns the next line that is neither empty nor a comment, without its newline.
func (r *Reader) readLine() ([]byte, error) {
	for {
		b, err := r.in.ReadSlice('\n')
		if len(b) > 0 {
			r.line++
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			return nil, r.error(fmt.Errorf("longer than %d bytes", LineMax))
		case errors.Is(err, io.EOF) && len(b) > 0:
			return nil, r.error(errors.New("cut short: the file ends within it"))
		case err != nil && !errors.Is(err, io.EOF):
			return nil, fmt.Errorf("model: after line %d: %w", r.line, err)
		case err != nil:
			return nil, io.EOF
		case len(b) == 1, b[0] == '#':
			continue
		}
		return b[:len(b)-1], nil
	}
}

// key returns the index of a name, a new one at its first mention.
func (r *Reader) key(name []byte) (int32, error) {
	if i, ok := r.index[string(name)]; ok {
		return i, nil
	}
	if err := validKey(name); err != nil {
		return 0, err
	}
	if len(r.keys) == KeysMax {
		return 0, fmt.Errorf("more than %d keys", KeysMax)
	}
	i := int32(len(r.keys))
	r.keys = append(r.keys, string(name))
	r.index[r.keys[i]] = i
	return i, nil
}

func (r *Reader) error(err error) error { return fmt.Errorf("model: line %d: %w", r.line, err) }

// Read reads a whole history, and does not validate it as a whole. It takes about 64 bytes an operation,
// and at most OpsMax of them.
func Read(in io.Reader) (*History, error) {
	r, err := NewReader(in)
	if err != nil {
		return nil, err
	}
	h := &History{Header: r.header}
	var rec Record
	for {
		err := r.Next(&rec)
		if errors.Is(err, io.EOF) {
			h.Keys = r.keys
			return h, nil
		}
		if err != nil {
			return nil, err
		}
		if len(h.Ops)+len(h.Taints) == OpsMax {
			return nil, r.error(fmt.Errorf("more than %d operations", OpsMax))
		}
		if rec.Tainted {
			h.Taints = append(h.Taints, rec.Taint)
		} else {
			h.Ops = append(h.Ops, rec.Op)
		}
	}
}
