import type { AdminPageDeclaration, PageSubject } from '@keyhost/spi';
import type { Users } from '../../users/users.js';
import { badRequest, notFoundError } from '../admin.js';
import type { AdminCall } from '../operation.js';
import { requireRightsOfUser } from '../users/change-user.js';

/**
 * Finds the user or client that a page is about, from the parameter `subject`. An admin who may see the page may also
 * see its subject.
 * @param isChange true if the operation changes something: the admin must then have every administration right of the
 * user
 * @throws AdminError 400 without a subject; 404; 403 for a change of a user who has rights that the admin lacks
 */
export async function findSubject(
  users: Users,
  { at }: AdminPageDeclaration,
  { realm, admin, query }: AdminCall,
  isChange: boolean,
): Promise<PageSubject | undefined> {
  if (at !== 'user' && at !== 'client') return undefined;
  const id = query.string('subject');
  if (id === undefined) throw badRequest(`subject: the id of the ${at} is missing`);
  if (at === 'client') {
    const client = realm.clientsById.get(id);
    if (client === undefined) throw notFoundError('Could not find client');
    return { id, name: client.clientId };
  }
  const user = await users.byId(realm, id);
  if (user === undefined) throw notFoundError('User not found');
  if (isChange) requireRightsOfUser(admin, realm, user);
  return { id: user.id, name: user.username };
}
