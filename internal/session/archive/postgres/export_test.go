package postgres

import "time"

// PollEvery sets how often later lists look for appends without messages.
func (db *DB) PollEvery(d time.Duration) { db.pollEvery = d }
