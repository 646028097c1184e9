import { defined } from '../../../model/defined.js';
import type {
  CredentialRepresentation,
  FlowRepresentation,
  RealmRepresentation,
  UserRepresentation,
} from '../../../model/representation.js';
import { resolveEmailSettings } from '../email-settings.js';
import { addAction } from './action-migrations.js';
import { type Conversion, MigratingRealm } from './migration.js';
import { migrate } from './migrations.js';
import { readOldMembers } from './old-members.js';

/** The hash algorithm of credentials that do not name theirs. */
const OLDEST_ALGORITHM = 'pbkdf2';

/**
 * Converts what older versions of Keycloak wrote, as Keycloak's import does:
 * - members with other names (Keycloak 1 to 12)
 * - steps that are `OPTIONAL` (Keycloak 7)
 * - credentials with a `hashedSaltedValue` (Keycloak 8)
 * - paths of users' groups without the leading slash
 * - names of required actions, usernames and email addresses in another letter case
 * - settings that require unique email addresses, in a realm with `duplicateEmailsAllowed`
 *
 * Then runs the migrations of the releases after the version in the file (`keycloakVersion`).
 * @param realm changed in place; its shape has been checked
 */
export function convertOlderRealm(realm: RealmRepresentation): Conversion[] {
  const before = [
    ...readOldMembers(realm),
    ...convertActionNames(realm),
    ...convertOptionalSteps(realm),
    ...disableEmailSettings(realm),
    ...(realm.users ?? []).flatMap((user, index) => [
      ...convertToLowerCase(user, ['users', index]),
      ...convertHashedCredentials(user, ['users', index, 'credentials']),
      ...convertGroupNames(user, ['users', index, 'groups']),
    ]),
  ];
  const migrating = new MigratingRealm(realm);
  migrate(migrating);
  return [...before, ...migrating.conversions];
}

/** Disables the settings that require unique email addresses if `duplicateEmailsAllowed` is true, as Keycloak does. */
function disableEmailSettings(realm: RealmRepresentation): Conversion[] {
  if (realm.duplicateEmailsAllowed !== true) return [];
  return resolveEmailSettings(realm, { ...realm }).map((name) => ({
    path: [name],
    message: 'is read as false, since "duplicateEmailsAllowed" is true',
  }));
}

const ACTIONS = [
  'CONFIGURE_TOTP',
  'TERMS_AND_CONDITIONS',
  'UPDATE_PASSWORD',
  'UPDATE_PROFILE',
  'VERIFY_EMAIL',
  'VERIFY_PROFILE',
  'UPDATE_EMAIL',
  'CONFIGURE_RECOVERY_AUTHN_CODES',
  'delete_account',
  'delete_credential',
  'update_user_locale',
  'idp_link',
  'webauthn-register',
  'webauthn-register-passwordless',
];
const ACTIONS_BY_LOWER_CASE = new Map(ACTIONS.map((alias) => [alias.toLowerCase(), alias]));

/**
 * Gives Keycloak's required actions their current letter case, in the lists of the realm and of users. Adds
 * `delete_account` to the realm's list.
 */
function convertActionNames(realm: RealmRepresentation): Conversion[] {
  const conversions: Conversion[] = [];
  const currentName = (name: string, path: Conversion['path']) => {
    const alias = ACTIONS_BY_LOWER_CASE.get(name.toLowerCase()) ?? name;
    if (alias !== name) conversions.push({ path, message: `read as "${alias}"` });
    return alias;
  };
  for (const [index, action] of (realm.requiredActions ?? []).entries()) {
    action.alias = currentName(action.alias, ['requiredActions', index, 'alias']);
    if (action.providerId !== undefined)
      action.providerId = ACTIONS_BY_LOWER_CASE.get(action.providerId.toLowerCase()) ?? action.providerId;
    if (action.alias === 'CONFIGURE_TOTP' && action.name === 'Configure Totp') action.name = 'Configure OTP';
  }
  addAction(realm.requiredActions, { alias: 'delete_account', name: 'Delete Account', enabled: false, priority: 60 });
  for (const [index, { requiredActions }] of (realm.users ?? []).entries()) {
    for (const [at, name] of (requiredActions ?? []).entries()) {
      requiredActions?.splice(at, 1, currentName(name, ['users', index, 'requiredActions', at]));
    }
  }
  return conversions;
}

/** Converts OPTIONAL steps, which only users who had set them up had to pass, to CONDITIONAL subflows. */
function convertOptionalSteps(realm: RealmRepresentation): Conversion[] {
  const { authenticationFlows: flows = [] } = realm;
  const usedAliases = new Set(flows.map(({ alias }) => alias));
  const conversions: Conversion[] = [];
  const addedFlows: FlowRepresentation[] = [];
  for (const [index, flow] of flows.entries()) {
    for (const [executionIndex, execution] of (flow.authenticationExecutions ?? []).entries()) {
      if (execution.requirement !== 'OPTIONAL') continue;
      const { priority, ...step } = execution;
      const name = execution.authenticator ?? execution.flowAlias ?? '';
      let alias = `${flow.alias} - ${name} - Conditional`;
      while (usedAliases.has(alias)) alias += ' 2';
      usedAliases.add(alias);
      addedFlows.push({
        alias,
        description: `Flow to determine if the ${name} authenticator should be used or not.`,
        providerId: 'basic-flow',
        topLevel: false,
        builtIn: false,
        authenticationExecutions: [
          condition('conditional-user-configured'),
          { ...step, requirement: 'REQUIRED', priority: 20 },
        ],
      });
      flow.authenticationExecutions?.splice(executionIndex, 1, {
        authenticatorFlow: true,
        flowAlias: alias,
        requirement: 'CONDITIONAL',
        userSetupAllowed: false,
        ...defined({ priority }),
      });
      const path = ['authenticationFlows', index, 'authenticationExecutions', executionIndex, 'requirement'];
      conversions.push({ path, message: `OPTIONAL is read as the CONDITIONAL flow ${JSON.stringify(alias)}` });
    }
  }
  if (addedFlows.length > 0) realm.authenticationFlows = [...flows, ...addedFlows];
  return conversions;
}

function condition(authenticator: string) {
  return { authenticator, authenticatorFlow: false, requirement: 'REQUIRED', priority: 10, userSetupAllowed: false };
}

function convertHashedCredentials(
  { credentials = [] }: UserRepresentation,
  path: readonly (string | number)[],
): Conversion[] {
  const conversions: Conversion[] = [];
  for (const [at, credential] of credentials.entries()) {
    const converted = currentCredential(credential);
    if (converted === undefined) continue;
    credentials[at] = converted;
    const message = 'hashedSaltedValue is read as secretData and credentialData';
    conversions.push({ path: [...path, at, 'hashedSaltedValue'], message });
  }
  return conversions;
}

/** @returns undefined for a credential that has no old members */
function currentCredential(credential: CredentialRepresentation): CredentialRepresentation | undefined {
  const { hashedSaltedValue, salt, hashIterations, algorithm, digits, period, counter, device, config, ...rest } =
    credential as CredentialRepresentation & OldCredential;
  if (hashedSaltedValue === undefined || rest.value !== undefined || rest.secretData !== undefined) return undefined;
  if (rest.type === 'password') {
    return {
      ...rest,
      secretData: JSON.stringify({ value: hashedSaltedValue, salt, additionalParameters: {} }),
      credentialData: JSON.stringify({ hashIterations, algorithm: algorithm ?? OLDEST_ALGORITHM }),
    };
  }
  if (rest.type !== 'totp' && rest.type !== 'hotp') return undefined;
  const data = {
    subType: rest.type,
    digits: digits ?? 6,
    counter: counter ?? 0,
    period: period ?? 30,
    algorithm: algorithm ?? 'HmacSHA1',
  };
  return {
    ...rest,
    type: 'otp',
    ...(device ? { userLabel: device } : {}),
    secretData: JSON.stringify({ value: hashedSaltedValue }),
    credentialData: JSON.stringify(data),
  };
}

interface OldCredential {
  readonly hashedSaltedValue?: string;
  readonly salt?: string;
  readonly hashIterations?: number;
  readonly algorithm?: string;
  readonly digits?: number;
  readonly period?: number;
  readonly counter?: number;
  readonly device?: string;
  readonly config?: unknown;
}

/** Converts usernames and email addresses to lower case, in which Keycloak stores them. */
function convertToLowerCase(user: UserRepresentation, path: readonly (string | number)[]): Conversion[] {
  return (['username', 'email'] as const).flatMap((key) => {
    const lower = user[key]?.toLowerCase();
    if (lower === undefined || lower === user[key]) return [];
    user[key] = lower;
    return [{ path: [...path, key], message: `read as "${lower}"` }];
  });
}

function convertGroupNames({ groups = [] }: UserRepresentation, path: readonly (string | number)[]): Conversion[] {
  const conversions: Conversion[] = [];
  for (const [at, name] of groups.entries()) {
    if (name === '' || name.startsWith('/')) continue;
    groups[at] = `/${name}`;
    conversions.push({ path: [...path, at], message: `read as "/${name}"` });
  }
  return conversions;
}
