import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CC, realm } from '../bench-realm.js';
import { type Figure, times } from '../figure.js';
import { trial, writeFolder } from '../keyhost.js';
import type { Measurement } from '../measurement.js';
import { atRate } from '../paced-load.js';
import type { Server } from '../processes.js';
import { oidcOf } from '../rows/keyhost-targets.js';
import { p99, tokenTimes } from './token-times.js';

const MOST_RUNS = 5;
/** Requests per second of the failing realm, and of a healthy one in its place. */
const RATE = 20;
const LIMITS = { callTimeout: 1 };

/** SPIs that a realm's token request calls, and the way in which each fails. */
const FAULTS = ['hash hangs', 'vault hangs', 'key hangs', 'key signs wrongly', 'policy throws', 'event store throws'];

const PLUGIN = `
import { ClientPolicyExecutor, EventStore, KeyProvider, PasswordHash, provide, Vault } from '@keyhost/spi';
import { generateKeyPairSync } from 'node:crypto';
const publicKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
const hang = () => new Promise(() => {});
const fail = async () => { throw new Error('away'); };
const always = (methods) => ({ open: () => ({ create: () => methods }) });
const key = (id, sign) => provide(KeyProvider, { id, ...always({ keys: async () => [{ kid: id, algorithm: 'ES256', publicKey }], sign }) });
export default { name: 'failing', api: 1, providers: [
  provide(PasswordHash, { id: 'failing', maxBytes: 72, ...always({ hash: hang, verify: hang }) }),
  provide(Vault, { id: 'failing', ...always({ read: hang }) }),
  key('hanging', hang),
  key('lying', async () => Buffer.alloc(64, 1).toString('base64url')),
  provide(ClientPolicyExecutor, { id: 'failing', events: ['TOKEN_REQUEST', 'SERVICE_ACCOUNT_TOKEN_REQUEST'], ...always({ apply: fail }) }),
  provide(EventStore, { id: 'failing', ...always({ store: fail }) }),
] };`;

/** On separate hosts: token requests of one realm, while all token requests of another call a failing plugin. */
export const failingSpisMeasurement: Measurement = {
  name: 'tokens beside failing SPIs in a worker',
  lasts: ({ runs, seconds }) => FAULTS.length * (4 + Math.min(runs, MOST_RUNS) * (2 * seconds + 2)),
  async measure({ dir, processes, runs, seconds, say }) {
    const figures: Figure[] = [];
    for (const fault of FAULTS) {
      say(fault);
      const folder = join(dir, fault.replaceAll(' ', '-'));
      const other = { ...realm('other', 'RS256', false), providers: {} };
      await writeFolder(
        folder,
        [failingRealm(fault), soundRealm(), other],
        [{ module: 'failing', isolation: 'worker', limits: LIMITS }],
      );
      const server = await processes.start(
        trial(folder, ['--providers-dir', await providers(folder), '--log-level', 'fatal']),
      );
      const { beside, sound } = await tokensBeside(server, fault, runs, Math.ceil(seconds));
      await processes.stop(server);
      figures.push({
        name: `tokens beside: ${fault} in a worker, p99`,
        unit: 'ms',
        ours: beside,
        theirs: sound,
        ratio: beside / sound,
        peer: 'beside a sound realm',
        goals: [times(1.2)],
      });
    }
    return figures;
  },
};

async function providers(folder: string): Promise<string> {
  const dir = join(folder, 'providers');
  const plugin = join(dir, 'failing');
  await mkdir(join(plugin, 'node_modules/@keyhost/spi'), { recursive: true });
  await writeFile(
    join(plugin, 'package.json'),
    JSON.stringify({ name: 'failing', version: '1.0.0', type: 'module', exports: './index.js' }),
  );
  const link = { version: '0.1.0', exports: './index.js', type: 'module' };
  await writeFile(join(plugin, 'node_modules/@keyhost/spi/package.json'), JSON.stringify(link));
  const spi = JSON.stringify(import.meta.resolve('@keyhost/spi'));
  await writeFile(join(plugin, 'node_modules/@keyhost/spi/index.js'), `export * from ${spi};`);
  await writeFile(join(plugin, 'index.js'), PLUGIN);
  return dir;
}

function soundRealm() {
  return { ...realm('sound', 'ES256', true), enabledEventTypes: [], providers: {} };
}

function failingRealm(fault: string) {
  const base = { ...soundRealm(), realm: 'failing' };
  const [kind] = fault.split(' ');
  switch (kind) {
    case 'hash':
      // The user's hash has the plugin's algorithm.
      return { ...base, users: base.users.map((user) => ({ ...user, credentials: [FOREIGN] })) };
    case 'vault': {
      const clients = base.clients.map((client) =>
        client.clientId === 'cc' ? { ...client, secret: '${vault.cc}' } : client,
      );
      return { ...base, clients, providers: { vault: { failing: { enabled: true } } } };
    }
    case 'key': {
      const providerId = fault === 'key hangs' ? 'hanging' : 'lying';
      const component = { id: 'failing', name: 'failing', providerId, config: { priority: ['500'] } };
      return { ...base, components: { 'org.keycloak.keys.KeyProvider': [component] } };
    }
    case 'policy': {
      const policy = {
        name: 'failing',
        enabled: true,
        conditions: [{ condition: 'any-client', configuration: {} }],
        profiles: ['failing'],
      };
      const profile = { name: 'failing', executors: [{ executor: 'failing', configuration: {} }] };
      return { ...base, clientProfiles: { profiles: [profile] }, clientPolicies: { policies: [policy] } };
    }
    default:
      return { ...base, providers: { eventsStore: { failing: { enabled: true } } } };
  }
}

const FOREIGN = {
  type: 'password',
  secretData: JSON.stringify({ value: 'AAAA', salt: 'AAAA' }),
  credentialData: JSON.stringify({ algorithm: 'failing', hashIterations: 1 }),
};

/**
 * The 99th percentiles of the other realm's token requests, in milliseconds. Windows with the failing realm alternate
 * with windows in which a healthy realm gets the same requests. So neither the cost of the answers nor that of sending
 * the requests affects the comparison.
 */
async function tokensBeside(
  server: Server,
  fault: string,
  runs: number,
  seconds: number,
): Promise<{ beside: number; sound: number }> {
  const oidc = oidcOf(server, 'other');
  const isLogin = fault === 'hash hangs';
  const form = isLogin ? WRONG_PASSWORD : CC;
  const times = { sound: [] as number[], failing: [] as number[] };
  await tokenTimes(oidc, 1);
  for (let run = 0; run < Math.min(runs, MOST_RUNS); run += 1) {
    for (const name of ['sound', 'failing'] as const) {
      const isServed = !isLogin && (name === 'sound' || fault === 'event store throws');
      let isOver = false;
      const asking = atRate(
        RATE,
        () => isOver,
        async () => {
          const url = `${oidcOf(server, name)}/token`;
          const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form) });
          await response.text();
          if (response.ok !== isServed) throw new Error(`${fault}: the realm ${name} answered ${response.status}`);
        },
      );
      times[name].push(...(await tokenTimes(oidc, seconds)));
      isOver = true;
      await asking;
    }
  }
  return { beside: p99(times.failing), sound: p99(times.sound) };
}

const WRONG_PASSWORD = {
  grant_type: 'password',
  client_id: 'web',
  client_secret: 'web-secret-0123456789',
  username: 'alice',
  password: 'x',
};
