import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '@keyhost/spi';
import type { ExecutionContext } from 'ava';
import { LinkMails } from '../../core/action-tokens/link-mails.js';
import { IdentityProviderTimeout } from '../../core/broker/module.js';
import { enableSchemaCache, writeQueuedChecks } from '../../core/config/json/schema-cache.js';
import { parseOptions } from '../../core/config/options/options.js';
import { realmFilesOf } from '../../core/config/realm-file/realm-folder.js';
import { Clock, Log } from '../../core/di/host-tokens.js';
import { type Replacement, replacing } from '../../core/di/module.js';
import { createHost } from '../../core/host/host.js';
import type { Host } from '../../core/host/running-host.js';
import { KeyRing } from '../../core/keys/key-ring.js';
import { MakeKey } from '../../core/keys/module.js';
import type { Clock as HostClock } from '../../core/model/clock.js';
import { FairQueue } from '../../core/model/fair-queue.js';
import type { Realm } from '../../core/model/realm.js';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { readValidFiles } from '../../core/realm-files/checked-file.js';
import { FileChecks } from '../../core/realm-files/module.js';
import { applyRealmFile } from '../../core/realms/apply-realm-file.js';
import { ApplyServices } from '../../core/realms/module.js';
import { Realms } from '../../core/realms/realms.js';
import { Events } from '../../core/registry/events/events.js';
import { ProviderRegistry } from '../../core/registry/generations/registry.js';
import { HostPlugins } from '../../core/registry/host-plugins.js';
import { PluginTimeout } from '../../core/registry/module.js';
import { SessionFactory } from '../../core/registry/sessions/session-factory.js';
import type { PluginUpdates } from '../../core/registry/updates/plugin-updates.js';
import { Store } from '../../core/store/module.js';
import { openMemoryStore } from '../../core/store/sqlite/open-store.js';
import type { Store as HostStore } from '../../core/store/store.js';
import { DeriveHash } from '../../core/users/module.js';
import { Users } from '../../core/users/users.js';
import { deriveCheaply } from './cheap-hashes.js';
import { makeKeptKey } from './kept-keys.js';
import { type PackageFiles, providersFolder } from './plugins.js';

const PLUGIN_TIMEOUT_MS = 60_000;
const PROVIDER_TIMEOUT_MS = 120_000;

/** Emptied by each `npm test`. Compiling the checks of the built-in plugins takes a fifth of a second of a core. */
const CHECKS = process.env.KEYHOST_TEST_CHECKS;
if (CHECKS !== undefined) enableSchemaCache(CHECKS);

/** A log line that tests can read. */
export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly fields: object;
}

/** A clock that only tests move. */
export class TestClock {
  readonly standsStill = true;
  #now: number;

  constructor(now = Date.now()) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  forward(seconds: number): void {
    this.#now += seconds * 1000;
  }
}

export interface TestHost extends Host {
  /** The default realm of helpers: `demo`, or the realm that `inRealm` created. */
  readonly defaultRealm: string;
  readonly realms: Realms;
  readonly users: Users;
  readonly store: HostStore;
  readonly keys: KeyRing;
  readonly events: Events;
  readonly registry: ProviderRegistry;
  readonly sessions: SessionFactory;
  readonly mails: LinkMails;
  readonly plugins: PluginUpdates;
  readonly log: readonly LogLine[];
  /** The folder of this test: realms/, and the data if no store was given. */
  readonly dir: string;
  /** `{url}/realms/{realm}` */
  realm(name: string): string;
  /** `{url}/realms/{realm}/protocol/openid-connect` */
  oidc(name: string): string;
  /** Posts a form to the realm's token endpoint. */
  token(realm: string, form: Record<string, string>, headers?: Record<string, string>): Promise<Answer>;
  /** The stored events of a realm, newest first, once all are written. */
  loadedRealm(name: string): Promise<Realm>;
  stored(realm: string): Promise<StoredEvent[]>;
}

export interface StoredEvent {
  readonly type: string;
  readonly error?: string;
  readonly clientId?: string;
  readonly userId?: string;
  readonly ipAddress?: string;
  readonly details: Record<string, string>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON, or an empty object. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read any member of any answer
  readonly json: any;
}

export async function fetchAnswer(url: string, init?: RequestInit): Promise<Answer> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const text = await response.text();
  let json: Answer['json'] = {};
  try {
    json = JSON.parse(text);
  } catch {
    // Not every answer is JSON.
  }
  return { status: response.status, headers: response.headers, text, json };
}

export interface TestHostOptions {
  realms?: readonly RealmRepresentation[];
  plugins?: readonly object[];
  /** The packages of a providers folder for this host, as in `providersFolder`. */
  packages?: Readonly<Record<string, PackageFiles>>;
  argv?: readonly string[];
  /** `start` is production, which requires `--hostname` and `--http-enabled` in `argv`. */
  mode?: 'start-dev' | 'start';
  clock?: HostClock;
  env?: Readonly<Record<string, string | undefined>>;
  /** Services that replace the host's own. */
  replace?: readonly Replacement[];
}

/** A PostgreSQL database for each host with `KEYHOST_TEST_DB=postgres`; otherwise in memory. */
async function newStore(): Promise<HostStore> {
  if (process.env.KEYHOST_TEST_DB !== 'postgres')
    return openMemoryStore({ isShared: process.env.KEYHOST_TEST_SHARED === 'true' });
  const { sharedPostgresql } = await import('./postgresql-server.js');
  const { openPostgresqlStore } = await import('../../core/store/postgresql/open-postgresql.js');
  return openPostgresqlStore(await (await sharedPostgresql()).database());
}

/** Concurrent tests start their hosts a few at a time, so that none has to wait until all have started. */
const starts = new FairQueue({ concurrency: 3, limit: Number.POSITIVE_INFINITY });

/** A whole host in this process on free ports, closed with the test. Everything but the listening address is real. */
export async function startHost(
  t: Pick<ExecutionContext, 'teardown'>,
  options: TestHostOptions = {},
): Promise<TestHost> {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-test-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const realmsDir = join(dir, 'realms');
  await mkdir(realmsDir);
  for (const realm of options.realms ?? [])
    await writeFile(join(realmsDir, `${realm.realm}.json`), JSON.stringify(realm, null, 2));
  const pluginsFile = join(dir, 'plugins.json');
  await writeFile(
    pluginsFile,
    JSON.stringify({
      plugins: options.plugins ?? [{ module: '@keyhost/newsletter' }, { module: '@keyhost/external-app-notification' }],
    }),
  );
  const log: LogLine[] = [];
  const write =
    (level: string) =>
    (message: string, fields: object = {}) =>
      void log.push({ level, message, fields });
  const logger: Logger = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
  const argv = [
    '--http-port',
    '0',
    '--grpc-port',
    '0',
    '--management-port',
    '0',
    '--realms-dir',
    realmsDir,
    ...(options.mode === 'start' ? [] : ['--mail-dir', join(dir, 'mail')]),
    '--plugins-file',
    pluginsFile,
    // Tests share the providers folder.
    '--watch-plugins',
    'false',
  ];
  const { packages, replace = [] } = options;
  if (packages !== undefined) argv.push('--providers-dir', await providersFolder(t, packages));
  const ownsStore = options.argv?.includes('--data-dir') || replace.some(({ key }) => key === Store);
  const asked = parseOptions([...argv, ...(options.argv ?? [])], {}, options.mode ?? 'start-dev');
  const own = [
    replacing(Log, logger),
    replacing(MakeKey, makeKeptKey),
    replacing(DeriveHash, deriveCheaply),
    // A generous limit: other tests of the process compute while a plugin is loaded.
    replacing(PluginTimeout, PLUGIN_TIMEOUT_MS),
    // The identity provider usually runs in the same process.
    replacing(IdentityProviderTimeout, PROVIDER_TIMEOUT_MS),
    ...(options.clock === undefined ? [] : [replacing(Clock, options.clock)]),
    ...(ownsStore ? [] : [replacing(Store, await newStore())]),
  ];
  const setup = {
    ...(options.env === undefined ? {} : { env: options.env }),
    replace: [...own.filter(({ key }) => replace.every((other) => other.key !== key)), ...replace],
  };
  const host = await starts.run('', () => createHost(asked, setup));
  t.teardown(() => host.close());
  writeQueuedChecks();
  const realm = (name: string) => `${host.url}/realms/${name}`;
  const oidc = (name: string) => `${realm(name)}/protocol/openid-connect`;
  const { use } = host;
  const events = use(Events);
  const store = use(Store);
  return {
    ...host,
    defaultRealm: 'demo',
    realms: use(Realms),
    users: use(Users),
    store,
    keys: use(KeyRing),
    events,
    registry: use(ProviderRegistry),
    sessions: use(SessionFactory),
    mails: use(LinkMails),
    plugins: use(HostPlugins).updates,
    get grpcAddress() {
      return host.grpcAddress;
    },
    log,
    dir,
    realm,
    oidc,
    token: (name, form, headers) =>
      fetchAnswer(`${oidc(name)}/token`, {
        method: 'POST',
        body: new URLSearchParams(form),
        ...(headers ? { headers } : {}),
      }),
    async loadedRealm(name) {
      const found = await use(Realms).get(name);
      if (found === undefined) throw new Error(`the test host has no realm ${name}`);
      return found;
    },
    async stored(name) {
      await events.flush();
      const records = await store.events.query(name, { kind: 'user', max: 1000 });
      return records.map(({ body }) => JSON.parse(body) as StoredEvent);
    },
  };
}

/** Per thread: names must be unique within a host, and a host belongs to one thread. */
let realmsMade = 0;

/**
 * Applies one more realm, as a file would, and returns the host with it as `home`. Tests in it do not affect other
 * tests of the host.
 * @param realm returns the realm for the given name
 */
export async function inRealm(host: TestHost, realm: (name: string) => RealmRepresentation): Promise<TestHost> {
  realmsMade += 1;
  const home = `realm-${realmsMade}`;
  const path = join(host.dir, `${home}.json`);
  await writeFile(path, JSON.stringify(realm(home)));
  const files = await readValidFiles(await realmFilesOf(path), host.use(FileChecks));
  const services = host.use(ApplyServices);
  for (const file of files) await applyRealmFile(file, services);
  return { ...host, defaultRealm: home };
}

/** The claims of a JWT, unverified. */
// biome-ignore lint/suspicious/noExplicitAny: tests read any claim
export function claimsOf(token: string): any {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}
