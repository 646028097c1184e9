/** What stands where a secret was; sent back, it changes nothing (Keycloak's ComponentRepresentation.SECRET_VALUE). */
export const MASK = '**********';

const SECRETS = new Set([
  ...['secret', 'clientSecret', 'password', 'value', 'secretData', 'credentialData', 'privateKey', 'bindCredential'],
  ...['registrationAccessToken', 'keystorePassword', 'keyPassword', 'token'],
]);

const SECRET_NAME =
  /(secret|password|passphrase|private[_.]?key|api_?key)s?$|^(secret\.key|bindCredential|client\.secret\.rotated)$/i;

/** True for the name of a member whose text is taken for a secret where nothing else says what it is. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** A copy of a representation for an admin event: every secret in it is masked. */
export function maskRepresentation(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskRepresentation);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      (SECRETS.has(key) || isSecretName(key)) && !isEmpty(member) ? MASK : maskRepresentation(member),
    ]),
  );
}

function isEmpty(member: unknown): boolean {
  return member === undefined || member === null || typeof member === 'boolean';
}
