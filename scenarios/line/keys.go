package line

import (
	"slices"
	"strings"
)

// Keys is a list of them, in the order in which they are shown.
type Keys []Key

// Lookup finds a key by its name, or its other one.
func (k Keys) Lookup(name string) (Key, bool) {
	i := slices.IndexFunc(k, func(key Key) bool { return key.Name == name || key.Alias == name && name != "" })
	if i < 0 {
		return Key{}, false
	}
	return k[i], true
}

// Without returns all keys but the one of that name.
func (k Keys) Without(name string) Keys {
	return slices.DeleteFunc(slices.Clone(k), func(key Key) bool { return key.Name == name })
}

// names lists keys for a message.
func (k Keys) names() []string {
	var names []string
	for _, key := range k {
		names = append(names, key.Name)
	}
	return names
}

// aliases lists the other names of keys that have one.
func (k Keys) aliases() []string {
	var names []string
	for _, key := range k {
		if key.Alias != "" {
			names = append(names, key.Alias)
		}
	}
	return names
}

// OneOf words a list of valid names.
func OneOf(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
