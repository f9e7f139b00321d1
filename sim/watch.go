package sim

// Watch makes one more audit watch w, after the others, from the next Reset on.
func (w *World) Watch(a Audit) { w.audits = append(w.audits, a) }
