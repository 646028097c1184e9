import { isDeepStrictEqual } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { ignoredMembers } from '../../core/admin/ignored-members.js';
import { KEYCLOAK_MEMBERS } from '../../core/realms/export/keycloak-members.js';
import { adminCaller, administered, ownRealm } from '../helpers/admin.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

type Call = Awaited<ReturnType<typeof adminCaller>>;
type Thing = Record<string, unknown>;
type Kind = keyof typeof KEYCLOAK_MEMBERS;

/** Members with an effect that no response shows. */
const HIDDEN: Partial<Record<Kind, readonly string[]>> = {
  user: ['credentials'],
};
/** Different values, for members whose type is unknown. */
const VALUES: readonly unknown[] = ['changed', true, 7, ['changed'], { changed: 'changed' }, [{ changed: true }]];

function others(value: unknown): readonly unknown[] {
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'number') return [value + 1];
  if (typeof value === 'string') return [`${value}-changed`, ...VALUES];
  if (Array.isArray(value)) return [[...value, 'changed'], [], [{ changed: true }]].filter((one) => !same(one, value));
  if (typeof value === 'object' && value !== null)
    return [{ ...value, changed: 'changed' }, {}].filter((one) => !same(one, value));
  return VALUES;
}

const same = isDeepStrictEqual;

/** The names in the response's header, without paths below them. */
function ignoredNames(answer: Awaited<ReturnType<Call>>): string[] {
  return (answer.headers.get('keyhost-ignored') ?? '').split(', ').map((path) => path.replace(/[.[].*$/, ''));
}

/** The members whose change is neither visible afterwards, nor refused, nor reported. */
async function silentlyIgnored(call: Call, kind: Kind, path: string, put = path): Promise<string[]> {
  const read = async () => [(await call('GET', path)).json].flat()[0] as Thing;
  const before = await read();
  const lost: string[] = [];
  for (const name of new Set([...KEYCLOAK_MEMBERS[kind], ...Object.keys(before)])) {
    if (HIDDEN[kind]?.includes(name)) continue;
    for (const value of others(before[name])) {
      const answer = await call('PUT', put, { ...before, [name]: value });
      if (answer.status >= 400) continue;
      if (same((await read())[name], before[name]) && !ignoredNames(answer).includes(name)) lost.push(name);
      await call('PUT', put, before);
      break;
    }
  }
  return lost;
}

async function lostByCreation(call: Call, kind: Kind, path: string, base: (name: string) => Thing): Promise<string[]> {
  let count = 0;
  const create = async (changes: Thing) => {
    count++;
    const answer = await call('POST', path, { ...base(`new-${count}`), ...changes });
    if (answer.status >= 400) return undefined;
    const url = new URL(answer.headers.get('location') ?? '');
    return { answer, shown: (await call('GET', url.pathname.replace(/^\/admin/, ''))).json as Thing };
  };
  const plain = (await create({}))?.shown;
  if (plain === undefined) return ['nothing was created'];
  const lost: string[] = [];
  for (const name of new Set([...KEYCLOAK_MEMBERS[kind], ...Object.keys(plain)])) {
    if (HIDDEN[kind]?.includes(name) || Object.hasOwn(base(''), name)) continue;
    for (const value of others(plain[name])) {
      const made = await create({ [name]: value });
      if (made === undefined) continue;
      const says = value !== false && !(typeof value === 'object' && Object.keys(value as object).length === 0);
      if (
        says &&
        !same(made.shown[name], value) &&
        same(made.shown[name], plain[name]) &&
        !ignoredNames(made.answer).includes(name)
      )
        lost.push(name);
      break;
    }
  }
  return lost;
}

function provider(alias: string): Thing {
  const config = {
    clientId: 'a',
    clientSecret: 'b',
    authorizationUrl: 'https://a.test/auth',
    tokenUrl: 'https://a.test/token',
    jwksUrl: 'https://a.test/keys',
    issuer: 'https://a.test',
  };
  return { alias, providerId: 'oidc', config };
}

async function scene(t: ExecutionContext) {
  const { host } = await ownRealm(shared(), { adminEventsEnabled: false });
  const call = await adminCaller(host);
  const at = `/realms/${host.defaultRealm}`;
  const made = async (path: string, body: Thing) => {
    const answer = await call('POST', `${at}${path}`, body);
    t.is(answer.status, 201, answer.text);
    return new URL(answer.headers.get('location') ?? '').pathname.replace(/^\/admin/, '');
  };
  return { call, at, made };
}

test('Keyhost-Ignored: every member of an update acts, is refused, or is named in the header', async (t) => {
  const { call, at, made } = await scene(t);
  await call('POST', `${at}/roles`, { name: 'reader' });
  const role = (await call('GET', `${at}/roles/reader`)).json.id;
  const scope = await made('/client-scopes', { name: 'sc', protocol: 'openid-connect' });
  const mapper = await made(`${scope.slice(at.length)}/protocol-mappers/models`, {
    name: 'm',
    protocol: 'openid-connect',
    protocolMapper: 'oidc-full-name-mapper',
  });
  const instance = await made('/identity-provider/instances', provider('other'));
  const providerMapper = await made('/identity-provider/instances/other/mappers', {
    name: 'm',
    identityProviderAlias: 'other',
    identityProviderMapper: 'oidc-hardcoded-role-idp-mapper',
    config: { role: 'reader' },
  });
  const flow = await made('/authentication/flows', { alias: 'own', providerId: 'basic-flow', topLevel: true });
  const step = `${at}/authentication/flows/own/executions`;
  await call('POST', `${step}/execution`, { provider: 'auth-cookie' });
  const things: readonly (readonly [Kind, string])[] = [
    ['client', await made('/clients', { clientId: 'c', redirectUris: ['https://a.test/cb'] })],
    ['clientScope', scope],
    ['protocolMapper', mapper],
    ['role', `${at}/roles-by-id/${role}`],
    ['group', await made('/groups', { name: 'g' })],
    ['user', await made('/users', { username: 'user', email: 'u@a.test', firstName: 'A', lastName: 'B' })],
    ['identityProvider', instance],
    ['identityProviderMapper', providerMapper],
    ['flow', flow],
    ['execution', step],
    ['requiredAction', `${at}/authentication/required-actions/UPDATE_PROFILE`],
    ['realm', at],
  ];
  const lost: Record<string, string[]> = {};
  for (const [kind, path] of things) lost[kind] = await silentlyIgnored(call, kind, path);
  t.deepEqual(lost, Object.fromEntries(things.map(([kind]) => [kind, []])));
});

test('Keyhost-Ignored: every member of a create acts, is refused, or is named in the header', async (t) => {
  const { call, at } = await scene(t);
  const things: readonly (readonly [Kind, string, (name: string) => Thing])[] = [
    ['client', '/clients', (clientId) => ({ clientId })],
    ['clientScope', '/client-scopes', (name) => ({ name })],
    ['role', '/roles', (name) => ({ name })],
    ['group', '/groups', (name) => ({ name })],
    ['user', '/users', (username) => ({ username })],
    ['identityProvider', '/identity-provider/instances', provider],
    ['flow', '/authentication/flows', (alias) => ({ alias })],
  ];
  for (const [kind, path, base] of things)
    t.deepEqual(await lostByCreation(call, kind, `${at}${path}`, base), [], kind);
});

/** A document of 16 MB has 16 million bytes, and each would be a member. */
test('ignored members: a body without a JSON schema is not read', async (t) => {
  const bytes = new Proxy(Buffer.from('{"realm": "demo"}'), {
    ownKeys: () => t.fail('the members of a document were read') as never,
  });
  t.deepEqual(await ignoredMembers({ method: 'POST' }, [], bytes, async () => ({ resource: {}, params: {} })), []);
});
