/**
 * The schema of state.db, a step a version: PRAGMA user_version says how many steps a file has had. A step that was
 * released is never changed. Lists and maps of records are JSON in a column; what is looked for has a column of its own.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

  -- The sealed text of each entry is the entry: it is what was signed, byte for byte.
  CREATE TABLE audit (seq INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;

  CREATE TABLE agents (
    name TEXT PRIMARY KEY,
    credential_hash TEXT NOT NULL UNIQUE,
    scopes TEXT NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT,
    revoked_at TEXT
  ) STRICT;

  -- Names of frozen agents, registered or not; * stands for all.
  CREATE TABLE frozen (name TEXT PRIMARY KEY, at TEXT NOT NULL, by TEXT NOT NULL) STRICT;

  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    agent TEXT NOT NULL,
    bound_by TEXT NOT NULL,
    intent TEXT NOT NULL,
    authorized_paths TEXT NOT NULL,
    work_item TEXT,
    status TEXT NOT NULL CHECK (status IN ('active', 'violated', 'done', 'expired', 'revoked', 'rolled_back')),
    git_sha TEXT,
    branch TEXT,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    ended_at TEXT,
    parent_id TEXT,
    trust_level TEXT NOT NULL,
    files_touched TEXT NOT NULL DEFAULT '[]',
    violations TEXT NOT NULL DEFAULT '[]',
    zones_touched TEXT NOT NULL DEFAULT '[]',
    findings_new INTEGER NOT NULL DEFAULT 0,
    baseline TEXT NOT NULL DEFAULT '{}'
  ) STRICT;
  CREATE INDEX sessions_by_agent ON sessions (agent, status, created_at);
  CREATE INDEX sessions_by_parent ON sessions (parent_id);
  CREATE INDEX sessions_by_expiry ON sessions (status, expires_at);

  CREATE TABLE delegations (
    id TEXT PRIMARY KEY,
    parent_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    agent TEXT NOT NULL,
    task TEXT NOT NULL,
    trust_level TEXT NOT NULL,
    paths TEXT NOT NULL,
    depth INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('active', 'revoked', 'expired', 'done')),
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    ended_at TEXT
  ) STRICT;
  CREATE INDEX delegations_by_parent ON delegations (parent_id);
  CREATE INDEX delegations_by_session ON delegations (session_id);

  CREATE TABLE grants (
    id TEXT PRIMARY KEY,
    scope TEXT NOT NULL,
    agent TEXT NOT NULL,
    session_id TEXT,
    reason TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'active', 'denied', 'expired', 'revoked')),
    ttl_seconds INTEGER NOT NULL,
    requested_at TEXT NOT NULL,
    granted_at TEXT,
    expires_at TEXT,
    granted_by TEXT,
    approval_id TEXT,
    uses INTEGER NOT NULL DEFAULT 0,
    max_uses INTEGER,
    ended_at TEXT
  ) STRICT;
  CREATE INDEX grants_by_agent ON grants (agent, status);
  CREATE INDEX grants_by_approval ON grants (approval_id);
  CREATE INDEX grants_by_expiry ON grants (status, expires_at);

  CREATE TABLE approvals (
    id TEXT PRIMARY KEY,
    type TEXT NOT NULL,
    title TEXT NOT NULL,
    context TEXT NOT NULL,
    subject_digest TEXT NOT NULL,
    requester TEXT NOT NULL,
    session_id TEXT,
    status TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'expired', 'consumed')),
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    needed INTEGER NOT NULL DEFAULT 1,
    votes TEXT NOT NULL DEFAULT '[]',
    resolved_at TEXT,
    resolved_by TEXT,
    comment TEXT,
    consumed_at TEXT
  ) STRICT;
  CREATE INDEX approvals_by_subject ON approvals (subject_digest, requester, status);
  CREATE INDEX approvals_by_expiry ON approvals (status, expires_at);
  `,
  `
  -- The digest of each row that decisions rest on, with the row as it was sealed; engine/sources/state/seals.ts.
  CREATE TABLE seals (
    bucket INTEGER NOT NULL,
    record TEXT NOT NULL,
    digest TEXT NOT NULL,
    seq INTEGER NOT NULL,
    row TEXT NOT NULL,
    PRIMARY KEY (bucket, record)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE seal_buckets (id INTEGER PRIMARY KEY CHECK (id = 1), digests BLOB NOT NULL) STRICT;

  -- What an approval is of, part by part, and what the person is shown of it.
  ALTER TABLE approvals ADD COLUMN subject TEXT;
  ALTER TABLE approvals ADD COLUMN diff TEXT;
  `,
  `
  -- Tokens of auditors. A token itself is never stored.
  CREATE TABLE auditors (
    token_hash TEXT PRIMARY KEY,
    prefix TEXT NOT NULL,
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at TEXT NOT NULL,
    created_by TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    revoked_at TEXT
  ) STRICT;
  CREATE INDEX auditors_by_prefix ON auditors (prefix);
  `,
]
