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
 * Requirements of a realm's client profiles and policies that nothing implements, and configuration mistakes. They are
 * refused, so that no operator relies on a setting without effect.
 */
export function clientPolicyMistakes(
  { clientProfiles, clientPolicies }: RealmRepresentation,
  patterns: Patterns,
  known: KnownProviders = {},
): SchemaProblem[] {
  const profiles = clientProfiles?.profiles ?? [];
  const policies = clientPolicies?.policies ?? [];
  const ofProfiles = ['clientProfiles', 'profiles'];
  const ofPolicies = ['clientPolicies', 'policies'];
  return [
    ...namedTwice(profiles, ofProfiles, 'client profile'),
    ...profiles.flatMap((profile, index) => profileMistakes(profile, [...ofProfiles, index], patterns, known)),
    ...namedTwice(policies, ofPolicies, 'client policy'),
    ...policies.flatMap((policy, index) => policyMistakes(policy, [...ofPolicies, index], patterns, known)),
  ];
}

function namedTwice(all: readonly { readonly name?: string }[], path: Path, what: string): SchemaProblem[] {
  const names = all.map(({ name }) => name);
  return names.flatMap((name, index) => {
    if (name && names.indexOf(name) === index) return [];
    const message = name ? `the ${what} "${name}" is used twice` : `a ${what} requires a name`;
    return [{ path: [...path, index, 'name'], message }];
  });
}

function profileMistakes(
  { name, executors = [] }: ClientProfileRepresentation,
  path: Path,
  patterns: Patterns,
  known: KnownProviders,
): SchemaProblem[] {
  const isGlobal = name !== undefined && GLOBAL_PROFILES.includes(name);
  const message = `"${name}" is the name of a global profile of Keycloak: choose another name`;
  return [
    ...(isGlobal ? [{ path: [...path, 'name'], message }] : []),
    ...executors.flatMap(({ executor, configuration }, at) =>
      configurationMistakes('executor', executor, configuration, [...path, 'executors', at], patterns, known),
    ),
  ];
}

function policyMistakes(
  { conditions = [], profiles = [] }: ClientPolicyRepresentation,
  path: Path,
  patterns: Patterns,
  known: KnownProviders,
): SchemaProblem[] {
  return [
    ...conditions.flatMap(({ condition, configuration }, at) =>
      configurationMistakes('condition', condition, configuration, [...path, 'conditions', at], patterns, known),
    ),
    ...profiles.flatMap((name, at) => {
      const isGlobal = GLOBAL_PROFILES.includes(name);
      if (!isGlobal && profiles.indexOf(name) === at) return [];
      const message = isGlobal
        ? `Keyhost does not support "${name}", a global profile of Keycloak`
        : `the client profile "${name}" is used twice`;
      return [{ path: [...path, 'profiles', at], message }];
    }),
  ];
}

const OWN = { condition: CONDITIONS, executor: EXECUTORS } as const;

/** @param id of the executor or condition, built in or of a plugin */
function configurationMistakes(
  kind: 'executor' | 'condition',
  id: string | undefined,
  configuration: PolicyConfig | undefined,
  path: Path,
  patterns: Patterns,
  { providers = [], someLeftOut = false }: KnownProviders,
): SchemaProblem[] {
  const own: readonly (ClientPolicyExecutor | ClientPolicyCondition)[] = OWN[kind];
  const plugins = providers.filter(({ spi, builtin }) => spi === `client-policy-${kind}` && builtin !== true);
  const below = (problems: readonly SchemaProblem[]) =>
    problems.map((problem) => ({ ...problem, path: [...path, 'configuration', ...problem.path] }));
  const found = own.find((one) => one.id === id);
  if (found !== undefined) {
    const { config, problems } = readConfig(found, configuration ?? {});
    return below(problems.length > 0 ? problems : patternMistakes(found, config, patterns));
  }
  const plugin = plugins.find((one) => one.id === id);
  if (plugin !== undefined) {
    const { settings } = plugin.declaration as ClientPolicyDeclaration;
    return below(readPluginConfig(kind, settings, configuration).problems);
  }
  if (someLeftOut && id !== undefined) return [];
  const ids = [...own, ...plugins].map((one) => one.id);
  const message = `${kind} "${id ?? ''}" is not supported`;
  return [
    { path: [...path, kind], message, ...defined({ suggestion: id === undefined ? undefined : didYouMean(id, ids) }) },
  ];
}

function patternMistakes(
  found: ClientPolicyExecutor | ClientPolicyCondition,
  config: PolicyConfig,
  patterns: Patterns,
): SchemaProblem[] {
  const mistakes = 'patternsIn' in found ? found.patternsIn?.(config).map((pattern) => patterns.mistake(pattern)) : [];
  const message = mistakes?.find((mistake) => mistake !== undefined);
  return message === undefined ? [] : [{ path: [], message }];
}

/**
 * Profiles that policies name and the realm does not have. Over HTTP, a profile may be removed first, as in Keycloak.
 */
export function missingProfiles({ clientProfiles, clientPolicies }: RealmRepresentation): SchemaProblem[] {
  const known = (clientProfiles?.profiles ?? []).flatMap(({ name }) => (name === undefined ? [] : [name]));
  return (clientPolicies?.policies ?? []).flatMap(({ profiles = [] }, index) =>
    profiles.flatMap((name, at) => {
      if (known.includes(name) || GLOBAL_PROFILES.includes(name)) return [];
      const path = ['clientPolicies', 'policies', index, 'profiles', at];
      const suggestion = didYouMean(name, known);
      const message = `client profile "${name}" not found`;
      return [{ path, message, ...defined({ suggestion }) }];
    }),
  );
}

/**
 * Sentences about profiles that a change removed although policies name them. @param before undefined for a new realm
 */
export function newMissingProfiles(before: RealmRepresentation | undefined, after: RealmRepresentation): string[] {
  const fresh = addedSentences(before, after, (realm) => missingProfiles(realm).map(({ message }) => message));
  return [...new Set(fresh)].map((sentence) => `${sentence}: the policies that use it do not apply it`);
}
