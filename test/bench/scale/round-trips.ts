import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CC, realm, WEB } from '../bench-realm.js';
import { CodeBrowser, type CodePlan } from '../code-flow-load.js';
import { HttpClient } from '../http-client.js';
import { production, writeFolder } from '../keyhost.js';
import { Processes, type Server } from '../processes.js';
import { oidcOf, post } from '../rows/keyhost-targets.js';
import { startBenchDatabase } from './database.js';
import type { WireCounter } from './wire-counter.js';

/** The database requests of one unit of work. */
interface WorkCounts {
  readonly work: string;
  readonly roundTrips: number;
  readonly statements: number;
  readonly commits: number;
}

const REALM = 'rs';
const TIMES = 50;
/** Uses of a session are written in the background, within a second. */
const SETTLE_MS = 1500;

/** Repeats each flow, one at a time, in a realm of the bench with cheap password hashes. */
async function countWork(server: Server, wire: WireCounter): Promise<readonly WorkCounts[]> {
  const client = new HttpClient();
  const oidc = oidcOf(server, REALM);
  const token = `${oidc}/token`;
  const login = { ...WEB, grant_type: 'password', username: 'alice', password: 'alice', scope: 'openid' };
  let { refresh_token: refreshToken = '' } = await post(token, login);
  const { access_token: accessToken = '' } = await post(token, CC);
  const { client_id, client_secret } = CC;
  const redirectUri = 'http://127.0.0.1/cb';
  const query = new URLSearchParams({
    client_id: WEB.client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    state: 's',
    nonce: 'n',
  });
  const authorize = `${oidc}/auth?${query}`;
  const plan: CodePlan = {
    authorize,
    redirectUri,
    login: { username: 'alice', password: 'alice' },
    token,
    client: WEB,
  };
  const fresh = new CodeBrowser(client, plan);
  const kept = new CodeBrowser(client, { ...plan, kept: true });
  const works: readonly (readonly [work: string, once: () => Promise<unknown>])[] = [
    ['client_credentials', () => client.ok(token, { form: CC })],
    [
      'refresh',
      async () => {
        const form = { ...WEB, grant_type: 'refresh_token', refresh_token: refreshToken };
        const answer = await client.ok(token, { form });
        refreshToken = (JSON.parse(answer) as { refresh_token: string }).refresh_token;
      },
    ],
    [
      'introspection',
      () => client.ok(`${token}/introspect`, { form: { client_id, client_secret, token: accessToken } }),
    ],
    ['password grant', () => client.ok(token, { form: login })],
    ['the first page of a login', () => client.send(authorize, { headers: { accept: 'text/html' } })],
    ['code flow with a login: three requests', () => fresh.signIn()],
    ['code flow in a kept session: two requests', () => kept.signIn()],
  ];
  const counts: WorkCounts[] = [];
  for (const [work, once] of works) {
    for (let warm = 0; warm < 3; warm += 1) await once();
    await wait(SETTLE_MS);
    const before = wire.counts();
    for (let time = 0; time < TIMES; time += 1) await once();
    await wait(SETTLE_MS);
    const after = wire.counts();
    // Includes the host's own requests meanwhile, such as its check for changed realms twice a second.
    const per = (name: 'roundTrips' | 'statements' | 'commits') => (after[name] - before[name]) / TIMES;
    counts.push({ work, roundTrips: per('roundTrips'), statements: per('statements'), commits: per('commits') });
  }
  client.close();
  return counts;
}

async function main(): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-round-trips-'));
  const processes = new Processes(process.execPath, join(dir, 'code-cache'));
  const database = await startBenchDatabase();
  try {
    await writeFolder(dir, [{ ...realm(REALM, 'ES256', false), providers: {} } as { realm: string }]);
    const server = await processes.start(await production(dir, database.argv));
    for (const { work, roundTrips, statements, commits } of await countWork(server, database.wire)) {
      const figures = [roundTrips, statements, commits].map((figure) => figure.toFixed(1).padStart(8)).join('');
      process.stdout.write(`${work.padEnd(48)}${figures}\n`);
    }
  } finally {
    processes.killAll();
    await database.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
