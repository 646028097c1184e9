import { MASK } from '../model/mask.js';
import { isSecretName } from '../model/secret-names.js';

/** Secret members of credentials whose names do not reveal that they are secret. */
const SECRETS = new Set(['value', 'secretData', 'credentialData']);

/** Copies a representation for an admin event, and masks every secret in it. */
export function maskRepresentation(value: unknown): unknown {
  return mask(value, new Map());
}

/** @param secretNames names that were examined already: those of a long list repeat */
function mask(value: unknown, secretNames: Map<string, boolean>): unknown {
  if (Array.isArray(value)) return value.map((item) => mask(item, secretNames));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      let isSecret = secretNames.get(key);
      if (isSecret === undefined) {
        isSecret = SECRETS.has(key) || isSecretName(key);
        secretNames.set(key, isSecret);
      }
      return [key, isSecret && !isEmpty(member) ? MASK : mask(member, secretNames)];
    }),
  );
}

function isEmpty(member: unknown): boolean {
  return member === undefined || member === null || typeof member === 'boolean';
}
