import type { ClientPolicyEvent, ClientPolicyVerdict } from '@keyhost/spi';
import { Patterns } from '../../model/patterns.js';
import type { Realm } from '../../model/realm.js';
import type { ClientPolicyRepresentation, RealmRepresentation } from '../../model/representation.js';
import type { ClientChange, PolicyClientRequest, RequestEvent } from './client-policy-events.js';
import type { ClientPolicyCondition, Vote } from './condition.js';
import { CONDITIONS } from './conditions.js';
import type { ClientPolicyExecutor } from './executor.js';
import { EXECUTORS } from './executors.js';
import { applyToChange, applyToRequest, changeInput, requestInput } from './plugin-verdicts.js';
import type { PluginUse, PolicyEvaluation, PolicyInput } from './policy-evaluation.js';
import { type PolicyConfig, withDefaults } from './property.js';
import { readConfig } from './read-config.js';
import { runSteps, type Steps, waitFor } from './steps.js';

interface ConfiguredBuiltIn<T> {
  readonly builtIn: T;
  readonly config: PolicyConfig;
}

/** A condition or executor of a policy, built in or of a plugin. */
type PolicyPart<T> = ConfiguredBuiltIn<T> | PluginUse;

interface Policy {
  readonly conditions: readonly PolicyPart<ClientPolicyCondition>[];
  readonly executors: readonly PolicyPart<ClientPolicyExecutor>[];
}

/** An event that policies evaluate. */
interface Evaluation {
  readonly event: ClientPolicyEvent;
  /** Returns the event as plugins see it now. */
  pluginInput(): PolicyInput;
  vote(condition: ConfiguredBuiltIn<ClientPolicyCondition>): Vote;
  /** True if the executor handles the event. */
  handles(executor: ConfiguredBuiltIn<ClientPolicyExecutor>): boolean;
  execute(executor: ConfiguredBuiltIn<ClientPolicyExecutor>, patterns: Patterns): void;
  /** Undefined if executors of plugins do not handle the event. */
  readonly applyAnswer: ((use: PluginUse, answer: ClientPolicyVerdict) => void) | undefined;
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

  /** @param realm the name of the realm */
  constructor(realm: string, policies: readonly Policy[]) {
    this.#realm = realm;
    this.#policies = policies;
    const executors = policies.flatMap((policy) => policy.executors);
    this.#requests = new Set(
      executors.flatMap((executor) => (isPlugin(executor) ? [] : (executor.builtIn.requests ?? []))),
    );
    this.asksPlugins = policies.some(({ conditions }) => conditions.some(isPlugin)) || executors.some(isPlugin);
  }

  /**
   * Checks a request of a client.
   * @throws ClientPolicyRefused if a policy refuses it, synchronously or as a rejection
   */
  request(request: PolicyClientRequest, plugins: PolicyEvaluation): Promise<void> | undefined {
    const { event } = request;
    if (!this.asksPlugins && !this.#requests.has(event)) return undefined;
    let pluginInput: PolicyInput | undefined;
    const evaluation: Evaluation = {
      event,
      pluginInput: () => {
        pluginInput ??= requestInput(plugins, request);
        return pluginInput;
      },
      vote: ({ builtIn, config }) => builtIn.request?.(config, request),
      handles: ({ builtIn }) => builtIn.requests?.includes(event) === true,
      execute: ({ builtIn, config }, patterns) => builtIn.request?.(config, request, patterns),
      applyAnswer: (use, answer) => applyToRequest(plugins, use, answer, request),
    };
    return runSteps(this.#evaluate(evaluation, plugins));
  }

  /**
   * Configures a client as policies demand, and checks it.
   * @throws ClientPolicyRefused if a policy refuses it, synchronously or as a rejection
   */
  change(change: ClientChange, plugins: PolicyEvaluation): Promise<void> | undefined {
    const evaluation: Evaluation = {
      event: change.event,
      pluginInput: () => changeInput(change),
      vote: ({ builtIn, config }) => builtIn.change?.(config, change),
      handles: ({ builtIn }) => builtIn.change !== undefined,
      execute: ({ builtIn, config }, patterns) => builtIn.change?.(config, change, patterns),
      applyAnswer: (use, answer) => applyToChange(plugins, use, answer, change),
    };
    return runSteps(this.#evaluate(evaluation, plugins));
  }

  /** Called when a client has got a new secret that replaces a previous one. */
  onSecretRenewed(change: ClientChange, plugins: PolicyEvaluation): Promise<void> | undefined {
    const evaluation: Evaluation = {
      event: change.event,
      pluginInput: () => changeInput(change),
      vote: ({ builtIn, config }) => builtIn.change?.(config, change),
      handles: ({ builtIn }) => builtIn.onSecretRenewed !== undefined,
      execute: ({ builtIn, config }) => builtIn.onSecretRenewed?.(config, change),
      applyAnswer: undefined,
    };
    return runSteps(this.#evaluate(evaluation, plugins));
  }

  *#evaluate(evaluation: Evaluation, plugins: PolicyEvaluation): Steps<void> {
    const { event, applyAnswer } = evaluation;
    const patterns = new Patterns(this.#realm);
    for (const { conditions, executors } of this.#policies) {
      const handlingExecutors = executors.filter((executor) =>
        isPlugin(executor)
          ? applyAnswer !== undefined && plugins.handlesEvent(executor, event)
          : evaluation.handles(executor),
      );
      if (handlingExecutors.length === 0 || !(yield* this.#applies(conditions, evaluation, plugins))) continue;
      for (const executor of handlingExecutors) {
        if (isPlugin(executor))
          applyAnswer?.(executor, yield* waitFor(plugins.apply(executor, evaluation.pluginInput())));
        else evaluation.execute(executor, patterns);
      }
    }
  }

  /** A policy applies if a condition is met and none is violated, as in Keycloak. */
  *#applies(conditions: Policy['conditions'], evaluation: Evaluation, plugins: PolicyEvaluation): Steps<boolean> {
    let isMet = false;
    // Evaluate the built-in conditions first: if they decide, no plugin is asked.
    for (const condition of conditions) {
      if (isPlugin(condition)) continue;
      const vote = evaluation.vote(condition);
      if (vote === undefined) continue;
      if (vote === (condition.config['is-negative-logic'] === true)) return false;
      isMet = true;
    }
    for (const condition of conditions) {
      if (!isPlugin(condition)) continue;
      const pluginVote = yield* waitFor(plugins.vote(condition, evaluation.pluginInput()));
      if (pluginVote === false) return false;
      isMet ||= pluginVote === true;
    }
    return isMet;
  }
}

function isPlugin<T>(used: PolicyPart<T>): used is PluginUse {
  return 'pluginId' in used;
}

const COMPILED_POLICIES = Symbol('client policies');

/** Returns the policies of a realm version, which are compiled once; undefined if there are none. */
export function clientPoliciesOf(realm: Realm): ClientPolicies | undefined {
  return realm.derive(COMPILED_POLICIES, ({ representation }) => compilePolicies(representation));
}

/**
 * Compiles the policies of a representation, such as that of a realm that is being changed; undefined if there are
 * none.
 */
export function compilePolicies({
  realm,
  clientPolicies,
  clientProfiles,
}: RealmRepresentation): ClientPolicies | undefined {
  const enabledPolicies = (clientPolicies?.policies ?? []).filter((policy) => policy.enabled === true);
  if (enabledPolicies.length === 0) return undefined;
  const profiles = new Map((clientProfiles?.profiles ?? []).map((profile) => [profile.name, profile]));
  const policies = enabledPolicies.map((policy) => ({
    conditions: conditionsOf(policy),
    executors: (policy.profiles ?? []).flatMap((name) =>
      (profiles.get(name)?.executors ?? []).flatMap(({ executor, configuration }) =>
        toPolicyPart(EXECUTORS, executor, configuration),
      ),
    ),
  }));
  const active = policies.filter(({ conditions, executors }) => conditions.length > 0 && executors.length > 0);
  return active.length === 0 ? undefined : new ClientPolicies(realm, active);
}

function conditionsOf({ conditions = [] }: ClientPolicyRepresentation): PolicyPart<ClientPolicyCondition>[] {
  return conditions.flatMap(({ condition, configuration }) => toPolicyPart(CONDITIONS, condition, configuration));
}

/**
 * Returns a condition or executor with its configuration. An ID that is not built in belongs to a plugin. An invalid
 * configuration, which the realm may have from before it was validated, is left out.
 */
function toPolicyPart<T extends ClientPolicyCondition | ClientPolicyExecutor>(
  builtIns: readonly T[],
  id: string | undefined,
  configuration: PolicyConfig = {},
): PolicyPart<T>[] {
  const builtIn = builtIns.find((one) => one.id === id);
  if (builtIn === undefined) return id === undefined ? [] : [{ pluginId: id, configuration }];
  const { config, problems } = readConfig(builtIn, configuration);
  return problems.length > 0 ? [] : [{ builtIn, config: withDefaults(builtIn.properties, config) }];
}
