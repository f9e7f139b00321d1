package sim

// Watch makes one more audit watch w, after the others, from the next Reset on.
func (w *World) Watch(a Audit) {
	w.audits = append(w.audits, a)
	s, selects := a.(Selective)
	for kind := range w.watchers {
		if !selects || s.Wants(FactKind(kind)) {
			w.watchers[kind] = append(w.watchers[kind], a)
		}
	}
}
