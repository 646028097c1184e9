import type { ClientPolicyEvent, ClientPolicyVerdict } from '@keyhost/spi';
import { Patterns } from '../../model/patterns.js';
import type { Realm } from '../../model/realm.js';
import type { ClientPolicyRepresentation, RealmRepresentation } from '../../model/representation.js';
import type { ClientChange, PolicyClientRequest, RequestEvent } from './client-policy-events.js';
import type { ClientPolicyCondition, Vote } from './condition.js';
import { CONDITIONS } from './conditions.js';
import type { ClientPolicyExecutor } from './executor.js';
import { EXECUTORS } from './executors.js';
import { aboutChange, aboutRequest, applyToRequest, carryOutOnChange } from './plugin-verdicts.js';
import type { PluginUse, PolicyEvaluation, PolicyInput } from './policy-evaluation.js';
import { type PolicyConfig, withDefaults } from './property.js';
import { readConfig } from './read-config.js';
import { awaited, runSteps, type Steps } from './steps.js';

interface Configured<T> {
  readonly what: T;
  readonly config: PolicyConfig;
}

/** A built-in one, or one of a plugin. */
type Used<T> = Configured<T> | PluginUse;

interface Policy {
  readonly conditions: readonly Used<ClientPolicyCondition>[];
  readonly executors: readonly Used<ClientPolicyExecutor>[];
}

/** How policies look at something that happens. */
interface Evaluation {
  readonly event: ClientPolicyEvent;
  /** As plugins see it now. */
  about(): PolicyInput;
  vote(condition: Configured<ClientPolicyCondition>): Vote;
  /** True if the executor handles the event. */
  concerns(executor: Configured<ClientPolicyExecutor>): boolean;
  carryOut(executor: Configured<ClientPolicyExecutor>, patterns: Patterns): void;
  /** Undefined if executors of plugins do not handle the event. */
  readonly carryOutAnswer: ((use: PluginUse, answer: ClientPolicyVerdict) => void) | undefined;
}

/**
 * The enabled policies of a realm with at least one executor (Keycloak's ClientPolicyManager). A method that evaluates
 * only built-in conditions and executors returns undefined, and is done then. Otherwise it returns a promise, because
 * plugins are asked.
 */
export class ClientPolicies {
  readonly #policies: readonly Policy[];
  readonly #requests: ReadonlySet<RequestEvent>;
  readonly #realm: string;
  /** True if a plugin may have to be asked. */
  readonly asksPlugins: boolean;

  /** @param realm whose they are, by name */
  constructor(realm: string, policies: readonly Policy[]) {
    this.#realm = realm;
    this.#policies = policies;
    const executors = policies.flatMap((policy) => policy.executors);
    this.#requests = new Set(
      executors.flatMap((executor) => (isPlugin(executor) ? [] : (executor.what.requests ?? []))),
    );
    this.asksPlugins = policies.some(({ conditions }) => conditions.some(isPlugin)) || executors.some(isPlugin);
  }

  /** @throws ClientPolicyRefused for what a policy refuses, before or after it is waited for */
  request(request: PolicyClientRequest, plugins: PolicyEvaluation): Promise<void> | undefined {
    const { event } = request;
    if (!this.asksPlugins && !this.#requests.has(event)) return undefined;
    let pluginInput: PolicyInput | undefined;
    const judging: Evaluation = {
      event,
      about: () => {
        pluginInput ??= aboutRequest(plugins, request);
        return pluginInput;
      },
      vote: ({ what, config }) => what.request?.(config, request),
      concerns: ({ what }) => what.requests?.includes(event) === true,
      carryOut: ({ what, config }, patterns) => what.request?.(config, request, patterns),
      carryOutAnswer: (use, answer) => applyToRequest(plugins, use, answer, request),
    };
    return runSteps(this.#evaluate(judging, plugins));
  }

  /**
   * Configures a client as policies demand, and checks it.
   * @throws ClientPolicyRefused if a policy refuses it, synchronously or as a rejection
   */
  change(change: ClientChange, plugins: PolicyEvaluation): Promise<void> | undefined {
    const judging: Evaluation = {
      event: change.event,
      about: () => aboutChange(change),
      vote: ({ what, config }) => what.change?.(config, change),
      concerns: ({ what }) => what.change !== undefined,
      carryOut: ({ what, config }, patterns) => what.change?.(config, change, patterns),
      carryOutAnswer: (use, answer) => carryOutOnChange(plugins, use, answer, change),
    };
    return runSteps(this.#evaluate(judging, plugins));
  }

  /** A client has got a new secret, in place of the one that it had before. */
  renewed(change: ClientChange, plugins: PolicyEvaluation): Promise<void> | undefined {
    const judging: Evaluation = {
      event: change.event,
      about: () => aboutChange(change),
      vote: ({ what, config }) => what.change?.(config, change),
      concerns: ({ what }) => what.renewed !== undefined,
      carryOut: ({ what, config }) => what.renewed?.(config, change),
      carryOutAnswer: undefined,
    };
    return runSteps(this.#evaluate(judging, plugins));
  }

  *#evaluate(evaluation: Evaluation, plugins: PolicyEvaluation): Steps<void> {
    const { event, carryOutAnswer } = evaluation;
    const patterns = new Patterns(this.#realm);
    for (const { conditions, executors } of this.#policies) {
      const concerned = executors.filter((executor) =>
        isPlugin(executor)
          ? carryOutAnswer !== undefined && plugins.handlesEvent(executor, event)
          : evaluation.concerns(executor),
      );
      if (concerned.length === 0 || !(yield* this.#applies(conditions, evaluation, plugins))) continue;
      for (const executor of concerned) {
        if (isPlugin(executor)) carryOutAnswer?.(executor, yield* awaited(plugins.apply(executor, evaluation.about())));
        else evaluation.carryOut(executor, patterns);
      }
    }
  }

  /** A policy applies if a condition is met and none is violated, as in Keycloak. */
  *#applies(conditions: Policy['conditions'], judging: Evaluation, plugins: PolicyEvaluation): Steps<boolean> {
    let isMet = false;
    // No plugin is asked about what the host's own conditions have decided.
    for (const condition of conditions) {
      if (isPlugin(condition)) continue;
      const vote = judging.vote(condition);
      if (vote === undefined) continue;
      if (vote === (condition.config['is-negative-logic'] === true)) return false;
      isMet = true;
    }
    for (const condition of conditions) {
      if (!isPlugin(condition)) continue;
      const pluginVote = yield* awaited(plugins.vote(condition, judging.about()));
      if (pluginVote === false) return false;
      isMet ||= pluginVote === true;
    }
    return isMet;
  }
}

function isPlugin<T>(used: Used<T>): used is PluginUse {
  return 'pluginId' in used;
}

const COMPILED = Symbol('client policies');

/** The policies of a realm version, compiled once; undefined for a realm without any. */
export function clientPoliciesOf(realm: Realm): ClientPolicies | undefined {
  return realm.derive(COMPILED, ({ representation }) => compilePolicies(representation));
}

/** The policies of a realm as it is being changed; undefined for a realm without any. */
export function compilePolicies({
  realm,
  clientPolicies,
  clientProfiles,
}: RealmRepresentation): ClientPolicies | undefined {
  const enabled = (clientPolicies?.policies ?? []).filter((policy) => policy.enabled === true);
  if (enabled.length === 0) return undefined;
  const profiles = new Map((clientProfiles?.profiles ?? []).map((profile) => [profile.name, profile]));
  const policies = enabled.map((policy) => ({
    conditions: conditionsOf(policy),
    executors: (policy.profiles ?? []).flatMap((name) =>
      (profiles.get(name)?.executors ?? []).flatMap(({ executor, configuration }) =>
        configured(EXECUTORS, executor, configuration),
      ),
    ),
  }));
  const active = policies.filter(({ conditions, executors }) => conditions.length > 0 && executors.length > 0);
  return active.length === 0 ? undefined : new ClientPolicies(realm, active);
}

function conditionsOf({ conditions = [] }: ClientPolicyRepresentation): Used<ClientPolicyCondition>[] {
  return conditions.flatMap(({ condition, configuration }) => configured(CONDITIONS, condition, configuration));
}

/**
 * IDs that are not built in belong to plugins. Entries that the checks refuse are left out: the realm has them from
 * before the checks existed.
 */
function configured<T extends ClientPolicyCondition | ClientPolicyExecutor>(
  builtIns: readonly T[],
  id: string | undefined,
  configuration: PolicyConfig = {},
): Used<T>[] {
  const builtIn = builtIns.find((one) => one.id === id);
  if (builtIn === undefined) return id === undefined ? [] : [{ pluginId: id, configuration }];
  const { config, problems } = readConfig(builtIn, configuration);
  return problems.length > 0 ? [] : [{ what: builtIn, config: withDefaults(builtIn.properties, config) }];
}
