import { defined } from '../../model/defined.js';
import { User } from '../../model/user.js';
import type { Store } from '../../store/store.js';
import type { CredentialTypes } from '../../users/credentials/credential-types.js';
import { AdminError } from '../admin.js';
import { type AdminOperation, ok } from '../operation.js';
import type { AdminQuery } from '../query.js';
import { mapYielding } from '../yielding-loops.js';
import { fullUser } from './user-representation.js';
import { USERS_TAG } from './users-tag.js';

/** Pattern of a time in milliseconds since the epoch. */
const TIME = '\\d{1,15}';

/** Keyhost's own API: users who have not signed in for a long time. */
export function idleUserOperations({
  store,
  types,
}: {
  readonly store: Store;
  readonly types: CredentialTypes;
}): AdminOperation[] {
  return [
    {
      method: 'GET',
      path: '/users/idle',
      tag: USERS_TAG,
      summary:
        'Enabled users who have not signed in since a time, the longest absent first; no service accounts. ' +
        '`lastSignIn` is absent if no sign-in is known. `idleSince` is the latest of: the last sign-in, the creation here, the last time the user was enabled',
      roles: ['view-users'],
      query: {
        before: {
          type: 'string',
          description: 'Milliseconds since the epoch; users idle since an earlier time. Required.',
        },
        after: { type: 'string', description: '`{idleSince}.{id}` of the last user of a page: the next page.' },
        max: { type: 'integer', description: 'Maximum number of entries, at most 1001. Default: 100' },
      },
      answers: {
        status: 200,
        body: {
          type: 'array',
          items: {
            type: 'object',
            description: 'A UserRepresentation with two members more, both in milliseconds since the epoch.',
            required: ['id', 'idleSince'],
            properties: { id: { type: 'string' }, idleSince: { type: 'integer' }, lastSignIn: { type: 'integer' } },
          },
        },
      },
      async handle({ realm, admin, query }) {
        const [, before = ''] =
          matchParameter(query, 'before', new RegExp(`^(${TIME})$`)) ?? throwInvalid('before', 'is missing');
        const [, idleSince, id = ''] = matchParameter(query, 'after', new RegExp(`^(${TIME})\\.(.*)$`, 's')) ?? [];
        const after = idleSince === undefined ? undefined : { idleSince: Number(idleSince), id };
        const max = Math.min(Math.max(query.integer('max') ?? 100, 1), 1001);
        const idleUsers = await store.users.idle(realm.name, defined({ before: Number(before), after, max }));
        return ok(
          await mapYielding(realm.name, idleUsers, ({ user, idleSince, lastSignIn }) => ({
            ...fullUser(types)(admin, realm, new User(user)),
            ...defined({ idleSince, lastSignIn }),
          })),
        );
      },
    },
  ];
}

/** Parses a parameter of the query. @throws AdminError 400 */
function matchParameter(query: AdminQuery, name: string, pattern: RegExp): RegExpExecArray | undefined {
  const value = query.string(name);
  return value === undefined ? undefined : (pattern.exec(value) ?? throwInvalid(name, 'has another form'));
}

function throwInvalid(name: string, reason: string): never {
  throw new AdminError(400, { error: 'invalid_request', error_description: `Query parameter ${name} ${reason}` });
}
