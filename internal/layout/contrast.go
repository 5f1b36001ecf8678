package layout

import "slices"

// Contrast names two things, each by its parts in the same order: what tells the first from the second, and then what
// they share: "SM4-GCM gmsm / SM4-CBC tjfoc, encryption, 64 KiB". A part may be empty.
func Contrast(first, second []Text) Text {
	apart := make([]bool, len(first))
	for i := range first {
		apart[i] = first[i] != second[i]
	}
	from := slices.Index(apart, true)
	if from < 0 {
		return Listed(first)
	}
	for from > 0 && (sideOf(first, apart) == (Text{}) || sideOf(second, apart) == (Text{})) {
		from--
		apart[from] = true // "encryption / encryption in batches", not "/ in batches"
	}
	said := []Text{Say("%s / %s", "%s / %s", sideOf(first, apart), sideOf(second, apart))}
	for i, part := range first {
		if !apart[i] {
			said = append(said, part)
		}
	}
	return Listed(said)
}

// sideOf are the parts that tell one side from the other.
func sideOf(parts []Text, apart []bool) (side Text) {
	for i, part := range parts {
		switch {
		case !apart[i] || part == (Text{}):
		case side == (Text{}):
			side = part
		default:
			side = Say("%s %s", "%s %s", side, part)
		}
	}
	return side
}

// Listed puts the parts that are not empty behind each other, with the comma of each language.
func Listed(parts []Text) Text {
	said := slices.DeleteFunc(slices.Clone(parts), func(p Text) bool { return p == (Text{}) })
	return JoinWith(said, ", ", "，")
}
