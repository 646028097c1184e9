import type { UserRepresentation } from '../../model/representation.js';
import { exportRealm } from '../../realms/export/export-realm.js';
import { notFound } from '../admin.js';
import type { FilePlanParts } from './file-plans.js';
import { maskedFile } from './masked-file.js';

/** The output of `keyhost realm export` for a realm: without secrets, and without users except service accounts. */
export async function exportedText(name: string, { applying, registry }: FilePlanParts): Promise<string> {
  const { realms, users } = applying.store;
  const found = await realms.withDeclaration(name);
  if (found === undefined) throw notFound('Realm not found.');
  const accounts: UserRepresentation[] = [];
  for (const { id, serviceAccountsEnabled } of found.representation.clients ?? []) {
    if (serviceAccountsEnabled !== true || id === undefined) continue;
    const account = await users.byServiceAccountClient(name, id);
    if (account !== undefined) accounts.push(account.representation);
  }
  accounts.sort((one, other) => (one.username < other.username ? -1 : 1));
  const { representation } = exportRealm(found.representation, found.declared, accounts, { secrets: false });
  // Secrets that are marked only in a provider's schema are masked here.
  return `${JSON.stringify(maskedFile(representation, registry), null, 2)}\n`;
}
