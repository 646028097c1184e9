import { didYouMean } from '../config/did-you-mean.js';
import type { SchemaProblem } from '../config/json/schema-check.js';
import { defined } from '../model/defined.js';
import type { RealmRepresentation } from '../model/representation.js';
import type { ClientPolicyCondition } from './condition.js';
import { CONDITIONS } from './conditions.js';
import type { ClientPolicyExecutor } from './executor.js';
import { EXECUTORS } from './executors.js';
import { GLOBAL_PROFILES } from './global-profiles.js';
import type { PolicyConfig } from './property.js';
import { readConfig } from './read-config.js';

type Profile = NonNullable<NonNullable<RealmRepresentation['clientProfiles']>['profiles']>[number];
type Policy = NonNullable<NonNullable<RealmRepresentation['clientPolicies']>['policies']>[number];

/**
 * What a realm's client profiles and policies ask for that nobody carries out, and what is configured wrongly. It is refused:
 * nobody is to rely on what does nothing.
 */
export function clientPolicyMistakes({ clientProfiles, clientPolicies }: RealmRepresentation): SchemaProblem[] {
  const [profiles, policies] = [clientProfiles?.profiles ?? [], clientPolicies?.policies ?? []];
  const ofProfiles = ['clientProfiles', 'profiles'];
  const ofPolicies = ['clientPolicies', 'policies'];
  return [
    ...nameMistakes(profiles, 'client profile', ofProfiles),
    ...profiles.flatMap((profile, index) => profileMistakes(profile, [...ofProfiles, index])),
    ...nameMistakes(policies, 'client policy', ofPolicies),
    ...policies.flatMap((policy, index) => policyMistakes(policy, [...ofPolicies, index])),
  ];
}

function nameMistakes(
  named: readonly { readonly name?: string }[],
  what: string,
  path: SchemaProblem['path'],
): SchemaProblem[] {
  const names = named.map(({ name }) => name);
  return names.flatMap((name, index) => {
    const at = [...path, index, 'name'];
    if (!name) return [{ path: at, message: `a ${what} needs a name` }];
    return names.indexOf(name) === index ? [] : [{ path: at, message: `the ${what} "${name}" stands here twice` }];
  });
}

function profileMistakes({ name, executors = [] }: Profile, path: SchemaProblem['path']): SchemaProblem[] {
  const isTaken = name !== undefined && GLOBAL_PROFILES.includes(name);
  const message = `"${name}" is the name of a profile of Keycloak's own`;
  return [
    ...(isTaken ? [{ path: [...path, 'name'], message }] : []),
    ...executors.flatMap(({ executor, configuration }, index) =>
      partMistakes(EXECUTORS, ['executor', executor, configuration], [...path, 'executors', index]),
    ),
  ];
}

function policyMistakes({ conditions = [], profiles = [] }: Policy, path: SchemaProblem['path']): SchemaProblem[] {
  return [
    ...conditions.flatMap(({ condition, configuration }, index) =>
      partMistakes(CONDITIONS, ['condition', condition, configuration], [...path, 'conditions', index]),
    ),
    ...profiles.flatMap((name, index) => {
      const at = [...path, 'profiles', index];
      if (GLOBAL_PROFILES.includes(name)) {
        const message = `"${name}" is a profile of Keycloak's own: Keyhost does not carry out all that it asks for`;
        return [{ path: at, message }];
      }
      const isTwice = profiles.indexOf(name) !== index;
      return isTwice ? [{ path: at, message: `the client profile "${name}" stands here twice` }] : [];
    }),
  ];
}

/** Mistakes of an executor or a condition: there is none of that name, or it is configured wrongly. */
function partMistakes(
  all: readonly (ClientPolicyExecutor | ClientPolicyCondition)[],
  [kind, id = '', configuration = {}]: ['executor' | 'condition', string | undefined, PolicyConfig | undefined],
  path: SchemaProblem['path'],
): SchemaProblem[] {
  const what = all.find((one) => one.id === id);
  if (what === undefined) {
    const names = all.map((one) => one.id);
    const suggestion = id === '' ? undefined : didYouMean(id, names);
    const message = `there is no ${kind} "${id}": nothing would do what it says`;
    return [defined({ path: [...path, kind], message, suggestion })];
  }
  return readConfig(what, configuration).problems.map((problem) => ({
    ...problem,
    path: [...path, 'configuration', ...problem.path],
  }));
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
      return [defined({ path, message, suggestion })];
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
