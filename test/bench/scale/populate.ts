import { personInSql } from '../people.js';
import type { BenchDatabase } from './database.js';

export interface Population {
  readonly realms: number;
  readonly users: number;
  readonly sessions: number;
}

/** The realm with the users, and the templates of all other users and realms. */
export const LARGE = 'large';
export const TEMPLATE_REALM = 'template-realm';
export const TEMPLATE_USER = 'template-user';
export const TEMPLATE_NAMES = { firstName: 'Template-First', lastName: 'Template-Last' } as const;
const TEMPLATE_ID = 'a11ce000-0000-4000-8000-000000000002';
/** The number of rows in one statement. */
const AT_ONCE = 100_000;
const USERS_WITHIN = 30 * 86_400_000;

export const templateId = TEMPLATE_ID;
export const usernameOf = (number: number) => `user${String(number).padStart(9, '0')}`;
export const userIdOf = (number: number) => `a11ce000-0000-4000-9000-${String(number).padStart(12, '0')}`;
export const realmNameOf = (number: number) => `r${String(number).padStart(5, '0')}`;

const USERNAME = "'user' || lpad(n::text, 9, '0')";
const USER_ID = "'a11ce000-0000-4000-9000-' || lpad(n::text, 12, '0')";
const REALM_NAME = "'r' || lpad(n::text, 5, '0')";
/** Sessions are spread evenly over users. */
const userOf = (users: number) => `'a11ce000-0000-4000-9000-' || lpad((n % ${users} + 1)::text, 12, '0')`;

/**
 * Fills a database in which a host has created its tables: realms, users and sessions are copies of those from files.
 * @param say reports progress
 */
export async function populate(
  database: BenchDatabase,
  { realms, users, sessions }: Population,
  say: (text: string) => void,
): Promise<void> {
  const now = Date.now();
  const written = personInSql(users, false);
  const searched = personInSql(users, true);
  const named = [
    [TEMPLATE_USER, USERNAME],
    [TEMPLATE_ID, USER_ID],
    [TEMPLATE_NAMES.firstName, written.firstName],
    [TEMPLATE_NAMES.lastName, written.lastName],
  ].reduce((text, [from, to]) => `replace(${text}, '${from}', ${to})`, 't.representation');
  await fill('realms', realms, (range) => [
    'INSERT INTO realms (name, id, version, representation, display_name, enabled) ' +
      `SELECT ${REALM_NAME}, ${REALM_NAME}, 1, replace(t.representation, '${TEMPLATE_REALM}', ${REALM_NAME}), NULL, 1 ` +
      `FROM realms t, ${range} WHERE t.name = '${TEMPLATE_REALM}'`,
    // The realm's service accounts.
    'INSERT INTO users (realm, id, username, email_order, service_account_client, version, representation) ' +
      `SELECT ${REALM_NAME}, t.id, t.username, 0, t.service_account_client, 1, t.representation ` +
      `FROM users t, ${range} WHERE t.realm = '${TEMPLATE_REALM}'`,
    'INSERT INTO user_holdings (realm, kind, container, name, user_id) ' +
      `SELECT ${REALM_NAME}, t.kind, t.container, t.name, t.user_id ` +
      `FROM user_holdings t, ${range} WHERE t.realm = '${TEMPLATE_REALM}'`,
  ]);
  await fill('users', users, (range) => [
    'INSERT INTO users (realm, id, username, email, email_order, version, representation, first_name, last_name) ' +
      `SELECT t.realm, ${USER_ID}, ${USERNAME}, ${USERNAME} || '@example.com', 1, 1, ${named}, ` +
      `${searched.firstName}, ${searched.lastName} ` +
      `FROM users t, ${range} WHERE t.realm = '${LARGE}' AND t.id = '${TEMPLATE_ID}'`,
    'INSERT INTO user_holdings (realm, kind, container, name, user_id) ' +
      `SELECT t.realm, t.kind, t.container, t.name, ${USER_ID} ` +
      `FROM user_holdings t, ${range} WHERE t.realm = '${LARGE}' AND t.user_id = '${TEMPLATE_ID}'`,
  ]);
  const key = `'${LARGE}', 'bench-' || n`;
  const expiry = `${now} + ${USERS_WITHIN} + n % 86400000`;
  const used = `${now} - n % 3600000`;
  const client = (await clientId(database)) ?? 'web';
  await fill('sessions', users === 0 ? 0 : sessions, (range) => [
    'INSERT INTO user_sessions (realm, id, offline, user_id, started_at, last_refresh, expires_at, ip_address, remember_me, ' +
      `auth_method, auth_time, notes) SELECT ${key}, 0, ${userOf(users)}, ${used}, ${used}, ${expiry}, '192.0.2.1', 0, ` +
      `'openid-connect', ${Math.floor(now / 1000)}, '{"device":"Chrome on Linux"}' FROM ${range}`,
    'INSERT INTO client_sessions (realm, session_id, offline, client_uuid, started_at, last_refresh, scope, notes) ' +
      `SELECT ${key}, 0, '${client}', ${used}, ${used}, 'openid profile email', '{}' FROM ${range}`,
    'INSERT INTO families (realm, id, session_id, offline, client_uuid, user_id, pending, used, uses, expires_at) ' +
      `SELECT ${key}, 'bench-' || n, 0, '${client}', ${userOf(users)}, '["3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy0"]', NULL, 0, ${expiry} FROM ${range}`,
  ]);
  say('vacuum and analyze');
  await database.run('VACUUM ANALYZE');
  await database.run('CHECKPOINT');

  async function fill(what: string, count: number, statements: (range: string) => readonly string[]): Promise<void> {
    const began = performance.now();
    for (let first = 1; first <= count; first += AT_ONCE) {
      const last = Math.min(count, first + AT_ONCE - 1);
      for (const sql of statements(`generate_series(${first}, ${last}) n`)) await database.run(sql);
      const seconds = (performance.now() - began) / 1000;
      say(`${what}: ${last} of ${count}, ${Math.round(last / seconds)} in a second`);
    }
  }
}

async function clientId(database: BenchDatabase): Promise<string | undefined> {
  const [row] = await database.run(`SELECT representation FROM realms WHERE name = '${LARGE}'`);
  const { clients } = JSON.parse(String(row?.representation)) as { clients: { id: string; clientId: string }[] };
  return clients.find((one) => one.clientId === 'web')?.id;
}
