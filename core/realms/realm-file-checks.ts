import { CredentialProvider, KeyProvider } from '@keyhost/spi';
import { didYouMean } from '../config/did-you-mean.js';
import type { SchemaProblem } from '../config/json/schema-check.js';
import { KEY_PROVIDER } from '../keys/component-key.js';
import { importRealmKeys, KeyImportError } from '../keys/import-keys.js';
import { Patterns } from '../model/patterns.js';
import { MASTER_REALM } from '../model/realm.js';
import type { CredentialRepresentation, RealmRepresentation } from '../model/representation.js';
import { readSmtpServer } from '../model/smtp-settings.js';
import { messageOf } from '../model/thrown.js';
import { USER_PROFILE_PATH, userProfileOf, userProfileProblem } from '../model/user-profile.js';
import { isReadable } from '../users/credentials/credential-values.js';
import { FORMER_PASSWORD } from '../users/passwords/password-change.js';
import { algorithmOf, HASH_ALGORITHMS, readCredential } from '../users/passwords/password-format.js';
import { MAX_PASSWORD_LENGTH } from '../users/passwords/password-hasher.js';
import { defaultProblem } from '../users/profile/default-values.js';
import { clientPolicyMistakes } from './client-policies/mistakes.js';
import { flowSizeMistakes } from './flows/flow-sizes.js';
import type { KnownProviders } from './known-providers.js';
import { passwordPolicyMistakes } from './password-policy-checks.js';
import { findExpensivePatterns } from './pattern-checks.js';
import { validatorMistakes } from './validator-checks.js';
import { vaultMistakes } from './vault-references.js';

const isBuiltInAlgorithm = (algorithm: string) => HASH_ALGORITHMS.includes(algorithm);

/**
 * Finds problems of a realm file whose shape is valid: in keys, the password policy, the email server, stored
 * passwords, the user profile, client policies, the realm master, flow sizes and vault references.
 */
export function realmFileMistakes(realm: RealmRepresentation, knownProviders: KnownProviders = {}): SchemaProblem[] {
  const patterns = new Patterns(realm.realm);
  return [
    ...keyMistakes(realm, knownProviders),
    ...passwordPolicyMistakes(realm, patterns, knownProviders),
    ...mailMistakes(realm),
    ...credentialMistakes(realm, knownProviders),
    ...profileMistakes(realm, patterns, knownProviders),
    ...clientPolicyMistakes(realm, patterns, knownProviders),
    ...masterMistakes(realm),
    ...flowSizeMistakes(realm),
    ...vaultMistakes(realm, knownProviders),
  ];
}

/** The longest time for which wrong passwords may lock the admins of the host out, in seconds. */
const MAX_LOCK_SECONDS = 86_400;
const LOCK_SETTINGS = ['waitIncrementSeconds', 'maxFailureWaitSeconds', 'minimumQuickLoginWaitSeconds'] as const;

/** Finds settings that would lock the admins of the host out permanently. */
function masterMistakes(realm: RealmRepresentation): SchemaProblem[] {
  if (realm.realm !== MASTER_REALM) return [];
  const problems: SchemaProblem[] = [];
  if (realm.enabled === false) {
    problems.push({
      path: ['enabled'],
      message: 'the realm master cannot be disabled: its admins administer the host',
    });
  }
  if ((realm.notBefore ?? 0) > Date.now() / 1000 + MAX_LOCK_SECONDS) {
    problems.push({
      path: ['notBefore'],
      message: 'must not be in the future in the realm master: every token would be invalid',
    });
  }
  for (const key of realm.bruteForceProtected === true ? LOCK_SETTINGS : []) {
    if (Number(realm[key] ?? 0) <= MAX_LOCK_SECONDS) continue;
    problems.push({ path: [key], message: `must be at most ${MAX_LOCK_SECONDS} seconds in the realm master` });
  }
  return problems;
}

function keyMistakes(
  realm: RealmRepresentation,
  { providers = [], hasLeftOutPlugin }: KnownProviders,
): SchemaProblem[] {
  const misspelt = Object.keys(realm.components ?? {})
    .filter((type) => type !== KEY_PROVIDER && didYouMean(type, [KEY_PROVIDER]) !== undefined)
    .map((type) => ({
      path: ['components', type],
      message: 'unknown type of components',
      suggestion: KEY_PROVIDER,
    }));
  try {
    const plugins = providers.filter(({ spi }) => spi === KeyProvider.id).map(({ id }) => id);
    // An unknown provider may belong to a plugin that failed.
    importRealmKeys(realm, 0, hasLeftOutPlugin ? undefined : plugins);
    return misspelt;
  } catch (error) {
    if (!(error instanceof KeyImportError)) throw error;
    return [...misspelt, ...error.problems.map(({ location, ...problem }) => ({ path: location, ...problem }))];
  }
}

function profileMistakes(
  realm: RealmRepresentation,
  patterns: Patterns,
  knownProviders: KnownProviders,
): SchemaProblem[] {
  const profileProblem = userProfileProblem(realm);
  if (profileProblem !== undefined) return [{ path: USER_PROFILE_PATH, message: profileProblem }];
  const expensive = findExpensivePatterns(realm, patterns);
  // Do not match default values with a pattern that is too expensive.
  if (expensive.length > 0) return expensive;
  const profile = userProfileOf(realm);
  const messages = [
    ...validatorMistakes(profile, knownProviders),
    ...profile.attributes.map((attribute) => defaultProblem(attribute, patterns)),
  ];
  return messages.flatMap((message) => (message === undefined ? [] : [{ path: USER_PROFILE_PATH, message }]));
}

function mailMistakes(realm: RealmRepresentation): SchemaProblem[] {
  return readSmtpServer(realm).problems.map(({ key, message }) => ({ path: ['smtpServer', key], message }));
}

/** Finds credentials of users that cannot be used. */
export function credentialMistakes(
  { users = [] }: RealmRepresentation,
  knownProviders: KnownProviders,
): SchemaProblem[] {
  return users.flatMap(({ credentials = [] }, index) =>
    credentials.flatMap((credential, credentialIndex) => {
      const message = credentialMistake(credential, knownProviders);
      return message === undefined ? [] : [{ path: ['users', index, 'credentials', credentialIndex], message }];
    }),
  );
}

/** Returns the problem of a credential; undefined if there is none. */
export function credentialMistake(
  credential: CredentialRepresentation,
  { providers = [], hasLeftOutPlugin = false }: KnownProviders,
): string | undefined {
  const { type, value, secretData, credentialData } = credential;
  if (providers.some(({ spi, id, builtin }) => spi === CredentialProvider.id && id === type && builtin !== true)) {
    return isReadable(credential) ? undefined : 'secretData and credentialData must be objects, as JSON texts';
  }
  if (type !== 'password' && type !== FORMER_PASSWORD) return undefined;
  if (type === 'password' && value !== undefined) {
    return value.length > MAX_PASSWORD_LENGTH ? `a password has at most ${MAX_PASSWORD_LENGTH} characters` : undefined;
  }
  if (secretData === undefined && credentialData === undefined) {
    return 'a password requires "value", or "secretData" and "credentialData"';
  }
  // A plugin reads the hashes of its algorithm.
  const algorithm = algorithmOf(credential);
  if (providers.some(({ spi, id }) => spi === 'password-hashing' && id === algorithm && !isBuiltInAlgorithm(id)))
    return undefined;
  if (hasLeftOutPlugin && algorithm !== undefined && !isBuiltInAlgorithm(algorithm)) return undefined;
  try {
    readCredential(credential);
    return undefined;
  } catch (error) {
    return `this password cannot be used: ${messageOf(error)}`;
  }
}
