import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';
import { replacing } from '../../core/di/module.js';
import { Store } from '../../core/store/module.js';
import { openMemoryStore } from '../../core/store/sqlite/open-store.js';
import type { Store as HostStore } from '../../core/store/store.js';
import { fetchAnswer, startHost, type TestHost, type TestHostOptions } from './host.js';

export interface Nodes {
  readonly nodes: readonly TestHost[];
  /** The load balancer, which sends each request to the next node. */
  readonly front: TestHost;
}

/**
 * Hosts with one store behind a load balancer without session affinity. `npm test` uses a shared store in memory. With
 * `KEYHOST_TEST_NODES=postgres`, as in `npm run test:rest`, it is a PostgreSQL database, if that is installed.
 */
export async function startNodes(
  t: Pick<ExecutionContext, 'teardown'>,
  {
    count = 2,
    argvOf = () => [],
    together = false,
    ...options
  }: TestHostOptions & { count?: number; together?: boolean; argvOf?: (node: number) => readonly string[] } = {},
): Promise<Nodes> {
  const nodes: TestHost[] = [];
  const url = await startBalancer(t, () => nodes);
  const open = await oneDatabase(t);
  const start = async (node: number) => {
    const argv = ['--hostname', url, ...(options.argv ?? []), ...argvOf(node)];
    const replace = [replacing(Store, await open()), ...(options.replace ?? [])];
    return startHost(t, { ...options, argv, replace });
  };
  const numbers = Array.from({ length: count }, (_, node) => node);
  if (together) nodes.push(...(await Promise.all(numbers.map(start))));
  else for (const node of numbers) nodes.push(await start(node));
  return { nodes, front: reachedAt(nodes[0] as TestHost, url) };
}

/** @returns a function that opens the store for another node */
async function oneDatabase(t: Pick<ExecutionContext, 'teardown'>): Promise<() => Promise<HostStore>> {
  if (process.env.KEYHOST_TEST_NODES === 'postgres') {
    const { postgresqlPrograms, sharedPostgresql } = await import('./postgresql-server.js');
    const { openPostgresqlStore } = await import('../../core/store/postgresql/open-postgresql.js');
    if (postgresqlPrograms() !== undefined) {
      const settings = await (await sharedPostgresql()).database();
      return () => openPostgresqlStore(settings);
    }
  }
  const store = await openMemoryStore({ isShared: true });
  t.teardown(() => store.close());
  return async () => keptOpen(store);
}

/** The host at another address. */
export function reachedAt(host: TestHost, url: string): TestHost {
  const realm = (name: string) => `${url}/realms/${name}`;
  const oidc = (name: string) => `${realm(name)}/protocol/openid-connect`;
  return {
    ...host,
    url,
    realm,
    oidc,
    token: (name, form, headers) =>
      fetchAnswer(`${oidc(name)}/token`, {
        method: 'POST',
        body: new URLSearchParams(form),
        ...(headers ? { headers } : {}),
      }),
  };
}

/** Prevents a host from closing the store that other nodes of the test still use. */
export function keptOpen(store: HostStore): HostStore {
  return new Proxy(store, {
    get(target, name) {
      if (name === 'close') return async () => {};
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

async function startBalancer(t: Pick<ExecutionContext, 'teardown'>, nodes: () => readonly TestHost[]): Promise<string> {
  let turn = 0;
  const balancer = createServer((incoming, answer) => {
    const all = nodes();
    const node = all[turn++ % all.length] as TestHost;
    const { method, headers } = incoming;
    const onward = request(new URL(incoming.url ?? '/', node.url), { method, headers, agent: false }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.rawHeaders);
      answered.pipe(answer);
    });
    onward.on('error', (error) => answer.destroy(error));
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => balancer.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    balancer.close();
    balancer.closeAllConnections();
  });
  return `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`;
}
