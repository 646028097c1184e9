import { BootError } from '../../config/boot-error.js';
import type { PostgresqlSettings } from '../../config/options/database-options.js';
import { codeOf } from '../../model/thrown.js';
import { DUPLICATE_STATEMENT, READ_ONLY, sqlState, UNKNOWN_STATEMENT } from './postgresql-error.js';

/** Returns the error for a store that cannot be opened: a sentence and a hint. Neither contains the password. */
export function connectError(cause: unknown, settings: PostgresqlSettings): BootError {
  if (cause instanceof BootError) return cause;
  const place = formatDatabase(settings);
  const message = cause instanceof Error ? cause.message : String(cause);
  const [problem, hint] = describeProblem(sqlState(cause) ?? codeOf(cause) ?? '', message, settings);
  return new BootError('store_failed', `the database ${place} ${problem}`, { hint, cause });
}

/** Names the database, without the user and the options. */
export function formatDatabase({ host, port, otherHosts = [], database }: PostgresqlSettings): string {
  const addresses = [{ host, port }, ...otherHosts].map(
    (server) =>
      `${server.host.includes(':') && !server.host.startsWith('/') ? `[${server.host}]` : server.host}:${server.port}`,
  );
  return `${addresses.join(',')}/${database}`;
}

function describeProblem(
  code: string,
  message: string,
  { host, port, database, username, schema, tls }: PostgresqlSettings,
): readonly [said: string, hint: string] {
  switch (code) {
    case '28P01':
    case '28000':
      return [
        `refuses the user ${username}: ${message}`,
        'check --db-username, --db-password-file and the pg_hba.conf of the server',
      ];
    case '3D000':
      return ['does not exist', `create it: CREATE DATABASE "${database}" OWNER "${username}" ENCODING 'UTF8'`];
    case '3F000':
      return [`has no schema ${schema ?? 'for the tables'}`, schemaHint(username, schema)];
    case '42501':
      return [`does not allow ${username} to create tables: ${message}`, schemaHint(username, schema)];
    case '53300':
      return [
        `has no free connections: ${message}`,
        'increase max_connections of the server, or decrease --db-pool-size',
      ];
    case DUPLICATE_STATEMENT:
    case UNKNOWN_STATEMENT:
      return [
        'is behind a connection pooler that gives each transaction another connection',
        'set pool_mode = session (PgBouncer), or set --db-url to the server itself: prepared statements and settings ' +
          'belong to a connection',
      ];
    case READ_ONLY:
      return ['is a standby, or read-only by its settings', 'set --db-url to the primary'];
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return [`cannot be found: the name ${host} has no address`, 'see --db-url'];
    case 'ECONNREFUSED':
    case 'ENOENT':
      return [`refuses connections (${code})`, `check --db-url, and listen_addresses and port ${port} of the server`];
    default:
  }
  if (tls.mode !== 'disabled' && isTlsError(code, message)) {
    return [`cannot be reached with TLS: ${message}`, tlsHint(code)];
  }
  // The driver's message if the server requires a password and none is configured.
  if (message.includes('client password must be a string')) {
    return [`requires a password for ${username}`, 'see --db-password-file'];
  }
  return [`cannot be used: ${message}`, 'see --db-url'];
}

function isTlsError(code: string, message: string): boolean {
  return (
    /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO)|SELF_SIGNED/.test(code) ||
    /\bSSL\b|certificate/i.test(message)
  );
}

function tlsHint(code: string): string {
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return 'renew the certificate of the server, and reload the server';
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return 'set --db-url to a name in the certificate of the server, or issue a certificate for this name';
    default:
      return 'check --db-tls-trust-store-file and ssl of the server, or use --db-tls-mode disabled';
  }
}

function schemaHint(username: string, schema: string | undefined): string {
  const name = schema ?? username;
  return `create one for it: CREATE SCHEMA IF NOT EXISTS "${name}" AUTHORIZATION "${username}"${
    schema === undefined ? `, and start with --db-schema ${name}` : ''
  }`;
}
