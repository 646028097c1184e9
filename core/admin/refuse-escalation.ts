import { isDeepStrictEqual } from 'node:util';
import { defaultRoleName } from '../model/default-role-name.js';
import type { ProtocolMapperRepresentation, RealmRepresentation } from '../model/representation.js';
import { type Role, RoleGraph } from '../model/roles.js';
import type { EditEffects } from '../realms/edit-effects.js';
import { allExecutions, readFlow } from '../realms/flows/flow-model.js';
import { serviceAccountClients } from '../realms/service-accounts.js';
import { type Admin, forbiddenError } from './admin.js';
import { groupsWithPaths, requireRightsOfGroup } from './groups/group-with-path.js';
import {
  describeChangedSetting,
  type GuardedSettings,
  guardedSettings,
  type ProviderList,
} from './guarded-settings.js';
import { mappersEmittingAdminRoles, requireRightsOfEmittedRoles } from './mappers/emitted-roles.js';
import { changedVaultReference, type VaultReference, vaultReferences } from './vault-references.js';

/*
 * The rule of this module: a change must not give its author rights that they do not have.
 *
 * - Assigning a role, or adding it to another role, a group or a mapper, requires its rights: `Admin.covers`.
 * - Changing a user requires the user's rights: `requireRightsOfUser`.
 * - The same applies to everything that acts as a user: a session, a link, a service account and its client
 *   (`mayManageClient`), and a linked identity provider (`requireRightsOfLinkedUsers`).
 * - Creating a client with a service account requires the rights that every new user gets.
 * - Creating a mapper that emits administration roles requires these roles: `requireRightsOfEmittedRoles`.
 * - Changes that let their author act as any user of the realm require all rights in the realm:
 *   `Admin.requireRealmAdmin`. These are changes of keys (`requireMayImportKey`), of the realm's own clients
 *   (`mayManageClient`) and of the settings below. They include guarded settings of providers (`guardedSettings`) and
 *   references to vault secrets (`vaultReferences`).
 */

/**
 * Settings that allow acting as any user: the server for mails with links, and the domains whose passkeys the realm
 * accepts.
 */
const SETTINGS = [
  'smtpServer',
  ...['webAuthnPolicy', 'webAuthnPolicyPasswordless'].flatMap((policy) => [`${policy}RpId`, `${policy}ExtraOrigins`]),
];
/**
 * Realm attributes with the same effect: the base URL of mailed links, and the page where users enter a device code.
 */
const ATTRIBUTES = ['frontendUrl', 'shortVerificationUri'];
/** An authenticator that trusts the provider's email address: it links the login to the user who has that address. */
const AUTO_LINK = 'idp-auto-link';

/**
 * The rights that a change is checked against: those of an admin, or of the holder of a client's registration token.
 */
export type Rights = Pick<Admin, 'covers' | 'isRealmAdmin' | 'requireRealmAdmin'> & {
  readonly providers: ProviderList | undefined;
};

/** The parts of a realm that let their author act as another user; see {@link snapshotPrivileges}. */
export interface Privileges {
  readonly settings: ReadonlyMap<string, unknown>;
  /** Guarded settings of providers. */
  readonly guardedSettings: GuardedSettings;
  /** References to vault secrets. */
  readonly references: ReadonlyMap<string, VaultReference>;
  /** Stored paths of groups. */
  readonly defaultGroups: readonly string[];
  /** IDs of the clients that have a service account. */
  readonly serviceAccounts: ReadonlySet<string>;
  /** Mappers that emit administration roles. */
  readonly emittingMappers: ReadonlyMap<string, ProtocolMapperRepresentation>;
}

/** Copies the parts of a realm that `refuseEscalation` compares. Call it before the change. */
export function snapshotPrivileges({ providers }: Pick<Rights, 'providers'>, realm: RealmRepresentation): Privileges {
  const { attributes = {}, defaultGroups = [] } = realm;
  const settings = [
    ...SETTINGS.map((key) => [key, realm[key]] as const),
    ...ATTRIBUTES.map((key) => [`attributes.${key}`, attributes[key]] as const),
    ...autoLinkingProviders(realm).map((provider) => [`identityProviders.${provider.alias}`, provider] as const),
  ];
  return structuredClone({
    settings: new Map(settings.filter(([, value]) => !isEmpty(value))),
    guardedSettings: guardedSettings(realm, providers),
    references: vaultReferences(realm),
    defaultGroups,
    serviceAccounts: serviceAccountClients(realm),
    emittingMappers: mappersEmittingAdminRoles(realm),
  });
}

/**
 * Checks the outcome of a change of a realm. Removing groups, service accounts and plain settings gives no rights, so
 * it is not checked.
 * @param before the privileges before the change
 * @throws HostError 403 if the caller could act as a user with rights that the caller lacks
 */
export function refuseEscalation(admin: Rights, before: Privileges, after: RealmRepresentation): void {
  const { settings, guardedSettings, references, defaultGroups, serviceAccounts } = snapshotPrivileges(admin, after);
  for (const [key, value] of settings) {
    if (!isDeepStrictEqual(value, before.settings.get(key))) admin.requireRealmAdmin(after.realm, key);
  }
  const changedSetting =
    describeChangedSetting(before.guardedSettings, guardedSettings) ??
    changedVaultReference(before.references, references);
  if (changedSetting !== undefined) admin.requireRealmAdmin(after.realm, changedSetting);
  requireRightsOfEmittedRoles(admin, before.emittingMappers, after);
  const addsServiceAccounts = [...serviceAccounts].some((id) => !before.serviceAccounts.has(id));
  if (addsServiceAccounts && !admin.covers({ name: after.realm }, defaultRoles(after))) throw forbiddenError();
  const groupsToCheck = addsServiceAccounts
    ? defaultGroups
    : defaultGroups.filter((path) => !before.defaultGroups.includes(path));
  if (groupsToCheck.length === 0) return;
  const groups = [...groupsWithPaths(after).values()];
  for (const path of groupsToCheck) {
    const group = groups.find((candidate) => candidate.path === path);
    if (group !== undefined) requireRightsOfGroup(admin, after, group);
  }
}

function defaultRoles(realm: RealmRepresentation): Role[] {
  return new RoleGraph(realm.roles).find([defaultRoleName(realm)]);
}

type Change<T> = (draft: RealmRepresentation, effects: EditEffects) => T | Promise<T>;

/** Wraps a change of a realm so that `refuseEscalation` checks its outcome. */
export function withEscalationCheck<T>(admin: Rights, change: Change<T>): Change<T> {
  return async (draft, effects) => {
    const before = snapshotPrivileges(admin, draft);
    const result = await change(draft, effects);
    refuseEscalation(admin, before, draft);
    return result;
  };
}

/** The providers whose logins are automatically linked to the existing user with the same email address. */
function autoLinkingProviders(realm: RealmRepresentation) {
  return (realm.identityProviders ?? []).filter(({ firstBrokerLoginFlowAlias: flowAlias }) => {
    const flow = readFlow(realm, flowAlias || (realm.firstBrokerLoginFlow ?? 'first broker login'));
    return allExecutions(flow).some(
      ({ authenticator, requirement }) => authenticator === AUTO_LINK && requirement !== 'DISABLED',
    );
  });
}

/** True for absent values, and for the empty ones that the API returns for them and clients send back. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
