import type { Roles } from '../api/failure.ts';
import type { Language } from '../messages/language.tsx';

/** Roles as a list in the language: `a or b`, and `a and b` if they are needed together. */
export function formatRoles(roles: Roles, language: Language): string {
  const list = (type: 'conjunction' | 'disjunction', words: readonly string[]) =>
    new Intl.ListFormat(language, { type }).format(words);
  return list(
    'disjunction',
    roles.map((role) => (typeof role === 'string' ? role : list('conjunction', role))),
  );
}
