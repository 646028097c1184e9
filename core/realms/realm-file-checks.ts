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
import { USER_PROFILE_PATH, userProfileMistake, userProfileOf } from '../model/user-profile.js';
import { isReadable } from '../users/credentials/credential-values.js';
import { MAX_PASSWORD_LENGTH } from '../users/passwords/password.js';
import { FORMER_PASSWORD } from '../users/passwords/password-change.js';
import { algorithmOf, HASH_ALGORITHMS, readCredential } from '../users/passwords/password-format.js';
import { defaultMistake } from '../users/profile/default-values.js';
import { clientPolicyMistakes } from './client-policies/mistakes.js';
import { flowSizeMistakes } from './flows/flow-sizes.js';
import type { KnownProviders } from './known-providers.js';
import { passwordPolicyMistakes } from './password-policy-checks.js';
import { expensivePatterns } from './pattern-checks.js';
import { validatorMistakes } from './validator-checks.js';
import { vaultMistakes } from './vault-references.js';

const isOwn = (algorithm: string) => HASH_ALGORITHMS.includes(algorithm);

/**
 * Mistakes of a realm file with a valid shape: keys, the password policy, the mail server, stored passwords, client
 * policies, flows that are too large.
 */
export function realmFileMistakes(realm: RealmRepresentation, known: KnownProviders = {}): SchemaProblem[] {
  const patterns = new Patterns(realm.realm);
  return [
    ...keyMistakes(realm, known),
    ...passwordPolicyMistakes(realm, patterns, known),
    ...mailMistakes(realm),
    ...credentialMistakes(realm, known),
    ...profileMistakes(realm, patterns, known),
    ...clientPolicyMistakes(realm, patterns, known),
    ...masterMistakes(realm),
    ...flowSizeMistakes(realm),
    ...vaultMistakes(realm, known),
  ];
}

/** In seconds: the longest time for which wrong guesses may lock the admins of the host out. */
const LONGEST_LOCK = 86_400;
const LOCKS = ['waitIncrementSeconds', 'maxFailureWaitSeconds', 'minimumQuickLoginWaitSeconds'] as const;

/** Settings that would lock the admins of the host out, without a way to undo it. */
function masterMistakes(realm: RealmRepresentation): SchemaProblem[] {
  if (realm.realm !== MASTER_REALM) return [];
  const found: SchemaProblem[] = [];
  if (realm.enabled === false) {
    found.push({ path: ['enabled'], message: 'the realm master cannot be disabled: its admins administer the host' });
  }
  if ((realm.notBefore ?? 0) > Date.now() / 1000 + LONGEST_LOCK) {
    found.push({
      path: ['notBefore'],
      message: 'must not be in the future in the realm master: every token would be invalid',
    });
  }
  for (const key of realm.bruteForceProtected === true ? LOCKS : []) {
    if (Number(realm[key] ?? 0) <= LONGEST_LOCK) continue;
    found.push({ path: [key], message: `must be at most ${LONGEST_LOCK} seconds in the realm master` });
  }
  return found;
}

function keyMistakes(realm: RealmRepresentation, { providers = [], someLeftOut }: KnownProviders): SchemaProblem[] {
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
    importRealmKeys(realm, 0, someLeftOut ? undefined : plugins);
    return misspelt;
  } catch (error) {
    if (!(error instanceof KeyImportError)) throw error;
    return [...misspelt, ...error.problems.map(({ location, ...problem }) => ({ path: location, ...problem }))];
  }
}

function profileMistakes(realm: RealmRepresentation, patterns: Patterns, known: KnownProviders): SchemaProblem[] {
  const unread = userProfileMistake(realm);
  if (unread !== undefined) return [{ path: USER_PROFILE_PATH, message: unread }];
  const dear = expensivePatterns(realm, patterns);
  // No default is tried on a pattern that takes too long.
  if (dear.length > 0) return dear;
  const profile = userProfileOf(realm);
  const messages = [
    ...validatorMistakes(profile, known),
    ...profile.attributes.map((attribute) => defaultMistake(attribute, patterns)),
  ];
  return messages.flatMap((message) => (message === undefined ? [] : [{ path: USER_PROFILE_PATH, message }]));
}

function mailMistakes(realm: RealmRepresentation): SchemaProblem[] {
  return readSmtpServer(realm).problems.map(({ key, message }) => ({ path: ['smtpServer', key], message }));
}

/** Mistakes of credentials. */
function credentialMistakes({ users = [] }: RealmRepresentation, known: KnownProviders): SchemaProblem[] {
  return users.flatMap(({ credentials = [] }, index) =>
    credentials.flatMap((credential, at) => {
      const message = credentialMistake(credential, known);
      return message === undefined ? [] : [{ path: ['users', index, 'credentials', at], message }];
    }),
  );
}

/** The mistake of a credential; undefined if it has none. */
export function credentialMistake(
  credential: CredentialRepresentation,
  { providers = [], someLeftOut = false }: KnownProviders,
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
  // A plugin reads its own.
  const algorithm = algorithmOf(credential);
  if (providers.some(({ spi, id }) => spi === 'password-hashing' && id === algorithm && !isOwn(id))) return undefined;
  if (someLeftOut && algorithm !== undefined && !isOwn(algorithm)) return undefined;
  try {
    readCredential(credential);
    return undefined;
  } catch (error) {
    return `this password cannot be used: ${messageOf(error)}`;
  }
}
