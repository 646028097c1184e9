import type { PasswordPolicyDeclaration } from '@keyhost/spi';
import { didYouMean } from '../config/did-you-mean.js';
import { compileSchema, type SchemaProblem, schemaProblems } from '../config/json/schema-check.js';
import { defined } from '../model/defined.js';
import type { Patterns } from '../model/patterns.js';
import type { RealmRepresentation } from '../model/representation.js';
import { BUILT_IN_PASSWORD_POLICIES } from '../users/passwords/built-in-password-policies.js';
import { HASH_ALGORITHMS } from '../users/passwords/password-format.js';
import { PasswordPolicy, termId } from '../users/passwords/password-policy.js';
import type { KnownProviders } from './known-providers.js';

/** Finds problems of the realm's `passwordPolicy`: its terms, their values, and the algorithm that it names. */
export function passwordPolicyMistakes(
  { passwordPolicy }: RealmRepresentation,
  patterns: Patterns,
  { providers = [], hasLeftOutPlugin = false, blacklists }: KnownProviders,
): SchemaProblem[] {
  const path = ['passwordPolicy'];
  const { policy, problems } = PasswordPolicy.parse(passwordPolicy, patterns);
  const mistakes: SchemaProblem[] = problems.map(({ message }) => ({ path, message }));
  const knownIds = (kind: string, builtInIds: readonly string[]) => [
    ...builtInIds,
    ...providers.filter(({ spi, id }) => spi === kind && !builtInIds.includes(id)).map(({ id }) => id),
  ];
  const ids = knownIds('password-policy', Object.keys(BUILT_IN_PASSWORD_POLICIES));
  for (const { id, value } of policy.terms) {
    if (id === 'passwordBlacklist') {
      const message = blacklists?.findProblem(String(value));
      if (message !== undefined) mistakes.push({ path, message });
    } else if (!ids.includes(id)) {
      if (hasLeftOutPlugin) continue;
      const message = `the password policy ${JSON.stringify(id)} is not known`;
      mistakes.push({ path, message, ...defined({ suggestion: didYouMean(termId(id), ids) }) });
    } else if (!Object.hasOwn(BUILT_IN_PASSWORD_POLICIES, id)) {
      const plugin = providers.find((provider) => provider.spi === 'password-policy' && provider.id === id);
      const declaration = (plugin?.declaration ?? {}) as PasswordPolicyDeclaration;
      const message = valueMistake(id, value as string | undefined, declaration);
      if (message !== undefined) mistakes.push({ path, message });
    }
  }
  const algorithms = knownIds('password-hashing', HASH_ALGORITHMS);
  const { hashAlgorithm } = policy;
  if (!algorithms.includes(hashAlgorithm) && !hasLeftOutPlugin) {
    const message = `the hash algorithm ${JSON.stringify(hashAlgorithm)} is not known; known are ${algorithms.join(', ')}`;
    mistakes.push({ path, message });
  }
  return mistakes;
}

/** Returns the problem of the value of a plugin's term; undefined if there is none. */
function valueMistake(
  id: string,
  value: string | undefined,
  { value: schema, defaultValue }: PasswordPolicyDeclaration,
): string | undefined {
  if (schema === undefined) return value === undefined ? undefined : `${id} takes no value`;
  if (value === undefined) return defaultValue === undefined ? `${id} requires a value` : undefined;
  const check = compileSchema(schema);
  if (check(schema.type === 'integer' ? Number(value) : value)) return undefined;
  return `${id}: the value ${schemaProblems(check)
    .map(({ message }) => message)
    .join('; ')}`;
}
