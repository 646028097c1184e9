/** The allowed sizes of a realm's keys: in bits for RSA, and in bytes for secrets. */
export const MINIMUM_RSA_BITS = 2048;
export const RSA_BITS: readonly number[] = [2048, 3072, 4096];
export const MINIMUM_SECRET_BYTES = 32;
export const SECRET_BYTES: readonly number[] = [32, 48, 64, 128, 256, 512];
export const AES_BYTES: readonly number[] = [16, 24, 32];
