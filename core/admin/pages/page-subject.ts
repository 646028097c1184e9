import type { AdminPageDeclaration, PageSubject } from '@keyhost/spi';
import type { Users } from '../../users/users.js';
import { badRequest, notFound } from '../admin.js';
import type { AdminCall } from '../operation.js';
import { requireCovered } from '../users/change-user.js';

/**
 * Whom a page at a user or a client is about, by the parameter `subject`. Who may see the page may see them.
 * @param changes the operation changes something: the admin holds every right of administration that the user holds
 * @throws AdminError 400 without a subject; 404; 403 for a change of a user who may do more than the admin
 */
export async function pageSubject(
  users: Users,
  { at }: AdminPageDeclaration,
  { realm, admin, query }: AdminCall,
  changes: boolean,
): Promise<PageSubject | undefined> {
  if (at !== 'user' && at !== 'client') return undefined;
  const id = query.string('subject');
  if (id === undefined) throw badRequest(`subject: the id of the ${at} is missing`);
  if (at === 'client') {
    const client = realm.clientsById.get(id);
    if (client === undefined) throw notFound('Could not find client');
    return { id, name: client.clientId };
  }
  const user = await users.byId(realm, id);
  if (user === undefined) throw notFound('User not found');
  if (changes) requireCovered(admin, realm, user);
  return { id: user.id, name: user.username };
}
