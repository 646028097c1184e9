import type { ClientPolicyDeclaration } from '@keyhost/spi';
import { addedSentences } from '../../config/added-sentences.js';
import { didYouMean } from '../../config/did-you-mean.js';
import type { SchemaProblem } from '../../config/json/schema-check.js';
import { defined } from '../../model/defined.js';
import type { Patterns } from '../../model/patterns.js';
import type {
  ClientPolicyRepresentation,
  ClientProfileRepresentation,
  RealmRepresentation,
} from '../../model/representation.js';
import type { KnownProviders } from '../known-providers.js';
import type { ClientPolicyCondition } from './condition.js';
import { CONDITIONS } from './conditions.js';
import type { ClientPolicyExecutor } from './executor.js';
import { EXECUTORS } from './executors.js';
import { GLOBAL_PROFILES } from './global-profiles.js';
import type { PolicyConfig } from './property.js';
import { readConfig } from './read-config.js';
import { readPluginConfig } from './read-plugin-config.js';

type Path = SchemaProblem['path'];

/**
 * Finds requirements of a realm's client profiles and policies that nothing implements, and configuration mistakes.
 * They are refused, so that no operator relies on a setting without effect.
 */
export function clientPolicyMistakes(
  { clientProfiles, clientPolicies }: RealmRepresentation,
  patterns: Patterns,
  knownProviders: KnownProviders = {},
): SchemaProblem[] {
  const profiles = clientProfiles?.profiles ?? [];
  const policies = clientPolicies?.policies ?? [];
  const ofProfiles = ['clientProfiles', 'profiles'];
  const ofPolicies = ['clientPolicies', 'policies'];
  return [
    ...duplicateNameProblems(profiles, ofProfiles, 'client profile'),
    ...profiles.flatMap((profile, index) => profileMistakes(profile, [...ofProfiles, index], patterns, knownProviders)),
    ...duplicateNameProblems(policies, ofPolicies, 'client policy'),
    ...policies.flatMap((policy, index) => policyMistakes(policy, [...ofPolicies, index], patterns, knownProviders)),
  ];
}

function duplicateNameProblems(
  items: readonly { readonly name?: string }[],
  path: Path,
  noun: string,
): SchemaProblem[] {
  const names = items.map(({ name }) => name);
  return names.flatMap((name, index) => {
    if (name && names.indexOf(name) === index) return [];
    const message = name ? `the ${noun} "${name}" is used twice` : `a ${noun} requires a name`;
    return [{ path: [...path, index, 'name'], message }];
  });
}

function profileMistakes(
  { name, executors = [] }: ClientProfileRepresentation,
  path: Path,
  patterns: Patterns,
  knownProviders: KnownProviders,
): SchemaProblem[] {
  const isGlobal = name !== undefined && GLOBAL_PROFILES.includes(name);
  const message = `"${name}" is the name of a global profile of Keycloak: choose another name`;
  return [
    ...(isGlobal ? [{ path: [...path, 'name'], message }] : []),
    ...executors.flatMap(({ executor, configuration }, executorIndex) =>
      configurationMistakes(
        'executor',
        executor,
        configuration,
        [...path, 'executors', executorIndex],
        patterns,
        knownProviders,
      ),
    ),
  ];
}

function policyMistakes(
  { conditions = [], profiles = [] }: ClientPolicyRepresentation,
  path: Path,
  patterns: Patterns,
  knownProviders: KnownProviders,
): SchemaProblem[] {
  return [
    ...conditions.flatMap(({ condition, configuration }, conditionIndex) =>
      configurationMistakes(
        'condition',
        condition,
        configuration,
        [...path, 'conditions', conditionIndex],
        patterns,
        knownProviders,
      ),
    ),
    ...profiles.flatMap((name, profileIndex) => {
      const isGlobal = GLOBAL_PROFILES.includes(name);
      if (!isGlobal && profiles.indexOf(name) === profileIndex) return [];
      const message = isGlobal
        ? `Keyhost does not support "${name}", a global profile of Keycloak`
        : `the client profile "${name}" is used twice`;
      return [{ path: [...path, 'profiles', profileIndex], message }];
    }),
  ];
}

const BUILT_INS = { condition: CONDITIONS, executor: EXECUTORS } as const;

/** @param id the ID of a built-in or a plugin's executor or condition */
function configurationMistakes(
  kind: 'executor' | 'condition',
  id: string | undefined,
  configuration: PolicyConfig | undefined,
  path: Path,
  patterns: Patterns,
  { providers = [], hasLeftOutPlugin = false }: KnownProviders,
): SchemaProblem[] {
  const builtIns: readonly (ClientPolicyExecutor | ClientPolicyCondition)[] = BUILT_INS[kind];
  const plugins = providers.filter(({ spi, builtin }) => spi === `client-policy-${kind}` && builtin !== true);
  const withPath = (problems: readonly SchemaProblem[]) =>
    problems.map((problem) => ({ ...problem, path: [...path, 'configuration', ...problem.path] }));
  const builtIn = builtIns.find((one) => one.id === id);
  if (builtIn !== undefined) {
    const { config, problems } = readConfig(builtIn, configuration ?? {});
    return withPath(problems.length > 0 ? problems : patternMistakes(builtIn, config, patterns));
  }
  const plugin = plugins.find((one) => one.id === id);
  if (plugin !== undefined) {
    const { settings } = plugin.declaration as ClientPolicyDeclaration;
    return withPath(readPluginConfig(kind, settings, configuration).problems);
  }
  if (hasLeftOutPlugin && id !== undefined) return [];
  const ids = [...builtIns, ...plugins].map((one) => one.id);
  const message = `${kind} "${id ?? ''}" is not supported`;
  return [
    { path: [...path, kind], message, ...defined({ suggestion: id === undefined ? undefined : didYouMean(id, ids) }) },
  ];
}

function patternMistakes(
  builtIn: ClientPolicyExecutor | ClientPolicyCondition,
  config: PolicyConfig,
  patterns: Patterns,
): SchemaProblem[] {
  const mistakes =
    'patternsIn' in builtIn ? builtIn.patternsIn?.(config).map((pattern) => patterns.problemWith(pattern)) : [];
  const message = mistakes?.find((mistake) => mistake !== undefined);
  return message === undefined ? [] : [{ path: [], message }];
}

/**
 * Finds profiles that policies name and the realm does not have. The Admin REST API accepts them, because a profile may
 * be removed before its policy, as in Keycloak.
 */
export function missingProfiles({ clientProfiles, clientPolicies }: RealmRepresentation): SchemaProblem[] {
  const profileNames = (clientProfiles?.profiles ?? []).flatMap(({ name }) => (name === undefined ? [] : [name]));
  return (clientPolicies?.policies ?? []).flatMap(({ profiles = [] }, index) =>
    profiles.flatMap((name, profileIndex) => {
      if (profileNames.includes(name) || GLOBAL_PROFILES.includes(name)) return [];
      const path = ['clientPolicies', 'policies', index, 'profiles', profileIndex];
      const suggestion = didYouMean(name, profileNames);
      const message = `client profile "${name}" not found`;
      return [{ path, message, ...defined({ suggestion }) }];
    }),
  );
}

/**
 * Returns sentences about profiles that a change has removed although policies name them.
 * @param before undefined for a new realm
 */
export function newMissingProfiles(before: RealmRepresentation | undefined, after: RealmRepresentation): string[] {
  const addedProblems = addedSentences(before, after, (realm) => missingProfiles(realm).map(({ message }) => message));
  return [...new Set(addedProblems)].map((sentence) => `${sentence}: the policies that use it do not apply it`);
}
