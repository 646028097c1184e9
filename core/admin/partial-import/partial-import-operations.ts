import type { JsonPath } from '../../config/json/json-document.js';
import { removeMaskedSecrets } from '../../config/realm-file/masked-secrets.js';
import { NameCompletion } from '../../config/realm-file/name-completion.js';
import { REALM_SCHEMA } from '../../config/realm-file/schema/realm-schema.js';
import { listPieces, pathInList } from '../../model/list-pieces.js';
import type { RealmRepresentation } from '../../model/representation.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import type { UserStore } from '../../store/store.js';
import type { Passwords } from '../../users/passwords/passwords.js';
import type { Users } from '../../users/users.js';
import { requireRightsOfLinkedUsers, requireRightsOfMapper } from '../identity-providers/provider-rights.js';
import { type AdminOperation, ok } from '../operation.js';
import type { CacheOperationParts } from '../realms/cache-operations.js';
import { refuseEscalation, snapshotPrivileges } from '../refuse-escalation.js';
import { requireAllowedPasswords } from '../users/imported-passwords.js';
import { importClients } from './import-clients.js';
import { importGroups } from './import-groups.js';
import { importIdentityProviders } from './import-identity-providers.js';
import { ImportLog, type ImportPolicy } from './import-log.js';
import { compileRealm, requireRightsOfImported } from './import-rights.js';
import { importRoles } from './import-roles.js';
import { importUsers } from './import-users.js';

export interface PartialImportOperationParts extends CacheOperationParts {
  readonly edits: RealmEdits;
  readonly store: CacheOperationParts['store'] & { readonly users: UserStore };
  readonly users: Users;
  readonly passwords: Passwords;
}

/** Maximum size of the body in bytes, the same as for a realm. */
const IMPORT_LIMIT = 50 * 1024 * 1024;
const { clients, roles, groups, identityProviders, identityProviderMappers } = REALM_SCHEMA.properties;
export const IMPORT_SCHEMA = {
  type: 'object',
  properties: {
    ifResourceExists: { enum: ['FAIL', 'SKIP', 'OVERWRITE', null] },
    users: REALM_SCHEMA.properties.users,
    clients,
    roles,
    groups,
    identityProviders,
    identityProviderMappers,
  },
};

/** The rights that importing these parts requires in addition to `manage-realm`. Keycloak does not require them. */
const RIGHTS = [
  ['users', 'manage-users'],
  ['groups', 'manage-users'],
  ['identityProviders', 'manage-identity-providers'],
  ['identityProviderMappers', 'manage-identity-providers'],
] as const;

type PartialImport = RealmRepresentation & { readonly ifResourceExists?: ImportPolicy | null };

/** The operation `/partialImport` (Keycloak's PartialImportResource): imports parts of a realm in one transaction. */
export function partialImportOperations(parts: PartialImportOperationParts): AdminOperation[] {
  const { edits, store, users, passwords, fetchedKeys } = parts;
  return [
    {
      method: 'POST',
      path: '/partialImport',
      tag: 'Realms Admin',
      summary: 'Import clients, roles, groups, users and identity providers into a realm: all or nothing',
      roles: ['manage-realm'],
      body: IMPORT_SCHEMA,
      bodyLimit: IMPORT_LIMIT,
      answers: { status: 200, body: { type: 'object' } },
      event: { resourceType: 'REALM', operation: 'ACTION' },
      async handle({ admin, realm, body, setEventDetails }) {
        const input = body as PartialImport;
        // Masked values of users are removed and reported as ignored. The other parts replace theirs by stored values.
        const maskedPaths: JsonPath[] = [];
        for await (const { first, items } of listPieces(realm.name, input.users ?? [])) {
          const removed = removeMaskedSecrets({ realm: realm.name, users: items });
          maskedPaths.push(...removed.map(({ path }) => pathInList(path, 'users', first)));
        }
        for (const [member, right] of RIGHTS) if ((input[member] ?? []).length > 0) admin.require(realm.name, right);
        // The settings of imported clients are not checked individually, as those of clients on their own path are. So
        // all rights are required.
        if ((input.clients ?? []).length > 0) admin.requireRealmAdmin(realm.name);
        const aliases = [
          ...(input.identityProviders ?? []).map(({ alias }) => alias),
          ...(input.identityProviderMappers ?? []).map(({ identityProviderAlias }) => identityProviderAlias),
        ];
        for (const alias of new Set(aliases)) await requireRightsOfLinkedUsers(users, admin, realm, alias);
        const answer = await edits.edit(realm.name, async (draft, effects) => {
          const log = new ImportLog(input.ifResourceExists ?? 'FAIL');
          const before = compileRealm(structuredClone(draft));
          const privileges = snapshotPrivileges(admin, draft);
          await importClients(draft, effects, input.clients ?? [], log);
          const importedRoles = await importRoles(draft, input.roles, log);
          await importIdentityProviders(draft, input, log);
          const importedGroups = await importGroups(draft, effects, input.groups ?? [], log);
          const nameCompletion = new NameCompletion(draft);
          nameCompletion.complete(() => {});
          for await (const { items } of listPieces(realm.name, input.users ?? []))
            nameCompletion.completeUsers(items, () => {});
          const removedUsers = await importUsers(draft, effects, input.users ?? [], { log, users: store.users });
          const after = compileRealm(draft);
          await requireRightsOfImported(admin, before, after, {
            roles: importedRoles,
            groups: importedGroups,
            newUsers: effects.newUsers,
            removedUsers,
          });
          for (const mapper of input.identityProviderMappers ?? []) requireRightsOfMapper(admin, after, mapper);
          refuseEscalation(admin, privileges, draft);
          await requireAllowedPasswords(passwords, draft, effects.newUsers);
          const results = log.summary();
          setEventDetails({
            eventRepresentation: results,
            ignored: [...maskedPaths, ...(await pathsAddedWithoutEffect(edits, realm.representation, draft, input))],
          });
          return ok(results);
        });
        // As after a change of a provider, its keys are fetched again.
        if ((input.identityProviders ?? []).length > 0) await fetchedKeys.forget(realm.name, store.changes);
        return answer;
      },
    },
  ];
}

/** Paths in the request of members without effect that the import added. */
async function pathsAddedWithoutEffect(
  edits: Pick<RealmEdits, 'idleMembersInPieces'>,
  before: RealmRepresentation,
  after: RealmRepresentation,
  { ifResourceExists: _, ...parts }: PartialImport,
): Promise<readonly JsonPath[]> {
  const { users = [] } = parts;
  const added = await edits.idleMembersInPieces({ ...after, users }, before);
  if (added.length === 0) return [];
  const addedSentences = new Set(added.map(({ sentence }) => sentence));
  const ignoredInRequest = await edits.idleMembersInPieces({ ...parts, realm: after.realm });
  return ignoredInRequest.filter(({ sentence }) => addedSentences.has(sentence)).map(({ path }) => path);
}
