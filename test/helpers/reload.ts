import { rm } from 'node:fs/promises';
import { join } from 'node:path';
// biome-ignore lint/plugin: file times have the resolution of ticks, and a later one is needed
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { gate } from './gate.js';
import { fetchAnswer, startHost, type TestHost, type TestHostOptions } from './host.js';
import { type PackageFiles, providersFolder, replaceFile, writePackage } from './plugins.js';
import { testRealm } from './realms.js';

/** Records the events of a plugin's versions: the tests and the plugins' modules share a process. */
export interface Recorded {
  /** In order, such as `open a 1`. */
  readonly events: string[];
  /** The `held` operation of a resource waits for this. */
  readonly gate: Promise<void>;
  openGate(): void;
}

const recorded = new Map<string, Recorded>();
Object.assign(globalThis, { keyhostReload: recorded });

/** A host whose plugins a test changes. */
export interface ReloadScene {
  readonly host: TestHost;
  readonly providersDir: string;
  readonly record: Recorded;
  /** The expression with which a plugin's source finds `record`. */
  readonly recorded: string;
  /** Writes a package as an installation does. */
  write(name: string, files: PackageFiles, version?: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Writes plugins.json. */
  list(...plugins: readonly (string | object)[]): Promise<void>;
  /** `GET /realms/demo/{path}`, as text. */
  get(path: string): Promise<{ status: number; text: string }>;
  /** The source of a resource that answers with `version` at `/`, and at `/held` once the gate is open. */
  resource(id: string, version: string, options?: { open?: string; more?: string }): string;
}

export async function reloadScene(
  t: ExecutionContext,
  packages: (scene: Pick<ReloadScene, 'recorded' | 'resource'>) => Readonly<Record<string, PackageFiles>>,
  options: Omit<TestHostOptions, 'plugins'> & {
    plugins?: readonly (string | object)[];
    enabled?: readonly string[];
    realm?: Partial<RealmRepresentation>;
  } = {},
): Promise<ReloadScene> {
  const providersDir = await providersFolder(t, {});
  const held = gate();
  const key = providersDir;
  const record: Recorded = { events: [], gate: held.opened, openGate: held.open };
  recorded.set(key, record);
  t.teardown(() => recorded.delete(key));
  const write: ReloadScene['write'] = (name, files, version = '1.0.0') =>
    writePackage(providersDir, name, files, version);
  const expression = `globalThis.keyhostReload.get(${JSON.stringify(key)})`;
  const resource: ReloadScene['resource'] = (id, version, { open = '', more = '' } = {}) => `
import { provide, RealmResourceProvider, HostError } from '@keyhost/spi';
const record = ${expression};
export default { name: '${id}', api: 1, providers: [provide(RealmResourceProvider, {
  id: '${id}', ${more}
  routes: { run: { method: 'GET', path: '/' }, held: { method: 'GET', path: '/held' } },
  async open(config) {
    ${open}
    record.events.push('open ${id} ${version}');
    let closed = false;
    const answer = (realmConfig) => {
      if (closed) throw new HostError('used_after_close', '${id} ${version} was used after its close', { status: 500 });
      return { body: { version: '${version}', ...config, ...realmConfig } };
    };
    return {
      create: (session, realmConfig) => ({
        run: async () => answer(realmConfig),
        held: async () => { record.events.push('held ${id} ${version}'); await record.gate; return answer(realmConfig); },
      }),
      close: () => { closed = true; record.events.push('close ${id} ${version}'); },
    };
  },
})] };
`;
  const files = packages({ recorded: expression, resource });
  for (const [name, content] of Object.entries(files)) await write(name, content);
  // A file written within one clock tick before the start could count as changed since.
  await sleep(30);
  const names = options.enabled ?? Object.keys(files);
  const enabled = Object.fromEntries(names.map((name) => [name, { enabled: true }]));
  const entries = (plugins: readonly (string | object)[]) =>
    plugins.map((plugin) => (typeof plugin === 'string' ? { module: plugin } : plugin));
  const host = await startHost(t, {
    realms: [testRealm('demo', { providers: { 'realm-restapi-extension': enabled }, ...options.realm })],
    ...options,
    plugins: entries(options.plugins ?? Object.keys(files)),
    argv: ['--providers-dir', providersDir, ...(options.argv ?? [])],
  });
  return {
    host,
    providersDir,
    record,
    recorded: expression,
    write,
    resource,
    remove: (name) => rm(join(providersDir, name), { recursive: true }),
    list: (...plugins) =>
      replaceFile(join(host.dir, 'plugins.json'), JSON.stringify({ plugins: entries(plugins) }), host.dir),
    get: async (path) => {
      const { status, text } = await fetchAnswer(`${host.realm('demo')}/${path}`);
      return { status, text };
    },
  };
}
