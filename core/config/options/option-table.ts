export interface OptionDefinition {
  /** The name without dashes. */
  readonly flag: string;
  /** A noun phrase. */
  readonly help: string;
  /** The placeholder for its value in the help; undefined for an option without a value. */
  readonly value?: string;
  readonly default?: string;
  /**
   * True for a secret that only the environment variable can set, since other users of the machine can read command
   * lines.
   */
  readonly environmentOnly?: true;
}

/**
 * The table of all options: flag, environment variable (`KEYHOST_` and the flag's name), default, help. `keyhost start
 * --help` prints it.
 */
export const OPTIONS: readonly OptionDefinition[] = [
  { flag: 'http-host', value: 'ADDRESS', default: '127.0.0.1', help: 'address to listen on' },
  { flag: 'http-port', value: 'PORT', default: '8080', help: 'port of http; 0 selects a free port' },
  { flag: 'http-enabled', help: 'start: http without TLS and without --proxy-headers' },
  { flag: 'http-relative-path', value: 'PATH', default: '/', help: 'path in front of every address, such as /auth' },
  {
    flag: 'hostname',
    value: 'URL',
    help: 'public URL, with any path; the issuer contains it; default of start-dev: the name in the request, if it is localhost, 127.0.0.1 or [::1]',
  },
  {
    flag: 'hostname-admin',
    value: 'URL',
    help: 'separate URL for the admin console and the Admin REST API; requires --hostname, which then does not serve them',
  },
  { flag: 'https-port', value: 'PORT', help: 'port of https' },
  {
    flag: 'https-certificate-file',
    value: 'FILE',
    help: 'PEM certificate chain; the server reads it again when it changes',
  },
  { flag: 'https-certificate-key-file', value: 'FILE', help: 'PEM private key' },
  {
    flag: 'https-cipher-suites',
    value: 'LIST',
    help: 'cipher suites of https and gRPC, with names of IANA or OpenSSL; default: those with forward secrecy, without CBC',
  },
  { flag: 'https-protocols', value: 'LIST', help: 'TLS versions of https and gRPC: TLSv1.3, TLSv1.2; default: both' },
  { flag: 'proxy-headers', value: 'xforwarded|forwarded', help: 'headers of your reverse proxy to trust' },
  { flag: 'grpc-host', value: 'ADDRESS', default: '127.0.0.1', help: 'address of the gRPC server' },
  { flag: 'grpc-port', value: 'PORT', default: '9090', help: 'port of the gRPC server' },
  {
    flag: 'grpc-certificate-file',
    value: 'FILE',
    help: 'PEM certificate chain of the gRPC server; the server reads it again when it changes',
  },
  { flag: 'grpc-certificate-key-file', value: 'FILE', help: 'PEM private key of the gRPC server' },
  {
    flag: 'grpc-client-ca-file',
    value: 'FILE',
    help: 'PEM certificates of authorities; gRPC clients require a certificate of one of them',
  },
  { flag: 'grpc-reflection', value: 'BOOLEAN', help: 'gRPC server reflection; default: true in start-dev' },
  {
    flag: 'grpc-max-message-size',
    value: 'BYTES',
    default: '4194304',
    help: 'maximum size of a message from a gRPC client',
  },
  {
    flag: 'grpc-max-concurrent-streams',
    value: 'N',
    default: '1000',
    help: 'maximum number of concurrent gRPC calls on a connection',
  },
  {
    flag: 'grpc-max-connection-age',
    value: 'SECONDS',
    default: '1800',
    help: 'age at which gRPC clients have to reconnect',
  },
  { flag: 'grpc-access-log-enabled', help: 'log line for each gRPC call' },
  { flag: 'management-host', value: 'ADDRESS', default: '127.0.0.1', help: 'address of /health and /metrics' },
  { flag: 'management-port', value: 'PORT', default: '9000', help: 'port of /health and /metrics' },
  {
    flag: 'db',
    value: 'sqlite|postgres',
    default: 'sqlite',
    help: 'database of the store: a SQLite file in the data directory, or PostgreSQL',
  },
  {
    flag: 'db-url',
    value: 'URL',
    help: 'address of the database: postgres://HOST:5432/NAME, or jdbc:postgresql://HOST:5432/NAME; HOST,HOST for a standby',
  },
  { flag: 'db-username', value: 'NAME', help: 'database user; default: the user in the address' },
  { flag: 'db-password', environmentOnly: true, help: 'password of the database user' },
  { flag: 'db-password-file', value: 'FILE', help: 'file with the password of the database user' },
  { flag: 'db-schema', value: 'NAME', help: 'schema of the tables; default: the first of the user’s search path' },
  {
    flag: 'db-pool-size',
    value: 'N',
    help: 'maximum number of database connections of each process; default: two for each core and two more, at most 20',
  },
  {
    flag: 'db-tls-mode',
    value: 'disabled|verify-server',
    help: 'TLS to the database; verify-server checks the certificate and its host name; default: disabled',
  },
  {
    flag: 'db-tls-trust-store-file',
    value: 'FILE',
    help: 'PEM certificates of the certificate authority of the database; default: the authorities of Node.js',
  },
  { flag: 'data-dir', value: 'DIR', default: '.data', help: 'folder of the store' },
  {
    flag: 'mail-dir',
    value: 'DIR',
    help: 'start-dev: folder for emails of realms without smtpServer; default: mail in the data directory',
  },
  {
    flag: 'vault-dir',
    value: 'DIR',
    help: 'folder of secrets that realms name as ${vault.KEY}: a file REALM_KEY for each, with _ in both doubled',
  },
  {
    flag: 'password-blacklists-dir',
    value: 'DIR',
    help: 'folder of files that passwordBlacklist names in a realm; default: password-blacklists in the data directory',
  },
  { flag: 'realms-dir', value: 'DIR', default: 'realms', help: 'folder of the realm files' },
  { flag: 'providers-dir', value: 'DIR', default: 'providers', help: 'folder of the plugin packages' },
  {
    flag: 'plugin-copies-dir',
    value: 'DIR',
    help: 'folder for copies of running plugins; default: .generations in the plugin folder, which must be writable',
  },
  { flag: 'proto-dir', value: 'DIR', default: 'proto', help: 'folder of proto files that plugins share' },
  {
    flag: 'plugins-file',
    value: 'FILE',
    default: 'plugins.json',
    help: 'list of the plugins, with their configuration',
  },
  { flag: 'watch-plugins', value: 'BOOLEAN', help: 'reload of plugins whose files change; default: true in start-dev' },
  {
    flag: 'master-key',
    environmentOnly: true,
    help: 'key that encrypts the keys of realms in the store; at least 16 characters',
  },
  { flag: 'master-key-file', value: 'FILE', help: 'file with the master key' },
  {
    flag: 'outbound-private-networks',
    value: 'LIST',
    help: 'private networks that Keyhost may call for clients, realms and plugins; default: none, all in start-dev',
  },
  { flag: 'allow-open-providers', value: 'LIST', help: 'providers that start may serve without authentication' },
  {
    flag: 'shutdown-delay',
    value: 'DURATION',
    default: '0s',
    help: 'time that a stopping server keeps serving while readiness fails: 5, 5s, 500ms or PT5S',
  },
  {
    flag: 'shutdown-timeout',
    value: 'DURATION',
    default: '8s',
    help: 'time for running gRPC calls, and then for running requests, of a stopping server',
  },
  {
    flag: 'workers',
    value: 'N|auto',
    default: '1',
    help: 'number of processes behind one port; auto: one for each core; requires PostgreSQL',
  },
  { flag: 'bootstrap-admin-username', value: 'NAME', help: 'first admin of the realm master' },
  { flag: 'bootstrap-admin-password', value: 'TEXT', help: 'password of the first admin' },
  {
    flag: 'bootstrap-admin-password-file',
    value: 'FILE',
    help: 'file with the password of the first admin; only the first start reads it',
  },
  {
    flag: 'event-metrics-user-tags',
    value: 'LIST',
    default: 'realm',
    help: 'labels of the metric keycloak_user_events_total: realm, idp, clientId; each makes more time series',
  },
  {
    flag: 'event-metrics-user-events',
    value: 'LIST',
    help: 'events that the metric keycloak_user_events_total counts, such as login,logout; default: all',
  },
  { flag: 'log-level', value: 'LEVEL', default: 'info', help: 'trace, debug, info, warn, error, fatal or silent' },
];

/** The environment variable of an option. */
export function environmentVariable(flag: string): string {
  return `KEYHOST_${flag.toUpperCase().replaceAll('-', '_')}`;
}
