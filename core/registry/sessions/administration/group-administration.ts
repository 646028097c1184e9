import type { GroupAdministration, ManagedGroup } from '@keyhost/spi';
import type { Request } from './administered-realm.js';
import { expectCreated, expectDone, expectJson, expectOptional, pathOf, queryOf } from './answer.js';
import { toManagedUser } from './user-administration.js';

type GroupRepresentation = Omit<ManagedGroup, 'attributes'> & Partial<Pick<ManagedGroup, 'attributes'>>;

export function groupAdministration(request: Request): GroupAdministration {
  const list = async (path: string) =>
    (await expectJson<readonly GroupRepresentation[]>(request('GET', path))).map(toManagedGroup);
  return {
    async byPath(path) {
      const parts = path.split('/').filter(Boolean);
      const answer = await expectOptional(request('GET', pathOf('group-by-path', ...parts)));
      return answer && toManagedGroup(answer.body as unknown as GroupRepresentation);
    },
    find: ({ parent, first, max } = {}) => {
      const path = parent === undefined ? '/groups' : pathOf('groups', parent, 'children');
      return list(path + queryOf({ first, max, briefRepresentation: false }));
    },
    create: ({ name, parent }) =>
      expectCreated(request('POST', parent === undefined ? '/groups' : pathOf('groups', parent, 'children'), { name })),
    remove: async (id) => (await expectOptional(request('DELETE', pathOf('groups', id)))) !== undefined,
    ofUser: (userId) => list(pathOf('users', userId, 'groups') + queryOf({ briefRepresentation: false })),
    members: async (id, { first, max } = {}) => {
      const path = pathOf('groups', id, 'members') + queryOf({ first, max });
      return (await expectJson<Parameters<typeof toManagedUser>[0][]>(request('GET', path))).map(toManagedUser);
    },
    join: async (userId, groupId) =>
      void (await expectDone(request('PUT', pathOf('users', userId, 'groups', groupId)))),
    leave: async (userId, groupId) =>
      void (await expectDone(request('DELETE', pathOf('users', userId, 'groups', groupId)))),
  };
}

function toManagedGroup({ id, name, path, attributes = {} }: GroupRepresentation): ManagedGroup {
  return { id, name, path, attributes };
}
