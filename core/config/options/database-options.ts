import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { codeOf } from '../../model/thrown.js';
import type { OptionReader } from './option-reader.js';
import { environmentVariable } from './option-table.js';

export interface DatabaseHost {
  readonly host: string;
  readonly port: number;
}

/** The connection settings of a PostgreSQL database. */
export interface PostgresqlSettings {
  /** A name, an address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  /**
   * Hosts that are tried in turn if the first one is unreachable or accepts no writes, such as a standby that became
   * the primary.
   */
  readonly otherHosts?: readonly DatabaseHost[];
  readonly database: string;
  readonly username: string;
  readonly password: string | undefined;
  /** The schema of the tables; if undefined, the first one of the server's search path. */
  readonly schema: string | undefined;
  /**
   * `verify-server` checks the server's certificate and host name. `authorities` are trusted certificates as PEM; if
   * absent, those of Node.js are trusted.
   */
  readonly tls: { readonly mode: 'disabled' | 'verify-server'; readonly authorities?: string };
  /** The maximum number of connections of one process. */
  readonly poolSize: number;
}

const DEFAULT_PORT = 5432;
const MAX_POOL_SIZE = 20;
const TLS_MODES = ['disabled', 'verify-server'] as const;
const ADDRESS_FORM =
  'must be an address such as postgres://db.example.com:5432/keyhost or jdbc:postgresql://db.example.com/keyhost';
/** The meaning of each `sslmode` of an address. Modes that encrypt without verifying the server are not supported. */
const SSL_MODES = new Map<string, PostgresqlSettings['tls']['mode']>([
  ['disable', 'disabled'],
  ['verify-full', 'verify-server'],
]);
/** Options that have no effect without a database server. */
const DATABASE_SERVER_OPTIONS = [
  'db-url',
  'db-username',
  'db-password',
  'db-password-file',
  'db-schema',
  'db-pool-size',
  'db-tls-mode',
  'db-tls-trust-store-file',
];

/** The words of libpq and of JDBC that select the host that accepts writes. */
const WRITABLE = ['read-write', 'primary', 'master'];

/** The parts of a database address. */
interface DatabaseAddress extends DatabaseHost {
  readonly otherHosts: readonly DatabaseHost[];
  readonly database: string;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly schema: string | undefined;
  readonly sslmode: string | undefined;
  readonly sslrootcert: string | undefined;
}

/**
 * @param processes the number of processes that share the machine's cores
 * @returns undefined for SQLite, whose file is in the data directory
 */
export function readDatabaseOptions(options: OptionReader, processes: number): PostgresqlSettings | undefined {
  const { text, oneOf, complain, complaintAbout } = options;
  const db = oneOf('db', ['sqlite', 'postgres']);
  if (db !== 'postgres') {
    for (const flag of DATABASE_SERVER_OPTIONS) if (text(flag) !== undefined) complain(flag, 'requires --db postgres');
    return undefined;
  }
  const url = text('db-url');
  if (url === undefined) {
    complain('db', `requires --db-url (${environmentVariable('db-url')})`);
    return undefined;
  }
  const address = readAddress(url, complaintAbout('db-url'));
  if (address === undefined) return undefined;
  if (address.password !== undefined && options.origin('db-url').startsWith('--')) {
    complain(
      'db-url',
      'contains a password: use --db-password-file, other users of the machine can read command lines',
    );
  }
  const username = text('db-username') ?? address.username;
  if (username === undefined) complain('db-url', 'has no user: use --db-username');
  return {
    host: address.host,
    port: address.port,
    ...(address.otherHosts.length > 0 && { otherHosts: address.otherHosts }),
    database: address.database,
    username: username ?? '',
    password:
      text('db-password') ??
      readOptionFile(text('db-password-file'), complaintAbout('db-password-file')) ??
      address.password,
    schema: text('db-schema') ?? address.schema,
    tls: readTlsSettings(options, address),
    poolSize:
      text('db-pool-size') === undefined
        ? poolSize(Math.ceil(availableParallelism() / processes))
        : options.count('db-pool-size', 2),
  };
}

/** Two connections for each core keep it busy while others wait for the network. Two more are for long operations. */
export function poolSize(cores: number): number {
  return Math.min(MAX_POOL_SIZE, cores * 2 + 2);
}

function readTlsSettings(
  { text, oneOf, complain, complaintAbout }: OptionReader,
  { sslmode, sslrootcert }: DatabaseAddress,
): PostgresqlSettings['tls'] {
  const modeInOption = oneOf('db-tls-mode', TLS_MODES) as (typeof TLS_MODES)[number] | undefined;
  const modeInAddress = SSL_MODES.get(sslmode ?? 'disable');
  if (modeInAddress === undefined) {
    complain('db-url', `must have sslmode=verify-full or disable, not ${sslmode}: other modes do not check the server`);
  }
  const mode = modeInOption ?? modeInAddress ?? 'disabled';
  const file = text('db-tls-trust-store-file');
  if (mode === 'disabled') {
    if (file !== undefined) complain('db-tls-trust-store-file', 'requires --db-tls-mode verify-server');
    return { mode };
  }
  const authorities =
    readOptionFile(file, complaintAbout('db-tls-trust-store-file')) ??
    readOptionFile(sslrootcert, complaintAbout('db-url'), 'sslrootcert ');
  return authorities === undefined ? { mode } : { mode, authorities };
}

/** Reads an address of libpq or of JDBC. Its text is never repeated in a message, since it may contain a password. */
function readAddress(text: string, complain: (message: string) => void): DatabaseAddress | undefined {
  const address = text.replace(/^jdbc:/, '').replace(/^postgres(ql)?:(?!\/\/)/, 'postgres://localhost/');
  // `URL` cannot hold several hosts: parse the first, and read the others by the same rules.
  const [, beforeHosts = '', hosts = '', afterHosts = ''] =
    /^(\w+:\/\/(?:[^@/?]*@)?)([^/?]*,[^/?]*)(.*)$/.exec(address) ?? [];
  const [first, ...others] = hosts === '' ? [address] : hosts.split(',');
  // An address without a host may name the folder of a Unix socket in its parameter `host`.
  const url = parseUrl(hosts === '' ? address : `${beforeHosts}${first}${afterHosts}`);
  const otherUrls = others.map((host) => parseUrl(`postgres://${host}`));
  if (
    url === undefined ||
    !/^postgres(ql)?:$/.test(url.protocol) ||
    otherUrls.some((otherUrl) => !otherUrl?.hostname)
  ) {
    complain(ADDRESS_FORM);
    return undefined;
  }
  const { searchParams: parameters } = url;
  const takeParameter = (...names: readonly string[]) => {
    const values = names.map((name) => parameters.get(name) ?? undefined);
    for (const name of names) parameters.delete(name);
    return values.find((value) => value !== undefined);
  };
  const targetHost = takeParameter('target_session_attrs', 'targetServerType');
  if (targetHost !== undefined && !WRITABLE.includes(targetHost))
    complain('must have target_session_attrs=read-write, or targetServerType=primary: Keyhost writes to the database');
  const firstHost = hostOf(url);
  const databaseAddress: DatabaseAddress = {
    host: takeParameter('host') ?? firstHost.host,
    port: Number(takeParameter('port') ?? firstHost.port),
    otherHosts: otherUrls.flatMap((otherUrl) => (otherUrl === undefined ? [] : [hostOf(otherUrl)])),
    database: decode(url.pathname.slice(1)),
    username: takeParameter('user') ?? (url.username === '' ? undefined : decode(url.username)),
    password: takeParameter('password') ?? (url.password === '' ? undefined : decode(url.password)),
    schema: takeParameter('currentSchema'),
    sslmode: takeParameter('sslmode'),
    sslrootcert: takeParameter('sslrootcert'),
  };
  const [unknownParameter] = parameters.keys();
  if (unknownParameter !== undefined) complain(`has an unknown parameter: ${unknownParameter}`);
  if (
    !/^\d{1,5}$/.test(`${databaseAddress.port}`) ||
    databaseAddress.port > 65535 ||
    databaseAddress.host.includes(',')
  )
    complain(ADDRESS_FORM);
  if (databaseAddress.database === '' || databaseAddress.database.includes('/')) complain('has no database name');
  return databaseAddress;
}

function parseUrl(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}

function hostOf({ hostname, port }: URL): DatabaseHost {
  const host = hostname === '' ? 'localhost' : decode(hostname.replace(/^\[|\]$/g, ''));
  return { host, port: Number(port === '' ? DEFAULT_PORT : port) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // The text has a percent sign that is no escape: it is taken literally.
    return text;
  }
}

function readOptionFile(
  file: string | undefined,
  complain: (message: string) => void,
  subject = '',
): string | undefined {
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    complain(`${subject}cannot be read: ${codeOf(error) ?? 'error'}`);
    return undefined;
  }
}
