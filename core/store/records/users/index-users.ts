import { all, get, type Operation, run } from '../../engine/operation.js';

/** Users of one piece of work: other writes wait for it. */
const AT_ONCE = 200;
/** Places of one piece of work: they take a tenth of the time of as many users. */
const NAMED_AT_ONCE = 1000;

interface Progress {
  readonly realm: string;
  readonly id: string;
  readonly done: number;
  /** Places up to this number have a username. */
  readonly named: number;
}

/** SQLite's part, which migration 013 begins: it adds the users from before, and triggers add the others. */
export function* indexMoreUsers(): Operation<boolean> {
  const progress = yield* get<Progress>('SELECT realm, id, done, named FROM users_search_progress');
  if (progress === undefined) return true;
  if (progress.done === 1) return yield* nameMorePlaces(progress.named);
  const users = yield* all<{ realm: string; id: string }>(
    'SELECT realm, id FROM users WHERE (realm, id) > ($1, $2) ORDER BY realm, id LIMIT $3',
    progress.realm,
    progress.id,
    AT_ONCE,
  );
  const last = users.at(-1);
  if (last === undefined) {
    yield* run('UPDATE users_search_progress SET done = 1');
    return false;
  }
  yield* run(
    'INSERT INTO users_search_places (realm, id) SELECT realm, id FROM users ' +
      'WHERE (realm, id) > ($1, $2) AND (realm, id) <= ($3, $4) ON CONFLICT DO NOTHING',
    progress.realm,
    progress.id,
    last.realm,
    last.id,
  );
  // Those that were written meanwhile have a place now, and wait for none.
  yield* run(
    'DELETE FROM users_search_waiting WHERE (realm, id) > ($1, $2) AND (realm, id) <= ($3, $4)',
    progress.realm,
    progress.id,
    last.realm,
    last.id,
  );
  yield* run('UPDATE users_search_progress SET realm = $1, id = $2', last.realm, last.id);
  return false;
}

/** Migration 018 begins it, and a trigger sets the usernames of later entries. */
function* nameMorePlaces(named: number): Operation<boolean> {
  const last = (yield* get<{ n: number | null }>('SELECT MAX(n) AS n FROM users_search_places'))?.n ?? 0;
  if (named >= last) return true;
  yield* run(
    'UPDATE users_search_places SET username = (SELECT u.username FROM users u ' +
      'WHERE u.realm = users_search_places.realm AND u.id = users_search_places.id) ' +
      'WHERE n > $1 AND n <= $2 AND username IS NULL',
    named,
    named + NAMED_AT_ONCE,
  );
  yield* run('UPDATE users_search_progress SET named = $1', Math.min(named + NAMED_AT_ONCE, last));
  return false;
}
