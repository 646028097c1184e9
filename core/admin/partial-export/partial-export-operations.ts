import type { KeyRing } from '../../keys/key-ring.js';
import type { Realm } from '../../model/realm.js';
import type { UserRepresentation } from '../../model/representation.js';
import { withAllFlows } from '../../realms/flows/running-flows.js';
import { withoutOrphans } from '../../realms/own-components.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import type { UserStore } from '../../store/store.js';
import { withoutHiddenAttributes } from '../../users/profile/admin-view.js';
import { withFlowIds } from '../authentication/complete-flows.js';
import { actionRepresentations } from '../authentication/required-action-operations.js';
import { allComponents } from '../components/component-tree.js';
import { type AdminOperation, ok } from '../operation.js';
import { settingsResponse } from '../realms/settings-response.js';
import { exportedClients, exportedGroups, exportedMappings, exportedRoles, exportedScopes } from './exported-parts.js';
import { maskRealm } from './masked-realm.js';

export interface PartialExportOperationParts {
  readonly registry: ProviderRegistry;
  readonly keys: KeyRing;
  readonly store: { readonly users: UserStore };
}

/**
 * The operation `/partial-export`: a realm without its users and secrets. It contains the settings of keys, but not the
 * keys.
 */
export function partialExportOperations({ registry, keys, store }: PartialExportOperationParts): AdminOperation[] {
  return [
    {
      method: 'POST',
      path: '/partial-export',
      tag: 'Realms Admin',
      summary: 'Export the realm with masked secrets, without keys, and without users except service accounts',
      roles: ['manage-realm'],
      query: {
        exportClients: { type: 'boolean', description: 'Include clients and their service accounts.' },
        exportGroupsAndRoles: { type: 'boolean', description: 'Include groups and roles.' },
      },
      answers: { status: 200, body: 'RealmRepresentation' },
      async handle({ admin, realm, query }) {
        const includesClients = query.boolean('exportClients') === true;
        const includesGroups = query.boolean('exportGroupsAndRoles') === true;
        if (includesClients) admin.require(realm.name, 'view-clients');
        if (includesGroups) admin.require(realm.name, 'view-users', 'query-groups');
        const components = await allComponents(realm.id, realm.representation, await keys.realm(realm.name));
        const maskedRealm = maskRealm(
          withoutOrphans(withFlowIds(realm.id, withAllFlows({ ...realm.representation, components }))),
          registry,
        );
        const { defaultGroups = [] } = maskedRealm;
        return ok({
          ...maskedRealm,
          ...settingsResponse(maskedRealm, true),
          requiredActions: actionRepresentations(maskedRealm.requiredActions),
          identityProviders: maskedRealm.identityProviders ?? [],
          identityProviderMappers: maskedRealm.identityProviderMappers ?? [],
          localizationTexts: maskedRealm.localizationTexts ?? {},
          clientScopes: exportedScopes(maskedRealm),
          roles: includesGroups ? exportedRoles(maskedRealm) : undefined,
          groups: includesGroups ? exportedGroups(maskedRealm) : undefined,
          defaultGroups: includesGroups && defaultGroups.length > 0 ? defaultGroups : undefined,
          clients: includesClients ? exportedClients(maskedRealm) : undefined,
          ...exportedMappings(includesClients ? maskedRealm : {}),
          ...(includesClients ? { users: await serviceAccounts(realm, store.users) } : {}),
        });
      },
    },
  ];
}

async function serviceAccounts(realm: Realm, users: UserStore): Promise<UserRepresentation[]> {
  const accounts: UserRepresentation[] = [];
  const { clients = [] } = realm.representation;
  for (const { id, serviceAccountsEnabled } of clients) {
    if (serviceAccountsEnabled !== true || id === undefined) continue;
    const account = await users.byServiceAccountClient(realm.name, id);
    if (account === undefined) continue;
    const { credentials: _, ...user } = withoutHiddenAttributes(realm, account.representation);
    accounts.push(user as UserRepresentation);
  }
  return accounts;
}
