package choice

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
)

// Bounds of a record as text.
const (
	MaxPicks = 1 << 20
	MaxName  = 64      // bytes of 'a'..'z', '0'..'9', '-' and '.'
	MaxN     = 1 << 30 // answers of one question
)

// AppendText appends picks as text, one a line: name, answer and number of answers. Equal picks in a row share
// a line that says how many they are:
//
//	net.split 3/8
//	clock.next 0/2 x14
//
// It panics on a pick that ParseText would not read back.
func AppendText(dst []byte, picks []Pick) []byte {
	for i := 0; i < len(picks); {
		p := picks[i]
		if err := p.check(); err != nil {
			panic("choice: " + err.Error())
		}
		run := 1
		for i+run < len(picks) && picks[i+run] == p {
			run++
		}
		dst = append(dst, p.Name...)
		dst = append(dst, ' ')
		dst = strconv.AppendInt(dst, int64(p.Answer), 10)
		dst = append(dst, '/')
		dst = strconv.AppendInt(dst, int64(p.N), 10)
		if run > 1 {
			dst = append(dst, " x"...)
			dst = strconv.AppendInt(dst, int64(run), 10)
		}
		dst = append(dst, '\n')
		i += run
	}
	return dst
}

// ParseText reads what AppendText wrote. Empty lines, and lines that begin with '#', are skipped. The
// error names the line.
func ParseText(text []byte) ([]Pick, error) {
	var picks []Pick
	names := map[string]string{} // one string a name, however often it occurs
	for number := 1; len(text) > 0; number++ {
		line, rest, _ := bytes.Cut(text, []byte{'\n'})
		text = rest
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		p, run, err := parseLine(line)
		if err == nil && run > MaxPicks-len(picks) {
			err = fmt.Errorf("more than %d picks", MaxPicks)
		}
		if err != nil {
			return nil, fmt.Errorf("choice: line %d: %w", number, err)
		}
		if name, ok := names[p.Name]; ok {
			p.Name = name
		}
		names[p.Name] = p.Name
		for range run {
			picks = append(picks, p)
		}
	}
	return picks, nil
}

var errLine = errors.New(`not "name answer/n" or "name answer/n xcount"`)

func parseLine(line []byte) (p Pick, run int, err error) {
	name, rest, _ := bytes.Cut(line, []byte{' '})
	ratio, count, repeated := bytes.Cut(rest, []byte(" x"))
	answer, of, _ := bytes.Cut(ratio, []byte{'/'})
	answerValue, ok := parseNumber(answer)
	ofValue, ok2 := parseNumber(of)
	run, ok3 := 1, true
	if repeated {
		run, ok3 = parseNumber(count)
	}
	if !ok || !ok2 || !ok3 || repeated && run < 2 {
		return p, 0, errLine
	}
	p = Pick{string(name), ofValue, answerValue}
	return p, run, p.check()
}

// parseNumber reads a decimal number without sign or leading zero, at most MaxN.
func parseNumber(text []byte) (int, bool) {
	if len(text) == 0 || len(text) > 10 || text[0] == '0' && len(text) > 1 {
		return 0, false
	}
	v := 0
	for _, b := range text {
		if b < '0' || b > '9' {
			return 0, false
		}
		v = v*10 + int(b-'0')
	}
	return v, v <= MaxN
}

func (p Pick) check() error {
	if p.N < 2 || p.N > MaxN || p.Answer < 0 || p.Answer >= p.N {
		return fmt.Errorf("answer %d of %d", p.Answer, p.N)
	}
	if len(p.Name) == 0 || len(p.Name) > MaxName {
		return fmt.Errorf("a name of %d bytes", len(p.Name))
	}
	for i := range len(p.Name) {
		if c := p.Name[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '.' {
			return fmt.Errorf("name %q", p.Name)
		}
	}
	return nil
}
