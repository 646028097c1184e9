import {
  Authenticator,
  CredentialProvider,
  EventListener,
  HostError,
  provide,
  RequiredAction,
  type Session,
  type StepPage,
} from '@keyhost/spi';
import { FormBrowser } from '@keyhost/spi/testing';
import test from 'ava';
import { both, called, describe, endless, guard, NEEDED, opens, PAGE, requireAll } from '../helpers/needy-plugin.js';

const FIELDS: StepPage = {
  page: 'form',
  title: { key: 'Parcel' },
  fields: [
    {
      name: 'size',
      type: 'select',
      label: { key: 'Size' },
      options: ['s', 'm'].map((value) => ({ value, label: { key: value } })),
    },
    { name: 'order', type: 'hidden', value: 'o-1', label: { key: 'Order' } },
    { name: 'gift', type: 'checkbox', label: { key: 'Gift' } },
    { name: 'count', type: 'number', label: { key: 'Count' } },
    { name: 'mail', type: 'email', label: { key: 'Mail' } },
  ],
  submit: { key: 'Continue' },
};

test('conforms, steps: the page of a step is sent as a browser sends it: as it is, and then with something in every field', async (t) => {
  const forms: Readonly<Record<string, string>>[] = [];
  const step = provide(Authenticator, {
    id: 'parcel',
    open: () => ({
      create: () => ({
        authenticate: async ({ form }) =>
          form === undefined ? { outcome: 'challenge', page: FIELDS } : { outcome: 'success' },
        async action(_, form) {
          forms.push(form);
          return form.count === '' ? { outcome: 'challenge', page: FIELDS } : { outcome: 'success' };
        },
      }),
    }),
  });
  await called(t, Authenticator, [step]);
  t.deepEqual([...new Set(forms.map((form) => JSON.stringify(form)))].sort(), [
    '{"size":"","order":"o-1","count":"","mail":""}',
    '{"size":"s","order":"o-1","gift":"on","count":"1","mail":"someone@example.test"}',
  ]);
});

test('conforms, steps: a redirecting step gets the browser back, and a waiting one is polled; each beside steps that answer before it', async (t) => {
  const away = provide(Authenticator, {
    id: 'away',
    settings: NEEDED,
    open: () => ({
      create: () => ({
        async authenticate({ returnTo, config }) {
          if (returnTo === undefined) return { outcome: 'attempted' };
          const to = new URL(config.url ?? '');
          to.search = new URLSearchParams({ redirect_uri: returnTo.url, state: returnTo.state }).toString();
          return { outcome: 'redirect', to: to.href, state: 'kept' };
        },
        async returned({ state }, { code }) {
          if (state !== 'kept' || code === undefined) throw new HostError('lost', 'Lost', { status: 400 });
          return { outcome: 'success' };
        },
      }),
    }),
  });
  const waits = provide(Authenticator, {
    id: 'waits',
    open: () => ({
      create: () => ({
        authenticate: async () => ({ outcome: 'challenge', page: PAGE, poll: { interval: 2 } }),
        poll: async () => ({ ready: false }),
        action: async () => ({ outcome: 'success' }),
      }),
    }),
  });
  const condition = provide(Authenticator, {
    id: 'if',
    describe: { category: 'condition', displayName: 'If' },
    settings: NEEDED,
    open: () => ({
      create: () => ({
        async isMet({ config }) {
          requireAll(config);
          return true;
        },
      }),
    }),
  });
  t.deepEqual(await called(t, Authenticator, [guard, away, endless, waits, condition]), [
    'away authenticate',
    'away returned',
    'guard action',
    'guard authenticate',
    'if isMet',
    'waits action',
    'waits authenticate',
    'waits poll',
  ]);
});

test('conforms, steps: an input that cannot be generated is named with the option that provides it, which reaches its place', async (t) => {
  const never = {
    type: 'object',
    properties: { word: { type: 'string', title: 'Word', pattern: '^never made up$' } },
    required: ['word'],
    additionalProperties: false,
  } as const;
  const step = provide(Authenticator, {
    id: 'wordy',
    config: never,
    realmConfig: never,
    settings: never,
    open: ({ word: first }) => ({
      create: (_, { word: second }) => ({
        async authenticate({ config: { word: third } }) {
          if ([first, second, third].some((word) => word !== 'never made up')) throw new Error('no word');
          return { outcome: 'success' };
        },
      }),
    }),
  });
  const error = await t.throwsAsync(called(t, Authenticator, [step]));
  const line = (member: string) =>
    `  authenticator/wordy: ${member} word: "x" does not match its schema: give the schema \`examples\`, or pass \`${member}: { 'authenticator/wordy': { "word": … } }\``;
  t.is(error?.message, `needy requires settings:\n${['config', 'realmConfig', 'settings'].map(line).join('\n')}`);
  const given = { 'authenticator/wordy': { word: 'never made up' } };
  const options = { config: given, realmConfig: given, settings: given };
  t.deepEqual(await called(t, Authenticator, [step], options), ['wordy authenticate']);
  const wrong = { ...options, settings: { 'authenticator/wordy': { word: 'never made up', no: 1 } } };
  await t.throwsAsync(called(t, Authenticator, [step], wrong), {
    message:
      /config\.no: unknown key\n[\s\S]*\n {2}→ what the schemas require was made up: pass other values as `config`, `realmConfig` or/,
  });
});

test('conforms, steps: the calls of the test itself find all of the plugin enabled', async (t) => {
  const listener = provide(EventListener, {
    id: 'needy',
    open: () => ({ create: () => ({ onEvent: async () => undefined, onAdminEvent: async () => undefined }) }),
  });
  const pages = new Set<boolean>();
  await called(t, EventListener, [guard, listener], {
    async exercise({ realm, username }) {
      const browser = new FormBrowser(realm);
      const page = await browser.submit(await browser.logIn(), { username, password: username });
      pages.add(page?.text.includes('Needy') === true);
    },
  });
  t.deepEqual([...pages], [true]);
});

test('conforms, steps: a type of credentials is reached through the action that sets it up and the step that asks for it', async (t) => {
  const asks = (title: string): StepPage => ({
    page: 'form',
    title: { key: title },
    submit: { key: 'Continue' },
    fields: [{ name: 'word', type: 'text', label: { key: 'Word' } }],
  });
  const credential = provide(CredentialProvider, {
    id: 'needy',
    describe,
    createAction: 'needy-setup',
    category: 'two-factor',
    ...both,
    open: opens({
      create: async () => ({ secret: { word: 'x' }, data: {} }),
      verify: async () => ({ valid: true }),
      present: async () => ({ data: {} }),
    }),
  });
  const step = provide(Authenticator, {
    id: 'needy-form',
    describe,
    settings: NEEDED,
    ...both,
    open: (_, __) => ({
      create: ({ ownCredentials }) => ({
        async authenticate({ user, form, config }) {
          requireAll(config);
          const isSetUp = user !== undefined && (await ownCredentials.list('needy')).length > 0;
          return isSetUp && form === undefined ? { outcome: 'challenge', page: asks('Ask') } : { outcome: 'success' };
        },
        async action(_, { word = '' }) {
          if (word === '') return { outcome: 'challenge', page: asks('Ask') };
          await ownCredentials.verify('needy', word);
          return { outcome: 'success' };
        },
      }),
    }),
  });
  const action = provide(RequiredAction, {
    id: 'needy-setup',
    displayText: 'Set up',
    settings: NEEDED,
    ...both,
    open: () => ({
      create: ({ ownCredentials }) => ({
        async challenge({ config }) {
          requireAll(config);
          return { outcome: 'challenge', page: asks('Set up') };
        },
        async action(_, { word = '' }) {
          if (word === '') return { outcome: 'challenge', page: asks('Set up') };
          await ownCredentials.create('needy', word);
          return { outcome: 'success' };
        },
      }),
    }),
  });
  t.deepEqual(await called(t, CredentialProvider, [credential, step, action]), [
    'needy create',
    'needy present',
    'needy verify',
  ]);
});

test('conforms, steps: a server that the test has not started is named as the provider’s need', async (t) => {
  const asks = (ask: (session: Session, url: string) => Promise<unknown>) =>
    provide(EventListener, {
      id: 'needy',
      realmConfig: NEEDED,
      open: () => ({
        create: (session, { url }) => ({
          onEvent: async () => void (await ask(session, url)),
          onAdminEvent: async () => undefined,
        }),
      }),
    });
  for (const ask of [
    (session: Session, url: string) => session.outbound.request({ url }),
    (_: Session, url: string) => fetch(url),
  ]) {
    await t.throwsAsync(called(t, EventListener, [asks(ask)]), {
      message:
        /onEvent: it failed: .*: pass the address of a server that your test starts, as `config`, `realmConfig` or/,
    });
  }
});
