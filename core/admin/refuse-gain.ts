import { isDeepStrictEqual } from 'node:util';
import { defaultRoleName } from '../model/default-role-name.js';
import type { ProtocolMapperRepresentation, RealmRepresentation } from '../model/representation.js';
import { type Role, RoleGraph } from '../model/roles.js';
import { allExecutions, readFlow } from '../realms/flows/flow-model.js';
import type { EditEffects } from '../realms/realm-edits.js';
import { serviceAccountClients } from '../realms/service-accounts.js';
import { type Admin, forbidden } from './admin.js';
import { placedGroups, requireCoveredGroup } from './groups/placed-group.js';
import { changedSetting, type GuardedSettings, guardedSettings, type ProviderList } from './guarded-settings.js';
import { requireCoversSaid, sayingMappers } from './mappers/said-rights.js';
import { changedReference, type PlacedReference, placedReferences } from './placed-references.js';

/*
 * The rule of this room: nobody gains by a change a right that they do not hold.
 *
 * - A role is handed out, put into another, a group or a mapper by who covers its rights: `Admin.covers`.
 * - A user, and whatever acts as a user (a session, a link, a service account, the client of one, the provider that a user is
 *   linked to), is changed by who covers the user's rights: `requireCovered`, `mayManage`, `requireCoversLinked`.
 * - A service account that comes with its client is made by who covers what every new account gets.
 * - A mapper that has tokens say rights is for who covers them: `requireCoversSaid`.
 * - What lets its author act as anybody in the realm is for who may do everything there, and so gains nothing:
 *   `Admin.requireEverything`. Keys are (`requireMayBringKey`), the realm's own clients (`mayManage`), the settings below, those of
 *   providers that declare it (`guardedSettings`), and references to secrets of a vault (`placedReferences`).
 */

/** Settings by which one could act as anybody: where mails with links go, and whose passkeys are taken for the realm's. */
const SETTINGS = [
  'smtpServer',
  ...['webAuthnPolicy', 'webAuthnPolicyPasswordless'].flatMap((policy) => [`${policy}RpId`, `${policy}ExtraOrigins`]),
];
/** The same among a realm's attributes: where its links lead, and where users are sent with a code of theirs. */
const ATTRIBUTES = ['frontendUrl', 'shortVerificationUri'];
/** It takes an e-mail address of the provider for proof of whose account it is. */
const AUTO_LINK = 'idp-auto-link';

/** What a change is judged by: of an admin, or of who holds a token for one client. */
export type Rights = Pick<Admin, 'covers' | 'mayEverything' | 'requireEverything'> & {
  readonly providers: ProviderList | undefined;
};

/** What of a realm lets its author act as somebody else; see {@link powersOf}. */
export interface Powers {
  readonly settings: ReadonlyMap<string, unknown>;
  /** Settings of providers that are guarded. */
  readonly guarded: GuardedSettings;
  /** References to secrets of vaults. */
  readonly references: ReadonlyMap<string, PlacedReference>;
  /** Paths. */
  readonly defaultGroups: readonly string[];
  /** Ids of the clients that have one. */
  readonly serviceAccounts: ReadonlySet<string>;
  /** Mappers that have tokens say rights. */
  readonly saying: ReadonlyMap<string, ProtocolMapperRepresentation>;
}

/** What of a realm `refuseGain` judges: a copy, taken before the change. */
export function powersOf({ providers }: Pick<Rights, 'providers'>, realm: RealmRepresentation): Powers {
  const { attributes = {}, defaultGroups = [] } = realm;
  const settings = [
    ...SETTINGS.map((key) => [key, realm[key]] as const),
    ...ATTRIBUTES.map((key) => [`attributes.${key}`, attributes[key]] as const),
    ...autoLinking(realm).map((provider) => [`identityProviders.${provider.alias}`, provider] as const),
  ];
  return structuredClone({
    settings: new Map(settings.filter(([, value]) => !isEmpty(value))),
    guarded: guardedSettings(realm, providers),
    references: placedReferences(realm),
    defaultGroups,
    serviceAccounts: serviceAccountClients(realm),
    saying: sayingMappers(realm),
  });
}

/**
 * Judges a change of a realm by what came of it. What is taken away gives nobody anything.
 * @param before of the realm before the change
 * @throws HostError 403 for who could act as somebody with rights that they do not hold
 */
export function refuseGain(admin: Rights, before: Powers, after: RealmRepresentation): void {
  const { settings, guarded, references, defaultGroups, serviceAccounts } = powersOf(admin, after);
  for (const [key, value] of settings) {
    if (!isDeepStrictEqual(value, before.settings.get(key))) admin.requireEverything(after.realm, key);
  }
  const changed = changedSetting(before.guarded, guarded) ?? changedReference(before.references, references);
  if (changed !== undefined) admin.requireEverything(after.realm, changed);
  requireCoversSaid(admin, before.saying, after);
  const makesAccounts = [...serviceAccounts].some((id) => !before.serviceAccounts.has(id));
  if (makesAccounts && !admin.covers({ name: after.realm }, defaultRoles(after))) throw forbidden();
  const judgedGroups = makesAccounts
    ? defaultGroups
    : defaultGroups.filter((one) => !before.defaultGroups.includes(one));
  if (judgedGroups.length === 0) return;
  const groups = [...placedGroups(after).values()];
  for (const path of judgedGroups) {
    const group = groups.find((one) => one.path === path);
    if (group !== undefined) requireCoveredGroup(admin, after, group);
  }
}

function defaultRoles(realm: RealmRepresentation): Role[] {
  return new RoleGraph(realm.roles).find([defaultRoleName(realm)]);
}

type Change<T> = (draft: RealmRepresentation, effects: EditEffects) => T | Promise<T>;

/** A change of a realm that is judged by what came of it, by `refuseGain`. */
export function judged<T>(admin: Rights, change: Change<T>): Change<T> {
  return async (draft, effects) => {
    const before = powersOf(admin, draft);
    const result = await change(draft, effects);
    refuseGain(admin, before, draft);
    return result;
  };
}

/** The providers whose users become whoever has their e-mail address. */
function autoLinking(realm: RealmRepresentation) {
  return (realm.identityProviders ?? []).filter(({ firstBrokerLoginFlowAlias: own }) => {
    const flow = readFlow(realm, own || (realm.firstBrokerLoginFlow ?? 'first broker login'));
    return allExecutions(flow).some(
      ({ authenticator, requirement }) => authenticator === AUTO_LINK && requirement !== 'DISABLED',
    );
  });
}

/** As if nothing was said: what a realm is shown with, and is sent back. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
