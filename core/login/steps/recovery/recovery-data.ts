import { hash, timingSafeEqual } from 'node:crypto';
import type { CredentialRepresentation } from '../../../model/representation.js';

export const RECOVERY_CODES = 'recovery-authn-codes';

/** The remaining codes of a user (Keycloak's RecoveryAuthnCodesCredentialModel). */
export interface RecoveryData {
  readonly total: number;
  /** In the order of their use. */
  readonly codes: readonly { readonly number: number; readonly digest: Buffer }[];
  readonly algorithm: 'sha256' | 'sha384' | 'sha512';
}

/** Keycloak identifies the hash by a signature algorithm that uses it. */
const ALGORITHM = 'RS512';
const HASHES: Readonly<Record<string, RecoveryData['algorithm']>> = {
  RS256: 'sha256',
  RS384: 'sha384',
  RS512: 'sha512',
};

export function writeRecoveryCodes(codes: readonly string[]): Pick<CredentialRepresentation, 'type' | 'secretData'> {
  const hashed = codes.map((code, index) => ({ number: index + 1, digest: hash('sha512', code, 'buffer') }));
  return writeRecoveryData({ total: codes.length, codes: hashed, algorithm: 'sha512' });
}

/**
 * Parses the codes of a credential.
 * @throws Error if they are unreadable
 */
export function readRecoveryData({ secretData, credentialData }: CredentialRepresentation): RecoveryData {
  const { codes } = JSON.parse(secretData ?? '') as { codes?: unknown };
  const { algorithm: name = ALGORITHM, totalCodes } = JSON.parse(credentialData ?? '') as Record<string, unknown>;
  const algorithm = typeof name === 'string' && Object.hasOwn(HASHES, name) ? HASHES[name] : undefined;
  if (algorithm === undefined) throw new Error('the hash algorithm is unknown');
  if (!Array.isArray(codes)) throw new Error('codes are missing');
  const parsed = codes.map((code: { number?: unknown; encodedHashedValue?: unknown } | null) => {
    const { number, encodedHashedValue } = code ?? {};
    if (!Number.isSafeInteger(number) || typeof encodedHashedValue !== 'string') throw new Error('a code is damaged');
    return { number: Number(number), digest: Buffer.from(encodedHashedValue, 'base64') };
  });
  return { total: Number.isSafeInteger(totalCodes) ? Number(totalCodes) : parsed.length, codes: parsed, algorithm };
}

/** The stored form of the codes without the next one. */
export function withoutNext({ codes, ...data }: RecoveryData): Partial<CredentialRepresentation> {
  return writeRecoveryData({ ...data, codes: codes.slice(1) });
}

/** True if this is the next code. */
export function isNext({ codes: [next], algorithm }: RecoveryData, code: string): boolean {
  const digest = hash(algorithm, code, 'buffer');
  return next !== undefined && next.digest.length === digest.length && timingSafeEqual(next.digest, digest);
}

function writeRecoveryData({ total, codes, algorithm }: RecoveryData) {
  const name = Object.keys(HASHES).find((candidate) => HASHES[candidate] === algorithm);
  return {
    type: RECOVERY_CODES,
    secretData: JSON.stringify({
      codes: codes.map(({ number, digest }) => ({ number, encodedHashedValue: digest.toString('base64') })),
    }),
    credentialData: JSON.stringify({
      hashIterations: 1,
      algorithm: name,
      totalCodes: total,
      remainingCodes: codes.length,
    }),
  };
}
