package clock

// On BlueGene/L the smallest torus is a midplane of 512 nodes; larger ones are made of whole
// midplanes. Partitions of less than a midplane are meshes.

// Midplane is one midplane of BlueGene/L, an 8x8x8 torus.
func Midplane(perHop Time) Torus { return Torus{X: 8, Y: 8, Z: 8, PerHop: perHop} }

// TwoMidplanes is two midplanes of BlueGene/L, that is one rack, an 8x8x16 torus.
func TwoMidplanes(perHop Time) Torus { return Torus{X: 8, Y: 8, Z: 16, PerHop: perHop} }
