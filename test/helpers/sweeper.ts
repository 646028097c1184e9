import { replacing } from '../../core/di/module.js';
import { CallTimeout } from '../../core/registry/module.js';
import { administered } from './admin.js';
import { eventually } from './eventually.js';
import type { TestClock, TestHost, TestHostOptions } from './host.js';
import { ALICE, testRealm } from './realms.js';

const NEEDS = {
  'manage-users': 'disables users',
  'view-users': 'finds them',
  'issue-login-links': 'lets them back in',
  'send-mail': 'tells them',
};

/**
 * A scheduled task of two parts. The first node that reaches the second part waits for the entry `go`, and then writes.
 */
const SWEEPER = `import { EventListener, provide } from '@keyhost/spi';
const realmConfig = { type: 'object', properties: { times: { type: 'string' } }, additionalProperties: false };
export default { name: 'sweeper', api: 1, needs: ${JSON.stringify(NEEDS)}, providers: [
  provide(EventListener, { id: 'sweeper', realmConfig, schedule: { every: 60, setting: 'times' }, open: () => ({ create: (session) => ({
    async scheduled({ scheduledFor, missed, from, token }) {
      const { store, users, events, logger } = session;
      if (from === undefined) {
        await store.put('begun', { scheduledFor, missed, token });
        return { more: { place: 1 } };
      }
      const todo = await store.get('todo');
      if (todo === 'throw') { await store.delete('todo'); throw new Error('not today'); }
      if (todo === 'throw always') throw new Error('never');
      if (todo === 'hold' && (await store.claim('holds', { expiresIn: 1000 }))) {
        logger.info('held');
        while ((await store.get('go')) === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
        const writes = {
          put: () => store.put('late', 1), replace: () => store.replace('late', undefined, 1), delete: () => store.delete('begun'),
          claim: () => store.claim('late claim', { expiresIn: 100 }), update: () => users.update('${ALICE}', { firstName: 'Late' }),
          event: () => events.emit({ type: 'LOGIN' }), failure: () => events.emit({ type: 'LOGIN', error: 'late' }),
          create: () => users.create({ username: 'late' }),
          link: () => session.loginLinks.issue({ userId: '${ALICE}' }),
          mail: () => session.mail.send({ to: { userId: '${ALICE}' }, subject: { key: 'Late' }, before: [{ key: 'Late' }] }),
        };
        const codes = {};
        for (const [name, write] of Object.entries(writes)) codes[name] = await write().then(() => 'written', ({ code }) => code);
        logger.info('tried', { codes: JSON.stringify(codes) });
        return { summary: 'late' };
      }
      await store.put('ended', { place: from.place, token });
      return { summary: 'token ' + token };
    },
  }) }) }),
] };`;

/** A realm with scheduled work, every minute. */
export const sweeping = (isolation: string, clock: TestClock, config: Record<string, unknown> = {}): TestHostOptions =>
  administered({
    realms: [
      testRealm('demo', {
        eventsListeners: ['sweeper'],
        providers: { 'events-listener': { sweeper: { config } } },
      }),
    ],
    plugins: [{ module: 'sweeper', isolation, grants: { '*': Object.keys(NEEDS) } }],
    packages: { sweeper: SWEEPER },
    clock,
    replace: [replacing(CallTimeout, 300_000)],
  });
/** An entry that the plugin has written. */
export const entry = (host: TestHost, key: string) =>
  host.store.entries
    .get({ realm: 'demo', namespace: 'sweeper', key, now: 0 })
    .then((value) => value && JSON.parse(value));
export const put = (host: TestHost, key: string, value: unknown) =>
  host.store.entries.put({ realm: 'demo', namespace: 'sweeper', key, value: JSON.stringify(value) });
export const lines = (host: TestHost, message: string) => host.log.filter((line) => line.message === message);
/** The time at which it is due. */
export const planned = (host: TestHost) =>
  eventually(() =>
    host.store.entries.get({ realm: 'demo', namespace: '/schedules', key: 'events-listener/sweeper', now: 0 }),
  );
