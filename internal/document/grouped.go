package document

// grouped are values by a key, the keys in the order in which they were first seen.
type grouped[K comparable, V any] struct {
	keys []K
	of   map[K][]V
}

func (g *grouped[K, V]) add(k K, v V) {
	if g.of == nil {
		g.of = map[K][]V{}
	}
	if g.of[k] == nil {
		g.keys = append(g.keys, k)
	}
	g.of[k] = append(g.of[k], v)
}
