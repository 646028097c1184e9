import { isMask } from '../../model/mask.js';
import type { CredentialRepresentation, RealmRepresentation } from '../../model/representation.js';
import { isSecretName } from '../../model/secret-names.js';
import type { JsonPath } from '../json/json-document.js';
import type { SchemaProblem } from '../json/schema-check.js';

/*
 * An export that hides secrets writes ten asterisks in their place. Read as values, they would be well-known passwords.
 */

/** Members in which a mask is a secret under any key, not only under the key of a secret. */
const SECRET_MEMBERS: ReadonlySet<string> = new Set(['config', 'smtpServer', 'providers']);
const KEY_PROVIDER = 'org.keycloak.keys.KeyProvider';

interface MaskedMember {
  readonly holder: Record<string, unknown>;
  readonly key: string;
  readonly path: JsonPath;
  /** True if an existing realm preserves its value when the member is absent, so that the mask can be removed. */
  readonly isPreservedIfAbsent: boolean;
}

export interface RemovedSecret {
  readonly path: JsonPath;
  /** Describes what happens to the secret. */
  readonly message: string;
}

/**
 * Removes masked secrets from a realm, so that they count as absent: an existing realm preserves its secrets.
 *
 * Masks stay in `providers`, whose schemas may require them, in lists, whose items have no identity, and under keys
 * that do not name a secret. `maskedSecretProblems` reports these. Masked keys of the realm stay, too: the code that
 * reads keys rejects them, since a different key would end every session.
 * @param realm changed in place; its shape has been checked
 * @param omittedItems receives the indexes of removed credentials, by the path of their list
 */
export function removeMaskedSecrets(
  realm: RealmRepresentation,
  omittedItems: Map<string, readonly number[]> = new Map(),
): RemovedSecret[] {
  const removed: RemovedSecret[] = [];
  for (const [index, user] of (realm.users ?? []).entries()) {
    const path = ['users', index, 'credentials'];
    const maskedIndexes = [...(user.credentials ?? []).entries()].filter(([, one]) => isMasked(one)).map(([at]) => at);
    if (maskedIndexes.length === 0) continue;
    user.credentials = user.credentials?.filter((_, at) => !maskedIndexes.includes(at)) ?? [];
    omittedItems.set(JSON.stringify(path), maskedIndexes);
    removed.push(...maskedIndexes.map((at) => ({ path: [...path, at], message: CREDENTIAL })));
  }
  for (const { holder, key, path, isPreservedIfAbsent } of findMasks(realm)) {
    if (!isPreservedIfAbsent) continue;
    delete holder[key];
    removed.push({ path, message: isClientSecret(path) ? CLIENT_SECRET : OTHER_SECRET });
  }
  return removed;
}

/** Finds the masked secrets in a realm that `removeMaskedSecrets` leaves there. */
export function maskedSecretProblems(realm: RealmRepresentation): SchemaProblem[] {
  const message = 'is masked: write the secret, or a reference such as "${env.MY_SECRET}"';
  const credentials = (realm.users ?? []).flatMap(({ credentials = [] }, index) =>
    credentials.flatMap((one, at) => (isMasked(one) ? [['users', index, 'credentials', at]] : [])),
  );
  return [...credentials, ...[...findMasks(realm)].map(({ path }) => path)].map((path) => ({ path, message }));
}

/** True for a credential whose secret is a mask: a plain password, or the stored form as JSON. */
export function isMasked({ value, secretData, credentialData }: CredentialRepresentation): boolean {
  return [value, secretData, credentialData].some(isMask) || isMask(secretIn(secretData));
}

function secretIn(secretData: string | undefined): unknown {
  try {
    return (JSON.parse(secretData ?? '{}') as { readonly value?: unknown } | null)?.value;
  } catch {
    return undefined;
  }
}

const CREDENTIAL = 'is masked and ignored: a new user gets no credential, an existing user keeps theirs';
const CLIENT_SECRET = 'is masked and ignored: an existing client keeps its secret, a new client gets a generated one';
const OTHER_SECRET = 'is masked and ignored: an existing realm keeps its value, a new realm gets none';

/** Finds masks in place of secrets, except for keys of the realm and credentials of users. */
function* findMasks(node: unknown, path: JsonPath = [], isInSecretMember = false): Generator<MaskedMember> {
  if (typeof node !== 'object' || node === null) return;
  const holder = node as Record<string, unknown>;
  const isList = Array.isArray(node);
  for (const [key, member] of Object.entries(holder)) {
    if ((typeof member !== 'object' && !isMask(member)) || key === KEY_PROVIDER) continue;
    if (path.length === 2 && path[0] === 'users' && key === 'credentials') continue;
    const memberPath = [...path, isList ? Number(key) : key];
    const isNamed = !isList && isSecretName(key);
    // A component writes a single value as a list with one string.
    const isMaskedMember =
      isMask(member) || (isNamed && Array.isArray(member) && member.length > 0 && member.every(isMask));
    if (!isMaskedMember) yield* findMasks(member, memberPath, isInSecretMember || SECRET_MEMBERS.has(key));
    else if (isNamed || isInSecretMember)
      yield { holder, key, path: memberPath, isPreservedIfAbsent: isNamed && path[0] !== 'providers' };
  }
}

function isClientSecret(path: JsonPath): boolean {
  return path.length === 3 && path[0] === 'clients' && path[2] === 'secret';
}
