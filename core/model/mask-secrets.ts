import { shortened } from './shortened.js';

/** Secrets that must not reach a log, wherever they stand in a text. */
const SECRETS: readonly [RegExp, string][] = [
  [/\beyJ[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*){1,4}/g, '***'],
  [/\b(key|password|client_secret|client_assertion|code_verifier)=[^&\s"']+/gi, '$1=***'],
  [/\b((?:device_|user_)?code|(?:access_|refresh_|subject_)?token)=[^&\s"']+/gi, '$1=***'],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]+/gi, '$1 ***'],
];
const SECRET_NAMES =
  /^(password|secret|client_?secret|((access|refresh|id)_?)?token|authorization|cookie|key|((device|user)_?)?code)$/i;

/** Of a text, in characters: a stack, or a report of some lines. */
const TEXT_LIMIT = 8000;
/** What lies deeper is not logged. */
const DEPTH_LIMIT = 4;

/** The value with every secret in its texts and members masked, and what is too long for a line cut. */
export function maskSecrets(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') {
    return shortened(
      SECRETS.reduce((text, [pattern, by]) => text.replace(pattern, by), value),
      TEXT_LIMIT,
    );
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEPTH_LIMIT) return '…';
  if (Array.isArray(value)) return value.map((item) => maskSecrets(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, SECRET_NAMES.test(name) ? '***' : maskSecrets(item, depth + 1)]),
  );
}
