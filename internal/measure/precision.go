package measure

import "github.com/cryptogauge/cryptogauge/stat"

const rowLevel = 0.99

// precise says whether every trial of a headline comparison, or every trial
// where there is none, has an exact interval as narrow as was asked for.
func (r *run) precise() bool {
	if r.cfg.Precision <= 0 {
		return false
	}
	for _, t := range r.decisive() {
		iv, ok := stat.MedianInterval(t.medians, rowLevel)
		if !t.lost && (!ok || (iv.High-iv.Low)/2 > r.cfg.Precision*stat.Median(t.medians)) {
			return false
		}
	}
	return true
}

func (r *run) decisive() []*trial {
	var headline, all []*trial
	for _, g := range r.groups {
		if g.Kind != "" {
			continue
		}
		for _, t := range g.trials {
			if !t.about.Scenario {
				all = append(all, t)
			}
		}
		for _, p := range g.Pairs {
			if p.Headline {
				headline = append(headline, g.trials[p.Base], g.trials[p.Other])
			}
		}
	}
	if len(headline) == 0 {
		return all
	}
	return headline
}
