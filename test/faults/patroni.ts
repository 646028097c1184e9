import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
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
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../helpers/free-port.js';
import { ownerOf, postgresqlPrograms } from '../helpers/postgresql-server.js';

/** Limit for any change of the leader: longer than Patroni needs on a busy machine. */
const CHANGE_MS = 180_000;
const POLL_MS = 200;
const USER = 'keyhost';
const DATABASE = 'keyhost';

/** Seconds: the lease of the leader, and how often each member looks. Patroni's defaults are 30, 10 and 10. */
export const PATRONI_TIMES = { ttl: 20, loop_wait: 3, retry_timeout: 5 };

function programOf(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/bin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** Returns the programs that are not installed; empty if Patroni can run. */
export function missingForPatroni(): readonly string[] {
  const missing = ['patroni', 'etcd', 'haproxy'].filter((name) => programOf(name) === undefined);
  return postgresqlPrograms() === undefined ? [...missing, 'postgresql'] : missing;
}

/** A member of `GET /cluster` of Patroni's REST API. */
interface MemberState {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly lag?: number | string;
  readonly timeline?: number;
}

/** A PostgreSQL server that Patroni watches over. */
export class PatroniMember {
  readonly name: string;
  readonly port: number;
  readonly restPort: number;
  readonly #folder: string;
  readonly #owner: { uid?: number; gid?: number };
  #patroni: ChildProcess | undefined;

  constructor(parts: {
    name: string;
    port: number;
    restPort: number;
    folder: string;
    owner: { uid?: number; gid?: number };
  }) {
    this.name = parts.name;
    this.port = parts.port;
    this.restPort = parts.restPort;
    this.#folder = parts.folder;
    this.#owner = parts.owner;
  }

  start(): void {
    const log = openSync(join(this.#folder, `${this.name}.log`), 'a');
    this.#patroni = spawn(programOf('patroni') ?? 'patroni', [join(this.#folder, `${this.name}.yml`)], {
      ...this.#owner,
      cwd: this.#folder,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    this.#patroni.unref();
  }

  /** Ends Patroni and all processes of the server by SIGKILL. */
  kill(): void {
    this.#signal('SIGKILL');
  }

  /** Suspends Patroni and all processes of the server: connections remain open, and get no answer. */
  suspend(): void {
    this.#signal('SIGSTOP');
  }

  resume(): void {
    this.#signal('SIGCONT');
  }

  /** Sends a signal to the server's process that receives the write-ahead log. */
  signalReceiver(signal: NodeJS.Signals): void {
    for (const pid of this.#serverProcesses()) {
      if (commandOf(pid).includes('walreceiver')) process.kill(pid, signal);
    }
  }

  /** Runs a statement on this server, which may be a standby. */
  async run(sql: string, database = 'postgres'): Promise<pg.QueryResult> {
    const password = readFileSync(join(this.#folder, 'password'), 'utf8');
    const client = new pg.Client({ host: '127.0.0.1', port: this.port, user: USER, password, database });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await client.query(sql);
    } finally {
      await client.end();
    }
  }

  async stop(): Promise<void> {
    const patroni = this.#patroni;
    this.resume();
    if (patroni !== undefined && patroni.exitCode === null && patroni.signalCode === null) {
      // `start` lets the process of the test end before Patroni. Here it waits for it.
      patroni.ref();
      const exit = once(patroni, 'exit');
      this.kill();
      await exit;
    } else this.kill();
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.#patroni?.exitCode === null) this.#patroni.kill(signal);
    for (const pid of this.#serverProcesses()) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended meanwhile.
      }
    }
  }

  /** The process IDs of the server and its children (Linux). */
  #serverProcesses(): readonly number[] {
    const file = join(this.#folder, this.name, 'postmaster.pid');
    if (!existsSync(file)) return [];
    const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
    // After a crash, the file may name a process ID that is in use for something else.
    if (!commandOf(pid).includes('postgres')) return [];
    const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return [pid, ...all.map(Number).filter((one) => parentOf(one) === pid)];
  }
}

/** Calls the function until its result is truthy, and returns that. An error counts as no result. */
async function until<T>(ask: () => Promise<T | undefined | false>): Promise<T> {
  for (const end = Date.now() + CHANGE_MS; Date.now() < end; await sleep(POLL_MS)) {
    const result = await ask().catch(() => undefined);
    if (result !== undefined && result !== false) return result;
  }
  throw new Error(`Patroni did not get there in time: ${ask}`);
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}

function parentOf(pid: number): number | undefined {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]);
  } catch {
    // The process has ended meanwhile.
    return undefined;
  }
}

/** etcd and two PostgreSQL servers, each watched over by Patroni, in a folder of their own. */
export class Patroni {
  readonly members: readonly PatroniMember[];
  readonly database = DATABASE;
  readonly username = USER;
  readonly password: string;
  readonly folder: string;
  readonly #etcd: ChildProcess;
  /** True if the leader waits for the replica before it acknowledges a commit. */
  #isSynchronous = true;

  private constructor(parts: {
    members: readonly PatroniMember[];
    password: string;
    folder: string;
    etcd: ChildProcess;
  }) {
    this.members = parts.members;
    this.password = parts.password;
    this.folder = parts.folder;
    this.#etcd = parts.etcd;
  }

  static async start(): Promise<Patroni> {
    const programs = postgresqlPrograms();
    const missing = missingForPatroni();
    if (programs === undefined || missing.length > 0) throw new Error(`not installed: ${missing.join(', ')}`);
    const folder = mkdtempSync(join(tmpdir(), 'keyhost-patroni-'));
    chmodSync(folder, 0o755);
    const owner = ownerOf(folder);
    const password = randomBytes(12).toString('hex');
    writeFileSync(join(folder, 'password'), password, { mode: 0o600 });
    const [etcdPort, peerPort] = [await freePort(), await freePort()];
    const etcd = startEtcd(folder, owner, { client: etcdPort, peer: peerPort });
    const members: PatroniMember[] = [];
    for (const name of ['a', 'b']) {
      const member = new PatroniMember({ name, port: await freePort(), restPort: await freePort(), folder, owner });
      const settings = settingsOf(member, { folder, programs, password, etcdPort });
      writeFileSync(join(folder, `${name}.yml`), JSON.stringify(settings), { mode: 0o644 });
      members.push(member);
    }
    const patroni = new Patroni({ members, password, folder, etcd });
    process.once('exit', () => patroni.#kill());
    members[0]?.start();
    await patroni.leader();
    members[1]?.start();
    await patroni.isWhole();
    await (await patroni.leader()).run(`CREATE DATABASE ${DATABASE}`);
    return patroni;
  }

  /** Switches between synchronous and asynchronous replication. */
  async setSynchronous(mode: boolean): Promise<void> {
    this.#isSynchronous = mode;
    await this.#configure({ synchronous_mode: mode });
    await this.isWhole();
  }

  /** Returns the leader, as soon as there is one that accepts writes. @param except a former leader */
  leader(except?: PatroniMember): Promise<PatroniMember> {
    return until(async () => {
      for (const member of this.members) {
        if (member === except) continue;
        const status = await fetch(`http://127.0.0.1:${member.restPort}/primary`, { signal: AbortSignal.timeout(1000) })
          .then(({ status }) => status)
          .catch(() => 0);
        if (status === 200) return member;
      }
      return undefined;
    });
  }

  async replica(): Promise<PatroniMember> {
    const leader = await this.leader();
    return this.members.find((member) => member !== leader) as PatroniMember;
  }

  /**
   * Resolves when there is a leader, and the other member follows it without a delay. With synchronous replication, it
   * may also be promoted then: after each change of the leader, Patroni allows that only after a few seconds.
   */
  async isWhole(): Promise<void> {
    const leader = await this.leader();
    const followers = this.#isSynchronous ? 'sync_standby' : 'replica';
    await until(async () => {
      const states = await this.states(leader);
      return (
        states.length === this.members.length &&
        states.every(
          ({ role, state, lag }) =>
            role === 'leader' || (role === followers && /^(running|streaming)$/.test(state) && lag === 0),
        )
      );
    });
    await until(async () => {
      const { rows } = await leader.run("SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'");
      return rows.length === 1 && (rows[0].sync_state === 'sync') === this.#isSynchronous;
    });
  }

  async states(member: PatroniMember): Promise<readonly MemberState[]> {
    const answer = await fetch(`http://127.0.0.1:${member.restPort}/cluster`).catch(() => undefined);
    return answer === undefined ? [] : ((await answer.json()) as { members: MemberState[] }).members;
  }

  /** Makes the replica the leader, and resolves when it is. */
  async switchOver(): Promise<void> {
    const [leader, replica] = [await this.leader(), await this.replica()];
    await until(async () => {
      const answer = await fetch(`http://127.0.0.1:${leader.restPort}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: leader.name, candidate: replica.name }),
      });
      return answer.status === 200;
    });
    await this.leader(leader);
  }

  async stop(): Promise<void> {
    for (const member of this.members) await member.stop();
    this.#kill();
  }

  #kill(): void {
    for (const member of this.members) member.kill();
    this.#etcd.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  async #configure(change: object): Promise<void> {
    const { restPort } = await this.leader();
    const answer = await fetch(`http://127.0.0.1:${restPort}/config`, {
      method: 'PATCH',
      body: JSON.stringify(change),
    });
    if (answer.status !== 200) throw new Error(`Patroni refuses a change: ${answer.status} ${await answer.text()}`);
  }
}

function startEtcd(
  folder: string,
  owner: { uid?: number; gid?: number },
  { client, peer }: { client: number; peer: number },
): ChildProcess {
  const [clientUrl, peerUrl] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`];
  const log = openSync(join(folder, 'etcd.log'), 'a');
  const options = {
    'data-dir': join(folder, 'etcd'),
    'listen-client-urls': clientUrl,
    'advertise-client-urls': clientUrl,
    'listen-peer-urls': peerUrl,
    'initial-advertise-peer-urls': peerUrl,
    'initial-cluster': `default=${peerUrl}`,
    'heartbeat-interval': '500',
    'election-timeout': '5000',
  };
  const argv = Object.entries(options).flatMap(([flag, value]) => [`--${flag}`, value]);
  const etcd = spawn(programOf('etcd') ?? 'etcd', argv, { ...owner, cwd: folder, stdio: ['ignore', log, log] });
  closeSync(log);
  etcd.unref();
  return etcd;
}

/** Patroni reads YAML, and every JSON text is YAML. */
function settingsOf(
  { name, port, restPort }: PatroniMember,
  { folder, programs, password, etcdPort }: { folder: string; programs: string; password: string; etcdPort: number },
): object {
  return {
    scope: 'keyhost',
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    etcd3: { hosts: [`127.0.0.1:${etcdPort}`] },
    bootstrap: {
      dcs: {
        ...PATRONI_TIMES,
        maximum_lag_on_failover: 1_048_576,
        synchronous_mode: true,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: { max_connections: 100, shared_buffers: '64MB', wal_sender_timeout: '10s' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: join(folder, name),
      bin_dir: programs,
      pgpass: join(folder, `${name}.pgpass`),
      authentication: {
        superuser: { username: USER, password },
        replication: { username: 'replicator', password },
      },
      pg_hba: [
        'local all all trust',
        'host all all 127.0.0.1/32 scram-sha-256',
        'host replication replicator 127.0.0.1/32 scram-sha-256',
      ],
      parameters: { unix_socket_directories: folder },
    },
    watchdog: { mode: 'off' },
  };
}
