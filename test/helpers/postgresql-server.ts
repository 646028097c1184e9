import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// biome-ignore lint/plugin: between two questions
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { PostgresqlSettings } from '../../core/config/options/database-options.js';
import { freePort } from './free-port.js';

/** The folder of the server's programs on Debian and its derivatives, in addition to the path. */
const DEBIAN = '/usr/lib/postgresql';
const START_MS = 30_000;
const USER = 'keyhost';

/** The folder of the server's programs; undefined if it is not installed. */
export function postgresqlPrograms(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(DEBIAN, version, 'bin')), ...(process.env.PATH ?? '').split(':')];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

export interface PostgresqlServer {
  readonly port: number;
  readonly password: string;
  /** The folder of its Unix socket. */
  readonly folder: string;
  /** A new database. */
  database(): Promise<PostgresqlSettings>;
  /** Runs a statement as the server's owner. */
  run(sql: string, database?: string): Promise<pg.QueryResult>;
  /** A connection of the server's owner, which is closed with the server. */
  client(database: string): Promise<pg.Client>;
  /** Stops it: connections are cut, committed data stays. */
  stop(): Promise<void>;
  /** Stops it like a power cut, except that the operating system still writes its buffers. */
  kill(): Promise<void>;
  /** Restarts it on the same port. */
  start(): Promise<void>;
  /** Its process ID. The process may be suspended and resumed: its child processes serve the connections. */
  readonly pid: number;
  /** False once it has ended, for any reason. */
  readonly isRunning: boolean;
}

export interface ServerOptions {
  /** Writes through to the disk, for tests that kill something; faster without. */
  readonly isDurable?: boolean;
  /** Further files in its data folder by name, and settings such as `ssl = on`. */
  readonly files?: Readonly<Record<string, string>>;
  readonly settings?: readonly string[];
  /** Makes it a standby of this server, with a copy of its current data. */
  readonly standbyOf?: PostgresqlServer;
  /** A free port by default. */
  readonly port?: number;
  /** The parent of its folder; by default the folder for temporary files. */
  readonly parent?: string;
}

let shared: Promise<PostgresqlServer> | undefined;

/** The server that all tests of this AVA process share. */
export function sharedPostgresql(): Promise<PostgresqlServer> {
  shared ??= startPostgresql();
  return shared;
}

/** A real server in its own folder, stopped with the test file. */
export async function startPostgresql({
  isDurable = false,
  files = {},
  settings = [],
  standbyOf,
  port: wantedPort,
  parent = tmpdir(),
}: ServerOptions = {}): Promise<PostgresqlServer> {
  const programs = postgresqlPrograms();
  if (programs === undefined) throw new Error('PostgreSQL is not installed');
  const folder = mkdtempSync(join(parent, 'keyhost-pg-'));
  const owner = ownerOf(folder);
  const password = standbyOf?.password ?? randomBytes(12).toString('hex');
  const data = join(folder, 'data');
  const make = (program: string, ...args: string[]) =>
    execFileSync(join(programs, program), ['-D', data, '-U', USER, ...args], { ...owner, cwd: folder, stdio: 'pipe' });
  if (standbyOf === undefined) {
    const passwordFile = join(folder, 'password');
    writeFileSync(passwordFile, password, { mode: 0o644 });
    const local = ['--auth-local=trust', '--auth-host=scram-sha-256', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'];
    make('initdb', `--pwfile=${passwordFile}`, ...local);
  } else make('pg_basebackup', '-h', standbyOf.folder, '-p', `${standbyOf.port}`, '-R', '-X', 'stream', '-c', 'fast');
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(data, name), text, { mode: 0o600 });
    if (owner.uid !== undefined) chownSync(join(data, name), owner.uid, owner.gid ?? owner.uid);
  }
  const port = wantedPort ?? (await freePort());
  const lines = [
    ...(isDurable ? [] : ['fsync = off', 'full_page_writes = off']),
    'max_connections = 200',
    'log_min_messages = fatal',
    'autovacuum = off',
    'shared_buffers = 64MB',
    ...settings,
  ];
  const args = ['-D', data, '-k', folder, '-p', `${port}`, '-c', 'listen_addresses=127.0.0.1'];
  for (const line of lines) args.push('-c', line.replace(/ = /, '='));
  const logFile = join(folder, 'log');
  let server: ChildProcess | undefined;
  const end = async (signal: NodeJS.Signals) => {
    const running = server;
    server = undefined;
    if (running === undefined || running.exitCode !== null) return;
    running.ref();
    const exit = once(running, 'exit');
    running.kill(signal);
    await exit;
  };
  const url = { host: '127.0.0.1', port, user: USER, password };
  const clientOf = async (database: string) => {
    const client = new pg.Client({ ...url, database });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  const run = async (sql: string, database = 'postgres') => {
    const client = await clientOf(database);
    try {
      return await client.query(sql);
    } finally {
      await client.end();
    }
  };
  let databases = 0;
  const made: PostgresqlServer = {
    port,
    password,
    folder,
    get pid() {
      return server?.pid ?? 0;
    },
    get isRunning() {
      return server !== undefined && server.exitCode === null && server.signalCode === null;
    },
    run,
    client: clientOf,
    stop: () => end('SIGINT'),
    kill: () => end('SIGQUIT'),
    async start() {
      const log = openSync(logFile, 'a');
      server = spawn(join(programs, 'postgres'), args, { ...owner, cwd: folder, stdio: ['ignore', log, log] });
      closeSync(log);
      // Do not keep the process alive for it.
      server.unref();
      for (const until = Date.now() + START_MS; ; await sleep(30)) {
        if (
          await run('SELECT 1').then(
            () => true,
            () => false,
          )
        )
          return;
        if (server.exitCode !== null || Date.now() > until)
          throw new Error(`PostgreSQL does not start: ${readFileSync(logFile, 'utf8')}`);
      }
    },
    async database() {
      databases += 1;
      const name = `keyhost_${databases}`;
      await run(`CREATE DATABASE ${name}`);
      const [host, tls] = ['127.0.0.1', { mode: 'disabled' }] as const;
      return { host, port, database: name, username: USER, password, schema: undefined, tls, poolSize: 6 };
    },
  };
  // After every hook of the tests, which may still read the store.
  process.once('exit', () => {
    server?.kill('SIGQUIT');
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });
  await made.start();
  return made;
}

/** The server refuses to run as root: then the folder belongs to another user. */
export function ownerOf(folder: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (user: string) => Number(execFileSync('id', ['-u', user], { stdio: 'pipe' }).toString());
  let uid: number;
  try {
    uid = idOf('postgres');
  } catch {
    uid = idOf('nobody');
  }
  chownSync(folder, uid, uid);
  return { uid, gid: uid };
}
