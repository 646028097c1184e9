import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { freePort } from '../helpers/free-port.js';
import { type PostgresqlServer, type ServerOptions, startPostgresql } from '../helpers/postgresql-server.js';
import { guardedRealm } from '../helpers/realms.js';
import { startBalancer } from './balancer.js';
import { NodeProcess } from './node-process.js';

/** Hosts that share a store, each in its own process. */
export interface Cluster {
  readonly nodes: readonly NodeProcess[];
  /** The URL for requests: of HAProxy, or of the only node. */
  readonly url: string;
  /** The folder of all its files. */
  readonly dir: string;
  close(): Promise<void>;
}

export interface PostgresqlCluster extends Cluster {
  readonly database: PostgresqlServer;
}

export interface ClusterOptions {
  readonly nodes: number;
  /** Options of all nodes, in addition to those of the cluster. */
  readonly argv?: readonly string[];
  /** Environment variables of a node, in addition to those of this process. */
  readonly envOf?: (node: number) => Readonly<Record<string, string>>;
  /** Returns the database's hosts and ports for a node; default: the server itself. */
  readonly reach?: (node: number, server: { host: string; port: number }) => Promise<string>;
  readonly database?: ServerOptions;
  /** Replaces top-level keys of the realm. */
  readonly realm?: Partial<RealmRepresentation>;
  readonly plugins?: readonly object[];
  /** Data directory of the only node; default: below `dir`. */
  readonly data?: string;
  /** Timeout of the balancer for an answer, in seconds. */
  readonly answerSeconds?: number;
}

/** A database for the nodes that is not started with them. */
export interface NodeStore {
  readonly name: string;
  readonly username: string;
  readonly password: string;
  /** Returns the hosts and ports for a node, as in `--db-url`. */
  readonly reach: (node: number) => Promise<string>;
}

const PLUGINS = [{ module: '@keyhost/newsletter' }, { module: '@keyhost/external-app-notification' }];

/** Nodes on one durable PostgreSQL behind HAProxy. */
export async function startCluster(options: ClusterOptions): Promise<PostgresqlCluster> {
  // The server itself does not keep this process alive.
  const held = setInterval(() => {}, 1000);
  const database = await startPostgresql({ isDurable: true, ...options.database });
  const { host, port, database: name, username } = await database.database();
  const cluster = await startNodes(options, {
    name,
    username,
    password: database.password,
    reach: async (node) => (await options.reach?.(node, { host, port })) ?? `${host}:${port}`,
  });
  return {
    ...cluster,
    database,
    async close() {
      await cluster.close();
      await database.stop();
      clearInterval(held);
    },
  };
}

/** Nodes on a PostgreSQL that the caller has started, behind HAProxy. */
export async function startNodes(options: ClusterOptions, store: NodeStore): Promise<Cluster> {
  const { dir, argv } = prepare(options);
  const front = await freePort();
  writeFileSync(join(dir, 'password'), store.password, { mode: 0o600 });
  const nodes: NodeProcess[] = [];
  for (let node = 0; node < options.nodes; node += 1) {
    const url = `postgres://${await store.reach(node)}/${store.name}`;
    const stored = ['--db', 'postgres', '--db-url', url, '--db-username', store.username];
    nodes.push(
      new NodeProcess({
        name: `node ${node}`,
        ports: { http: await freePort(), management: await freePort() },
        dir: join(dir, `node-${node}`),
        argv: [
          ...stored,
          '--db-password-file',
          join(dir, 'password'),
          '--hostname',
          `http://127.0.0.1:${front}`,
          ...argv,
        ],
        env: options.envOf?.(node),
      }),
    );
  }
  // All at once on an empty database: one creates the tables, and all apply the realm file.
  await Promise.all(nodes.map((node) => node.start()));
  const balancer = await startBalancer(
    front,
    nodes.map(({ ports }) => ports),
    options.answerSeconds,
  );
  return {
    nodes,
    url: balancer.url,
    dir,
    async close() {
      await Promise.all(nodes.map((node) => node.stop('SIGKILL')));
      await balancer.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** One node on SQLite, without a balancer. */
export async function startSingle(options: Omit<ClusterOptions, 'nodes'> = {}): Promise<Cluster> {
  const { dir, argv } = prepare(options);
  const ports = { http: await freePort(), management: await freePort() };
  const node = new NodeProcess({
    name: 'node',
    ports,
    dir: join(dir, 'node'),
    argv,
    env: options.envOf?.(0),
    data: options.data,
  });
  await node.start();
  return {
    nodes: [node],
    url: `http://127.0.0.1:${ports.http}`,
    dir,
    async close() {
      await node.stop('SIGKILL');
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Writes the files for all nodes, and returns the options that name them. */
function prepare({ argv = [], realm = {}, plugins = PLUGINS }: Omit<ClusterOptions, 'nodes'>) {
  const dir = mkdtempSync(join(tmpdir(), 'keyhost-cluster-'));
  const realms = join(dir, 'realms');
  const pluginsFile = join(dir, 'plugins.json');
  mkdirSync(realms);
  // Long lifespans, because tokens are refreshed for hours.
  const lasting = { accessTokenLifespan: 3600, ssoSessionIdleTimeout: 7200, ...realm };
  writeFileSync(join(realms, 'demo.json'), JSON.stringify(guardedRealm('demo', { singleUse: true }, lasting)));
  writeFileSync(pluginsFile, JSON.stringify({ plugins }));
  const files = ['--realms-dir', realms, '--plugins-file', pluginsFile, '--watch-plugins', 'false'];
  return { dir, argv: [...files, '--shutdown-delay', '1500ms', ...argv] };
}
