import test from 'ava';
import { adminCaller } from '../helpers/admin.js';
import { fetchAnswer } from '../helpers/host.js';
import { ALICE_LOGIN, follow, issueKey, WEB } from '../helpers/login.js';
import { testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const viewer = {
  username: 'viewer',
  enabled: true,
  clientRoles: { 'realm-management': ['view-events'] },
  credentials: [{ type: 'password', value: 'v' }],
};
const demo = testRealm('demo');
const host = shareHost(test, {
  realms: [{ ...demo, adminEventsEnabled: true, users: [...(demo.users ?? []), viewer] }, testRealm('other')],
});

test('T295 · events: they need a role, contain no token, and cannot contain markup or line breaks', async (t) => {
  const key = await issueKey(host());
  await follow(host(), key);
  await host().token('demo', { ...WEB, ...ALICE_LOGIN, scope: '<script>\u2028\r\nalice"}' });
  const issued = await host().token('demo', { ...WEB, ...ALICE_LOGIN });
  t.is(issued.status, 200);
  const tokens = [issued.json.access_token, issued.json.refresh_token, key].map((token) => String(token));
  for (const path of ['events', 'admin-events', 'events/config']) {
    const url = `${host().url}/admin/realms/demo/${path}`;
    t.is((await fetchAnswer(url)).status, 401, path);
    t.is((await fetchAnswer(url, { headers: { authorization: `Bearer ${tokens[1]}` } })).status, 401, path);
    t.is((await fetchAnswer(url, { headers: { authorization: `Bearer ${tokens[0]}` } })).status, 403, path);
  }
  const call = await adminCaller(host(), { realm: 'demo', username: 'viewer', password: 'v' });
  const answer = await call('GET', '/realms/demo/events?max=-1');
  t.is(answer.status, 200);
  for (const token of tokens) t.false(answer.text.includes(token) || answer.text.includes(token.split('.')[2] ?? ''));
  const events = JSON.parse(answer.text) as { type: string; details: Record<string, string> }[];
  t.true(events.some(({ type }) => type === 'EXECUTE_ACTION_TOKEN'));
  const told = events.find(({ details }) => details.reason?.includes('<script>'));
  t.is(told?.details.reason, 'Invalid scopes: <script>   alice"}');
  t.regex(answer.headers.get('content-type') ?? '', /^application\/json/);
  t.is(answer.headers.get('x-content-type-options'), 'nosniff');
  t.is((await call('GET', '/realms/demo/admin-events')).status, 200);
  t.is((await call('DELETE', '/realms/demo/events')).status, 403, 'who sees may not forget');
  t.is((await call('PUT', '/realms/demo/events/config', { eventsEnabled: false })).status, 403);
  t.is((await call('GET', '/realms/other/events')).status, 403);
});
