import { spawnSync } from 'node:child_process';
import anyTest, { type ExecutionContext } from 'ava';
import { adminCaller, administered, ROOT } from '../helpers/admin.js';
import { ran } from '../helpers/command.js';
import { Browser, follow } from '../helpers/form-browser.js';
import { fetchAnswer } from '../helpers/host.js';
import { commandBlocks, snippet } from '../helpers/readme-blocks.js';
import { shareHost } from '../helpers/shared-host.js';

const HOW_TO = 'core/docs/how-to';
const USERS = ['erika', 'otto', 'nina'];
const SHOP = {
  realm: 'shop',
  enabled: true,
  eventsEnabled: true,
  bruteForceProtected: true,
  failureFactor: 2,
  users: USERS.map((username) => ({
    username,
    email: `${username}@example.com`,
    firstName: 'A',
    lastName: 'B',
    enabled: true,
    realmRoles: ['default-roles-shop', ...(username === 'nina' ? ['support'] : [])],
    credentials: [{ type: 'password', value: `${username}-pass-1` }],
  })),
  ...(JSON.parse(await snippet(`${HOW_TO}/delegate-administration.md`, '{')) as object),
};

const host = shareHost(anyTest, administered({ realms: [SHOP], plugins: [] }));
const hasJq = spawnSync('jq', ['--version']).status === 0;
const test = hasJq ? anyTest.serial : anyTest.skip;
const because = hasJq ? '' : ' (no jq here)';

/** Runs the commands of a page as they are printed, and returns their output. */
async function runPage(t: ExecutionContext, page: string, edit = (commands: string) => commands): Promise<string> {
  const blocks = await commandBlocks(`${HOW_TO}/${page}.md`);
  const commands = blocks.flatMap(({ printed }) => printed.map(({ command }) => command)).join('\n');
  const here = edit(commands)
    .replaceAll('http://127.0.0.1:8080', host().url)
    .replaceAll('username=admin', 'username=root');
  const { access_token } = (await host().token('master', { ...ROOT, grant_type: 'password', client_id: 'admin-cli' }))
    .json;
  const env = { PASSWORD: ROOT.password, TOKEN: String(access_token) };
  const { code, stdout, stderr } = await ran('bash', ['-euc', here], { env });
  t.is(code, 0, stderr);
  t.notRegex(stdout, /"errorMessage":"|"error":"(?!user_|invalid_user_)/);
  return stdout;
}

/** The page after the password. */
async function signIn(username: string, password = `${username}-pass-1`): Promise<string> {
  const browser = new Browser();
  const login = await follow(browser, await browser.open(`${host().realm('shop')}/account`));
  return (await follow(browser, await browser.submit(login, { username, password }))).text;
}

const jwks = async () =>
  (await fetchAnswer(`${host().oidc('shop')}/certs`)).json as unknown as { keys: { kid: string; alg: string }[] };
const rsKeys = async () => (await jwks()).keys.filter(({ alg }) => alg === 'RS256').map(({ kid }) => kid);

test(`admin tasks: the commands of the page about a second factor require one of every user${because}`, async (t) => {
  const call = await adminCaller(host());
  t.notRegex(await signIn('otto'), /Set up authenticator app/);
  await runPage(t, 'second-factor');
  const [erika] = (await call('GET', '/realms/shop/users?username=erika')).json as unknown as [{ requiredActions: [] }];
  t.deepEqual(erika.requiredActions as string[], ['CONFIGURE_TOTP']);
  const action = await call('GET', '/realms/shop/authentication/required-actions/CONFIGURE_TOTP');
  t.like(action.json, { defaultAction: true } as never);
  t.regex(await signIn('otto'), /Set up authenticator app/);
  t.is((await call('PUT', '/realms/shop', { browserFlow: 'browser' })).status, 204);
  t.notRegex(await signIn('otto'), /Set up authenticator app/);
});

test(`admin tasks: the commands of the page about password rules refuse a short password${because}`, async (t) => {
  const call = await adminCaller(host());
  await runPage(t, 'password-rules');
  const [{ id }] = (await call('GET', '/realms/shop/users?username=otto')).json as unknown as [{ id: string }];
  const refused = await call('PUT', `/realms/shop/users/${id}/reset-password`, { type: 'password', value: 'short-1' });
  t.is(refused.status, 400);
  t.regex(refused.text, /Invalid password: minimum length 12\./);
});

test(`admin tasks: the commands of the page about keys replace the signing key${because}`, async (t) => {
  const call = await adminCaller(host());
  const { keys } = (await call('GET', '/realms/shop/keys')).json as unknown as {
    keys: { kid: string; algorithm: string; providerId: string }[];
  };
  const old = keys.find(({ algorithm }) => algorithm === 'RS256');
  t.true((await rsKeys()).includes(old?.kid ?? ''));
  const edit = (commands: string) => commands.replace('the-providerId-of-the-old-key', old?.providerId ?? '');
  const output = await runPage(t, 'rotate-keys', edit);
  t.true(output.includes(old?.providerId ?? '-'), output);
  const now = await rsKeys();
  t.is(now.length, 1);
  t.not(now[0], old?.kid);
});

test(`admin tasks: the commands of the page about failed sign-ins show the reason and unlock the user${because}`, async (t) => {
  for (let attempt = 0; attempt < 3; attempt += 1) await signIn('erika', 'wrong');
  const output = await runPage(t, 'why-cant-she-sign-in');
  t.regex(output, /"error":"user_temporarily_disabled"/);
  t.regex(output, /"error":"invalid_user_credentials"/);
  t.regex(output, /"disabled":true/);
  t.notRegex(await signIn('erika'), /Invalid username or password/);
});

test(`admin tasks: the role of the page about delegation lets its user manage users alone${because}`, async (t) => {
  const login = { grant_type: 'password', client_id: 'admin-cli', username: 'nina', password: 'nina-pass-1' };
  const { json } = await host().token('shop', login);
  const get = (path: string) =>
    fetchAnswer(`${host().url}/admin/realms/shop${path}`, {
      headers: { authorization: `Bearer ${json.access_token}` },
    });
  t.is((await get('/users')).status, 200);
  t.is((await get('/clients')).status, 403);
});
