import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SecureVersion } from 'node:tls';
import test from 'ava';
import type { BootError } from '../../core/config/boot-error.js';
import { type PostgresqlSettings, poolSize } from '../../core/config/options/database-options.js';
import { OPTIONS as TABLE } from '../../core/config/options/option-table.js';
import { type HostOptions, parseOptions } from '../../core/config/options/options.js';

interface OptionCase {
  /** The parsed options by valid value. */
  readonly right?: Readonly<Record<string, Partial<HostOptions>>>;
  readonly standard?: Partial<HostOptions>;
  /** The message for an invalid value, after the option's name and a colon. */
  readonly wrong?: Readonly<Record<string, string>>;
  /** Other options that this one needs. */
  readonly with?: readonly string[];
}

const port = (member: keyof HostOptions, standard: number | undefined): OptionCase => ({
  right: { '0': { [member]: 0 }, '1': { [member]: 1 }, '65535': { [member]: 65535 } },
  standard: { [member]: standard },
  wrong: Object.fromEntries(
    ['65536', '-1', '80a', '8 0', '1e3', '0x50', 'http'].map((value) => [
      value,
      `must be a port from 0 to 65535, not "${value}"`,
    ]),
  ),
});
const text = (member: keyof HostOptions, standard: string | undefined, value = 'some/where'): OptionCase => ({
  right: { [value]: { [member]: value } },
  standard: { [member]: standard },
});
const onOff = (member: keyof HostOptions, standard: boolean): OptionCase => ({
  right: { true: { [member]: true }, false: { [member]: false } },
  standard: { [member]: standard },
  wrong: { yes: 'must be true or false, not "yes"', '1': 'must be true or false, not "1"' },
});
const count = (member: keyof HostOptions, standard: number, least: number): OptionCase => ({
  right: { [least]: { [member]: least }, '1000000': { [member]: 1_000_000 } },
  standard: { [member]: standard },
  wrong: Object.fromEntries(
    [String(least - 1), '-1', '1e6', '1.5', 'many'].map((value) => [
      value,
      `must be a whole number of at least ${least}, not "${value}"`,
    ]),
  ),
});
/** The options that a database needs in addition to its address. */
const POSTGRES = ['--db', 'postgres', '--db-username', 'keyhost'];
const DB_URL = ['--db-url', 'postgres://db.example.test/keyhost'];
const postgresql = (more: Partial<PostgresqlSettings>): PostgresqlSettings => ({
  host: 'db.example.test',
  port: 5432,
  database: 'keyhost',
  username: 'keyhost',
  password: undefined,
  schema: undefined,
  tls: { mode: 'disabled' },
  poolSize: poolSize(availableParallelism()),
  ...more,
});
const duration = (member: keyof HostOptions, standard: number): OptionCase => ({
  right: Object.fromEntries(
    Object.entries({ '0': 0, '5': 5_000, '5s': 5_000, '500ms': 500, '2m': 120_000, '1h': 3_600_000, '0d': 0 })
      .concat(Object.entries({ PT5S: 5_000, 'pt0.25s': 250, PT1M30S: 90_000, P0DT1H: 3_600_000 }))
      .map(([value, milliseconds]) => [value, { [member]: milliseconds }]),
  ),
  standard: { [member]: standard },
  wrong: Object.fromEntries(
    ['-1', '1.5', '5 s', '5S', '61m', 'P', 'PT', 'P1Y', 'PT-5S', 'soon'].map((value) => [
      value,
      `must be a duration of at most an hour, such as 5s, 500ms or PT5S, not "${value}"`,
    ]),
  ),
});
const tls = (ciphers: string, minVersion: SecureVersion, maxVersion: SecureVersion) =>
  ({ ciphers, honorCipherOrder: true, minVersion, maxVersion }) as const;
const TLS_1_3 = 'TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256';
const TLS_1_2 = [
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');
const STANDARD_TLS = tls(`${TLS_1_3}:${TLS_1_2}`, 'TLSv1.2', 'TLSv1.3');
const CERTIFICATE = ['--https-certificate-file', 'c.pem'];
const PRIVATE_KEY = ['--https-certificate-key-file', 'k.pem'];
const NO_PATH = 'must be a path such as /auth, not';
const NO_ADDRESS = 'must be a URL such as https://id.example.com/auth, not';

/** By the option's name; every option of `--help` has its row. */
const OPTIONS: Readonly<Record<string, OptionCase>> = {
  'http-host': text('httpHost', '127.0.0.1', '::1'),
  'http-port': port('httpPort', 8080),
  'http-enabled': onOff('httpEnabled', false),
  'http-relative-path': {
    right: {
      '/': { httpRelativePath: '' },
      '/auth': { httpRelativePath: '/auth' },
      'auth/': { httpRelativePath: '/auth' },
      '/a//b': { httpRelativePath: '/a/b' },
    },
    standard: { httpRelativePath: '' },
    wrong: {
      '/a b': `${NO_PATH} "/a b"`,
      '/../x': `${NO_PATH} "/../x"`,
      '/a?b': `${NO_PATH} "/a?b"`,
      'https://x': `${NO_PATH} "https://x"`,
    },
  },
  hostname: {
    right: {
      'https://id.example.test': { hostname: 'https://id.example.test' },
      'https://ID.example.test:443/auth//': { hostname: 'https://id.example.test/auth' },
      'id.example.test:8443': { hostname: 'https://id.example.test:8443' },
      'http://[::1]:8080': { hostname: 'http://[::1]:8080' },
    },
    standard: { hostname: undefined },
    wrong: Object.fromEntries(
      ['ftp://a.test', 'https://', 'https://a.test/?x', 'https://a.test/#x', 'https://me@a.test', 'a b'].map(
        (value) => [value, `${NO_ADDRESS} "${value}"`],
      ),
    ),
  },
  'hostname-admin': {
    right: {
      'https://admin.example.test': { hostnameAdmin: 'https://admin.example.test' },
      'https://ADMIN.example.test:443/auth/': { hostnameAdmin: 'https://admin.example.test/auth' },
      'https://id.example.test:8443': { hostnameAdmin: 'https://id.example.test:8443' },
    },
    standard: { hostnameAdmin: undefined },
    with: ['--hostname', 'https://id.example.test'],
    wrong: {
      'admin.example.test': 'must be a complete URL such as https://admin.example.com, not "admin.example.test"',
      'ftp://a.test': `${NO_ADDRESS} "ftp://a.test"`,
      'https://id.example.test/admin':
        'must have another host or port than --hostname: browsers do not separate pages by path',
    },
  },
  'https-port': { ...port('httpsPort', undefined), with: [...CERTIFICATE, ...PRIVATE_KEY] },
  'https-certificate-file': {
    ...text('httpsCertificateFile', undefined, 'c.pem'),
    with: ['--https-port', '8443', ...PRIVATE_KEY],
  },
  'https-certificate-key-file': {
    ...text('httpsCertificateKeyFile', undefined, 'k.pem'),
    with: ['--https-port', '8443', ...CERTIFICATE],
  },
  'https-cipher-suites': {
    right: {
      'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,TLS_AES_128_GCM_SHA256': {
        tls: tls('ECDHE-RSA-AES256-GCM-SHA384:TLS_AES_128_GCM_SHA256', 'TLSv1.2', 'TLSv1.3'),
      },
      'ecdhe-rsa-aes256-gcm-sha384:tls_aes_128_gcm_sha256': {
        tls: tls('ECDHE-RSA-AES256-GCM-SHA384:TLS_AES_128_GCM_SHA256', 'TLSv1.2', 'TLSv1.3'),
      },
      TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256: {
        tls: tls('ECDHE-ECDSA-CHACHA20-POLY1305', 'TLSv1.2', 'TLSv1.2'),
      },
      'TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256, TLS_RSA_WITH_AES_256_CBC_SHA': {
        tls: tls('ECDHE-RSA-AES128-SHA256:AES256-SHA', 'TLSv1.2', 'TLSv1.2'),
      },
      TLS_AES_256_GCM_SHA384: { tls: tls('TLS_AES_256_GCM_SHA384', 'TLSv1.3', 'TLSv1.3') },
    },
    standard: { tls: STANDARD_TLS },
    wrong: {
      TLS_AES_256_GCM_SHA385: 'unknown cipher suite "TLS_AES_256_GCM_SHA385" (did you mean "TLS_AES_256_GCM_SHA384"?)',
      TLS_RSA_WITH_RC4_128_SHA: 'unknown cipher suite "TLS_RSA_WITH_RC4_128_SHA"',
      'PSK-AES128-GCM-SHA256': 'unknown cipher suite "PSK-AES128-GCM-SHA256"',
      HIGH: 'unknown cipher suite "HIGH"',
    },
  },
  'https-protocols': {
    right: {
      'TLSv1.3': { tls: { ...STANDARD_TLS, ciphers: TLS_1_3, minVersion: 'TLSv1.3' } },
      'TLSv1.2': { tls: { ...STANDARD_TLS, ciphers: TLS_1_2, maxVersion: 'TLSv1.2' } },
      'TLSv1.3, TLSv1.2': { tls: STANDARD_TLS },
    },
    standard: { tls: STANDARD_TLS },
    wrong: {
      'TLSv1.1': 'must be one or both of TLSv1.2, TLSv1.3, not "TLSv1.1"',
      SSLv3: 'must be one or both of TLSv1.2, TLSv1.3, not "SSLv3"',
    },
  },
  'proxy-headers': {
    right: { xforwarded: { proxyHeaders: 'xforwarded' }, forwarded: { proxyHeaders: 'forwarded' } },
    standard: { proxyHeaders: undefined },
    wrong: { all: 'must be one of xforwarded, forwarded, not "all"' },
  },
  'grpc-host': text('grpcHost', '127.0.0.1', '::1'),
  'grpc-port': port('grpcPort', 9090),
  'grpc-certificate-file': {
    ...text('grpcCertificateFile', undefined),
    with: ['--grpc-certificate-key-file', 'k.pem'],
  },
  'grpc-certificate-key-file': {
    ...text('grpcCertificateKeyFile', undefined),
    with: ['--grpc-certificate-file', 'c.pem'],
  },
  'grpc-client-ca-file': {
    ...text('grpcClientCaFile', undefined),
    with: ['--grpc-certificate-file', 'c.pem', '--grpc-certificate-key-file', 'k.pem'],
  },
  'grpc-reflection': onOff('grpcReflection', true),
  'grpc-max-message-size': count('grpcMaxMessageSize', 4_194_304, 1024),
  'grpc-max-concurrent-streams': count('grpcMaxConcurrentStreams', 1000, 1),
  'grpc-max-connection-age': count('grpcMaxConnectionAge', 1800, 1),
  'grpc-access-log-enabled': onOff('grpcAccessLogEnabled', false),
  'management-host': text('managementHost', '127.0.0.1', '0.0.0.0'),
  'management-port': port('managementPort', 9000),
  db: {
    right: { sqlite: { postgresql: undefined } },
    standard: { postgresql: undefined },
    wrong: {
      postgres: 'requires --db-url (KEYHOST_DB_URL)',
      mysql: 'must be one of sqlite, postgres, not "mysql"',
    },
  },
  'db-url': {
    with: POSTGRES,
    right: {
      'postgres://db.example.test/keyhost': { postgresql: postgresql({}) },
      'postgresql://db.example.test:5433/keyhost': { postgresql: postgresql({ port: 5433 }) },
      'jdbc:postgresql://db.example.test/keyhost?currentSchema=kc': { postgresql: postgresql({ schema: 'kc' }) },
      'jdbc:postgresql:keyhost': { postgresql: postgresql({ host: 'localhost' }) },
      'postgres://[::1]/keyhost': { postgresql: postgresql({ host: '::1' }) },
      'postgres://a.example.test,b.example.test:5433/keyhost?target_session_attrs=read-write': {
        postgresql: postgresql({ host: 'a.example.test', otherHosts: [{ host: 'b.example.test', port: 5433 }] }),
      },
      'jdbc:postgresql://a.example.test:1,[::1]:2/keyhost?targetServerType=primary': {
        postgresql: postgresql({ host: 'a.example.test', port: 1, otherHosts: [{ host: '::1', port: 2 }] }),
      },
      'postgres:///keyhost?host=/run/postgresql': { postgresql: postgresql({ host: '/run/postgresql' }) },
      'postgres://db.example.test/keyhost?sslmode=verify-full': {
        postgresql: postgresql({ tls: { mode: 'verify-server' } }),
      },
    },
    wrong: {
      'mysql://db.example.test/keyhost': 'must be an address such as postgres://',
      'db.example.test': 'must be an address such as postgres://',
      'postgres://a.example.test,/keyhost': 'must be an address such as postgres://',
      'postgres://db.example.test': 'has no database name',
      'postgres://db.example.test/keyhost?sslmode=require': 'must have sslmode=verify-full or disable, not require',
      'postgres://db.example.test/keyhost?targetServerType=secondary': 'must have target_session_attrs=read-write',
      'postgres://db.example.test/keyhost?loadBalanceHosts=true': 'has an unknown parameter: loadBalanceHosts',
    },
  },
  'db-username': {
    with: [...POSTGRES.slice(0, 2), ...DB_URL],
    right: { somebody: { postgresql: postgresql({ username: 'somebody' }) } },
  },
  'db-password-file': { with: [...POSTGRES, ...DB_URL], wrong: { 'not/there': 'cannot be read: ENOENT' } },
  'db-schema': {
    with: [...POSTGRES, ...DB_URL],
    right: { kc: { postgresql: postgresql({ schema: 'kc' }) } },
  },
  'db-pool-size': {
    with: [...POSTGRES, ...DB_URL],
    right: { '8': { postgresql: postgresql({ poolSize: 8 }) } },
    wrong: {
      '1': 'must be a whole number of at least 2, not "1"',
      many: 'must be a whole number of at least 2, not "many"',
    },
  },
  'db-tls-mode': {
    with: [...POSTGRES, ...DB_URL],
    right: {
      disabled: { postgresql: postgresql({}) },
      'verify-server': { postgresql: postgresql({ tls: { mode: 'verify-server' } }) },
    },
    wrong: { require: 'must be one of disabled, verify-server, not "require"' },
  },
  'db-tls-trust-store-file': {
    with: [...POSTGRES, ...DB_URL, '--db-tls-mode', 'verify-server'],
    wrong: { 'not/there': 'cannot be read: ENOENT' },
  },
  'data-dir': text('dataDir', '.data'),
  'mail-dir': text('mailDir', join('.data', 'mail')),
  'vault-dir': text('vaultDir', undefined),
  'password-blacklists-dir': text('passwordBlacklistsDir', join('.data', 'password-blacklists')),
  'realms-dir': text('realmsDir', 'realms'),
  'providers-dir': text('providersDir', 'providers'),
  'plugin-copies-dir': text('pluginCopiesDir', undefined),
  'proto-dir': text('protoDir', 'proto'),
  'plugins-file': text('pluginsFile', 'plugins.json'),
  'watch-plugins': onOff('watchPlugins', true),
  'master-key-file': { standard: { masterKey: undefined }, wrong: { 'not/there': 'cannot be read: ENOENT' } },
  'outbound-private-networks': {
    wrong: { '10.0.0.0/33': '"10.0.0.0/33" is no network such as 10.0.0.0/8', 'app.internal': '"app.internal" is no' },
  },
  'allow-open-providers': {
    right: { 'a/b, demo/a/b,,': { allowOpenProviders: ['a/b', 'demo/a/b'] } },
    standard: { allowOpenProviders: [] },
  },
  'shutdown-delay': duration('shutdownDelay', 0),
  'shutdown-timeout': duration('shutdownTimeout', 8_000),
  workers: {
    right: { '1': { workers: 1 } },
    standard: { workers: 1 },
    wrong: {
      ...Object.fromEntries(
        ['0', '129', '-1', '1.5', 'all'].map((value) => [
          value,
          `must be a whole number from 1 to 128, or auto for one for each core, not "${value}"`,
        ]),
      ),
      ...Object.fromEntries(
        ['2', 'auto'].map((value) => [value, 'requires --db postgres: only one process can use a SQLite store']),
      ),
    },
  },
  'bootstrap-admin-username': {
    ...text('bootstrapAdminUsername', undefined, 'root'),
    with: ['--bootstrap-admin-password', 'a password'],
  },
  'bootstrap-admin-password': {
    ...text('bootstrapAdminPassword', undefined, 'a password'),
    with: ['--bootstrap-admin-username', 'root'],
  },
  'bootstrap-admin-password-file': {
    ...text('bootstrapAdminPasswordFile', undefined),
    with: ['--bootstrap-admin-username', 'root'],
  },
  'event-metrics-user-tags': {
    right: {
      'realm,idp, clientId': { eventMetricsUserTags: ['realm', 'idp', 'clientId'] },
      clientId: { eventMetricsUserTags: ['clientId'] },
    },
    standard: { eventMetricsUserTags: ['realm'] },
    wrong: { 'realm,clientid': 'unknown name "clientid" (did you mean "clientId"?)' },
  },
  'event-metrics-user-events': {
    right: { 'login,code_to_token': { eventMetricsUserEvents: ['LOGIN', 'CODE_TO_TOKEN'] } },
    standard: { eventMetricsUserEvents: undefined },
    wrong: {
      logn: 'unknown name "logn" (did you mean "login"?)',
      LOGIN: 'unknown name "LOGIN" (did you mean "login"?)',
    },
  },
  'log-level': {
    right: Object.fromEntries(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'].map((level) => [level, { logLevel: level }]),
    ),
    standard: { logLevel: 'info' },
    wrong: { INFO: 'must be one of trace, debug, info, warn, error, fatal, silent, not "INFO"' },
  },
};

const variable = (flag: string) => `KEYHOST_${flag.toUpperCase().replaceAll('-', '_')}`;

/** The code of an error, and its report with a line for each problem. */
function refusal(argv: readonly string[], env: Record<string, string> = {}): { code: string; lines: string[] } {
  try {
    parseOptions(argv, env, 'start-dev');
  } catch (error) {
    const { code, report } = { code: (error as BootError).code, report: (error as BootError).report() };
    return { code, lines: report.split('\n').map((line) => line.trim()) };
  }
  return { code: 'accepted', lines: [] };
}

test('options: every option of --help is in the table of this test', (t) => {
  const helped = TABLE.filter(({ environmentOnly }) => !environmentOnly).map(({ flag }) => flag);
  t.deepEqual(helped, Object.keys(OPTIONS));
  const secrets = TABLE.filter(({ environmentOnly }) => environmentOnly).map(({ flag }) => variable(flag));
  t.deepEqual(secrets, ['KEYHOST_DB_PASSWORD', 'KEYHOST_MASTER_KEY']);
});

for (const [flag, option] of Object.entries(OPTIONS)) {
  const needed = option.with ?? [];

  test(`options: --${flag} and ${variable(flag)} accept valid values and report invalid ones`, (t) => {
    t.like(parseOptions([], {}, 'start-dev'), { mode: 'start-dev', ...option.standard });
    for (const [value, expected] of Object.entries(option.right ?? {})) {
      const forms: [string[], Record<string, string>][] = [
        [[`--${flag}=${value}`], {}],
        [[], { [variable(flag)]: value }],
        ...(/-enabled$/.test(flag) ? [] : [[[`--${flag}`, value], {}] as [string[], Record<string, string>]]),
      ];
      for (const [argv, env] of forms)
        t.like(parseOptions([...argv, ...needed], env, 'start-dev'), { mode: 'start-dev', ...expected }, value);
    }
    for (const [value, message] of Object.entries(option.wrong ?? {})) {
      const code = 'options_invalid';
      const given = refusal([`--${flag}=${value}`, ...needed]);
      t.is(given.code, code, value);
      t.true(
        given.lines.some((line) => line.includes(`--${flag}: ${message}`)),
        given.lines.join('\n'),
      );
      const set = refusal(needed, { [variable(flag)]: value });
      t.is(set.code, code, value);
      t.true(
        set.lines.some((line) => line.includes(`${variable(flag)}: ${message}`)),
        set.lines.join('\n'),
      );
    }
  });
}

test('options: an option overrides its variable, which overrides the default; an empty one counts as absent', (t) => {
  const env = { KEYHOST_HTTP_PORT: '1', KEYHOST_DATA_DIR: 'from-env', KEYHOST_REALMS_DIR: '' };
  t.like(parseOptions(['--http-port', '2'], env, 'start'), {
    mode: 'start',
    httpPort: 2,
    dataDir: 'from-env',
    realmsDir: 'realms',
  });
  t.is(parseOptions(['--http-port='], env, 'start').httpPort, 8080);
  t.is(parseOptions(['--http-enabled=false'], { KEYHOST_HTTP_ENABLED: 'true' }, 'start').httpEnabled, false);
  t.is(parseOptions(['--http-enabled'], { KEYHOST_HTTP_ENABLED: 'false' }, 'start').httpEnabled, true);
  const wrongVariable = { KEYHOST_HTTP_PORT: 'x' };
  t.is(parseOptions(['--http-port', '2'], wrongVariable, 'start').httpPort, 2);
});

test('options: an unknown option is reported, with the nearest name', (t) => {
  t.deepEqual(refusal(['--http-prot', '80', '--nonsense', 'x', 'stray', '-p', '--db-utl=x', '--port=1']).lines, [
    'keyhost: invalid options [options_invalid]',
    '--http-prot: unknown option (did you mean "--http-port"?)',
    '--nonsense: unknown option',
    'stray: unexpected argument',
    '-p: unknown option',
    '--db-utl: unknown option (did you mean "--db-url"?)',
    '--port: unknown option (did you mean "--http-port"?)',
    '→ keyhost start --help lists the options',
  ]);
  t.deepEqual(refusal(['--x']).lines[1], '--x: unknown option');
  t.deepEqual(refusal(['--http-port', '--data-dir']).lines.slice(1, 3), [
    '--http-port: requires a value (PORT)',
    '--data-dir: requires a value (DIR)',
  ]);
});

test('options: a misspelt variable is reported; one that is near to none may be the container platform’s', (t) => {
  const env = {
    KEYHOST_HOSTNAM: 'https://id.example.test',
    KEYHOST_HTTPS_CERTIFICATE_FLE: 'c.pem',
    KEYHOST_SERVICE_HOST: '10.0.0.1',
    KEYHOST_PORT: 'tcp://10.0.0.1:80',
    KEYHOST_PORT_8080_TCP_ADDR: '10.0.0.1',
    HOSTNAM: 'x',
  };
  t.deepEqual(refusal([], env).lines.slice(1, -1), [
    'KEYHOST_HOSTNAM: unknown variable (did you mean "KEYHOST_HOSTNAME"?)',
    'KEYHOST_HTTPS_CERTIFICATE_FLE: unknown variable (did you mean "KEYHOST_HTTPS_CERTIFICATE_FILE"?)',
  ]);
});

test('options: a TLS protocol without a cipher suite is reported', (t) => {
  const argv = ['--https-protocols', 'TLSv1.3', '--https-cipher-suites', 'ECDHE-RSA-AES128-GCM-SHA256'];
  t.deepEqual(refusal(argv).lines.slice(1, 2), [
    '--https-protocols: --https-cipher-suites has no cipher suite of TLSv1.3',
  ]);
});

test('options: an option that requires another one reports its absence', (t) => {
  const tls = '--https-port, --https-certificate-file and --https-certificate-key-file require each other';
  for (const argv of [CERTIFICATE, PRIVATE_KEY, ['--https-port', '1'], [...CERTIFICATE, ...PRIVATE_KEY]]) {
    t.true(
      refusal(argv).lines.some((line) => line.endsWith(tls)),
      argv.join(' '),
    );
  }
  const password = '--bootstrap-admin-password';
  const file = '--bootstrap-admin-password-file';
  const either = `${password} (KEYHOST_BOOTSTRAP_ADMIN_PASSWORD) or ${file} (KEYHOST_BOOTSTRAP_ADMIN_PASSWORD_FILE)`;
  const username = '--bootstrap-admin-username (KEYHOST_BOOTSTRAP_ADMIN_USERNAME)';
  for (const [flag, value, others] of [
    ['--bootstrap-admin-username', 'root', either],
    [password, 'a password', username],
    [file, 'a password', username],
  ] as const) {
    const { lines } = refusal([flag ?? '', value]);
    t.true(lines.includes(`${flag}: requires ${others}`), lines.join('\n'));
    t.false(lines.join('\n').includes('a password'));
  }
  t.deepEqual(refusal(['--bootstrap-admin-username=root', `${password}=a`, `${file}=b`]).lines.slice(1, -1), [
    `${file}: cannot be combined with ${password} (KEYHOST_BOOTSTRAP_ADMIN_PASSWORD)`,
  ]);
});

test('options: the master key comes from its variable or a file, and no message contains a secret of the command line', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-options-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const file = join(dir, 'master-key');
  await writeFile(file, 'out-of-the-file!!\n');
  t.is(parseOptions(['--master-key-file', file], {}, 'start').masterKey, 'out-of-the-file!!');
  t.is(parseOptions([], { KEYHOST_MASTER_KEY_FILE: file }, 'start').masterKey, 'out-of-the-file!!');
  t.is(parseOptions([], { KEYHOST_MASTER_KEY: 'out-of-the-environment' }, 'start').masterKey, 'out-of-the-environment');
  const both = { KEYHOST_MASTER_KEY: 'out-of-the-environment', KEYHOST_MASTER_KEY_FILE: file };
  t.is(parseOptions([], both, 'start').masterKey, 'out-of-the-environment');
  for (const argv of [
    ['--master-key', 's3cret-s3cret-s3cret'],
    ['--master-key=s3cret-s3cret-s3cret'],
    ['--master-kye=s3cret-s3cret-s3cret'],
    ['--bootstrap-admin-pasword', 's3cret-s3cret-s3cret'],
  ]) {
    const { code, lines } = refusal(argv);
    t.is(code, 'options_invalid');
    t.regex(lines[1] ?? '', new RegExp(`^${argv[0]?.split('=', 1)[0]}: (unknown option|set KEYHOST_)`), lines[1]);
    t.false(lines.join('\n').includes('s3cret'), lines.join('\n'));
  }
});

test('options: a database password comes from its variable, a file or the URL, and no message contains it', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-options-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const file = join(dir, 'password');
  await writeFile(file, 's3cret-of-file\n');
  const password = (argv: readonly string[], env: Record<string, string> = {}) =>
    parseOptions([...POSTGRES, ...argv], env, 'start').postgresql?.password;
  const inAddress = { KEYHOST_DB_URL: 'postgres://me:s3cret%2Fof-address@db.example.test/keyhost' };
  t.is(password([], inAddress), 's3cret/of-address');
  t.is(password(['--db-password-file', file], inAddress), 's3cret-of-file');
  t.is(password([], { ...inAddress, KEYHOST_DB_PASSWORD: 's3cret-of-variable' }), 's3cret-of-variable');
  t.is(password([], { KEYHOST_DB_URL: 'jdbc:postgresql://db.example.test/keyhost?user=me&password=s3cret' }), 's3cret');
  for (const argv of [
    ['--db-url', inAddress.KEYHOST_DB_URL],
    ['--db-url', 'postgres://me:s3cret@db.example.test:port/keyhost'],
    ['--db-url', 'postgres://me:s3cret@db.example.test/keyhost?what=s3cret'],
    ['--db-url', 'postgres://me:s3cret@a.example.test,b.example.test:port/keyhost'],
    ['--db-password', 's3cret', ...DB_URL],
  ]) {
    const { code, lines } = refusal([...POSTGRES, ...argv]);
    t.is(code, 'options_invalid');
    t.true(lines[1]?.startsWith(`${argv[0]}: `), lines[1]);
    t.false(lines.join('\n').includes('s3cret'), lines.join('\n'));
  }
});

test('options: options of a database report that they need one', (t) => {
  for (const [flag, value] of [
    ['db-url', 'postgres://db.example.test/keyhost'],
    ['db-schema', 'kc'],
    ['db-pool-size', '8'],
    ['db-tls-mode', 'disabled'],
  ] as const) {
    t.is(refusal([`--${flag}`, value]).lines[1], `--${flag}: requires --db postgres`);
  }
  t.regex(refusal([...POSTGRES.slice(0, 2), ...DB_URL]).lines[1] ?? '', /--db-url: has no user: use --db-username/);
  const trust = ['--db-tls-trust-store-file', 'ca.pem'];
  t.regex(refusal([...POSTGRES, ...DB_URL, ...trust]).lines[1] ?? '', /: requires --db-tls-mode verify-server/);
});

test('options: emails become files below the data directory in development, and never in production', (t) => {
  t.is(parseOptions(['--data-dir', 'here'], {}, 'start-dev').mailDir, join('here', 'mail'));
  t.is(parseOptions([], {}, 'start').mailDir, undefined);
  const error = t.throws(() => parseOptions(['--mail-dir', 'x'], {}, 'start')) as BootError;
  t.regex(
    error.report(),
    /--mail-dir: works only with start-dev: in production, the smtpServer of each realm sends emails/,
  );
});

test('options: several workers share the cores, and so the connections of each are fewer', (t) => {
  const cores = availableParallelism();
  const of = (workers: string) => parseOptions([...POSTGRES, ...DB_URL, '--workers', workers], {}, 'start-dev');
  t.is(of('auto').workers, cores);
  t.is(of('auto').postgresql?.poolSize, poolSize(1));
  t.is(of('2').postgresql?.poolSize, poolSize(Math.ceil(cores / 2)));
  t.is(of('128').postgresql?.poolSize, 4);
});
