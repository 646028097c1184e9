import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import type { BootError } from '../../core/config/boot-error.js';
import type { PostgresqlSettings } from '../../core/config/options/database-options.js';
import { readMigrations } from '../../core/store/engine/migrations.js';
import { openStore, openStoreForReading } from '../../core/store/open-store.js';
import { eventually } from '../helpers/eventually.js';
import { testPostgresql } from '../helpers/postgresql.js';
import { sharedPostgresql, startPostgresql } from '../helpers/postgresql-server.js';
import { NOW, REALM, user } from './records.js';

const storePlace = (postgresql: PostgresqlSettings) => ({ postgresql, dataDir: 'unused' });

/**
 * Returns the report of a start whose database cannot be used: one coded error, with a hint and without the password.
 */
async function startupErrorReport(t: ExecutionContext, settings: PostgresqlSettings): Promise<string> {
  const error = (await t.throwsAsync(openStore(storePlace(settings)), {
    name: 'BootError',
    code: 'store_failed',
  })) as BootError;
  t.truthy(error.hint);
  const report = error.report();
  if (settings.password !== undefined) t.false(report.includes(settings.password));
  return report;
}

testPostgresql(
  'PostgreSQL, opening: a database that cannot be used is told in a sentence, with what to do',
  async (t: ExecutionContext) => {
    const server = await sharedPostgresql();
    const right = await server.database();
    const at = `the database 127.0.0.1:${right.port}`;
    t.regex(
      await startupErrorReport(t, { ...right, password: 'not-the-password' }),
      /refuses the user keyhost: password auth.*\n.*--db-password-file/,
    );
    t.regex(
      await startupErrorReport(t, { ...right, password: undefined }),
      /requires a password for keyhost.*\n.*--db-password-file/,
    );
    t.regex(await startupErrorReport(t, { ...right, username: 'nobody' }), /refuses the user nobody/);
    t.regex(
      await startupErrorReport(t, { ...right, database: 'none' }),
      /\/none does not exist.*\n.*CREATE DATABASE "none" OWNER "keyhost"/,
    );
    t.regex(
      await startupErrorReport(t, { ...right, host: 'db.invalid' }),
      /cannot be found: the name db\.invalid has no address.*\n.*--db-url/,
    );
    t.regex(await startupErrorReport(t, { ...right, port: 1 }), /127\.0\.0\.1:1\/\w+ refuses connections/);
    t.regex(
      await startupErrorReport(t, { ...right, schema: 'not_there' }),
      /has no schema not_there.*\n.*CREATE SCHEMA IF NOT EXISTS "not_there"/,
    );
    await server.run("CREATE ROLE guest LOGIN PASSWORD 'guest-password'");
    const guest = { ...right, username: 'guest', password: 'guest-password' };
    t.regex(
      await startupErrorReport(t, guest),
      /does not allow guest to create tables: permission denied.*\n.*AUTHORIZATION "guest"/,
    );
    const tls = await startupErrorReport(t, { ...right, tls: { mode: 'verify-server' } });
    t.true(tls.includes(`${at}/${right.database} cannot be reached with TLS: The server does not support SSL`), tls);
  },
);

testPostgresql(
  'PostgreSQL, opening: hosts that start at once on an empty database make its tables once',
  async (t: ExecutionContext) => {
    const server = await sharedPostgresql();
    const settings = await server.database();
    t.is(await openStoreForReading(storePlace(settings)), undefined, 'nothing is made by who only reads');
    const stores = await Promise.all(Array.from({ length: 4 }, () => openStore(storePlace(settings))));
    const { rows } = await server.run('SELECT version FROM schema_migrations', settings.database);
    t.is(rows.length, readMigrations(undefined, 'postgresql').length);
    await stores[0]?.users.put(user('alice'), { expectedVersion: 0 });
    t.is(await stores[3]?.users.count(REALM), 1);
    const reading = await openStoreForReading(storePlace(settings));
    t.is(await reading?.users.count(REALM), 1);
    await Promise.all([...stores.map((store) => store.close()), reading?.close()]);
  },
);

testPostgresql(
  'PostgreSQL, opening: a host that dies while it makes the tables leaves that to the next one',
  async (t: ExecutionContext) => {
    const server = await sharedPostgresql();
    const settings = await server.database();
    const dying = await server.client(settings.database);
    await dying.query('CREATE TABLE schema_lock (id BIGINT NOT NULL PRIMARY KEY); INSERT INTO schema_lock VALUES (1)');
    await dying.query('BEGIN; SELECT id FROM schema_lock WHERE id = 1 FOR UPDATE; CREATE TABLE realms (x TEXT)');
    const opening = openStore(storePlace(settings));
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = '${settings.database}' AND wait_event_type = 'Lock'`;
    await eventually(async () => (await server.run(waiting)).rows.length > 0);
    await dying.end();
    const store = await opening;
    t.deepEqual(await store.realms.list(), []);
    await store.close();
  },
);

testPostgresql(
  'PostgreSQL, opening: a database that a newer Keyhost wrote is not opened',
  async (t: ExecutionContext) => {
    const server = await sharedPostgresql();
    const settings = await server.database();
    await (await openStore(storePlace(settings))).close();
    await server.run("INSERT INTO schema_migrations VALUES (999, 'x', 0)", settings.database);
    const report = await startupErrorReport(t, settings);
    t.regex(report, /the store has schema 999; this version of Keyhost supports schemas up to \d+/);
    await t.throwsAsync(openStoreForReading(storePlace(settings)), { code: 'store_failed', message: /schema 999/ });
  },
);

testPostgresql(
  'PostgreSQL, opening: tables are in the schema that is named, and texts are compared byte by byte',
  async (t: ExecutionContext) => {
    const server = await sharedPostgresql();
    const settings = await server.database();
    await server.run('CREATE SCHEMA "Key Host"', settings.database);
    const store = await openStore(storePlace({ ...settings, schema: 'Key Host' }));
    for (const name of ['b', 'B', 'ä', '😀', '\uffff', 'a']) {
      await store.users.put(user(name, { id: name }), { expectedVersion: 0 });
    }
    const found = await store.users.find(REALM, {});
    t.deepEqual(
      found.map(({ username }) => username),
      ['B', 'a', 'b', 'ä', '\uffff', '😀'],
    );
    await store.close();
    const { rows } = await server.run('SELECT count(*)::int AS users FROM "Key Host".users', settings.database);
    t.deepEqual(rows, [{ users: 6 }]);
  },
);

testPostgresql(
  'PostgreSQL, opening: with TLS the server shows a certificate of a trusted authority, for its own name',
  async (t: ExecutionContext) => {
    const folder = mkdtempSync(join(tmpdir(), 'keyhost-tls-'));
    t.teardown(() => rmSync(folder, { recursive: true, force: true }));
    const file = (name: string) => join(folder, name);
    const make = (name: string, subjectAltName: string) => {
      const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=${subjectAltName}`];
      const key = [
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-keyout',
        file(`${name}.key`),
      ];
      execFileSync('openssl', ['req', '-x509', '-days', '2', ...key, '-out', file(`${name}.crt`), ...subject], {
        stdio: 'pipe',
      });
      return { certificate: readFileSync(file(`${name}.crt`), 'utf8'), key: readFileSync(file(`${name}.key`), 'utf8') };
    };
    const own = make('server', 'IP:127.0.0.1');
    const other = make('other', 'DNS:db.example.test');
    const server = await startPostgresql({
      files: { 'server.crt': own.certificate, 'server.key': own.key },
      settings: ['ssl = on'],
    });
    const settings = await server.database();
    const by = (authorities?: string) => ({
      ...settings,
      tls: { mode: 'verify-server' as const, ...(authorities === undefined ? {} : { authorities }) },
    });
    const store = await openStore(storePlace(by(own.certificate)));
    t.true(await store.marks.claim({ realm: REALM, kind: 'k', keyHash: 'h', now: NOW, expiresAt: NOW + 1 }));
    await store.close();
    t.regex(await startupErrorReport(t, by()), /cannot be reached with TLS: .*\n.*--db-tls-trust-store-file/);
    t.regex(await startupErrorReport(t, by(other.certificate)), /cannot be reached with TLS/);
    const { port } = await startPostgresql({
      files: { 'server.crt': other.certificate, 'server.key': other.key },
      settings: ['ssl = on'],
    });
    t.regex(
      await startupErrorReport(t, { ...by(other.certificate), port }),
      /cannot be reached with TLS: .*127\.0\.0\.1.*\n.*set --db-url to a name in the certificate/,
    );
  },
);

testPostgresql(
  'PostgreSQL, opening: a certificate that has expired is named at the start, and also while the host runs',
  async (t: ExecutionContext) => {
    const folder = mkdtempSync(join(tmpdir(), 'keyhost-tls-'));
    t.teardown(() => rmSync(folder, { recursive: true, force: true }));
    const [keyFile, requestFile] = [join(folder, 'key'), join(folder, 'request')];
    const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
    openssl('req', '-new', ...curve, '-nodes', '-keyout', keyFile, '-out', requestFile, '-subj', '/CN=server');
    const namesFile = join(folder, 'names');
    writeFileSync(namesFile, 'subjectAltName=IP:127.0.0.1\n');
    const certificate = (days: number) => {
      const file = join(folder, `certificate${days}`);
      const signed = ['-signkey', keyFile, '-extfile', namesFile, '-days', `${days}`];
      openssl('x509', '-req', '-in', requestFile, ...signed, '-out', file);
      return readFileSync(file, 'utf8');
    };
    const [valid, expired] = [certificate(2), certificate(-1)];
    const server = await startPostgresql({
      files: { 'server.crt': valid, 'server.key': readFileSync(keyFile, 'utf8') },
      settings: ['ssl = on'],
    });
    const settings = {
      ...(await server.database()),
      tls: { mode: 'verify-server' as const, authorities: valid + expired },
    };
    const store = await openStore(storePlace(settings));
    t.teardown(() => store.close());
    t.deepEqual(await store.realms.list(), []);
    await server.stop();
    writeFileSync(join(server.folder, 'data', 'server.crt'), expired);
    await server.start();
    t.regex(
      await startupErrorReport(t, settings),
      /cannot be reached with TLS: certificate has expired.*\n.*renew the certificate of the server/,
    );
    const place = `127.0.0.1:${settings.port}/${settings.database}`;
    // The first calls may get the error of the connection that the stop has ended.
    await eventually(async () => {
      const error = await t.throwsAsync(store.realms.list());
      return error?.message.includes(`the database ${place} cannot be reached with TLS: certificate has expired`);
    });
    writeFileSync(join(server.folder, 'data', 'server.crt'), valid);
    await server.run('SELECT pg_reload_conf()');
    await eventually(() => store.realms.list().catch(() => undefined));
  },
);
