import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../model/thrown.js';
import { BootError } from '../boot-error.js';
import { didYouMean } from '../did-you-mean.js';
import type { Problem } from '../problem.js';
import { OPTIONS, variable } from './option-table.js';
import {
  ANY_PRIVATE_NETWORK,
  NO_PRIVATE_NETWORK,
  type PrivateNetworks,
  readPrivateNetworks,
} from './private-networks.js';
import { readTlsSettings, type TlsSettings } from './tls-settings.js';

export type Mode = 'start' | 'start-dev';

/** What the host is started with. Ports: 0 picks a free one; undefined: not listened on. */
export interface HostOptions {
  readonly mode: Mode;
  readonly httpHost: string;
  readonly httpPort: number;
  /** Plain http in production: behind a proxy, or knowingly. */
  readonly httpEnabled: boolean;
  /** '' or a path such as `/auth`. */
  readonly httpRelativePath: string;
  /** The public address without a trailing slash; undefined: made from host and port. */
  readonly hostname: string | undefined;
  readonly httpsPort: number | undefined;
  readonly httpsCertificateFile: string | undefined;
  readonly httpsCertificateKeyFile: string | undefined;
  /** Of https and of the gRPC server. */
  readonly tls: TlsSettings;
  readonly proxyHeaders: 'xforwarded' | 'forwarded' | undefined;
  readonly grpcHost: string;
  readonly grpcPort: number;
  readonly grpcCertificateFile: string | undefined;
  readonly grpcCertificateKeyFile: string | undefined;
  /** Callers must then show a certificate of one of these authorities. */
  readonly grpcClientCaFile: string | undefined;
  readonly grpcReflection: boolean;
  /** Largest message of a client, in bytes. */
  readonly grpcMaxMessageSize: number;
  /** Most calls at a time on one connection. */
  readonly grpcMaxConcurrentStreams: number;
  /** After so many seconds a connection takes no new calls; what is under way may finish. */
  readonly grpcMaxConnectionAge: number;
  readonly grpcAccessLogEnabled: boolean;
  readonly managementHost: string;
  readonly managementPort: number;
  readonly dataDir: string;
  /** Where mails of realms without a mail server become files; undefined in production. */
  readonly mailDir: string | undefined;
  readonly realmsDir: string;
  readonly providersDir: string;
  readonly protoDir: string;
  readonly pluginsFile: string;
  /** Plugins are replaced when their files or plugins.json change. */
  readonly watchPlugins: boolean;
  readonly masterKey: string | undefined;
  /** Where clients may have keys and logout addresses, and realms mail servers, beside public networks. */
  readonly privateNetworks: PrivateNetworks;
  /** `spi/id` or `realm/spi/id` of providers that `start` may serve without authentication; empty by default. */
  readonly allowOpenProviders: readonly string[];
  readonly bootstrapAdminUsername: string | undefined;
  readonly bootstrapAdminPassword: string | undefined;
  readonly logLevel: string;
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/**
 * Flags win over environment variables, those over defaults.
 * @throws BootError `options_invalid` with every problem at once; `feature_absent` for options of a later version
 */
export function parseOptions(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  mode: Mode,
): HostOptions {
  const problems: Problem[] = [];
  const flags = readFlags(argv, problems);
  checkVariables(env, problems);
  const origin = (flag: string) => (flags.has(flag) ? `--${flag}` : variable(flag));
  const complain = (flag: string, message: string) =>
    problems.push({ file: origin(flag), line: 0, column: 0, path: '', message });
  const text = (flag: string): string | undefined => {
    const definition = OPTIONS.find((candidate) => candidate.flag === flag);
    const value = flags.get(flag) ?? env[variable(flag)];
    return value === undefined || value === '' ? definition?.default : value;
  };
  const port = (flag: string): number | undefined => {
    const value = text(flag);
    if (value === undefined) return undefined;
    if (/^\d{1,5}$/.test(value) && Number(value) <= 65535) return Number(value);
    complain(flag, `must be a port from 0 to 65535, not "${value}"`);
    return undefined;
  };
  const count = (flag: string, least: number): number => {
    const value = text(flag) ?? '';
    if (/^\d{1,9}$/.test(value) && Number(value) >= least) return Number(value);
    complain(flag, `must be a whole number from ${least} on, not "${value}"`);
    return least;
  };
  const oneOf = (flag: string, allowed: readonly string[]): string | undefined => {
    const value = text(flag);
    if (value !== undefined && !allowed.includes(value))
      complain(flag, `must be one of ${allowed.join(', ')}, not "${value}"`);
    return value;
  };
  const flagSet = (flag: string): boolean => {
    const value = text(flag) ?? 'false';
    if (value !== 'true' && value !== 'false') complain(flag, `must be true or false, not "${value}"`);
    return value === 'true';
  };
  const options: HostOptions = {
    mode,
    httpHost: text('http-host') ?? '127.0.0.1',
    httpPort: port('http-port') ?? 0,
    httpEnabled: flagSet('http-enabled'),
    httpRelativePath: relativePath(text('http-relative-path') ?? '/', (message) =>
      complain('http-relative-path', message),
    ),
    hostname: publicAddress(text('hostname'), (message) => complain('hostname', message)),
    httpsPort: port('https-port'),
    httpsCertificateFile: text('https-certificate-file'),
    httpsCertificateKeyFile: text('https-certificate-key-file'),
    tls: readTlsSettings(text('https-cipher-suites'), text('https-protocols'), {
      suites: (message) => complain('https-cipher-suites', message),
      protocols: (message) => complain('https-protocols', message),
    }),
    proxyHeaders: oneOf('proxy-headers', ['xforwarded', 'forwarded']) as HostOptions['proxyHeaders'],
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
    managementHost: text('management-host') ?? '127.0.0.1',
    managementPort: port('management-port') ?? 0,
    dataDir: text('data-dir') ?? '.data',
    mailDir: mode === 'start-dev' ? (text('mail-dir') ?? join(text('data-dir') ?? '.data', 'mail')) : undefined,
    realmsDir: text('realms-dir') ?? 'realms',
    providersDir: text('providers-dir') ?? 'providers',
    protoDir: text('proto-dir') ?? 'proto',
    pluginsFile: text('plugins-file') ?? 'plugins.json',
    watchPlugins: text('watch-plugins') === undefined ? mode === 'start-dev' : flagSet('watch-plugins'),
    masterKey: masterKey(env[variable('master-key')], text('master-key-file'), (message) =>
      complain('master-key-file', message),
    ),
    privateNetworks: privateNetworks(mode, text('outbound-private-networks'), (message) =>
      complain('outbound-private-networks', message),
    ),
    allowOpenProviders: (text('allow-open-providers') ?? '')
      .split(',')
      .map((id) => id.trim())
      .filter((id) => id !== ''),
    bootstrapAdminUsername: text('bootstrap-admin-username'),
    bootstrapAdminPassword: text('bootstrap-admin-password'),
    logLevel: oneOf('log-level', LOG_LEVELS) ?? 'info',
  };
  const tls = [options.httpsPort, options.httpsCertificateFile, options.httpsCertificateKeyFile];
  if (tls.some((part) => part !== undefined) && tls.includes(undefined)) {
    complain('https-port', '--https-port, --https-certificate-file and --https-certificate-key-file belong together');
  }
  const { grpcCertificateFile: cert, grpcCertificateKeyFile: key, grpcClientCaFile: clientCa } = options;
  if ((cert === undefined) !== (key === undefined) || (clientCa !== undefined && cert === undefined)) {
    complain(
      'grpc-certificate-file',
      '--grpc-certificate-file and --grpc-certificate-key-file belong together; --grpc-client-ca-file needs both',
    );
  }
  if (mode === 'start' && text('mail-dir') !== undefined) {
    complain('mail-dir', 'is for start-dev: production sends mails, by the smtpServer of each realm');
  }
  const [username, password] = ['bootstrap-admin-username', 'bootstrap-admin-password'] as const;
  if (options.bootstrapAdminUsername === undefined && options.bootstrapAdminPassword !== undefined) {
    complain(password, `needs --${username} (${variable(username)}) beside it`);
  }
  if (options.bootstrapAdminUsername !== undefined && options.bootstrapAdminPassword === undefined) {
    complain(username, `needs --${password} (${variable(password)}) beside it`);
  }
  if (problems.length > 0) {
    throw new BootError('options_invalid', 'the options are wrong', {
      problems,
      hint: 'keyhost start --help lists them',
    });
  }
  refuseLater(text, origin);
  return Object.freeze(options);
}

function privateNetworks(mode: Mode, list: string | undefined, complain: (message: string) => void): PrivateNetworks {
  if (list !== undefined) return readPrivateNetworks(list, complain);
  return mode === 'start-dev' ? ANY_PRIVATE_NETWORK : NO_PRIVATE_NETWORK;
}

/** True for an option of the host that takes a value. */
export function takesValue(option: string): boolean {
  return OPTIONS.some(({ flag, value }) => `--${flag}` === option && value !== undefined);
}

function readFlags(argv: readonly string[], problems: Problem[]): Map<string, string> {
  const flags = new Map<string, string>();
  const known = OPTIONS.filter(({ environmentOnly }) => !environmentOnly).map(({ flag }) => flag);
  for (let i = 0; i < argv.length; i += 1) {
    const word = argv[i] ?? '';
    const [, name, inline] = /^--([^=]+)(?:=([\s\S]*))?$/.exec(word) ?? [];
    const definition = name === undefined ? undefined : OPTIONS.find(({ flag }) => flag === name);
    if (name === undefined || definition === undefined || definition.environmentOnly) {
      const near = name === undefined ? undefined : didYouMean(name, known);
      const message = definition?.environmentOnly
        ? `is set by ${variable(definition.flag)} or --master-key-file: a command line is no place for a secret`
        : 'is no option';
      const suggestion = near === undefined ? {} : { suggestion: `--${near}` };
      // What stands behind it may be a secret: it is not repeated, and not read as an option of its own.
      const told = name === undefined ? word : `--${name}`;
      problems.push({ file: told, line: 0, column: 0, path: '', message, ...suggestion });
      if (name !== undefined && inline === undefined && argv[i + 1]?.startsWith('--') === false) i += 1;
      continue;
    }
    if (inline !== undefined) flags.set(name, inline);
    else if (definition.value === undefined) flags.set(name, 'true');
    else {
      const next = argv[i + 1];
      if (next === undefined || next.startsWith('--')) {
        problems.push({ file: word, line: 0, column: 0, path: '', message: `needs a value (${definition.value})` });
      } else {
        flags.set(name, next);
        i += 1;
      }
    }
  }
  return flags;
}

/** A variable is a mistake when it nearly is a known one; others with our prefix may be the container platform's. */
function checkVariables(env: Readonly<Record<string, string | undefined>>, problems: Problem[]): void {
  const known = OPTIONS.map(({ flag }) => variable(flag));
  for (const name of Object.keys(env)) {
    if (!name.startsWith('KEYHOST_') || known.includes(name)) continue;
    const suggestion = didYouMean(name, known, 2);
    if (suggestion === undefined) continue;
    problems.push({ file: name, line: 0, column: 0, path: '', message: 'is no option', suggestion });
  }
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
    complain(`must be an address such as https://id.example.com/auth, not "${value}"`);
    return undefined;
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

function masterKey(
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

function refuseLater(text: (flag: string) => string | undefined, origin: (flag: string) => string): void {
  const asked =
    text('db') !== 'sqlite'
      ? 'db'
      : text('db-url') !== undefined
        ? 'db-url'
        : text('workers') !== '1'
          ? 'workers'
          : undefined;
  if (asked === undefined) return;
  throw new BootError(
    'feature_absent',
    `${origin(asked)}: PostgreSQL and several processes come with a later version`,
    {
      hint: 'use --db sqlite and one process',
    },
  );
}
