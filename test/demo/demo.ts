import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BookAuthorConsumer, EXPENSIVE_BOOK, type FieldMap, toObject } from '@keyhost/books/consumer';
import { createRemoteJWKSet, jwtVerify } from 'jose';

/**
 * Demonstrates Keyhost's main purpose with a real host. A back-end requests an action token, the user follows the link,
 * and a resource server, which has no notion of action tokens, allows exactly one item to be read. Exits with 1 if a
 * step fails.
 */
const ALICE = 'a11ce000-0000-4000-8000-000000000001';
const bold = (text: string) => (process.stdout.isTTY ? `\u001b[1m${text}\u001b[0m` : text);
const say = (text: string) => process.stdout.write(`${text}\n`);
let step = 0;

function title(text: string): void {
  step += 1;
  say(`\n${bold(`${step}. ${text}`)}`);
}

function expect(holds: boolean, what: string): void {
  if (!holds) throw new Error(`does not hold: ${what}`);
  say(`   ✔ ${what}`);
}

/** Long tokens are shown by their ends. */
function shorten(text: string): string {
  return text.replace(/ey[\w-]{20,}\.[\w-]+\.[\w-]+/g, (token) => `${token.slice(0, 12)}…${token.slice(-6)}`);
}

async function call(
  method: string,
  url: string,
  init: RequestInit = {},
): Promise<{ status: number; body: Record<string, string> }> {
  const sent = typeof init.body === 'string' ? `\n     ${init.body}` : '';
  say(`   → ${method} ${shorten(url)}${sent}`);
  const response = await fetch(url, { ...init, method, signal: AbortSignal.timeout(15_000) });
  const text = await response.text();
  say(`   ← ${response.status} ${shorten(text)}`);
  return { status: response.status, body: JSON.parse(text) as Record<string, string> };
}

async function main(): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-demo-'));
  const stop: (() => Promise<unknown>)[] = [() => rm(dir, { recursive: true, force: true })];
  try {
    const realm = JSON.parse(await readFile('realms/demo.json', 'utf8')) as {
      clients: object[];
      providers: Record<string, Record<string, { enabled: boolean }>>;
    };
    await mkdir(join(dir, 'realms'));
    const write = (name: string, value: object) =>
      writeFile(join(dir, 'realms', `${name}.json`), JSON.stringify(value, null, 2));
    await write('demo', realm);
    const twin = JSON.parse(JSON.stringify(realm).replaceAll('default-roles-demo', 'default-roles-short')) as object;
    await write('short', { ...twin, realm: 'short', id: undefined, actionTokenGeneratedByUserLifespan: 1 });
    const providers = structuredClone(realm.providers);
    let { base, grpc } = await startHost(dir, stop);
    const api = await startResourceServer(`${base}/realms/demo`, stop);

    title('A back-end asks for an action token for alice and application 42');
    const generated = await generate(base, 'demo', '42');
    expect(generated.status === 200, 'the answer is 200 with a token and a link');
    const { link = '', token = '' } = generated.body;

    title('The link is followed with no other credential');
    const followed = await call('GET', link);
    expect(followed.status === 200, 'the answer is a token response');
    const access = followed.body.access_token ?? '';
    const claims = JSON.parse(Buffer.from(access.split('.')[1] ?? '', 'base64url').toString()) as Record<string, never>;
    say(`     claims: ${JSON.stringify(claims)}`);
    expect(claims.scope === 'newsletterscope42', 'the scope is newsletterscope42 and nothing else');
    expect(claims.aud === 'newsletter-api' && claims.sub === ALICE, 'it is for newsletter-api, on behalf of alice');

    title('A resource server that only knows OIDC access tokens lets item 42 be read, and not item 43');
    const headers = { authorization: `Bearer ${access}` };
    expect((await call('GET', `${api}/items/42`, { headers })).status === 200, 'item 42 is read');
    expect((await call('GET', `${api}/items/43`, { headers })).status === 403, 'item 43 is refused');

    title('The link is refused when it is tampered with');
    const [head = '', payload = '', signature = ''] = token.split('.');
    const edited = Buffer.from(payload, 'base64url').toString().replace('"42"', '"43"');
    const forged = `${head}.${Buffer.from(edited).toString('base64url')}.${signature}`;
    const tampered = await call('GET', `${base}/realms/demo/login-actions/action-token?key=${forged}`);
    expect(tampered.status === 400, 'the edited token is refused');

    title('The link is refused in another realm');
    const elsewhere = await call('GET', link.replace('/realms/demo/', '/realms/short/'));
    expect(elsewhere.status === 400, 'the token of realm demo is nothing in realm short');

    title('The link is refused once it has expired');
    const brief = await generate(base, 'short', '42');
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    const expired = await call('GET', brief.body.link ?? '');
    expect(
      expired.status === 400 && expired.body.error_description === 'Action expired.',
      'the answer says: Action expired.',
    );

    title('A plugin serves books over gRPC: the reference consumer asks all four calls');
    await showBooks(grpc);

    title('The link is refused when the handler is disabled in the realm');
    await stop.pop()?.();
    await stop.pop()?.();
    const handlers = providers['action-token-handler'] ?? {};
    for (const handler of Object.values(handlers)) handler.enabled = false;
    await write('demo', { ...realm, providers });
    ({ base, grpc } = await startHost(dir, stop));
    const again = link.replace(/^http:\/\/[^/]+/, base);
    expect((await call('GET', again)).status === 400, 'the type of the token is unknown there');
    expect((await generate(base, 'demo', '42')).status === 404, 'no further token is made');
    say(`\n${bold('Every step holds.')}`);
  } finally {
    for (const undo of stop.reverse()) await undo();
  }
}

/** Each answer is a map of field descriptor to value; it is printed by the names of the proto file. */
async function showBooks(address: string): Promise<void> {
  const books = new BookAuthorConsumer({ address });
  const show = (call: string, answer: FieldMap | readonly FieldMap[]) => {
    const all = (Array.isArray(answer) ? answer : [answer]) as FieldMap[];
    say(`   → ${call}`);
    for (const fields of all) say(`   ← ${JSON.stringify(toObject(fields))}`);
    return all.map(toObject);
  };
  try {
    const [author] = show('getAuthor 2', await books.getAuthor(2));
    expect(author?.last_name === 'Shakespeare', 'author 2 is found');
    expect((await books.getAuthor(99)).size === 0, 'there is no author 99, and that is no error');
    const written = show('getBooksByAuthor 1', await books.getBooksByAuthor(1));
    expect(written.length === 2, 'author 1 wrote two books');
    const dearest = (await books.getExpensiveBook()).get(EXPENSIVE_BOOK) ?? new Map();
    expect(show('getExpensiveBook', dearest)[0]?.price === 723.3, 'the dearest book costs 723.3');
    const women = show('getBooksByGender FEMALE', await books.getBooksByGender('FEMALE'));
    expect(women.length === 3, 'women wrote three books');
  } finally {
    books.close();
  }
}

function generate(base: string, realm: string, applicationId: string) {
  return call('POST', `${base}/realms/${realm}/newsletter/generate-token`, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userId: ALICE, applicationId }),
  });
}

/** `keyhost start-dev` on free ports, with this folder's realms and a scratch data directory. */
async function startHost(dir: string, stop: (() => Promise<unknown>)[]): Promise<{ base: string; grpc: string }> {
  const main = new URL('../../core/main.js', import.meta.url).pathname;
  const options = ['--http-port', '0', '--management-port', '0', '--grpc-port', '0'];
  const places = ['--data-dir', join(dir, 'data'), '--realms-dir', join(dir, 'realms')];
  const child = spawn(process.execPath, [main, 'start-dev', ...options, ...places, '--log-level', 'error'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  stop.push(async () => {
    child.kill('SIGTERM');
    await exited;
  });
  let output = '';
  for await (const chunk of child.stdout) {
    output += String(chunk);
    const [, base, grpc] = /^Keyhost ready http=(\S+) grpc=(\S+)/m.exec(output) ?? [];
    if (base === undefined || grpc === undefined) continue;
    child.stdout.resume();
    say(`Keyhost listens at ${base}, and for gRPC at ${grpc}`);
    return { base, grpc };
  }
  throw new Error('the host did not start');
}

/** Protects items by scope: verifies access tokens with jose, and has no notion of action tokens. */
async function startResourceServer(issuer: string, stop: (() => Promise<unknown>)[]): Promise<string> {
  const jwks = createRemoteJWKSet(new URL(`${issuer}/protocol/openid-connect/certs`));
  const server = createServer(async (request, response) => {
    const item = /^\/items\/([\w.-]+)$/.exec(request.url ?? '')?.[1];
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const answer = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    try {
      const { payload } = await jwtVerify(token, jwks, { issuer, audience: 'newsletter-api' });
      const scopes = String(payload.scope).split(' ');
      if (scopes.includes(`newsletterscope${item}`)) answer(200, { item, text: `Hello, item ${item}` });
      else answer(403, { error: 'insufficient_scope' });
    } catch {
      answer(401, { error: 'invalid_token' });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stop.push(async () => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

main().catch((error: unknown) => {
  process.stderr.write(`\n✘ ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
