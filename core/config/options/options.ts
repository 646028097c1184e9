import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ANY_PRIVATE_NETWORK,
  NO_PRIVATE_NETWORK,
  type PrivateNetworks,
  readPrivateNetworks,
} from '../../model/private-networks.js';
import { codeOf } from '../../model/thrown.js';
import { bootstrapAdminOptions } from './bootstrap-admin.js';
import { type PostgresqlSettings, readDatabaseOptions } from './database-options.js';
import { type EventTag, readEventMetrics } from './event-metrics.js';
import { OptionReader } from './option-reader.js';
import { variable } from './option-table.js';
import { readTlsSettings, type TlsSettings } from './tls-settings.js';
import { readWorkers } from './worker-processes.js';

export type Mode = 'start' | 'start-dev';

/** The options that the host starts with. A port 0 selects a free one; an undefined port is not opened. */
export interface HostOptions {
  readonly mode: Mode;
  readonly httpHost: string;
  readonly httpPort: number;
  /** Plain http in production, either behind a proxy or deliberately. */
  readonly httpEnabled: boolean;
  /** '' or a path such as `/auth`. */
  readonly httpRelativePath: string;
  /** The public address without a trailing slash; undefined: computed from host and port. */
  readonly hostname: string | undefined;
  /**
   * The address of the admin console and the Admin REST API, which serves nothing else; undefined: the public address.
   */
  readonly hostnameAdmin: string | undefined;
  readonly httpsPort: number | undefined;
  readonly httpsCertificateFile: string | undefined;
  readonly httpsCertificateKeyFile: string | undefined;
  /** The TLS settings of https and of the gRPC server. */
  readonly tls: TlsSettings;
  readonly proxyHeaders: 'xforwarded' | 'forwarded' | undefined;
  readonly grpcHost: string;
  readonly grpcPort: number;
  readonly grpcCertificateFile: string | undefined;
  readonly grpcCertificateKeyFile: string | undefined;
  /** If set, callers must present a certificate of one of these authorities. */
  readonly grpcClientCaFile: string | undefined;
  readonly grpcReflection: boolean;
  /** The maximum size of a message from a client, in bytes. */
  readonly grpcMaxMessageSize: number;
  /** The maximum number of concurrent calls on one connection. */
  readonly grpcMaxConcurrentStreams: number;
  /** The age, in seconds, at which a connection accepts no new calls. Running calls may finish. */
  readonly grpcMaxConnectionAge: number;
  readonly grpcAccessLogEnabled: boolean;
  readonly managementHost: string;
  readonly managementPort: number;
  /** The number of processes that serve on this machine, behind one port. */
  readonly workers: number;
  /** The database of the store; undefined: SQLite in the data directory. */
  readonly postgresql: PostgresqlSettings | undefined;
  readonly dataDir: string;
  /** The folder for mails of realms without a mail server; undefined in production. */
  readonly mailDir: string | undefined;
  /** The folder of the file vault; undefined if there is none. */
  readonly vaultDir: string | undefined;
  /** The folder of the files that a realm's `passwordBlacklist` names. */
  readonly passwordBlacklistsDir: string;
  readonly realmsDir: string;
  readonly providersDir: string;
  /** The folder for copies of plugins that run from a copy; undefined: a folder below the providers folder. */
  readonly pluginCopiesDir: string | undefined;
  readonly protoDir: string;
  readonly pluginsFile: string;
  /** Plugins are replaced when their files or plugins.json change. */
  readonly watchPlugins: boolean;
  readonly masterKey: string | undefined;
  /** The private networks that may contain keys and logout addresses of clients, and mail servers of realms. */
  readonly privateNetworks: PrivateNetworks;
  /** `spi/id` or `realm/spi/id` of providers that `start` may serve without authentication; empty by default. */
  readonly allowOpenProviders: readonly string[];
  readonly bootstrapAdminUsername: string | undefined;
  readonly bootstrapAdminPassword: string | undefined;
  /** A file with the password, as an alternative; read when that admin is created. */
  readonly bootstrapAdminPasswordFile: string | undefined;
  /** How long the host continues to serve on shutdown while it reports unhealthy, in milliseconds. */
  readonly shutdownDelay: number;
  /**
   * How long running requests may take after the host stops accepting new ones, and gRPC calls before them, in
   * milliseconds.
   */
  readonly shutdownTimeout: number;
  readonly logLevel: string;
  /** The tags of user events on `/metrics`; undefined: the realm. */
  readonly eventMetricsUserTags: readonly EventTag[] | undefined;
  /** Types of the user events that `/metrics` counts; undefined: all. */
  readonly eventMetricsUserEvents: readonly string[] | undefined;
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/**
 * Flags have priority over environment variables, and those over defaults.
 * @throws BootError `options_invalid` with every problem at once
 */
export function parseOptions(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  mode: Mode,
): HostOptions {
  const reader = new OptionReader(argv, env);
  const { text, port, duration, oneOf, complaint } = reader;
  const workers = readWorkers(reader);
  const options: HostOptions = {
    mode,
    ...httpOptions(reader),
    ...grpcOptions(reader, mode),
    managementHost: text('management-host') ?? '127.0.0.1',
    managementPort: port('management-port') ?? 0,
    postgresql: readDatabaseOptions(reader, workers),
    workers,
    ...fileOptions(reader, mode),
    masterKey: readMasterKey(env[variable('master-key')], text('master-key-file'), complaint('master-key-file')),
    privateNetworks: privateNetworks(mode, text('outbound-private-networks'), complaint('outbound-private-networks')),
    allowOpenProviders: (text('allow-open-providers') ?? '')
      .split(',')
      .map((id) => id.trim())
      .filter((id) => id !== ''),
    ...bootstrapAdminOptions(reader),
    shutdownDelay: duration('shutdown-delay'),
    shutdownTimeout: duration('shutdown-timeout'),
    logLevel: oneOf('log-level', LOG_LEVELS) ?? 'info',
    ...readEventMetrics(reader),
  };
  checkCombinations(options, reader);
  reader.throwIfInvalid();
  return Object.freeze(options);
}

function httpOptions({ text, port, oneOf, flagSet, complaint }: OptionReader) {
  return {
    httpHost: text('http-host') ?? '127.0.0.1',
    httpPort: port('http-port') ?? 0,
    httpEnabled: flagSet('http-enabled'),
    httpRelativePath: relativePath(text('http-relative-path') ?? '/', complaint('http-relative-path')),
    hostname: publicAddress(text('hostname'), complaint('hostname')),
    hostnameAdmin: readAdminAddress(text('hostname-admin'), complaint('hostname-admin')),
    httpsPort: port('https-port'),
    httpsCertificateFile: text('https-certificate-file'),
    httpsCertificateKeyFile: text('https-certificate-key-file'),
    tls: readTlsSettings(text('https-cipher-suites'), text('https-protocols'), {
      suites: complaint('https-cipher-suites'),
      protocols: complaint('https-protocols'),
    }),
    proxyHeaders: oneOf('proxy-headers', ['xforwarded', 'forwarded']) as HostOptions['proxyHeaders'],
  };
}

function grpcOptions({ text, port, count, flagSet }: OptionReader, mode: Mode) {
  return {
    grpcHost: text('grpc-host') ?? '127.0.0.1',
    grpcPort: port('grpc-port') ?? 0,
    grpcCertificateFile: text('grpc-certificate-file'),
    grpcCertificateKeyFile: text('grpc-certificate-key-file'),
    grpcClientCaFile: text('grpc-client-ca-file'),
    grpcReflection: text('grpc-reflection') === undefined ? mode === 'start-dev' : flagSet('grpc-reflection'),
    grpcMaxMessageSize: count('grpc-max-message-size', 1024),
    grpcMaxConcurrentStreams: count('grpc-max-concurrent-streams', 1),
    grpcMaxConnectionAge: count('grpc-max-connection-age', 1),
    grpcAccessLogEnabled: flagSet('grpc-access-log-enabled'),
  };
}

/** The options for files and folders. */
function fileOptions({ text, flagSet }: OptionReader, mode: Mode) {
  const dataDir = text('data-dir') ?? '.data';
  return {
    dataDir,
    mailDir: mode === 'start-dev' ? (text('mail-dir') ?? join(dataDir, 'mail')) : undefined,
    vaultDir: text('vault-dir'),
    passwordBlacklistsDir: text('password-blacklists-dir') ?? join(dataDir, 'password-blacklists'),
    realmsDir: text('realms-dir') ?? 'realms',
    providersDir: text('providers-dir') ?? 'providers',
    pluginCopiesDir: text('plugin-copies-dir'),
    protoDir: text('proto-dir') ?? 'proto',
    pluginsFile: text('plugins-file') ?? 'plugins.json',
    watchPlugins: text('watch-plugins') === undefined ? mode === 'start-dev' : flagSet('watch-plugins'),
  };
}

/** Checks options that depend on others or on the mode. */
function checkCombinations(options: HostOptions, { text, complain }: OptionReader): void {
  const tls = [options.httpsPort, options.httpsCertificateFile, options.httpsCertificateKeyFile];
  if (tls.some((part) => part !== undefined) && tls.includes(undefined)) {
    complain(
      'https-port',
      '--https-port, --https-certificate-file and --https-certificate-key-file require each other',
    );
  }
  const { hostname, hostnameAdmin } = options;
  if (hostnameAdmin !== undefined && text('hostname') === undefined) {
    complain('hostname-admin', 'requires --hostname: logins and tokens use that address');
  } else if (hostnameAdmin !== undefined && hostname !== undefined && isSameOrigin(hostname, hostnameAdmin)) {
    complain(
      'hostname-admin',
      'must have another host or port than --hostname: browsers do not separate pages by path',
    );
  }
  const { grpcCertificateFile: cert, grpcCertificateKeyFile: key, grpcClientCaFile: clientCa } = options;
  if ((cert === undefined) !== (key === undefined) || (clientCa !== undefined && cert === undefined)) {
    complain(
      'grpc-certificate-file',
      '--grpc-certificate-file and --grpc-certificate-key-file require each other; --grpc-client-ca-file requires both',
    );
  }
  if (options.mode === 'start' && text('mail-dir') !== undefined) {
    complain('mail-dir', 'works only with start-dev: in production, the smtpServer of each realm sends emails');
  }
}

function privateNetworks(mode: Mode, list: string | undefined, complain: (message: string) => void): PrivateNetworks {
  if (list !== undefined) return readPrivateNetworks(list, complain);
  return mode === 'start-dev' ? ANY_PRIVATE_NETWORK : NO_PRIVATE_NETWORK;
}

function relativePath(value: string, complain: (message: string) => void): string {
  const path = `/${value}`.replace(/\/+/g, '/').replace(/\/$/, '');
  if (!/^(\/[A-Za-z0-9._~-]+)*$/.test(path) || /\/\.{1,2}(\/|$)/.test(path))
    complain(`must be a path such as /auth, not "${value}"`);
  return path;
}

function publicAddress(value: string | undefined, complain: (message: string) => void): string | undefined {
  if (value === undefined) return undefined;
  const text = value.includes('://') ? value : `https://${value}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.search || url.hash || url.username) {
    complain(`must be a URL such as https://id.example.com/auth, not "${value}"`);
    return undefined;
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** Requires a whole address, as Keycloak does: its scheme is not guessed. */
function readAdminAddress(value: string | undefined, complain: (message: string) => void): string | undefined {
  if (value === undefined || value.includes('://')) return publicAddress(value, complain);
  complain(`must be a complete URL such as https://admin.example.com, not "${value}"`);
  return undefined;
}

/** True if one Host header could mean both: a header mostly omits the default port of its scheme. */
function isSameOrigin(one: string, other: string): boolean {
  return new URL(one).host === new URL(other).host;
}

function readMasterKey(
  key: string | undefined,
  file: string | undefined,
  complain: (message: string) => void,
): string | undefined {
  if (key !== undefined && key !== '') return key;
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    complain(`cannot be read: ${codeOf(error) ?? 'error'}`);
    return undefined;
  }
}
