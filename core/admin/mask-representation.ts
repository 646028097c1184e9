import { MASK } from '../model/mask.js';
import { isSecretName } from '../model/secret-names.js';

/** Secret members of credentials whose names do not reveal that they are secret. */
const SECRETS = new Set(['value', 'secretData', 'credentialData']);

/** Copies a representation for an admin event, and masks every secret in it. */
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
