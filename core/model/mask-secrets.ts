import { shorten } from './shortened.js';

/** Secrets that must not reach a log, wherever a text contains them. */
const SECRETS: readonly [RegExp, string][] = [
  [/\beyJ[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*){1,4}/g, '***'],
  [/\b(key|password|client_secret|client_assertion|code_verifier)=[^&\s"']+/gi, '$1=***'],
  [/\b((?:device_|user_)?code|(?:access_|refresh_|subject_)?token)=[^&\s"']+/gi, '$1=***'],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]+/gi, '$1 ***'],
];
const SECRET_NAMES =
  /^(password|secret|client_?secret|((access|refresh|id)_?)?token|authorization|cookie|(x-)?api[_-]?key|key|((device|user)_?)?code)$/i;
/**
 * Patterns that find secret members which plugins declare, such as headers with client credentials, in a text; by the
 * member's name.
 */
const declaredPatterns = new Map<string, RegExp>();
/** Maximum number of declared names in the process. */
const MAX_DECLARED_NAMES = 1000;

/** Masks members with these names in all further log entries. A name consists of lower-case letters, digits and `-`. */
export function maskMembers(names: readonly string[]): void {
  for (const name of names) {
    if (declaredPatterns.has(name) || declaredPatterns.size >= MAX_DECLARED_NAMES) continue;
    declaredPatterns.set(name, new RegExp(`\\b(${name})(["']?\\s*[:=]\\s*["']?)[^\\s"',}]+`, 'gi'));
  }
}

function isSecret(name: string): boolean {
  return SECRET_NAMES.test(name) || declaredPatterns.has(name.toLowerCase());
}

/** Maximum length of a text, in characters: enough for a stack, or a report of some lines. */
const TEXT_LIMIT = 8000;
/** Deeper members are not logged. */
const DEPTH_LIMIT = 4;

/** Masks every secret in the value's strings and members, and cuts what is too long for a log entry. */
export function maskSecrets(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') {
    return shorten(
      [...declaredPatterns.values()].reduce(
        (text, pattern) => text.replace(pattern, '$1$2***'),
        SECRETS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), value),
      ),
      TEXT_LIMIT,
    );
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEPTH_LIMIT) return '…';
  if (Array.isArray(value)) return value.map((item) => maskSecrets(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, isSecret(name) ? '***' : maskSecrets(item, depth + 1)]),
  );
}
