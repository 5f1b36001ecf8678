package language

import "strconv"

// FormatSize prints a count of bytes exactly: "64 B", "16 KiB", "10 kB".
func FormatSize(bytes int64) string {
	for _, u := range []struct {
		name string
		size int64
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}} {
		if bytes >= u.size && bytes%u.size == 0 {
			return strconv.FormatInt(bytes/u.size, 10) + " " + u.name
		}
	}
	return strconv.FormatInt(bytes, 10) + " B"
}
