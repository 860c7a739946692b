// Package prices prices requests to models with a table of API prices. A table is embedded;
// nothing is fetched.
package prices

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"sync"
	"time"
)

// Table is a table of prices. It is safe for concurrent use.
type Table struct {
	Date   time.Time // of the prices
	File   string    // path of the file, "" for the embedded table
	models map[string]*model
	// shortened has the models by their shortened ids. The value is nil where models with
	// different prices share one.
	shortened map[string]*model
	found     sync.Map // *model by the id that was looked up, nil for unknown ones
}

// model is the price of a model, a rate for each size of a request, and the size of its context.
type model struct {
	rates
	Tiers   []tier `json:"tiers"`
	Context int64  `json:"context"` // tokens
}

// rates are prices in dollars per million tokens. Absent prices are nil.
type rates struct {
	Input        *float64 `json:"input"`
	Output       *float64 `json:"output"`
	CacheRead    *float64 `json:"cache_read"`
	CacheWrite   *float64 `json:"cache_write"`
	CacheWrite1h *float64 `json:"cache_write_1h"`
	Reasoning    *float64 `json:"reasoning"`
}

// tier has the rates of requests whose input and cached tokens exceed Above.
type tier struct {
	Above int64 `json:"above"`
	rates
}

//go:embed prices.json
var embedded []byte

// Default returns the embedded table.
var Default = sync.OnceValue(func() *Table {
	t, err := Parse(embedded)
	if err != nil {
		panic("the embedded prices: " + err.Error()) // a test parses them
	}
	return t
})

// maxFileSize limits the size of a table; the embedded one has 32 KB.
const maxFileSize = 16 << 20

// ReadFile reads a table in the format of the embedded one.
func ReadFile(path string) (*Table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("prices: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFileSize+1))
	if err == nil && len(data) > maxFileSize {
		err = errors.New("the file is larger than 16 MB")
	}
	if err != nil {
		return nil, fmt.Errorf("prices: %s: %w", path, err)
	}
	t, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("prices: %s: %w", path, err)
	}
	t.File = path
	return t, nil
}

// Parse parses a table.
func Parse(data []byte) (*Table, error) {
	var file struct {
		Date   string            `json:"date"`
		Models map[string]*model `json:"models"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, jsonError(data, err)
	}
	date, err := time.Parse(time.DateOnly, file.Date)
	if err != nil {
		return nil, fmt.Errorf("date %q is not a day such as 2026-07-02", file.Date)
	}
	if len(file.Models) == 0 {
		return nil, errors.New(`there are no prices: "models" is missing or empty`)
	}
	for _, id := range slices.Sorted(maps.Keys(file.Models)) {
		if err := file.Models[id].check(); err != nil {
			return nil, fmt.Errorf("model %q: %w", id, err)
		}
	}
	t := &Table{Date: date, models: file.Models}
	t.indexShortened()
	return t, nil
}

// jsonError adds the line to an error of package json.
func jsonError(data []byte, err error) error {
	var off int64
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		off = syntax.Offset
	case errors.As(err, &kind):
		off = kind.Offset
	default:
		return err
	}
	line := 1
	for _, b := range data[:min(int(off), len(data))] {
		if b == '\n' {
			line++
		}
	}
	return fmt.Errorf("line %d: %w", line, err)
}

// check reports what is wrong with the prices of a model.
func (m *model) check() error {
	if m == nil {
		return errors.New("it has no prices")
	}
	if err := m.rates.check(); err != nil {
		return err
	}
	for _, t := range m.Tiers {
		if t.Above <= 0 {
			return fmt.Errorf(`a tier has "above": %d`, t.Above)
		}
		if err := t.rates.check(); err != nil {
			return fmt.Errorf("the tier above %d: %w", t.Above, err)
		}
	}
	return nil
}

func (r *rates) check() error {
	for _, p := range []struct {
		name     string
		value    *float64
		required bool
	}{
		{"input", r.Input, true}, {"output", r.Output, true}, {"cache_read", r.CacheRead, false},
		{"cache_write", r.CacheWrite, false}, {"cache_write_1h", r.CacheWrite1h, false}, {"reasoning", r.Reasoning, false},
	} {
		switch {
		case p.value == nil && p.required:
			return fmt.Errorf("%q is missing", p.name)
		case p.value != nil && (*p.value < 0 || math.IsNaN(*p.value) || *p.value > 1e6):
			return fmt.Errorf("%q is %g, not a price per million tokens", p.name, *p.value)
		}
	}
	return nil
}
