import { readFileSync } from 'node:fs';
import { BootError } from './boot-error.js';
import { didYouMean } from './did-you-mean.js';
import type { Problem } from './problem.js';

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
  readonly realmsDir: string;
  readonly providersDir: string;
  readonly protoDir: string;
  readonly pluginsFile: string;
  readonly masterKey: string | undefined;
  /** `spi/id` or `realm/spi/id` of providers that may be open without authentication in production. */
  readonly allowOpenProviders: readonly string[];
  readonly bootstrapAdminUsername: string | undefined;
  readonly bootstrapAdminPassword: string | undefined;
  readonly logLevel: string;
}

interface Definition {
  readonly flag: string;
  readonly help: string;
  readonly value?: string;
  readonly default?: string;
  /** Set by environment alone: a command line is public on a shared machine. */
  readonly environmentOnly?: true;
}

/** The one table of options: flag, environment variable (`KEYHOST_` and the flag's name), default, help. */
const DEFINITIONS: readonly Definition[] = [
  { flag: 'http-host', value: 'ADDRESS', default: '127.0.0.1', help: 'address to listen on' },
  { flag: 'http-port', value: 'PORT', default: '8080', help: 'port of http; 0 picks a free one' },
  { flag: 'http-enabled', help: 'start: serve plain http although nothing says that a proxy adds TLS' },
  { flag: 'http-relative-path', value: 'PATH', default: '/', help: 'path in front of everything, such as /auth' },
  { flag: 'hostname', value: 'URL', help: 'the public address, with any path; the issuer is built from it' },
  { flag: 'https-port', value: 'PORT', help: 'port of https' },
  { flag: 'https-certificate-file', value: 'FILE', help: 'PEM certificate chain; read again when it changes' },
  { flag: 'https-certificate-key-file', value: 'FILE', help: 'PEM private key' },
  { flag: 'proxy-headers', value: 'xforwarded|forwarded', help: 'trust these headers of the proxy in front' },
  { flag: 'grpc-host', value: 'ADDRESS', default: '127.0.0.1', help: 'address of the gRPC server' },
  { flag: 'grpc-port', value: 'PORT', default: '9090', help: 'port of the gRPC server' },
  { flag: 'grpc-certificate-file', value: 'FILE', help: 'PEM certificate chain of the gRPC server; followed too' },
  { flag: 'grpc-certificate-key-file', value: 'FILE', help: 'its PEM private key' },
  { flag: 'grpc-client-ca-file', value: 'FILE', help: 'gRPC clients need a certificate of these authorities' },
  { flag: 'grpc-reflection', value: 'BOOLEAN', help: 'tells gRPC clients what services there are; on in start-dev' },
  { flag: 'grpc-max-message-size', value: 'BYTES', default: '4194304', help: 'largest message of a gRPC client' },
  { flag: 'grpc-max-concurrent-streams', value: 'N', default: '1000', help: 'most gRPC calls at once on a connection' },
  {
    flag: 'grpc-max-connection-age',
    value: 'SECONDS',
    default: '1800',
    help: 'when gRPC clients are asked to reconnect',
  },
  { flag: 'grpc-access-log-enabled', help: 'a line in the log for every gRPC call' },
  { flag: 'management-host', value: 'ADDRESS', default: '127.0.0.1', help: 'address of /health and /metrics' },
  { flag: 'management-port', value: 'PORT', default: '9000', help: 'port of /health and /metrics' },
  { flag: 'db', value: 'sqlite', default: 'sqlite', help: 'the store' },
  { flag: 'db-url', value: 'URL', help: 'address of a database server' },
  { flag: 'data-dir', value: 'DIR', default: '.data', help: 'where the store lives' },
  { flag: 'realms-dir', value: 'DIR', default: 'realms', help: 'realm files' },
  { flag: 'providers-dir', value: 'DIR', default: 'providers', help: 'plugin packages' },
  { flag: 'proto-dir', value: 'DIR', default: 'proto', help: 'proto files that plugins share' },
  {
    flag: 'plugins-file',
    value: 'FILE',
    default: 'plugins.json',
    help: 'which plugins are loaded, and their configuration',
  },
  { flag: 'master-key', environmentOnly: true, help: 'encrypts realm keys at rest; 16 characters or more' },
  { flag: 'master-key-file', value: 'FILE', help: 'reads the master key from a file' },
  { flag: 'allow-open-providers', value: 'LIST', help: 'providers that start may serve without authentication' },
  { flag: 'workers', value: 'N', default: '1', help: 'number of processes' },
  { flag: 'bootstrap-admin-username', value: 'NAME', help: 'the first admin of the realm master' },
  { flag: 'bootstrap-admin-password', value: 'TEXT', help: 'that admin’s password' },
  { flag: 'log-level', value: 'LEVEL', default: 'info', help: 'trace, debug, info, warn, error, fatal or silent' },
];

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

function variable(flag: string): string {
  return `KEYHOST_${flag.toUpperCase().replaceAll('-', '_')}`;
}

/** The `--help` text of the options. */
export function optionsHelp(): string {
  const rows = DEFINITIONS.map(({ flag, value, default: standard, help, environmentOnly }) => {
    const left = environmentOnly ? `  ${variable(flag)}` : `  --${flag}${value === undefined ? '' : ` ${value}`}`;
    const env = environmentOnly ? '' : ` [${variable(flag)}]`;
    return `${left.padEnd(44)} ${help}${standard === undefined ? '' : ` (default: ${standard})`}${env}`;
  });
  return rows.join('\n');
}

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
    const definition = DEFINITIONS.find((candidate) => candidate.flag === flag);
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
    realmsDir: text('realms-dir') ?? 'realms',
    providersDir: text('providers-dir') ?? 'providers',
    protoDir: text('proto-dir') ?? 'proto',
    pluginsFile: text('plugins-file') ?? 'plugins.json',
    masterKey: masterKey(env[variable('master-key')], text('master-key-file'), (message) =>
      complain('master-key-file', message),
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
  if ((options.bootstrapAdminUsername === undefined) !== (options.bootstrapAdminPassword === undefined)) {
    complain('bootstrap-admin-username', 'name and password of the bootstrap admin belong together');
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

/** True for an option of the host that takes a value. */
export function takesValue(option: string): boolean {
  return DEFINITIONS.some(({ flag, value }) => `--${flag}` === option && value !== undefined);
}

function readFlags(argv: readonly string[], problems: Problem[]): Map<string, string> {
  const flags = new Map<string, string>();
  const known = DEFINITIONS.filter(({ environmentOnly }) => !environmentOnly).map(({ flag }) => flag);
  for (let i = 0; i < argv.length; i += 1) {
    const word = argv[i] ?? '';
    const [, name, inline] = /^--([^=]+)(?:=([\s\S]*))?$/.exec(word) ?? [];
    const definition = name === undefined ? undefined : DEFINITIONS.find(({ flag }) => flag === name);
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
  const known = DEFINITIONS.map(({ flag }) => variable(flag));
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
    complain(`cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'error'}`);
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
