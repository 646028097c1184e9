import type { JsonObject, StoredCredential } from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import { isObject } from '../../model/is-object.js';
import type { CredentialRepresentation } from '../../model/representation.js';

/**
 * Parses a credential for its provider; undefined if the stored values are invalid, for example after a damaged import.
 */
export function readValues(
  credential: CredentialRepresentation & { readonly id: string },
): StoredCredential | undefined {
  const { id, userLabel, createdDate } = credential;
  const secret = parseObject(credential.secretData);
  const data = parseObject(credential.credentialData);
  if (secret === undefined || data === undefined) return undefined;
  return { id, ...defined({ label: userLabel || undefined, createdDate }), secret, data };
}

/** True if a plugin's provider could read the values. */
export function isReadable({
  secretData,
  credentialData,
}: Pick<CredentialRepresentation, 'secretData' | 'credentialData'>): boolean {
  return parseObject(secretData) !== undefined && parseObject(credentialData) !== undefined;
}

/** Serialises a provider's values as Keycloak stores them. */
export function writeValues({ secret, data }: { readonly secret?: JsonObject; readonly data?: JsonObject }) {
  return defined({
    secretData: secret === undefined ? undefined : JSON.stringify(secret),
    credentialData: data === undefined ? undefined : JSON.stringify(data),
  });
}

function parseObject(text: string | undefined): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text || '{}');
    return isObject(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
