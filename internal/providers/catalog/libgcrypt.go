package catalog

import "github.com/cryptogauge/cryptogauge/result"

func hasLibgcrypt(result.Case) bool { return false }
