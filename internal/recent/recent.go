package recent

import "sync/atomic"

// size is how many values are kept: ranks that go on at the same time are mostly at the same point, and few are at another.
const size = 4

// Values are the last ones that were kept. The zero value has none. Nobody may change what they are made of.
type Values[V any] struct {
	last [size]atomic.Pointer[V]
	next atomic.Uint32 // which of them gives way
}

// Find returns one that is as wanted.
func (v *Values[V]) Find(wanted func(*V) bool) (value *V, found bool) {
	for i := range v.last {
		if value = v.last[i].Load(); value != nil && wanted(value) {
			return value, true
		}
	}
	return nil, false
}

// Keep keeps a value, and the oldest gives way.
func (v *Values[V]) Keep(value *V) { v.last[v.next.Add(1)%size].Store(value) }

// Results are those of a function that depends on nothing but its argument. The zero value has none. Nobody may change what
// they are made of.
type Results[K comparable, V any] struct{ kept Values[result[K, V]] }

type result[K comparable, V any] struct {
	of    K
	value V
}

// Of is what the function returns for a key, worked out by the function itself if that has not been done lately.
func (r *Results[K, V]) Of(key K, function func(K) V) V {
	for i := range r.kept.last { // not Find: this is called for every message of an agreement
		if known := r.kept.last[i].Load(); known != nil && known.of == key {
			return known.value
		}
	}
	value := function(key)
	r.kept.Keep(&result[K, V]{key, value})
	return value
}
