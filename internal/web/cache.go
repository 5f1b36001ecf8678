package web

import (
	"container/list"
	"sync"
)

// mostCached is how many bytes of compressed pages are kept.
const mostCached = 24 << 20

// cache keeps pages that do not change, those that were asked for last.
type cache struct {
	most int

	mu    sync.Mutex
	held  int
	order *list.List // of *kept, the last that was asked for in front
	at    map[string]*list.Element
}

type kept struct {
	key  string
	page []byte
}

func newCache(most int) *cache {
	return &cache{most: most, order: list.New(), at: map[string]*list.Element{}}
}

func (c *cache) get(key string) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.at[key]
	if e == nil {
		return nil
	}
	c.order.MoveToFront(e)
	return e.Value.(*kept).page
}

func (c *cache) put(key string, page []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.at[key] != nil || len(page) > c.most/2 {
		return
	}
	c.at[key] = c.order.PushFront(&kept{key, page})
	for c.held += len(page); c.held > c.most; {
		last := c.order.Back()
		gone := c.order.Remove(last).(*kept)
		delete(c.at, gone.key)
		c.held -= len(gone.page)
	}
}
