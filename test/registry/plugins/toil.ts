import { EventListener, HostError, type Json, provide, RealmResourceProvider, type Session } from '@keyhost/spi';

const realmConfig = {
  type: 'object',
  properties: { word: { type: 'string', default: 'none' } },
  additionalProperties: false,
} as const;
const add = async ({ store }: Pick<Session, 'store'>, key: string, entry: string) => {
  for (;;) {
    const before = await store.get(key);
    if (await store.replace(key, before, [...((before ?? []) as Json[]), entry])) return;
  }
};
export default {
  name: 'toil',
  api: 1,
  providers: [
    provide(EventListener, {
      id: 'toil',
      background: true,
      realmConfig,
      open: (_, host) => ({
        create: (session, { word }) => ({
          onEvent: async ({ type }) => {
            await add(session, 'told', type);
            await session.background.wake(EventListener, 'toil');
          },
          async background(part) {
            if (part === 'slow') await new Promise((end) => session.signal.addEventListener('abort', end));
            if (part !== undefined) {
              await add(session, 'runs', part);
              return undefined;
            }
            await add(session, 'runs', `${session.realm.name} ${word}`);
            const todo = await session.store.get('do');
            await session.store.delete('do');
            if (todo === 'throw') throw new HostError('no', 'not today');
            if (todo === 'lie') return { again: 'soon' } as unknown as { again: number };
            if (todo === 'authenticate') await session.authenticate();
            if (todo === 'wait') await new Promise((end) => session.signal.addEventListener('abort', end));
            if (todo === 'wait') await add(session, 'runs', 'was ended');
            if (todo === 'wait') session.logger.info('ended');
            return typeof todo === 'number' ? { again: todo } : undefined;
          },
        }),
        close: async () => host.logger.info('closed'),
      }),
    }),
    provide(RealmResourceProvider, {
      id: 'toil',
      routes: {
        runs: { method: 'GET', path: '/runs' },
        wake: { method: 'POST', path: '/wake/{id}' },
        part: { method: 'POST', path: '/part/{part}' },
        todo: { method: 'POST', path: '/do', consumes: 'application/json' },
      },
      open: () => ({
        create: ({ store, background }) => ({
          runs: async () => ({ body: (await store.get('runs')) ?? [] }),
          wake: async ({ params }) => {
            await background.wake(EventListener, params.id);
            return {};
          },
          part: async ({ params }) => {
            await background.wake(EventListener, 'toil', params.part);
            return {};
          },
          todo: async ({ body }) => {
            await store.put('do', (body as { readonly do: Json }).do);
            await background.wake(EventListener, 'toil');
            return {};
          },
        }),
      }),
    }),
  ],
};
