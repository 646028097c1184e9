import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../helpers/eventually.js';
import { startMailServer } from '../helpers/mail-server.js';
import { enabledResources, providersFolder } from '../helpers/plugins.js';
import { testPostgresql } from '../helpers/postgresql.js';
import { sharedPostgresql } from '../helpers/postgresql-server.js';
import { folder, remote, run } from '../helpers/process.js';
import { testRealm } from '../helpers/realms.js';
import { ask, scriptedPlugin } from '../helpers/scripted-plugin.js';

/** A node has a run to itself for a minute: it is over. */
const EXPIRE_LEASE_SQL = `UPDATE entries SET value = regexp_replace(value, '"until":[0-9]+', '"until":0') WHERE namespace = '/schedules'`;

/** The first part mails a user. The first node that reaches the second part waits there for the entry `go`. */
const SCHEDULED_PLUGIN = `provide(EventListener, { id: 'night', schedule: { every: 10 }, open: () => ({ create: ({ store, mail }) => ({
  async scheduled({ from, token }) {
    if (from === undefined) {
      const to = { address: 'zoe@example.org' };
      if (await store.claim('mailed', { expiresIn: 3600 })) await mail.send({ to, subject: { key: 'Hello' }, before: [{ key: 'once' }] });
      await store.put('begun', token);
      return { more: 'second' };
    }
    if (await store.claim('held', { expiresIn: 3600 })) {
      await store.put('holds', token);
      while ((await store.get('go')) === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
      await store.put('late', token);
      return {};
    }
    if ((await store.get('ended')) === undefined) await store.put('ended', token);
    return {};
  },
}) }) })`;

for (const signal of ['SIGKILL', 'SIGSTOP'] as const) {
  testPostgresql(
    `nodes, scheduled work: a run whose process gets ${signal} is completed by another process, which sends its mail`,
    async (t) => {
      let isAway = true;
      const away = Object.assign(new Error('away'), { responseCode: 421 });
      const server = await startMailServer(t, { onConnect: (_session, finish) => finish(isAway ? away : undefined) });
      const dir = await folder(t, [
        testRealm('demo', {
          eventsListeners: ['night'],
          providers: enabledResources(['night']),
          smtpServer: server.settings,
        }),
      ]);
      const grants = { 'mail-any-address': 'mails people' };
      const providers = await providersFolder(t, { night: scriptedPlugin('night', grants, SCHEDULED_PLUGIN) });
      const plugin = { module: 'night', grants: { '*': Object.keys(grants) } };
      await writeFile(join(dir, 'plugins.json'), JSON.stringify({ plugins: [plugin] }));
      const postgresql = await sharedPostgresql();
      const database = await postgresql.database();
      await writeFile(join(dir, 'password'), database.password ?? '', { mode: 0o600 });
      const start = (name: string) =>
        run(t, dir, [
          'start-dev',
          '--db',
          'postgres',
          '--providers-dir',
          providers,
          '--data-dir',
          join(dir, name),
          '--db-url',
          `postgres://127.0.0.1:${database.port}/${database.database}`,
          '--db-username',
          database.username,
          '--db-password-file',
          join(dir, 'password'),
        ]);
      const first = await start('first');
      const entry = async (key: string) =>
        (await ask(remote(first), 'demo', 'night', 'store', 'get', key)).value as unknown;
      const token = await eventually(() => entry('holds'));
      t.is(await entry('begun'), token);
      first.child.kill(signal);
      isAway = false;
      await postgresql.run(EXPIRE_LEASE_SQL, database.database);
      const second = await start('second');
      const here = remote(second);
      const value = async (key: string) => (await ask(here, 'demo', 'night', 'store', 'get', key)).value as unknown;
      t.is(await eventually(() => value('ended')), Number(token) + 1, second.output());
      t.deepEqual((await server.mail(0)).envelope.to, ['zoe@example.org']);
      await eventually(() => second.output().includes('scheduled work done'));
      if (signal === 'SIGSTOP') {
        await ask(here, 'demo', 'night', 'store', 'put', 'go', true);
        first.child.kill('SIGCONT');
        await eventually(() => first.output().includes('scheduled work was taken on by another node'));
        t.false(first.output().includes('scheduled work done'), first.output());
      }
      t.is(await value('late'), undefined);
      // A process that was suspended while sending may send once more: SMTP has no fencing.
      if (signal === 'SIGKILL') t.is(server.received.length, 1);
    },
  );
}
