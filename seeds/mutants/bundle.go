package mutants

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Variable is the environment variable that says which mutant of a Bundle is planted, by its number. Without it none is.
const Variable = "TICKETING_PLANTED"

// switchFile goes into each package of a bundle. It is read once, when the process starts.
const switchFile = `package %s

import (
	"os"
	"strconv"
)

var plantedBug = func() int {
	n, _ := strconv.Atoi(os.Getenv(%q))
	return n
}()
`

// switchName is the name of that file, in each directory.
const switchName = "zz_planted.go"

// Bundle is many mutants in one set of files, so that one build has them all: beside each function that some of them
// change stand their copies of it, and it begins by asking which of them is planted. A mutant that changes more than bodies of
// functions is not in it, and has to be built by itself.
type Bundle struct {
	Files   []Replacement // those that differ from the module's, and new ones
	numbers map[string]int
}

// Number tells a mutant from the others of a bundle, from 1. It is 0 for those that are not in it.
func (b *Bundle) Number(m *Mutant) int { return b.numbers[m.ID] }

// NewBundle puts those of some mutants together that can be. fsys is the root of the module.
func NewBundle(fsys fs.FS, all []*Mutant) (*Bundle, error) {
	b := &Bundle{numbers: map[string]int{}}
	files := map[string]*goFile{}
	for _, m := range all {
		changes, err := m.changes(fsys, files)
		if err != nil {
			return nil, err
		}
		if len(changes) == 0 {
			continue
		}
		n := len(b.numbers) + 1
		b.numbers[m.ID] = n
		for _, c := range changes {
			c.fn.copies = append(c.fn.copies, bodyCopy{n, c.text})
		}
	}
	b.render(files)
	return b, nil
}

func (b *Bundle) render(files map[string]*goFile) {
	var names []string
	switches := map[string]string{}
	for name, s := range files {
		if slices.ContainsFunc(s.order, func(f *function) bool { return len(f.copies) > 0 }) {
			names = append(names, name)
			switches[path.Dir(name)+"/"+switchName] = s.pkg
		}
	}
	for name, pkg := range switches {
		b.Files = append(b.Files, Replacement{name, fmt.Appendf(nil, switchFile, pkg, Variable)})
	}
	for _, name := range names {
		b.Files = append(b.Files, Replacement{name, files[name].render()})
	}
	slices.SortFunc(b.Files, func(x, y Replacement) int { return strings.Compare(x.Path, y.Path) })
}

// goFile is a file of the module, and what mutants make of its functions.
type goFile struct {
	text   string
	pkg    string
	others []string // the declarations that are no functions
	order  []*function
	funcs  map[string]*function // by name, with the receiver's type
}

type function struct {
	decl           *ast.FuncDecl
	from, name, to int // offsets: the keyword, the name, behind the end
	body           int // behind the opening brace
	copies         []bodyCopy
}

// bodyCopy is what a mutant has in a function's place, from its keyword to its end.
type bodyCopy struct {
	number int
	text   string
}

// change is one of those that a mutant makes.
type change struct {
	fn   *function
	text string
}

// changes are the functions that a mutant changes, none if it changes anything else as well. Files that are read are kept.
func (m *Mutant) changes(fsys fs.FS, files map[string]*goFile) (all []change, err error) {
	changed, err := m.Apply(fsys)
	if err != nil {
		return nil, err
	}
	for _, r := range changed {
		if files[r.Path] == nil {
			text, err := readFile(fsys, r.Path, MaxSource)
			if err != nil {
				return nil, fmt.Errorf("mutants: %w", err)
			}
			if files[r.Path] = read(string(text)); files[r.Path] == nil {
				return nil, fmt.Errorf("mutants: %s is no Go", r.Path)
			}
		}
		mutated := read(string(r.Text))
		if mutated == nil {
			return nil, nil // built by itself, it says what is wrong
		}
		here, ok := files[r.Path].compare(mutated)
		if !ok {
			return nil, nil
		}
		all = append(all, here...)
	}
	return all, nil
}

// read parses a file. It is nil if it cannot.
func read(text string) *goFile {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	at := func(p token.Pos) int { return set.Position(p).Offset }
	s := &goFile{text: text, pkg: file.Name.Name, funcs: map[string]*function{}}
	for _, d := range file.Decls {
		decl, ok := d.(*ast.FuncDecl)
		if !ok || decl.Body == nil {
			s.others = append(s.others, text[at(d.Pos()):at(d.End())])
			continue
		}
		f := &function{decl: decl, from: at(decl.Type.Func), name: at(decl.Name.Pos()), to: at(decl.End()), body: at(decl.Body.Lbrace) + 1}
		s.order = append(s.order, f)
		s.funcs[text[f.from:f.name]+decl.Name.Name] = f
	}
	return s
}

// compare finds the functions whose bodies differ in another version of a file. It is not ok if anything else does.
func (s *goFile) compare(other *goFile) (all []change, ok bool) {
	if s.pkg != other.pkg || !slices.Equal(s.others, other.others) || len(s.order) != len(other.order) || len(s.funcs) != len(s.order) {
		return nil, false
	}
	for _, f := range other.order {
		mine := s.funcs[other.text[f.from:f.name]+f.decl.Name.Name]
		text := other.text[f.from:f.to]
		switch {
		case mine == nil || s.text[mine.from:mine.body] != other.text[f.from:f.body]:
			return nil, false
		case s.text[mine.from:mine.to] == text:
		case !mine.callable():
			return nil, false
		default:
			all = append(all, change{mine, text})
		}
	}
	return all, true
}

// callable says whether the function can call a copy of itself: it must know its arguments by name.
func (f *function) callable() bool {
	lists := []*ast.FieldList{f.decl.Type.Params}
	if f.decl.Recv != nil {
		lists = append(lists, f.decl.Recv)
	}
	for _, l := range lists {
		for _, field := range l.List {
			if len(field.Names) == 0 || slices.ContainsFunc(field.Names, func(n *ast.Ident) bool { return n.Name == "_" }) {
				return false
			}
		}
	}
	return f.decl.Type.TypeParams == nil && f.decl.Name.Name != "init"
}

// render writes the file with its copies.
func (s *goFile) render() []byte {
	var b, copies strings.Builder
	last := 0
	for _, f := range s.order {
		if len(f.copies) == 0 {
			continue
		}
		b.WriteString(s.text[last:f.body])
		last = f.body
		b.WriteString("\nswitch plantedBug {\n")
		end := f.name + len(f.decl.Name.Name) - f.from
		for _, c := range f.copies {
			name := fmt.Sprintf("%s_planted%d", f.decl.Name.Name, c.number)
			fmt.Fprintf(&b, "case %d: %s\n", c.number, f.call(name))
			fmt.Fprintf(&copies, "\n%s%s%s\n", c.text[:f.name-f.from], name, c.text[end:])
		}
		b.WriteString("}\n")
	}
	b.WriteString(s.text[last:])
	b.WriteString(copies.String())
	return []byte(b.String())
}

// call is the statement that leaves all to a copy.
func (f *function) call(name string) string {
	if r := f.decl.Recv; r != nil {
		name = r.List[0].Names[0].Name + "." + name
	}
	var args []string
	for _, p := range f.decl.Type.Params.List {
		for _, n := range p.Names {
			arg := n.Name
			if _, many := p.Type.(*ast.Ellipsis); many {
				arg += "..."
			}
			args = append(args, arg)
		}
	}
	call := name + "(" + strings.Join(args, ", ") + ")"
	if f.decl.Type.Results == nil {
		return call + "; return"
	}
	return "return " + call
}
