import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PostgresqlServer, startPostgresql } from '../helpers/postgresql-server.js';
import { testRealm } from '../helpers/realms.js';
import { type Balancer, startBalancer } from './balancer.js';
import { NodeProcess } from './node-process.js';

/** Nodes on one durable PostgreSQL behind HAProxy, each a process of its own. */
export interface Cluster {
  readonly database: PostgresqlServer;
  readonly nodes: readonly NodeProcess[];
  readonly balancer: Balancer;
  /** Where everything of it lies. */
  readonly dir: string;
  close(): Promise<void>;
}

const PLUGINS = ['@keyhost/newsletter', '@keyhost/external-app-notification'];

/** @param options.argv of all nodes, beside what makes them a cluster */
export async function startCluster(options: { nodes: number; argv?: readonly string[] }): Promise<Cluster> {
  // The server holds no process open.
  const held = setInterval(() => {}, 1000);
  const dir = mkdtempSync(join(tmpdir(), 'keyhost-cluster-'));
  const realms = join(dir, 'realms');
  mkdirSync(realms);
  // Tokens that are refreshed again and again go on for an hour.
  const realm = testRealm('demo', { accessTokenLifespan: 3600, ssoSessionIdleTimeout: 7200 });
  writeFileSync(join(realms, 'demo.json'), JSON.stringify(realm));
  writeFileSync(join(dir, 'plugins.json'), JSON.stringify({ plugins: PLUGINS.map((module) => ({ module })) }));
  const database = await startPostgresql({ isDurable: true });
  const { host, port, database: name, username } = await database.database();
  const front = await freePort();
  const argv = [
    ...['--db', 'postgres', '--db-url', `postgres://${host}:${port}/${name}`, '--db-username', username],
    ...['--db-password-file', join(dir, 'password'), '--hostname', `http://127.0.0.1:${front}`],
    ...['--realms-dir', realms, '--plugins-file', join(dir, 'plugins.json'), '--watch-plugins', 'false'],
    ...['--shutdown-delay', '1500ms', ...(options.argv ?? [])],
  ];
  writeFileSync(join(dir, 'password'), database.password, { mode: 0o600 });
  const nodes: NodeProcess[] = [];
  for (let node = 0; node < options.nodes; node += 1) {
    const ports = { http: await freePort(), management: await freePort() };
    nodes.push(new NodeProcess({ name: `node ${node}`, ports, dir: join(dir, `node-${node}`), argv }));
  }
  // All at once on an empty database: one makes the tables, all apply the realm file.
  await Promise.all(nodes.map((node) => node.start()));
  const balancer = await startBalancer(
    front,
    nodes.map(({ ports }) => ports),
  );
  return {
    database,
    nodes,
    balancer,
    dir,
    async close() {
      await Promise.all(nodes.map((node) => node.stop('SIGKILL')));
      await balancer.stop();
      await database.stop();
      clearInterval(held);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
