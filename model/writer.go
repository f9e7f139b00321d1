package model

import (
	"bufio"
	"io"
	"strconv"
)

// Writer writes a history as it happens. Errors of the underlying writer stick and show at Flush, at the
// latest. What it writes is not validated.
type Writer struct {
	w      *bufio.Writer
	line   []byte
	keys   []string
	format Format
}

// NewWriter starts a history in w: its header and its keys, in their order. A format that is none panics.
func NewWriter(w io.Writer, f Format, h Header, keys []string) *Writer {
	if f != Text && f != JSONL {
		panic("model: writer of " + f.String())
	}
	wr := &Writer{w: bufio.NewWriterSize(w, 1<<16), keys: keys, format: f}
	if f == Text {
		wr.line = appendTextHeader(wr.line, &h)
	} else {
		wr.line = appendJSONHeader(wr.line, &h)
	}
	_ = wr.end() // it sticks
	for _, k := range keys {
		if f == Text {
			wr.line = append(append(wr.line, "key "...), k...)
		} else {
			wr.line = append(appendJSONString(append(wr.line, `{"key":`...), k), '}')
		}
		_ = wr.end()
	}
	return wr
}

// Op writes one operation. A Key that is no index of the keys panics.
func (w *Writer) Op(op *Op) error {
	if w.format == Text {
		w.line = AppendOp(w.line, w.keys[op.Key], op)
	} else {
		w.line = appendJSONOp(w.line, w.keys[op.Key], op)
	}
	return w.end()
}

// Taint writes one taint. A Key that is no index of the keys panics.
func (w *Writer) Taint(t Taint) error {
	if w.format == Text {
		w.line = append(append(w.line, "taint "...), w.keys[t.Key]...)
		w.line = appendField(w.line, " ", t.Token)
	} else {
		w.line = strconv.AppendUint(append(w.line, `{"taint":`...), t.Token, 10)
		w.line = append(appendJSONString(append(w.line, `,"key":`...), w.keys[t.Key]), '}')
	}
	return w.end()
}

// Flush writes what is buffered and returns the first error there was.
func (w *Writer) Flush() error { return w.w.Flush() }

func (w *Writer) end() error {
	_, err := w.w.Write(append(w.line, '\n'))
	w.line = w.line[:0]
	return err
}

// Write writes the whole of h, operations first.
func (h *History) Write(w io.Writer, f Format) error {
	wr := NewWriter(w, f, h.Header, h.Keys)
	for i := range h.Ops {
		if err := wr.Op(&h.Ops[i]); err != nil {
			return err
		}
	}
	for _, t := range h.Taints {
		if err := wr.Taint(t); err != nil {
			return err
		}
	}
	return wr.Flush()
}
