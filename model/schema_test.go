package model_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"ticketing/model"
)

const (
	textHead = "ticketing-history 1 drift 0 uncertainty 0 lane recorded\n"
	jsonHead = `{"ticketing-history":1,"drift_ppm":0,"uncertainty_nanos":0,"lane_recorded":true}` + "\n"
)

func TestRoundTrip(t *testing.T) {
	for _, f := range []model.Format{model.Text, model.JSONL} {
		for _, h := range []*model.History{good(), {Keys: []string{strings.Repeat(`"`, 200)}}} {
			var b bytes.Buffer
			require.NoError(t, h.Write(&b, f))
			got, err := model.Read(iotest.OneByteReader(&b))
			require.NoError(t, err)
			require.Equal(t, h, got)
		}
	}
}

// TestGolden pins the bytes of both formats: they are published.
func TestGolden(t *testing.T) {
	for _, f := range []model.Format{model.Text, model.JSONL} {
		want, err := os.ReadFile("testdata/history." + f.String())
		require.NoError(t, err)
		var b bytes.Buffer
		require.NoError(t, good().Write(&b, f))
		require.Equal(t, string(want), b.String())
	}
}

// TestDocumented reads the examples of the package doc.
func TestDocumented(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	var text, json []string
	for line := range strings.Lines(string(doc)) {
		example, ok := strings.CutPrefix(line, "//\t")
		switch {
		case !ok:
		case example[0] == '{':
			json = append(json, example)
		default:
			text = append(text, example)
		}
	}
	require.Len(t, text, 9)
	require.Len(t, json, 5)
	for _, lines := range [][]string{text, json} {
		h, err := model.Read(strings.NewReader(strings.Join(lines, "")))
		require.NoError(t, err)
		require.Equal(t, []string{"printer"}, h.Keys)
		require.Len(t, h.Taints, 1)
	}
}

func TestCommentsAndEmptyLines(t *testing.T) {
	in := "# one\n\n" + textHead + "# two\n\nacquire c1 k 1@0 2@0 wait 0 busy\n"
	r, err := model.NewReader(strings.NewReader(in))
	require.NoError(t, err)
	require.Equal(t, model.Text, r.Format())
	require.Equal(t, model.Header{LaneRecorded: true}, r.Header())
	var rec model.Record
	require.NoError(t, r.Next(&rec))
	require.Equal(t, 6, r.Line())
	require.Equal(t, []string{"k"}, r.Keys())
	require.Equal(t, io.EOF, r.Next(&rec))
}

func TestJSONTakesFieldsInAnyOrderAndSpaces(t *testing.T) {
	in := jsonHead + ` { "outcome" : "busy", "return":[2, 5] ,"call":[1,-5],"key":"\u0041\/\"","client":-3,"op":"acquire","wait":9}` + "\r\n"
	h, err := model.Read(strings.NewReader(in))
	require.NoError(t, err)
	require.Equal(t, []string{`A/"`}, h.Keys)
	require.Equal(t, []model.Op{{
		Kind: model.Acquire, Outcome: model.Busy, Client: -3, Wait: 9,
		Call: model.Stamp{Seq: 1, At: -5}, Return: model.Stamp{Seq: 2, At: 5},
	}}, h.Ops)
}

// TestReaderErrors: one clear line each, with the line of the file.
func TestReaderErrors(t *testing.T) {
	const op = "acquire c1 k 1@0 2@0 wait 0 "
	const obj = `{"op":"acquire","client":1,"key":"k","call":[1,0],"return":[2,0],"outcome":"busy"`
	for _, c := range []struct{ in, want string }{
		{"", "line 1: empty, not a ticketing history"},
		{"# only a comment\n", "line 1: empty, not a ticketing history"},
		{"\x7fELF\x02\x01\x00\n", `line 1: starts with "\x7fELF\x02\x01\x00", not as a line of a ticketing history does`},
		{strings.Repeat("\x00", 5000), "line 1: longer than 4096 bytes"},
		{op + "busy\n", "line 1: not the header of a ticketing history"},
		{"ticketing-history 2 drift 0\n", "line 1: version 2 of the history schema, and only 1 is read here"},
		{"ticketing-history one\n", `line 1: "one" as the version`},
		{"ticketing-history 1 drift 1000001 uncertainty 0 lane recorded\n", `line 1: "1000001" as the drift`},
		{"ticketing-history 1 drift 0 uncertainty 0 lane maybe\n", `line 1: lane "maybe", want recorded or unrecorded`},
		{"ticketing-history 1 drift 0 uncertainty 0 lane recorded", "line 1: cut short: the file ends within it"},
		{textHead[:len(textHead)-1] + " more\n", `line 1: "more" after its end`},
		{textHead + textHead, "line 2: a second header"},
		{textHead + op + "busy\n" + op + "bu", "line 3: cut short"},
		{textHead + op + "busy" + strings.Repeat(" x", 4096) + "\n", "line 2: longer than 4096 bytes"},
		{textHead + op + "gone\n", `line 2: "gone" is no outcome`},
		{textHead + op + "busy \n", "line 2: an empty field"},
		{textHead + op + "busy\r\n", `line 2: "busy\r" is no outcome`},
		{textHead + op + "busy 7 lease 3\n", "line 2: busy shows no token and no lease"},
		{textHead + op + "granted\n", "line 2: granted without a token"},
		{textHead + op + "granted 18446744073709551616 lease 3\n", `line 2: "18446744073709551616" as the token`},
		{textHead + op + "granted 07 lease 3\n", `line 2: "07" as the token`},
		{textHead + op + "granted 7 lease 2147483648\n", `line 2: "2147483648" as the lease`},
		{textHead + op + "granted 7 lease\n", "line 2: nothing as the lease"},
		{textHead + "acquire x1 k 1@0 2@0 wait 0 busy\n", `line 2: "x1" as the caller`},
		{textHead + "acquire c9999999999 k 1@0 2@0 wait 0 busy\n", `line 2: "c9999999999" as the caller`},
		{textHead + "acquire c1 k 1 2@0 wait 0 busy\n", `line 2: "1" as the call, want position@nanoseconds`},
		{textHead + "acquire c1 k 3@0 2@0 wait 0 busy\n", "line 2: called at position 3 and returned at 2"},
		{textHead + "acquire c1 k\xff 1@0 2@0 wait 0 busy\n", "line 2: a key with the byte 0xff"},
		{textHead + "release c1 k 1@0 2@0 token 7 tries 256 released\n", `line 2: "256" as the tries`},
		{textHead + "release c1 k 1@0 2@0 token 7 tries 0 released\n", "line 2: released after 0 tries"},
		{textHead + "release c1 k 1@0 2@0 token 7 tries 1 granted\n", "line 2: granted cannot be the outcome of release"},
		{textHead + "taint k 0\n", "line 2: token 0 cannot be tainted"},
		{textHead + "key " + strings.Repeat("k", 201) + "\n", "line 2: a key of 201 bytes"},
		{textHead + "key\n", "line 2: a key of 0 bytes"},

		{"{}\n", "line 1: a field too few or too many"},
		{`{"version":1}` + "\n", `line 1: unknown field "version"`},
		{strings.Replace(jsonHead, ":1,", ":3,", 1), "line 1: version 3 of the history schema"},
		{jsonHead[:len(jsonHead)-1], "line 1: cut short"},
		{jsonHead + jsonHead, "line 2: a second header"},
		{jsonHead + obj + "\n", "line 2: nothing where JSON has \",\""},
		{jsonHead + obj + "} x\n", `line 2: "x" after the object's end`},
		{jsonHead + obj + `,"key":"l"}` + "\n", `line 2: field "key" twice`},
		{jsonHead + obj + `,"taint":1}` + "\n", "line 2: a field too few or too many"},
		{jsonHead + obj + `,"wait":1.5}` + "\n", `line 2: ".5}" where JSON has ","`},
		{jsonHead + obj + `,"wait":"1"}` + "\n", `line 2: "\"1\"}" where wait is a number in 0..2147483647`},
		{jsonHead + obj + `,"wait":null}` + "\n", `line 2: "null}" where wait is a number in 0..2147483647`},
		{jsonHead + obj + `,"wait":` + "\n", "line 2: nothing where wait is a number in 0..2147483647"},
		{jsonHead + `{"op":"steal"}` + "\n", `line 2: "steal" is no operation`},
		{jsonHead + `{"outcome":"gone"}` + "\n", `line 2: "gone" is no outcome`},
		{jsonHead + obj + `,"lane":1}` + "\n", `line 2: "1}" where lane is true or false`},
		{jsonHead + obj + `,"token":-1}` + "\n", `line 2: "-1" where token is a number of up to 64 bits`},
		{jsonHead + `{"key":"\n"}` + "\n", `line 2: the escape "\\n\"}", which no key needs`},
		{jsonHead + `{"key":"\u00e9"}` + "\n", `line 2: the escape "\\u00e9", which no key needs`},
		{jsonHead + `{"key":"k` + "\n", "line 2: a string without an end"},
		{jsonHead + `{"key":"k\"` + "\n", "line 2: a string without an end"},
		{jsonHead + `{"taint":0,"key":"k"}` + "\n", "line 2: token 0 cannot be tainted"},
		{jsonHead + "[]\n", `line 2: "[]" where JSON has "{"`},
	} {
		_, err := model.Read(strings.NewReader(c.in))
		require.ErrorContains(t, err, "model: "+c.want, "%.200q", c.in)
		require.NotContains(t, err.Error(), "\n")
		require.Less(t, len(err.Error()), 300)
	}
}

// TestEveryPrefix: a history cut anywhere but after a line is an error.
func TestEveryPrefix(t *testing.T) {
	for _, f := range []model.Format{model.Text, model.JSONL} {
		var b bytes.Buffer
		require.NoError(t, good().Write(&b, f))
		for n := range b.Len() {
			_, err := model.Read(bytes.NewReader(b.Bytes()[:n]))
			if n > 0 && b.Bytes()[n-1] == '\n' {
				require.NoError(t, err)
				continue
			}
			require.Error(t, err)
		}
	}
}

func TestLongestLineFits(t *testing.T) {
	pad := strings.Repeat(" ", model.LineMax-len(`{"key":"k"}`)-1)
	h, err := model.Read(strings.NewReader(jsonHead + `{"key":` + pad + `"k"}` + "\n"))
	require.NoError(t, err)
	require.Equal(t, []string{"k"}, h.Keys)
	_, err = model.Read(strings.NewReader(jsonHead + `{"key":` + pad + ` "k"}` + "\n"))
	require.ErrorContains(t, err, "line 2: longer than 4096 bytes")
}

func TestErrorsBelow(t *testing.T) {
	broken := errors.New("broken")
	_, err := model.Read(io.MultiReader(strings.NewReader(textHead), iotest.ErrReader(broken)))
	require.ErrorIs(t, err, broken)
	require.ErrorContains(t, err, "model: after line 1: ")
	require.ErrorIs(t, good().Write(failing{broken}, model.Text), broken)
	require.Panics(t, func() { model.NewWriter(io.Discard, 0, model.Header{}, nil) })
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// FuzzRead: whatever is read can be written in either format and read back the same.
func FuzzRead(f *testing.F) {
	for _, format := range []model.Format{model.Text, model.JSONL} {
		var b bytes.Buffer
		require.NoError(f, good().Write(&b, format))
		f.Add(b.Bytes())
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		h, err := model.Read(bytes.NewReader(in))
		if err != nil {
			require.Nil(t, h)
			return
		}
		_ = h.Validate() // must not panic
		for _, format := range []model.Format{model.Text, model.JSONL} {
			var b bytes.Buffer
			require.NoError(t, h.Write(&b, format))
			again, err := model.Read(&b)
			require.NoError(t, err)
			require.Equal(t, h, again)
		}
	})
}
