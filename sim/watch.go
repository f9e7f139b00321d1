package sim

// Watch makes one more audit watch w, after the others, from the next Reset on.
func (w *World) Watch(a Audit) {
	w.audits = append(w.audits, a)
	for kind := range w.watchers {
		if s, ok := a.(Selective); !ok || s.Wants(FactKind(kind)) {
			w.watchers[kind] = append(w.watchers[kind], a)
		}
	}
}
