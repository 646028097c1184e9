import { KEYHOST_ADMIN_CONSOLE } from '../../model/built-in-names.js';
import { BY_SESSION, IMPERSONATION } from '../../model/sign-in-counts.js';
import { UserSketch } from '../../model/user-sketch.js';
import type { Reader, Writer } from '../engine/engine.js';
import { lock, type Operation, run, runAll } from '../engine/operation.js';
import type { ActiveUsers, EventCount, RealmSignIns, StatisticsStore } from '../store.js';

const ADD_COUNT =
  'INSERT INTO event_counts (realm, hour, type, client_id, about, total, expires_at) ' +
  'SELECT name, CAST($2 AS BIGINT), CAST($3 AS TEXT), CAST($4 AS TEXT), CAST($5 AS TEXT), CAST($6 AS BIGINT), ' +
  'CAST($7 AS BIGINT) FROM realms WHERE name = $1 ' +
  'ON CONFLICT (realm, hour, type, client_id, about) DO UPDATE SET total = event_counts.total + excluded.total';
const BEGIN_DAY =
  'INSERT INTO active_users (realm, day, sketch, expires_at) ' +
  "SELECT name, CAST($2 AS BIGINT), '', CAST($3 AS BIGINT) FROM realms WHERE name = $1 " +
  'ON CONFLICT (realm, day) DO NOTHING';

/** Counts the same sign-ins as `isUserSignIn`. */
const BUSIEST_REALMS =
  "SELECT realm, CAST(SUM(CASE WHEN type = 'LOGIN' THEN total ELSE 0 END) AS BIGINT) AS sign_ins, " +
  "CAST(SUM(CASE WHEN type = 'LOGIN' THEN 0 ELSE total END) AS BIGINT) AS failures FROM event_counts " +
  "WHERE hour >= $1 AND hour < $2 AND (type = 'LOGIN_ERROR' OR (type = 'LOGIN' AND about <> $3 AND " +
  'NOT (client_id = $4 AND about = $5))) GROUP BY realm ORDER BY SUM(total) DESC, realm LIMIT $6';

export const statisticsOperations = {
  /** Adds numbers, always in the same order, so that two nodes do not deadlock. */
  *'statistics.add'(
    counts: readonly EventCount[],
    actives: readonly ActiveUsers[],
    expireAfter: number,
  ): Operation<void> {
    yield* runAll(
      sortByKey(counts, ({ realm, hour, type, clientId, about }) => [realm, hour, type, clientId, about]).map(
        ({ realm, hour, type, clientId, about, total }) =>
          [ADD_COUNT, realm, hour, type, clientId, about, total, hour + expireAfter] as const,
      ),
    );
    for (const { realm, day, sketch } of sortByKey(actives, ({ realm, day }) => [realm, day])) {
      yield* run(BEGIN_DAY, realm, day, day + expireAfter);
      const row = yield* lock<{ sketch: string }>(
        'SELECT sketch FROM active_users WHERE realm = $1 AND day = $2',
        realm,
        day,
      );
      if (row === undefined) continue;
      const merged = UserSketch.of(row.sketch);
      merged.merge(UserSketch.of(sketch));
      const text = merged.toString();
      if (text !== row.sketch)
        yield* run('UPDATE active_users SET sketch = $3 WHERE realm = $1 AND day = $2', realm, day, text);
    }
  },
};

interface CountRow {
  readonly hour: number;
  readonly type: string;
  readonly client_id: string;
  readonly about: string;
  readonly total: number;
}

export class StatisticsRecords implements StatisticsStore {
  readonly #reader: Reader;
  readonly #writer: Writer;

  constructor(reader: Reader, writer: Writer) {
    this.#reader = reader;
    this.#writer = writer;
  }

  add(
    counts: readonly EventCount[],
    actives: readonly ActiveUsers[],
    { expireAfter }: { expireAfter: number },
  ): Promise<void> {
    return this.#writer.call('statistics.add', counts, actives, expireAfter);
  }

  async counts(realm: string | undefined, { from, to }: { from: number; to: number }) {
    const [conditionOn, parameters] = periodCondition(realm, from, to);
    const rows = await this.#reader.all<CountRow>(
      `SELECT hour, type, client_id, about, CAST(SUM(total) AS BIGINT) AS total FROM event_counts WHERE ${conditionOn('hour')} ` +
        'GROUP BY hour, type, client_id, about ORDER BY hour, type, client_id, about',
      ...parameters,
    );
    return rows.map(({ client_id, ...row }) => ({ ...row, clientId: client_id }));
  }

  async busiestRealms({ from, to }: { from: number; to: number }, max: number): Promise<readonly RealmSignIns[]> {
    const rows = await this.#reader.all<{ realm: string; sign_ins: number; failures: number }>(
      BUSIEST_REALMS,
      from,
      to,
      IMPERSONATION,
      KEYHOST_ADMIN_CONSOLE,
      BY_SESSION,
      max,
    );
    return rows.map(({ realm, sign_ins: signIns, failures }) => ({ realm, signIns, failures }));
  }

  async actives(realm: string | undefined, { from, to }: { from: number; to: number }) {
    const [conditionOn, parameters] = periodCondition(realm, from, to);
    return this.#reader.all<Omit<ActiveUsers, 'realm'>>(
      `SELECT day, sketch FROM active_users WHERE ${conditionOn('day')} ORDER BY day`,
      ...parameters,
    );
  }
}

function periodCondition(
  realm: string | undefined,
  from: number,
  to: number,
): readonly [(column: string) => string, (string | number)[]] {
  const inPeriod = (column: string) => `${column} >= $1 AND ${column} < $2`;
  if (realm === undefined) return [inPeriod, [from, to]];
  return [(column) => `${inPeriod(column)} AND realm = $3`, [from, to, realm]];
}

function sortByKey<T>(rows: readonly T[], keyOf: (row: T) => readonly (string | number)[]): readonly T[] {
  return rows
    .map((row) => [JSON.stringify(keyOf(row)), row] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, row]) => row);
}
