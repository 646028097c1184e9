import test from 'ava';
import { adminCaller, startAdministered } from '../helpers/admin.js';
import { fetchAnswer } from '../helpers/host.js';
import { bearer } from '../helpers/login.js';
import { pluginSource } from '../helpers/plugins.js';
import { testRealm } from '../helpers/realms.js';

const TYPE = 'org.keycloak.services.clientregistration.policy.ClientRegistrationPolicy';

/** Waits at a gate that the test opens. */
const plugin = pluginSource(import.meta.url, 'plugins/gated.js');

async function started(t: Parameters<typeof startAdministered>[0]) {
  const components = { [TYPE]: [{ name: 'Ours', providerId: 'gated', subType: 'anonymous', config: {} }] };
  const host = await startAdministered(t, {
    realms: [testRealm('demo', { components, providers: {} })],
    plugins: [{ module: 'gated' }],
    packages: { gated: plugin },
  });
  const registrations = `${host.realm('demo')}/clients-registrations/default`;
  const sent = async (method: string, url: string, body: object, token?: string) => {
    const headers = { 'content-type': 'application/json', ...(token === undefined ? {} : bearer(token)) };
    return fetchAnswer(url, { method, headers, body: JSON.stringify(body) });
  };
  return {
    call: await adminCaller(host),
    register: () => sent('POST', registrations, { redirectUris: ['https://x.test/cb'] }),
    change: (clientId: string, token: string, body: object) =>
      sent('PUT', `${registrations}/${clientId}`, { clientId, ...body }, token),
  };
}

/** Sets the answers of the policy to successive calls; the last one is repeated. */
function answering(...answers: (() => Promise<void> | void)[]) {
  let count = 0;
  Object.assign(globalThis, {
    registrationGate: async () => {
      const answer = answers[Math.min(count, answers.length - 1)];
      count += 1;
      await answer?.();
    },
  });
  return () => count;
}

function gate() {
  let arrive = () => {};
  let open = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const pass = () => {
    arrive();
    return opened;
  };
  return { arrived, open, pass };
}

test.after.always(() => void Reflect.deleteProperty(globalThis, 'registrationGate'));

test.serial(
  'registration policies of plugins: no edit of a realm waits for a policy, even if it is called again',
  async (t) => {
    const { call, register, change } = await started(t);
    const scopes = (await call('GET', '/realms/demo/client-scopes')).json as unknown as { id: string; name: string }[];
    const idOf = (scope: string) => scopes.find(({ name }) => name === scope)?.id;
    const edited = async (path: string, body: object = {}) => t.is((await call('PUT', path, body)).status, 204, path);
    const held = async (asking: () => ReturnType<typeof register>, scope: string) => {
      const gates = [gate(), gate()];
      const count = answering(...gates.map(({ pass }) => pass));
      const pending = asking();
      await gates[0]?.arrived;
      await edited(`/realms/demo/default-default-client-scopes/${idOf(scope)}`);
      gates[0]?.open();
      await gates[1]?.arrived;
      await edited('/realms/demo', { displayName: scope });
      gates[1]?.open();
      const answer = await pending;
      t.is(count(), 2, 'what is no question to the policy is not asked again');
      return answer;
    };
    const made = await held(register, 'phone');
    t.is(made.status, 201, made.text);
    const { clientId = '', registrationAccessToken = '' } = made.json as Record<string, string>;
    const changed = await held(() => change(clientId, registrationAccessToken, { name: 'New' }), 'address');
    t.is(changed.status, 200, changed.text);
    t.like(changed.json, { name: 'New' } as object);
  },
);

test.serial(
  'registration policies of plugins: many parallel registrations are all checked, and none is turned away',
  async (t) => {
    const { register } = await started(t);
    // Answer asynchronously: without a queue only one request would succeed per round, and most would run out of
    // rounds.
    answering(() => new Promise<void>((resolve) => setImmediate(resolve)));
    const answers = await Promise.all(Array.from({ length: 30 }, register));
    t.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 201),
    );
  },
);
