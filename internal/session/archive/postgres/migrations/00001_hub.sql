-- +goose Up

-- Paths are any bytes and may be long, so that files have the archive.FileID of the path.
CREATE TABLE stored_file (
	id   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	name text   NOT NULL UNIQUE,
	path bytea  NOT NULL
);

CREATE TABLE generation (
	id            bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	file          bigint  NOT NULL REFERENCES stored_file (id),
	number        integer NOT NULL CHECK (number > 0),
	size          bigint  NOT NULL DEFAULT 0,
	chain         bytea   NOT NULL,
	chain_state   bytea   NOT NULL,           -- the hash to be continued
	modified      bigint  NOT NULL,           -- time of the file, in ns since 1970
	stored        bigint  NOT NULL,           -- bytes that it needs
	closed        boolean NOT NULL DEFAULT false, -- a later generation exists
	tail          bigint  NOT NULL DEFAULT 0, -- the segments from here on are merged when there are many
	tail_segments integer NOT NULL DEFAULT 0,
	appended      timestamptz NOT NULL DEFAULT now(),
	UNIQUE (file, number)
) WITH (fillfactor = 60);

-- An object in S3 is the compressed bytes of segments, one after the other.
CREATE TABLE object (
	id      bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	key     text    NOT NULL UNIQUE,
	size    bigint  NOT NULL,
	written boolean NOT NULL DEFAULT false, -- false while it is uploaded
	dirty   boolean NOT NULL DEFAULT false, -- has bytes that no segment needs
	created timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX object_dirty ON object (id) WHERE dirty;

-- The bytes of a segment are here until they are in an object.
CREATE TABLE segment (
	generation bigint  NOT NULL REFERENCES generation (id),
	off        bigint  NOT NULL,
	len        integer NOT NULL CHECK (len > 0),
	sum        bytea   NOT NULL, -- SHA-256 of the bytes before compression
	stored_len integer NOT NULL,
	bytes      bytea,
	object     bigint REFERENCES object (id),
	object_off bigint,
	PRIMARY KEY (generation, off),
	CHECK ((bytes IS NULL) <> (object IS NULL))
) WITH (autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_scale_factor = 0.02); -- most rows lose their bytes
ALTER TABLE segment ALTER COLUMN bytes SET STORAGE EXTERNAL; -- is compressed
CREATE INDEX segment_hot ON segment (generation, off) INCLUDE (stored_len) WHERE object IS NULL;
CREATE INDEX segment_object ON segment (object) WHERE object IS NOT NULL;

CREATE TABLE person (
	seq     bigint GENERATED ALWAYS AS IDENTITY,
	id      text PRIMARY KEY,
	subject text UNIQUE,
	name    text NOT NULL,
	email   text NOT NULL,
	role    text NOT NULL,
	added   timestamptz
);

CREATE TABLE code (
	hash     bytea PRIMARY KEY,
	kind     text NOT NULL,
	person   text NOT NULL,
	projects text[] NOT NULL,
	expires  timestamptz NOT NULL,
	used     timestamptz,
	device   text NOT NULL DEFAULT ''
);

CREATE TABLE login (
	token   bytea PRIMARY KEY,
	person  text NOT NULL,
	expires timestamptz NOT NULL
);

CREATE TABLE device (
	seq      bigint GENERATED ALWAYS AS IDENTITY,
	id       text PRIMARY KEY,
	person   text NOT NULL,
	name     text NOT NULL,
	token    bytea NOT NULL UNIQUE,
	projects text[] NOT NULL,
	added    timestamptz,
	seen     timestamptz,
	revoked  timestamptz,
	hidden   integer NOT NULL DEFAULT 0,
	removed  boolean NOT NULL DEFAULT false
);
CREATE INDEX device_person ON device (person);

CREATE TABLE project (
	seq         bigint GENERATED ALWAYS AS IDENTITY,
	name        text PRIMARY KEY,
	visibility  text NOT NULL,
	retain_days integer NOT NULL,
	search_days integer NOT NULL
);

-- A deleted session stays as a row, so that its files are refused.
CREATE TABLE session (
	hash       bytea PRIMARY KEY, -- SHA-256 of the path
	path       text NOT NULL,
	person     text NOT NULL,
	visibility text NOT NULL DEFAULT '',
	deleted    boolean NOT NULL DEFAULT false
);
CREATE INDEX session_person ON session (person);

CREATE TABLE pushed_file (
	seq     bigint GENERATED ALWAYS AS IDENTITY,
	hash    bytea PRIMARY KEY, -- SHA-256 of the path
	path    text NOT NULL,
	session bytea NOT NULL REFERENCES session (hash),
	device  text NOT NULL,
	person  text NOT NULL,
	project text NOT NULL,
	format  text NOT NULL,
	rules   text NOT NULL,
	pushed  timestamptz
);
CREATE INDEX pushed_file_session ON pushed_file (session);
CREATE INDEX pushed_file_project ON pushed_file (project);

CREATE TABLE event (
	seq          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	time         timestamptz NOT NULL,
	person       text NOT NULL,
	device       text NOT NULL,
	action       text NOT NULL,
	session      text NOT NULL,
	session_hash bytea NOT NULL,
	title        text NOT NULL,
	detail       text NOT NULL
);
