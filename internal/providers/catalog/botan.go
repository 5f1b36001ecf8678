package catalog

import "github.com/cryptogauge/cryptogauge/result"

func hasBotan(result.Case) bool { return false }
