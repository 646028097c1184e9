export interface OptionDefinition {
  readonly flag: string;
  readonly help: string;
  readonly value?: string;
  readonly default?: string;
  /** Set by environment alone: a command line is public on a shared machine. */
  readonly environmentOnly?: true;
}

/** The one table of options: flag, environment variable (`KEYHOST_` and the flag's name), default, help. */
export const OPTIONS: readonly OptionDefinition[] = [
  { flag: 'http-host', value: 'ADDRESS', default: '127.0.0.1', help: 'address to listen on' },
  { flag: 'http-port', value: 'PORT', default: '8080', help: 'port of http; 0 picks a free one' },
  { flag: 'http-enabled', help: 'start: serve plain http although nothing says that a proxy adds TLS' },
  { flag: 'http-relative-path', value: 'PATH', default: '/', help: 'path in front of everything, such as /auth' },
  {
    flag: 'hostname',
    value: 'URL',
    help: 'the public address, with any path; the issuer is built from it. Without it start-dev goes by localhost, 127.0.0.1 or [::1]',
  },
  {
    flag: 'hostname-admin',
    value: 'URL',
    help: 'where the desk and the Admin REST API are, on an origin of their own: --hostname has them no more; needs --hostname',
  },
  { flag: 'https-port', value: 'PORT', help: 'port of https' },
  { flag: 'https-certificate-file', value: 'FILE', help: 'PEM certificate chain; read again when it changes' },
  { flag: 'https-certificate-key-file', value: 'FILE', help: 'PEM private key' },
  {
    flag: 'https-cipher-suites',
    value: 'LIST',
    help: 'suites of https and gRPC, by IANA or OpenSSL; without it those with forward secrecy and without CBC',
  },
  { flag: 'https-protocols', value: 'LIST', help: 'TLSv1.3, TLSv1.2 or both, for https and gRPC; both without it' },
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
  { flag: 'db', value: 'sqlite|postgres', default: 'sqlite', help: 'the store: a file, or a PostgreSQL database' },
  {
    flag: 'db-url',
    value: 'URL',
    help: 'its address: postgres://HOST:5432/NAME, or jdbc:postgresql://HOST:5432/NAME; HOST,HOST for a standby',
  },
  { flag: 'db-username', value: 'NAME', help: 'its user; that of the address without it' },
  { flag: 'db-password', environmentOnly: true, help: 'that user’s password' },
  { flag: 'db-password-file', value: 'FILE', help: 'reads that password from a file' },
  {
    flag: 'db-schema',
    value: 'NAME',
    help: 'where its tables are; without it where the server makes tables of that user',
  },
  {
    flag: 'db-pool-size',
    value: 'N',
    help: 'most connections of each process to it; two for each of its cores and two more without it, 20 at most',
  },
  {
    flag: 'db-tls-mode',
    value: 'disabled|verify-server',
    help: 'verify-server: TLS, and the certificate must be for the host of the address; disabled without it',
  },
  {
    flag: 'db-tls-trust-store-file',
    value: 'FILE',
    help: 'PEM certificates of its authorities; those of Node without it',
  },
  { flag: 'data-dir', value: 'DIR', default: '.data', help: 'where the store lives' },
  {
    flag: 'mail-dir',
    value: 'DIR',
    help: 'start-dev: mails of realms without smtpServer become files here; mail in the data directory',
  },
  { flag: 'realms-dir', value: 'DIR', default: 'realms', help: 'realm files' },
  { flag: 'providers-dir', value: 'DIR', default: 'providers', help: 'plugin packages' },
  {
    flag: 'plugin-copies-dir',
    value: 'DIR',
    help: 'where plugins are copied to that run from a copy; .generations in the providers folder, which must then be writable',
  },
  { flag: 'proto-dir', value: 'DIR', default: 'proto', help: 'proto files that plugins share' },
  {
    flag: 'plugins-file',
    value: 'FILE',
    default: 'plugins.json',
    help: 'which plugins are loaded, and their configuration',
  },
  { flag: 'watch-plugins', value: 'BOOLEAN', help: 'replaces plugins whose files change; on in start-dev' },
  { flag: 'master-key', environmentOnly: true, help: 'encrypts realm keys at rest; 16 characters or more' },
  { flag: 'master-key-file', value: 'FILE', help: 'reads the master key from a file' },
  {
    flag: 'outbound-private-networks',
    value: 'LIST',
    help: 'private networks where clients may have keys and logout addresses, realms mail servers, and plugins ask; all in start-dev',
  },
  { flag: 'allow-open-providers', value: 'LIST', help: 'providers that start may serve without authentication' },
  {
    flag: 'shutdown-delay',
    value: 'DURATION',
    default: '0s',
    help: 'how long a stopping host serves on while its health is down, so that load balancers look elsewhere: 5, 5s, 500ms, PT5S',
  },
  {
    flag: 'shutdown-timeout',
    value: 'DURATION',
    default: '8s',
    help: 'how long what is under way may take after that: gRPC calls first, then requests',
  },
  {
    flag: 'workers',
    value: 'N|auto',
    default: '1',
    help: 'processes of this machine that serve behind one port, on PostgreSQL; auto is one for each core',
  },
  { flag: 'bootstrap-admin-username', value: 'NAME', help: 'the first admin of the realm master' },
  { flag: 'bootstrap-admin-password', value: 'TEXT', help: 'that admin’s password' },
  {
    flag: 'bootstrap-admin-password-file',
    value: 'FILE',
    help: 'reads it from a file, when that admin is made: it may be gone afterwards',
  },
  { flag: 'log-level', value: 'LEVEL', default: 'info', help: 'trace, debug, info, warn, error, fatal or silent' },
];

/** The environment variable of an option. */
export function variable(flag: string): string {
  return `KEYHOST_${flag.toUpperCase().replaceAll('-', '_')}`;
}

/** The `--help` text of the options. */
export function optionsHelp(): string {
  const rows = OPTIONS.map(({ flag, value, default: standard, help, environmentOnly }) => {
    const left = environmentOnly ? `  ${variable(flag)}` : `  --${flag}${value === undefined ? '' : ` ${value}`}`;
    const env = environmentOnly ? '' : ` [${variable(flag)}]`;
    return `${left.padEnd(44)} ${help}${standard === undefined ? '' : ` (default: ${standard})`}${env}`;
  });
  return rows.join('\n');
}
