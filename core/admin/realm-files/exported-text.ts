import type { UserRepresentation } from '../../model/representation.js';
import { exportRealm } from '../../realms/export/export-realm.js';
import { notFoundError } from '../admin.js';
import type { FilePlanParts } from './file-plans.js';
import { maskFile } from './masked-file.js';

/** Exports a realm like `keyhost realm export`: without secrets, and without users except service accounts. */
export async function exportAsText(name: string, { applying, registry }: FilePlanParts): Promise<string> {
  const { realms, users } = applying.store;
  const storedRealm = await realms.withDeclaration(name);
  if (storedRealm === undefined) throw notFoundError('Realm not found.');
  const accounts: UserRepresentation[] = [];
  for (const { id, serviceAccountsEnabled } of storedRealm.representation.clients ?? []) {
    if (serviceAccountsEnabled !== true || id === undefined) continue;
    const account = await users.byServiceAccountClient(name, id);
    if (account !== undefined) accounts.push(account.representation);
  }
  accounts.sort((a, b) => (a.username < b.username ? -1 : 1));
  const { representation } = exportRealm(storedRealm.representation, storedRealm.declared, accounts, {
    secrets: false,
  });
  // This also masks secrets that only a provider's schema declares as such.
  return `${JSON.stringify(maskFile(representation, registry), null, 2)}\n`;
}
