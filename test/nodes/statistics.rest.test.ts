import { Agent, request } from 'node:http';
import { administrator } from '../helpers/admin.js';
import { eventually } from '../helpers/eventually.js';
import { fetchAnswer } from '../helpers/host.js';
import { ALICE_LOGIN } from '../helpers/login.js';
import { enabledResources } from '../helpers/plugins.js';
import { testPostgresql } from '../helpers/postgresql.js';
import { remote } from '../helpers/process.js';
import { testRealm } from '../helpers/realms.js';
import { figure, isRunning, pidsOf, startWorkers, type Workers } from '../helpers/workers.js';

/** A sign-in on a connection of its own, so that any of the workers serves it. */
function signIn({ url }: Pick<Workers, 'url'>): Promise<number | undefined> {
  const body = new URLSearchParams({ ...ALICE_LOGIN, client_id: 'spa' }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const agent = new Agent({ keepAlive: false });
  return new Promise((resolve, reject) => {
    const asked = request(
      `${url}/realms/demo/protocol/openid-connect/token`,
      { method: 'POST', headers, agent },
      (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode));
      },
    );
    asked.on('error', reject);
    asked.end(body);
  });
}

testPostgresql(
  'nodes, statistics: sign-ins of several workers add up, once each, and what was told is there after kill -9',
  async (t) => {
    const realm = testRealm('demo', { eventsEnabled: false, providers: enabledResources(['whoami']) });
    realm.users?.push(administrator('seer', 'view-events'));
    const host = await startWorkers(t, { realms: [realm] });
    t.truthy(host.url, host.output());
    const { json } = await remote(host).token('demo', {
      grant_type: 'password',
      client_id: 'spa',
      username: 'seer',
      password: 'seer',
    });
    const headers = { authorization: `Bearer ${String(json.access_token)}` };
    const signIns = async () => {
      const answer = await fetchAnswer(`${host.url}/admin/realms/demo/statistics`, { headers });
      return (answer.json as unknown as { totals?: { signIns: number } }).totals?.signIns;
    };
    const pids = await pidsOf(host);
    for (let count = 0; count < 12; count += 1) t.is(await signIn(host), 200);
    // Each worker writes its own statistics regularly, and reads those of the others.
    await eventually(async () => (await signIns()) === 13);
    process.kill(pids[0] as number, 'SIGKILL');
    await eventually(() => !isRunning(pids[0] as number));
    await eventually(async () => (await figure(host, 'keyhost_processes_ready')) === 2);
    t.is(await signIns(), 13);
    t.is(await signIn(host), 200);
    await eventually(async () => (await signIns()) === 14);
  },
);
