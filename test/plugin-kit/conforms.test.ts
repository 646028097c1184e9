import books from '@keyhost/books';
import externalApp from '@keyhost/external-app-notification';
import newsletter from '@keyhost/newsletter';
import {
  ActionTokenHandler,
  AdminPage,
  Authenticator,
  type ConditionContext,
  EventListener,
  GrpcService,
  HostError,
  type Plugin,
  provide,
  RealmResourceProvider,
  type Session,
} from '@keyhost/spi';
import { conforms } from '@keyhost/spi/testing';
import test, { type ExecutionContext } from 'ava';

test('conforms: the plugins of this repository keep the rules of their SPIs', async (t) => {
  const config = { clientId: 'app', clientSecret: 'app-secret', audience: 'app' };
  t.deepEqual(await conforms(t, RealmResourceProvider, newsletter), ['newsletter generateToken']);
  t.deepEqual(await conforms(t, AdminPage, newsletter), ['newsletter-links list', 'newsletter-links mint']);
  t.deepEqual(
    await conforms(t, ActionTokenHandler, externalApp, {
      realmConfig: { 'action-token-handler/external-app-notification': config },
    }),
    ['confirm', 'handle', 'reusable'].map((name) => `external-app-notification ${name}`),
  );
  t.is((await conforms(t, GrpcService, books)).length, 4);
  await t.throwsAsync(conforms(t, EventListener, books), { message: '@keyhost/books has no EventListener' });
});

test('conforms: a condition is called in front of a flow, with a step of the same plugin beside it', async (t) => {
  const isMet = async ({ locale, config }: ConditionContext) => locale === (config.language ?? 'en');
  const describe = { category: 'condition', displayName: 'Condition - language' } as const;
  const plugin: Plugin = {
    name: 'language',
    api: 1,
    providers: [
      provide(Authenticator, { id: 'language', describe, open: () => ({ create: () => ({ isMet }) }) }),
      provide(Authenticator, {
        id: 'passes',
        open: () => ({ create: () => ({ authenticate: async () => ({ outcome: 'success' }) }) }),
      }),
    ],
  };
  t.deepEqual(await conforms(t, Authenticator, plugin), ['language isMet', 'passes authenticate']);
});

test('conforms: work beside requests is called too, in each realm, and held to the same rules', async (t) => {
  const page = (scheduled: (session: Session) => Promise<unknown>): Plugin => ({
    name: 'tidies',
    api: 1,
    providers: [
      provide(AdminPage, {
        id: 'tidies',
        title: 'Tidies',
        at: 'realm',
        view: ['view-realm'],
        manage: ['manage-realm'],
        blocks: [{ kind: 'text', text: 'Tidies at new year.' }],
        operations: {},
        schedule: { cron: '0 3 1 1 *' },
        background: true,
        open: () => ({
          create: (session) => ({
            background: async () => undefined,
            scheduled: () => scheduled(session) as never,
          }),
        }),
      }),
    ],
  });
  const realms = new Set<string>();
  const called = await conforms(
    t,
    AdminPage,
    page(async ({ realm }) => void realms.add(realm.name)),
  );
  t.deepEqual(called, ['tidies background', 'tidies scheduled']);
  t.deepEqual([...realms].sort(), ['a', 'b']);
  await t.throwsAsync(
    conforms(
      t,
      AdminPage,
      page(async () => ({ more: new Money() })),
    ),
    { message: /tidies scheduled: values must be plain: its answer\.more is an instance of Money/ },
  );
});

type Run = (session: Session) => unknown;

/** A resource whose one operation does this. */
function resource(run: Run, more: object = {}, factory: object = {}): Plugin {
  const open = () => ({ create: (session: Session) => ({ run: () => run(session) as never }), ...factory });
  const routes = { run: { method: 'GET', path: '/' } } as const;
  return { name: 'odd', api: 1, providers: [provide(RealmResourceProvider, { id: 'odd', routes, open, ...more })] };
}

async function broken(t: ExecutionContext, plugin: Plugin): Promise<string[]> {
  const error = await t.throwsAsync(conforms(t, RealmResourceProvider, plugin));
  const [first, ...rules] = (error?.message ?? '').split('\n  ');
  t.is(first, 'odd does not keep the rules of RealmResourceProvider:');
  return rules;
}

class Money {
  readonly amount = 1;
}

test('conforms: values that do not cross threads are found: values, missing promises, changed input', async (t) => {
  const answers: [unknown, RegExp][] = [
    [
      { body: { price: new Money() } },
      /its answer\.body\.price is an instance of Money: what arrives is a plain object/,
    ],
    [{ body: { link: new URL('http://localhost/') } }, /its answer\.body\.link is an instance of URL/],
    [{ body: { list: [1, () => 1] } }, /its answer\.body\.list\[1] is a function/],
    [{ headers: { 'x-late': Promise.resolve('1') } }, /is a promise/],
  ];
  for (const [answer, expected] of answers) {
    t.regex(
      (
        await broken(
          t,
          resource(async () => answer),
        )
      ).join('\n'),
      expected,
    );
  }
  t.regex(
    (
      await broken(
        t,
        resource(() => ({ body: 1 })),
      )
    )[0] ?? '',
    /^odd run: it must return a promise, not object/,
  );
  const throwing = () => {
    throw new HostError('busy', 'Busy', { status: 409 });
  };
  t.deepEqual(await broken(t, resource(throwing)), ['odd run: it throws before it returns a promise: make it async']);
  const changing = resource(async () => ({}));
  const [definition] = changing.providers;
  const open = () => ({
    create: () => ({
      async run(request: { query: Record<string, unknown> }) {
        request.query.page = ['1'];
        return {};
      },
    }),
  });
  const changed = { ...changing, providers: [{ ...definition, open }] } as Plugin;
  t.regex(
    (await broken(t, changed))[0] ?? '',
    /^odd run: it failed: Cannot add property page, object is not extensible/,
  );
});

test('conforms: a session that is kept for another call, and one used after its end, are found', async (t) => {
  let kept: Session | undefined;
  const sharing = resource(async (session) => {
    kept ??= session;
    return { body: { found: (await kept.users.byUsername('alice')) !== undefined } };
  });
  const told = (await broken(t, sharing)).join('\n');
  t.regex(told, /odd: session\.users\.byUsername of another call's session was used/);
  t.regex(told, /odd: session\.users\.byUsername was used after the call had ended/);
});

test('conforms: errors without an answer, things left open, and unknown configuration that passes are found', async (t) => {
  const wrong = (error: unknown) =>
    resource(async () => {
      throw error;
    });
  t.regex((await broken(t, wrong(new Error('no database'))))[0] ?? '', /^odd run: it failed: no database/);
  t.regex((await broken(t, wrong('no database')))[0] ?? '', /^odd run: it threw no database, which is not an Error/);
  t.regex((await broken(t, wrong({ expose: true, status: 400 })))[0] ?? '', /has no `code`/);
  t.regex(
    (await broken(t, wrong({ expose: true, code: 'x', status: 200 })))[0] ?? '',
    /has no `status` from 400 to 599/,
  );

  const closing = resource(async () => ({}), {}, { close: () => Promise.reject(new Error('still busy')) });
  t.regex((await broken(t, closing)).join('\n'), /the host could not close: .*still busy/);
  const lax = { type: 'object', properties: { size: { type: 'integer', default: 1 } } };
  t.deepEqual(
    await broken(
      t,
      resource(async () => ({}), { config: lax, realmConfig: lax }),
    ),
    [
      'odd: config accepts unknown keys: its schema requires "additionalProperties": false',
      'odd: realmConfig accepts unknown keys: its schema requires "additionalProperties": false',
    ],
  );
  const shaped = { routes: { run: { method: 'POST', path: '/', body: { type: 'string', pattern: '^never$' } } } };
  t.deepEqual(
    await broken(
      t,
      resource(async () => ({}), shaped),
    ),
    ['odd run: no test called it: pass an `exercise` that does'],
  );
  let opened = 0;
  const alone = resource(async () => ({}));
  const [definition] = alone.providers;
  const open = () => {
    opened += 1;
    if (opened > 1) throw new Error('the port is taken');
    return { create: () => ({ run: async () => ({}) }) };
  };
  await t.throwsAsync(
    conforms(t, RealmResourceProvider, { ...alone, providers: [{ ...definition, open }] } as Plugin),
    { message: /the port is taken/ },
    'two versions are open at once while one takes over from the other',
  );
});
