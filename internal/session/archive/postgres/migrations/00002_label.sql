-- +goose Up

CREATE TABLE label (
	seq        bigint GENERATED ALWAYS AS IDENTITY,
	session    bytea NOT NULL REFERENCES session (hash),
	entry_hash bytea NOT NULL, -- SHA-256 of the id, which may be any text
	entry      text  NOT NULL, -- id, in JSON
	record     text  NOT NULL, -- of a sidecar, in JSON
	PRIMARY KEY (session, entry_hash)
);
