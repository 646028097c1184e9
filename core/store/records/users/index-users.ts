import { all, get, type Operation, run } from '../../engine/operation.js';

/** Users of one piece of work: other writes wait for it. */
const AT_ONCE = 200;

interface Progress {
  readonly realm: string;
  readonly id: string;
  readonly done: number;
}

/** SQLite's part, as migration 013 begins it: those who were there before are put in, and triggers put in the others. */
export function* indexMoreUsers(): Operation<boolean> {
  const progress = yield* get<Progress>('SELECT realm, id, done FROM users_search_progress');
  if (progress === undefined || progress.done === 1) return true;
  const users = yield* all<{ realm: string; id: string }>(
    'SELECT realm, id FROM users WHERE (realm, id) > ($1, $2) ORDER BY realm, id LIMIT $3',
    progress.realm,
    progress.id,
    AT_ONCE,
  );
  const last = users.at(-1);
  if (last === undefined) {
    yield* run('UPDATE users_search_progress SET done = 1');
    return true;
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
