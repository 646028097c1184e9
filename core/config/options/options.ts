import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ANY_PRIVATE_NETWORK,
  NO_PRIVATE_NETWORK,
  type PrivateNetworks,
  readPrivateNetworks,
} from '../../model/private-networks.js';
import { codeOf } from '../../model/thrown.js';
import { readBootstrapAdmin } from './bootstrap-admin.js';
import { type PostgresqlSettings, readDatabaseOptions } from './database-options.js';
import { type EventTag, readEventMetrics } from './event-metrics.js';
import { OptionReader } from './option-reader.js';
import { environmentVariable } from './option-table.js';
import { type PortFlag, readReplaceablePorts } from './replaceable-ports.js';
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
  /** The ports that the host replaces by the next free one if another program uses them; none in production. */
  readonly replaceablePorts: readonly PortFlag[];
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
  /** True to reload plugins when their files or plugins.json change. */
  readonly watchPlugins: boolean;
  readonly masterKey: string | undefined;
  /**
   * The private networks that the host may call for clients, realms and plugins: for example keys, logout addresses and
   * mail servers.
   */
  readonly privateNetworks: PrivateNetworks;
  /** `spi/id` or `realm/spi/id` of providers that `start` may serve without authentication; empty by default. */
  readonly allowOpenProviders: readonly string[];
  readonly bootstrapAdminUsername: string | undefined;
  readonly bootstrapAdminPassword: string | undefined;
  /** A file with that password, instead of `bootstrapAdminPassword`; only read when the admin is created. */
  readonly bootstrapAdminPasswordFile: string | undefined;
  /** How long a stopping host continues to serve while its readiness check fails, in milliseconds. */
  readonly shutdownDelay: number;
  /** The time that a stopping host gives to running gRPC calls, and then again to running requests, in milliseconds. */
  readonly shutdownTimeout: number;
  readonly logLevel: string;
  /** The tags of user events on `/metrics`; undefined: only `realm`. */
  readonly eventMetricsUserTags: readonly EventTag[] | undefined;
  /** The types of user events that `/metrics` counts; undefined: all. */
  readonly eventMetricsUserEvents: readonly string[] | undefined;
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/**
 * Flags have priority over environment variables, and environment variables over defaults.
 * @throws BootError `options_invalid` with every problem at once
 */
export function parseOptions(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  mode: Mode,
): HostOptions {
  const reader = new OptionReader(argv, env);
  const { text, port, duration, oneOf, complaintAbout } = reader;
  const workers = readWorkers(reader);
  const options: HostOptions = {
    mode,
    ...readHttpOptions(reader),
    ...readGrpcOptions(reader, mode),
    managementHost: text('management-host') ?? '127.0.0.1',
    managementPort: port('management-port') ?? 0,
    replaceablePorts: readReplaceablePorts(reader, mode),
    postgresql: readDatabaseOptions(reader, workers),
    workers,
    ...readFileOptions(reader, mode),
    masterKey: readMasterKey(
      env[environmentVariable('master-key')],
      text('master-key-file'),
      complaintAbout('master-key-file'),
    ),
    privateNetworks: networksOrDefault(
      mode,
      text('outbound-private-networks'),
      complaintAbout('outbound-private-networks'),
    ),
    allowOpenProviders: (text('allow-open-providers') ?? '')
      .split(',')
      .map((id) => id.trim())
      .filter((id) => id !== ''),
    ...readBootstrapAdmin(reader),
    shutdownDelay: duration('shutdown-delay'),
    shutdownTimeout: duration('shutdown-timeout'),
    logLevel: oneOf('log-level', LOG_LEVELS) ?? 'info',
    ...readEventMetrics(reader),
  };
  checkCombinations(options, reader);
  reader.throwIfInvalid();
  return Object.freeze(options);
}

function readHttpOptions({ text, port, oneOf, boolean, complaintAbout }: OptionReader) {
  return {
    httpHost: text('http-host') ?? '127.0.0.1',
    httpPort: port('http-port') ?? 0,
    httpEnabled: boolean('http-enabled'),
    httpRelativePath: readRelativePath(text('http-relative-path') ?? '/', complaintAbout('http-relative-path')),
    hostname: readPublicAddress(text('hostname'), complaintAbout('hostname')),
    hostnameAdmin: readAdminAddress(text('hostname-admin'), complaintAbout('hostname-admin')),
    httpsPort: port('https-port'),
    httpsCertificateFile: text('https-certificate-file'),
    httpsCertificateKeyFile: text('https-certificate-key-file'),
    tls: readTlsSettings(text('https-cipher-suites'), text('https-protocols'), {
      suites: complaintAbout('https-cipher-suites'),
      protocols: complaintAbout('https-protocols'),
    }),
    proxyHeaders: oneOf('proxy-headers', ['xforwarded', 'forwarded']) as HostOptions['proxyHeaders'],
  };
}

function readGrpcOptions({ text, port, count, boolean }: OptionReader, mode: Mode) {
  return {
    grpcHost: text('grpc-host') ?? '127.0.0.1',
    grpcPort: port('grpc-port') ?? 0,
    grpcCertificateFile: text('grpc-certificate-file'),
    grpcCertificateKeyFile: text('grpc-certificate-key-file'),
    grpcClientCaFile: text('grpc-client-ca-file'),
    grpcReflection: text('grpc-reflection') === undefined ? mode === 'start-dev' : boolean('grpc-reflection'),
    grpcMaxMessageSize: count('grpc-max-message-size', 1024),
    grpcMaxConcurrentStreams: count('grpc-max-concurrent-streams', 1),
    grpcMaxConnectionAge: count('grpc-max-connection-age', 1),
    grpcAccessLogEnabled: boolean('grpc-access-log-enabled'),
  };
}

/** The options for files and folders. */
function readFileOptions({ text, boolean }: OptionReader, mode: Mode) {
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
    watchPlugins: text('watch-plugins') === undefined ? mode === 'start-dev' : boolean('watch-plugins'),
  };
}

/** Checks options that depend on others or on the mode. */
function checkCombinations(options: HostOptions, { text, complain }: OptionReader): void {
  const httpsSettings = [options.httpsPort, options.httpsCertificateFile, options.httpsCertificateKeyFile];
  if (httpsSettings.some((part) => part !== undefined) && httpsSettings.includes(undefined)) {
    complain(
      'https-port',
      '--https-port, --https-certificate-file and --https-certificate-key-file require each other',
    );
  }
  const { hostname, hostnameAdmin } = options;
  if (hostnameAdmin !== undefined && text('hostname') === undefined) {
    complain('hostname-admin', 'requires --hostname: logins and tokens use that address');
  } else if (hostnameAdmin !== undefined && hostname !== undefined && isSameHost(hostname, hostnameAdmin)) {
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

function networksOrDefault(mode: Mode, list: string | undefined, complain: (message: string) => void): PrivateNetworks {
  if (list !== undefined) return readPrivateNetworks(list, complain);
  return mode === 'start-dev' ? ANY_PRIVATE_NETWORK : NO_PRIVATE_NETWORK;
}

function readRelativePath(value: string, complain: (message: string) => void): string {
  const path = `/${value}`.replace(/\/+/g, '/').replace(/\/$/, '');
  if (!/^(\/[A-Za-z0-9._~-]+)*$/.test(path) || /\/\.{1,2}(\/|$)/.test(path))
    complain(`must be a path such as /auth, not "${value}"`);
  return path;
}

function readPublicAddress(value: string | undefined, complain: (message: string) => void): string | undefined {
  if (value === undefined) return undefined;
  const text = value.includes('://') ? value : `https://${value}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.search || url.hash || url.username) {
    complain(`must be a URL such as https://id.example.com/auth, not "${value}"`);
    return undefined;
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** Requires an address with its scheme, as Keycloak does. */
function readAdminAddress(value: string | undefined, complain: (message: string) => void): string | undefined {
  if (value === undefined || value.includes('://')) return readPublicAddress(value, complain);
  complain(`must be a complete URL such as https://admin.example.com, not "${value}"`);
  return undefined;
}

/** True if requests to both addresses have the same Host header, which omits the default port of the scheme. */
function isSameHost(one: string, other: string): boolean {
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
