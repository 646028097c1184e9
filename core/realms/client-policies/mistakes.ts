import { didYouMean } from '../../config/did-you-mean.js';
import type { SchemaProblem } from '../../config/json/schema-check.js';
import { defined } from '../../model/defined.js';
import type { RealmRepresentation } from '../../model/representation.js';
import type { ClientPolicyCondition } from './condition.js';
import { CONDITIONS } from './conditions.js';
import type { ClientPolicyExecutor } from './executor.js';
import { EXECUTORS } from './executors.js';
import { GLOBAL_PROFILES } from './global-profiles.js';
import type { PolicyConfig } from './property.js';
import { readConfig } from './read-config.js';

/**
 * What a realm's client profiles and policies ask for that nobody carries out, and what is configured wrongly. It is refused:
 * nobody is to rely on what does nothing.
 */
export function clientPolicyMistakes({ clientProfiles, clientPolicies }: RealmRepresentation): SchemaProblem[] {
  const found: SchemaProblem[] = [];
  const configured = (
    all: readonly (ClientPolicyExecutor | ClientPolicyCondition)[],
    [kind, id, configuration = {}]: ['executor' | 'condition', string | undefined, PolicyConfig | undefined],
    path: SchemaProblem['path'],
  ) => {
    const what = all.find((one) => one.id === id);
    if (what === undefined) {
      const near =
        id === undefined
          ? undefined
          : didYouMean(
              id,
              all.map((one) => one.id),
            );
      const message = `there is no ${kind} "${id ?? ''}": nothing would do what it says`;
      found.push({ path: [...path, kind], message, ...defined({ suggestion: near }) });
      return;
    }
    for (const problem of readConfig(what, configuration).problems) {
      found.push({ ...problem, path: [...path, 'configuration', ...problem.path] });
    }
  };
  const once = (names: readonly (string | undefined)[], path: SchemaProblem['path'], what: string) => {
    for (const [index, name] of names.entries()) {
      if (!name) found.push({ path: [...path, index, 'name'], message: `a ${what} needs a name` });
      else if (names.indexOf(name) !== index) {
        found.push({ path: [...path, index, 'name'], message: `the ${what} "${name}" stands here twice` });
      }
    }
  };
  const profiles = clientProfiles?.profiles ?? [];
  once(
    profiles.map(({ name }) => name),
    ['clientProfiles', 'profiles'],
    'client profile',
  );
  for (const [index, { name, executors = [] }] of profiles.entries()) {
    const path = ['clientProfiles', 'profiles', index];
    if (name !== undefined && GLOBAL_PROFILES.includes(name)) {
      found.push({ path: [...path, 'name'], message: `"${name}" is the name of a profile of Keycloak's own` });
    }
    for (const [at, { executor, configuration }] of executors.entries()) {
      configured(EXECUTORS, ['executor', executor, configuration], [...path, 'executors', at]);
    }
  }
  const policies = clientPolicies?.policies ?? [];
  once(
    policies.map(({ name }) => name),
    ['clientPolicies', 'policies'],
    'client policy',
  );
  for (const [index, { conditions = [], profiles: named = [] }] of policies.entries()) {
    const path = ['clientPolicies', 'policies', index];
    for (const [at, { condition, configuration }] of conditions.entries()) {
      configured(CONDITIONS, ['condition', condition, configuration], [...path, 'conditions', at]);
    }
    for (const [at, name] of named.entries()) {
      if (GLOBAL_PROFILES.includes(name)) {
        const message = `"${name}" is a profile of Keycloak's own: Keyhost does not carry out all that it asks for`;
        found.push({ path: [...path, 'profiles', at], message });
      } else if (named.indexOf(name) !== at) {
        found.push({ path: [...path, 'profiles', at], message: `the client profile "${name}" stands here twice` });
      }
    }
  }
  return found;
}

/** Profiles that policies name and the realm does not have. Over HTTP one may be taken away first, as in Keycloak. */
export function missingProfiles({ clientProfiles, clientPolicies }: RealmRepresentation): SchemaProblem[] {
  const known = (clientProfiles?.profiles ?? []).flatMap(({ name }) => (name === undefined ? [] : [name]));
  return (clientPolicies?.policies ?? []).flatMap(({ profiles = [] }, index) =>
    profiles.flatMap((name, at) => {
      if (known.includes(name) || GLOBAL_PROFILES.includes(name)) return [];
      const path = ['clientPolicies', 'policies', index, 'profiles', at];
      const suggestion = didYouMean(name, known);
      const message = `there is no client profile "${name}"`;
      return [{ path, message, ...defined({ suggestion }) }];
    }),
  );
}

/** Sentences about profiles that a change took from under the policies that name them. @param before undefined for a new realm */
export function newMissingProfiles(before: RealmRepresentation | undefined, after: RealmRepresentation): string[] {
  const sentences = (realm: RealmRepresentation) => missingProfiles(realm).map(({ message }) => message);
  const known = new Set(before === undefined ? [] : sentences(before));
  const fresh = new Set(sentences(after).filter((sentence) => !known.has(sentence)));
  return [...fresh].map((sentence) => `${sentence}: policies that name it do not ask for it`);
}
