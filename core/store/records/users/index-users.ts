import { all, get, type Operation, run } from '../../engine/operation.js';

/** Maximum number of users in one step, because other writes wait for it. */
const USERS_PER_STEP = 200;
/** Maximum number of index entries in one step. They take a tenth of the time of as many users. */
const PLACES_PER_STEP = 1000;

interface Progress {
  readonly realm: string;
  readonly id: string;
  readonly done: number;
  /** The usernames of the entries up to this number are set. */
  readonly named: number;
}

/**
 * The part of SQLite's index that migration 013 leaves open: adds the users that existed before. Triggers add the
 * others.
 */
export function* indexMoreUsers(): Operation<boolean> {
  const progress = yield* get<Progress>('SELECT realm, id, done, named FROM users_search_progress');
  if (progress === undefined) return true;
  if (progress.done === 1) return yield* nameMorePlaces(progress.named);
  const users = yield* all<{ realm: string; id: string }>(
    'SELECT realm, id FROM users WHERE (realm, id) > ($1, $2) ORDER BY realm, id LIMIT $3',
    progress.realm,
    progress.id,
    USERS_PER_STEP,
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
  // Users that were written in the meantime are indexed now, so remove them from the waiting list.
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

/**
 * Sets the usernames of existing index entries, which migration 018 has begun. A trigger sets those of later entries.
 */
function* nameMorePlaces(named: number): Operation<boolean> {
  const last = (yield* get<{ n: number | null }>('SELECT MAX(n) AS n FROM users_search_places'))?.n ?? 0;
  if (named >= last) return true;
  yield* run(
    'UPDATE users_search_places SET username = (SELECT u.username FROM users u ' +
      'WHERE u.realm = users_search_places.realm AND u.id = users_search_places.id) ' +
      'WHERE n > $1 AND n <= $2 AND username IS NULL',
    named,
    named + PLACES_PER_STEP,
  );
  yield* run('UPDATE users_search_progress SET named = $1', Math.min(named + PLACES_PER_STEP, last));
  return false;
}
