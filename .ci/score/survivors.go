package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strings"
)

// A list of survivors has two lines for each: where and what it is, and, indented, why no sweep notices it. The why begins with
// one of these and a colon.
const (
	equivalent = "equivalent" // no input tells it apart, or only in what no rule asks for
	dead       = "dead"       // nothing reaches it
	hole       = "hole"       // what would have to be seen is said
	unargued   = "unargued"
)

// argued are the reasons of a list, by the mutant's name.
func argued(path string) (map[string]string, error) {
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return map[string]string{}, nil
	}
	if err != nil {
		return nil, err
	}
	why := map[string]string{}
	name := ""
	in := bufio.NewScanner(bytes.NewReader(text))
	for in.Scan() {
		line := in.Text()
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '\t':
			why[name] = strings.TrimSpace(line)
		default:
			name = unplaced(line)
		}
	}
	return why, in.Err()
}

// placed is a mutant's name with its line.
func placed(m *mutant) string {
	return strings.Replace(m.name(), m.file+" ", fmt.Sprintf("%s:%d ", m.file, m.line), 1)
}

// unplaced takes the line out.
func unplaced(s string) string {
	file, rest, _ := strings.Cut(s, ":")
	_, rest, _ = strings.Cut(rest, " ")
	return file + " " + rest
}

// class is how a reason begins.
func class(why string) string {
	c, _, _ := strings.Cut(why, ":")
	switch c {
	case equivalent, dead, hole:
		return c
	}
	return unargued
}

// render writes a list.
func render(head string, survivors []*mutant, why map[string]string) []byte {
	var b bytes.Buffer
	for line := range strings.Lines(head) {
		b.WriteString("# " + line)
	}
	for _, m := range survivors {
		reason := why[m.name()]
		if reason == "" {
			reason = unargued + ":"
		}
		fmt.Fprintf(&b, "\n%s\n\t%s\n", placed(m), reason)
	}
	return b.Bytes()
}
