import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { CLIENT_KINDS } from '../../core/connect/client-kinds.js';
import { type Framework, listFrameworks } from '../../core/connect/framework-pages.js';
import { formatInstructions } from '../../core/connect/instructions.js';
import type { ClientRepresentation } from '../../core/model/representation.js';
import { freshCode, redeem } from '../helpers/codes.js';
import { keyhost, type Ran } from '../helpers/command.js';
import { CALLBACK } from '../helpers/form-browser.js';
import { claimsOf, fetchAnswer } from '../helpers/host.js';
import { COMMAND, folder, remote, run } from '../helpers/process.js';
import { testRealm } from '../helpers/realms.js';

const ADMIN = { KEYHOST_BOOTSTRAP_ADMIN_USERNAME: 'root', KEYHOST_BOOTSTRAP_ADMIN_PASSWORD: 'root-password' };

/** `keyhost client create` in the folders of a test. */
function creating(dir: string, env: Record<string, string> = {}) {
  const places = ['--realms-dir', join(dir, 'realms'), '--data-dir', join(dir, 'data')];
  return (words: string[]): Promise<Ran> => keyhost(['client', 'create', ...words, ...places], { env });
}

/** A client of the realm file. */
async function inFile(dir: string, clientId: string): Promise<ClientRepresentation | undefined> {
  const realm = JSON.parse(await readFile(join(dir, 'realms/demo.json'), 'utf8'));
  return realm.clients.find((client: ClientRepresentation) => client.clientId === clientId);
}

async function fileState(dir: string): Promise<{ state: string; edits: string[] }> {
  const { url, secret } = JSON.parse(await readFile(join(dir, 'data/management.json'), 'utf8'));
  const { text } = await fetchAnswer(`${url}/realms`, { headers: { authorization: `Bearer ${secret}` } });
  return JSON.parse(text).find(({ realm }: { realm: string }) => realm === 'demo');
}

test('keyhost client create: without a running host, each kind of client is written into the realm file, and the rest of it stays', async (t) => {
  const dir = await folder(t, []);
  const file = join(dir, 'realms/demo.json');
  const start = '{ "realm":"demo",\n\t"enabled" : true,\n';
  const end = '  "users": [ ]\n}\n';
  await writeFile(file, `${start}  "clients": [{ "clientId": "cli" }],\n${end}`);
  const create = creating(dir);
  const url = ['--url', 'https://shop.example.com/'];
  const kinds: [string, string[], Partial<ClientRepresentation>][] = [
    [
      'web-app',
      url,
      {
        redirectUris: ['https://shop.example.com/callback'],
        publicClient: false,
        standardFlowEnabled: true,
        attributes: { 'post.logout.redirect.uris': 'https://shop.example.com##https://shop.example.com/' },
      },
    ],
    [
      'single-page-app',
      [...url, '--redirect-uris', 'https://shop.example.com/cb,https://shop.example.com/silent'],
      {
        redirectUris: ['https://shop.example.com/cb', 'https://shop.example.com/silent'],
        webOrigins: ['+'],
        publicClient: true,
        attributes: {
          'post.logout.redirect.uris': 'https://shop.example.com##https://shop.example.com/',
          'pkce.code.challenge.method': 'S256',
        },
      },
    ],
    [
      'native',
      [],
      {
        redirectUris: ['http://127.0.0.1/callback'],
        publicClient: true,
        attributes: {
          'pkce.code.challenge.method': 'S256',
          'oauth2.device.authorization.grant.enabled': 'true',
        },
      },
    ],
    ['machine', [], { standardFlowEnabled: false, serviceAccountsEnabled: true, publicClient: false }],
    ['api', [], { standardFlowEnabled: false, bearerOnly: true, publicClient: false }],
    ['software', url, { standardFlowEnabled: true, publicClient: false }],
  ];
  t.deepEqual(
    kinds.map(([kind]) => kind),
    CLIENT_KINDS.map(({ id }) => id),
  );
  for (const [kind, more, expected] of kinds) {
    const { code, stdout, stderr } = await create(['--kind', kind, '--name', `My ${kind}!`, ...more]);
    t.is(code, 0, stderr);
    const client = await inFile(dir, `my-${kind}`);
    t.like(client, {
      name: `My ${kind}!`,
      implicitFlowEnabled: false,
      directAccessGrantsEnabled: false,
      serviceAccountsEnabled: kind === 'machine',
      ...expected,
    });
    t.regex(stdout, new RegExp(`^Created the client my-${kind} in \\S+demo\\.json:\\d+:\\d+\\. It takes effect when`));
    t.notRegex(stdout, /```|`|<http/);
    // A command is on lines of its own, to be copied.
    if (kind === 'api') t.regex(stdout, /\n─+\nnpx keyhost client create --audience my-api\n─+\n/);
    t.is(client?.secret !== undefined, expected.publicClient === false);
    if (client?.secret !== undefined) t.true(client.secret.length >= 40 && stdout.includes(client.secret));
  }
  const written = await readFile(file, 'utf8');
  t.true(
    written.startsWith(`${start}  "clients": [\n    { "clientId": "cli" },\n    {\n      "clientId": "my-web-app",\n`),
  );
  t.true(written.endsWith(`\n    }\n  ],\n${end}`));
  const checked = await keyhost(['realm', 'check', file, '--plugins-file', join(dir, 'plugins.json')]);
  t.is(checked.code, 0, checked.stdout);

  for (const [words, said] of [
    [['--name', 'x'], /--kind is required/],
    [['--kind', 'spa', '--name', 'x'], /--kind: unknown value "spa".*\n.*web-app, single-page-app/],
    [['--kind', 'web-app', '--name', 'x'], /--url is required/],
    [['--kind', 'web-app', '--name', 'x', '--url', 'shop'], /--url: "shop" is not the URL of an app/],
    [['--kind', 'machine', '--name', 'x', '--client-id', 'a b'], /--client-id: "a b" has other characters/],
    [['--kind', 'native', '--name', 'x', '--redirect-uris', 'http://a/#b'], /--redirect-uris: "http:\/\/a\/#b" is not/],
    [['--framework', 'expres', '--name', 'x'], /--framework: unknown value "expres".*\n.*did you mean express\?/],
    [['--framework', 'express', '--kind', 'machine', '--name', 'x'], /express is of the kind web-app/],
    [['--kind', 'machine', '--name', 'My web-app'], /the client my-web-app already exists in the realm demo/],
    [['--kind', 'machine', '--name', 'x', '--client-id', 'admin-cli'], /the client admin-cli already exists/],
    [['--kind', 'machine', '--name', 'x', '--realm', 'other'], /no file in \S+ defines the realm "other"/],
  ] as const) {
    const { code, stderr } = await create([...words]);
    t.is(code, 1, words.join(' '));
    t.regex(stderr, said);
  }
  t.is(await readFile(file, 'utf8'), written);
});

test('keyhost client create: a development host applies the client at once, and its tokens have groups and audience', async (t) => {
  const dir = await folder(t, [testRealm('demo')]);
  const host = await run(t, dir, ['start-dev']);
  t.truthy(host.url, host.output());
  const create = creating(dir);
  const api = await create(['--kind', 'api', '--name', 'Orders']);
  t.regex(api.stdout, /The server has applied it\.\n\n {2}Issuer {9}http:\/\/localhost:\d+\/realms\/demo\n/);
  const { code, stdout, stderr } = await create([
    '--kind',
    'machine',
    '--name',
    'Job',
    '--audience',
    'orders',
    '--groups',
  ]);
  t.is(code, 0, stderr);
  const secret = (await inFile(dir, 'job'))?.secret ?? '';
  t.regex(stdout, new RegExp(`-u 'job:${secret}' -d grant_type=client_credentials`));
  const token = (form: Record<string, string>, of: string) =>
    fetchAnswer(`${host.url}/realms/demo/protocol/openid-connect/token${of}`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
  const job = { client_id: 'job', client_secret: secret };
  const { json } = await token({ ...job, grant_type: 'client_credentials', scope: 'groups' }, '');
  t.deepEqual([claimsOf(json.access_token ?? '').aud].flat().includes('orders'), true);
  t.regex(claimsOf(json.access_token ?? '').scope ?? '', /\bgroups\b/);
  const orders = { client_id: 'orders', client_secret: (await inFile(dir, 'orders'))?.secret ?? '' };
  t.like((await token({ ...orders, token: json.access_token ?? '' }, '/introspect')).json, { active: true });
  t.like(await fileState(dir), { state: 'applied', edits: [] });

  // A client that the host rejects does not stay in the file.
  const file = join(dir, 'realms/demo.json');
  const before = await readFile(file, 'utf8');
  const refused = await create(['--kind', 'native', '--name', 'Bad', '--redirect-uris', 'javascript:alert(1)']);
  t.is(refused.code, 1);
  t.regex(refused.stderr, /rejects the client bad \[realm_invalid]\n.*redirectUris\[0]: must not have this scheme/);
  t.is(await readFile(file, 'utf8'), before);
});

test('keyhost client create: an admin and a service account create a client of a running host and its realm file', async (t) => {
  const dir = await folder(t, [testRealm('demo')]);
  const host = await run(t, dir, ['start-dev'], ADMIN);
  t.truthy(host.url, host.output());
  const url = host.url ?? '';
  const create = creating(dir, { PASSWORD: 'root-password', WRONG: 'wrong-password' });
  const admin = ['--server', url, '--realm', 'demo', '--username', 'root', '--password:env', 'PASSWORD'];
  const shop = ['--framework', 'argocd', '--name', 'Shop', '--url', 'https://shop.example.com'];
  const { code, stdout, stderr } = await create([...shop, ...admin]);
  t.is(code, 0, stderr);
  const secret = /Client secret {2}(\S+)/.exec(stdout)?.[1] ?? '';
  const shown = stdout.slice(stdout.indexOf('If a realm file'));
  t.false(shown.includes(secret));
  t.is((await fileState(dir)).state, 'drifted');
  const [, scopes = '', clients = ''] = /"clientScopes": (\[[\s\S]*\]),\n"clients": (\[[\s\S]*\])\n$/.exec(shown) ?? [];
  const file = join(dir, 'realms/demo.json');
  const realm = JSON.parse(await readFile(file, 'utf8'));
  realm.clientScopes.push(...JSON.parse(scopes));
  realm.clients.push(...JSON.parse(clients));
  await writeFile(join(dir, 'with.json'), JSON.stringify(realm));
  const places = ['--data-dir', join(dir, 'data'), '--plugins-file', join(dir, 'plugins.json')];
  const plan = await keyhost(['realm', 'plan', join(dir, 'with.json'), ...places]);
  t.is(plan.code, 0, plan.stdout + plan.stderr);
  // A client of an admin is in no file, and one in the file would overwrite it.
  const inRealmFile = creating(dir);
  for (const [words, said] of [
    [shop, /the client shop already exists in the realm demo/],
    [
      ['--kind', 'native', '--name', 'Cli', '--groups'],
      /demo has a client scope groups that its file does not contain/,
    ],
  ] as const) {
    const answer = await inRealmFile([...words]);
    t.is(answer.code, 1, answer.stdout);
    t.regex(answer.stderr, said);
  }
  t.deepEqual(JSON.parse(await readFile(file, 'utf8')), testRealm('demo'));
  const login = { grant_type: 'authorization_code', client_id: 'shop', client_secret: secret, code: 'x' };
  const token = `${url}/realms/demo/protocol/openid-connect/token`;
  t.is((await fetchAnswer(token, { method: 'POST', body: new URLSearchParams(login) })).json.error, 'invalid_grant');

  // The realm of the admin decides: the realm's own service account may create no client without the role.
  const job = await create(['--kind', 'machine', '--name', 'Job', ...admin]);
  const env = { SECRET: /Client secret {2}(\S+)/.exec(job.stdout)?.[1] ?? '' };
  const service = ['--admin-realm', 'demo', '--service-client-id', 'job', '--service-client-secret:env', 'SECRET'];
  const machine = ['--kind', 'machine', '--name', 'Other'];
  const forbidden = await creating(dir, env)([...machine, '--server', url, '--realm', 'demo', ...service]);
  t.regex(forbidden.stderr, /the server refuses: .*403.*\n.*requires the role manage-clients/);
  for (const [words, said] of [
    [[...shop, ...admin], /the client shop already exists in the realm demo/],
    [[...machine, ...admin.slice(0, 6)], /the password is missing.*\n.*--password:env VARIABLE/],
    [
      [...machine, ...admin.slice(0, 4), '--username', 'root', '--password:env', 'WRONG'],
      /rejects these credentials: /,
    ],
    [[...machine, ...admin, '--realm', 'none'], /has no realm none \[options_invalid]\n.*--realm/],
    [[...machine, ...admin, '--server', 'http://id.example.com'], /--server: credentials require https/],
    [
      [...machine, ...admin, '--password', 'root-password'],
      /unknown option --password \(did you mean "--password:env"\?\)/,
    ],
  ] as const) {
    const answer = await create([...words]);
    t.is(answer.code, 1, answer.stdout);
    t.regex(answer.stderr, said);
    t.notRegex(answer.stdout + answer.stderr, /(root|wrong)-password/);
  }
});

/** A running `keyhost client create --wait`. */
function waiting(t: ExecutionContext, words: readonly string[]) {
  const child = spawn(process.execPath, [COMMAND, 'client', 'create', '--wait', ...words], {
    env: { ...process.env, PASSWORD: 'root-password' },
  });
  t.teardown(() => child.kill());
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const said = (text: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => text.test(output) && resolve(output);
      child.stdout.on('data', look);
      child.stderr.on('data', look);
      child.once('close', () => reject(new Error(output)));
      look();
    });
  const ended = new Promise((resolve) => child.once('close', resolve));
  return { said, ended, output: () => output };
}

test('keyhost client create: it waits for the first sign-in, reports why one failed, and ends after its time', async (t) => {
  const dir = await folder(t, [testRealm('demo')]);
  const machine = ['--kind', 'machine', '--wait'];
  for (const [words, said] of [
    [[...machine, '--name', 'x'], /--wait requires a running server/],
    [[...machine, '--name', 'x', '--wait-timeout', 'soon'], /--wait-timeout: "soon" is not a number of seconds/],
  ] as const) {
    const { code, stderr } = await creating(dir)([...words]);
    t.is(code, 1);
    t.regex(stderr, said);
  }
  const host = await run(t, dir, ['start-dev'], ADMIN);
  t.truthy(host.url, host.output());
  const api = await creating(dir)(['--kind', 'api', '--name', 'x', '--wait']);
  t.regex(api.stderr, /--wait: nobody signs in to an API/);
  t.is(await inFile(dir, 'x'), undefined);
  const asks = (clientId: string, secret: string) =>
    fetchAnswer(`${host.url}/realms/demo/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: secret }),
    });
  const admin = ['--server', host.url ?? '', '--realm', 'demo', '--username', 'root', '--password:env', 'PASSWORD'];
  const own = ['--realms-dir', join(dir, 'realms'), '--data-dir', join(dir, 'data')];
  for (const [name, places] of [
    ['job', own],
    ['other', admin],
  ] as const) {
    const { said, output, ended } = waiting(t, ['--kind', 'machine', '--name', name, ...places]);
    await said(new RegExp(`Waiting for the first token of ${name}, for at most 600 seconds`));
    const secret = /Client secret {2}(\S+)/.exec(output())?.[1] ?? '';
    t.is((await asks(name, 'wrong')).status, 401);
    await said(/A sign-in failed: invalid_client_credentials: the app sends another client secret/);
    t.is((await asks(name, secret)).status, 200);
    t.is(await ended, 0, output());
    t.regex(output(), new RegExp(`The first token has arrived: ${name} is connected\\.\n$`));
  }
  // The sign-in of a person is not enough: the app must fetch its tokens.
  const url = ['--url', 'http://127.0.0.1:9999', '--redirect-uris', CALLBACK];
  const shop = waiting(t, ['--kind', 'web-app', '--name', 'shop', ...url, ...own]);
  await shop.said(/Waiting for the first sign-in of shop/);
  const secret = /Client secret {2}(\S+)/.exec(shop.output())?.[1] ?? '';
  const code = await freshCode(remote(host), { client_id: 'shop' });
  t.is((await redeem(remote(host), code, { client_id: 'shop', client_secret: 'wrong' })).status, 401);
  await shop.said(/A sign-in failed: invalid_client_credentials: the app sends another client secret/);
  t.notRegex(shop.output(), /has arrived/);
  t.is((await redeem(remote(host), code, { client_id: 'shop', client_secret: secret })).status, 200);
  t.is(await shop.ended, 0, shop.output());
  t.regex(shop.output(), /The first sign-in has arrived: shop is connected\.\n$/);
  const words = [COMMAND, 'client', 'create', ...machine, '--name', 'stopped', '--data-dir', join(dir, 'data')];
  const stopped = spawn(process.execPath, [...words, '--realms-dir', join(dir, 'realms')]);
  t.teardown(() => stopped.kill());
  let said = '';
  stopped.stderr.on('data', (chunk) => {
    const isFirst = said === '';
    said += String(chunk);
    if (isFirst) stopped.kill('SIGINT');
  });
  t.is(await new Promise((resolve) => stopped.once('close', resolve)), 130);
  t.regex(said, /Stopped waiting\. The client stopped stays\.\n$/);
  t.not(await inFile(dir, 'stopped'), undefined);
  const late = await creating(dir)(['--kind', 'machine', '--wait', '--wait-timeout', '1', '--name', 'late']);
  t.is(late.code, 1);
  t.regex(late.stderr, /the first token of late has not arrived within 1 seconds.*\n.*the client exists/);
  t.not(await inFile(dir, 'late'), undefined);
});

test('keyhost client create: the code of an app is printed for the terminal, and without formatting for a pipe', async (t) => {
  const dir = await folder(t);
  const { stdout } = await creating(dir)(['--framework', 'express', '--name', 'Shop']);
  t.regex(
    stdout,
    /\n\nWrite the app\n=============\n\n─+\nnpm install express\S* \S+\n─+\n\n─+\n\/\/ app\.mjs\nimport /,
  );
  t.regex(stdout, /\n─+\n\nRun "node app\.mjs", and open http:\/\/localhost:3000\/\. \/login, /);
  t.notRegex(stdout, /```|<http|^> /m);
});

/** Pages whose app has a secret in addition to its client's. */
const OWN_SECRETS = ['express', 'fastapi', 'flask', 'koa', 'nestjs', 'nextjs'];
/** The instruction to install the packages: a command, or lines of a build file. */
const INSTALLS =
  /^```(?:sh\n(?:.+\n)*(?:npm install|pip install|go get|composer require|dotnet add package|kubectl krew install) |xml\n<dependency>)/m;
const OWN_SECRET = /(?<=['"=])[\w-]{43}(?=['"\n])/;

test('keyhost client create: every framework page has what its client needs, and its code gets the values of the client', async (t) => {
  const all = await listFrameworks();
  t.true(all.length >= 20);
  for (const framework of all) {
    t.true(
      CLIENT_KINDS.some(({ id }) => id === framework.kind),
      framework.id,
    );
    t.regex(framework.tried, /^(test|no|\d{4}-\d\d-\d\d)$/, framework.id);
    t.is(framework.page.includes('Nobody has run this page yet'), framework.tried === 'no', framework.id);
    const text = codeOf(t, framework);
    t.true(text.includes('https://id.example.com/auth/realms/big%20shop') || text.includes("'big shop'"), framework.id);
    t.true(text.includes('client-of-mine'), framework.id);
    t.notRegex(text, /localhost|\b(3000|8080)\b|client create|\]\(\.\.?\//, framework.id);
    if (framework.kind !== 'software') t.regex(framework.page, INSTALLS, framework.id);
    const hasSecret = !framework.isPublic && framework.kind !== 'single-page-app';
    t.is(text.includes('5ecret'), hasSecret, framework.id);
    // The app's own secret is generated each time, so that the code works as printed.
    t.notRegex(text, /a[ -]secret[ -]of[ -]your/, framework.id);
    const own = OWN_SECRET.exec(text)?.[0];
    t.is(own === undefined, !OWN_SECRETS.includes(framework.id), framework.id);
    if (own !== undefined) t.false(codeOf(t, framework).includes(own), framework.id);
  }
});

function codeOf(t: ExecutionContext, framework: Framework): string {
  const kind = CLIENT_KINDS.find(({ id }) => id === framework.kind);
  if (kind === undefined) throw t.fail(framework.kind);
  const client = {
    kind,
    clientId: 'client-of-mine',
    name: 'Mine',
    url: 'https://app.example.com:4321',
    redirectUris: [],
    postLogoutUris: [],
    audiences: [],
    offlineAccess: false,
    isPublic: framework.isPublic,
    requiresPkce: false,
    groups: false,
    roles: false,
  };
  const server = 'https://id.example.com/auth';
  return formatInstructions({ server, realm: 'big shop', client, secret: '5ecret' }, framework);
}
