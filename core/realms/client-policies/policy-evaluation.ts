import {
  ClientAuthenticator,
  ClientPolicyCondition,
  type ClientPolicyDeclaration,
  type ClientPolicyEvent,
  ClientPolicyExecutor,
  type ClientPolicyInput,
  type ClientPolicyVerdict,
  type Logger,
  type Spi,
} from '@keyhost/spi';
import type { Client } from '../../model/client.js';
import { KeyedQueue } from '../../model/keyed-queue.js';
import type { Realm } from '../../model/realm.js';
import type { RealmProvider, RealmProviders } from '../../model/realm-providers.js';
import { messageOf } from '../../model/thrown.js';
import { PluginAnswers } from './answers.js';
import type { Vote } from './condition.js';
import type { PolicyConfig } from './property.js';
import { type PluginConfig, readPluginConfig } from './read-plugin-config.js';
import { type ClientPolicyRefused, policyUnavailableError } from './refuse.js';

/** A condition or an executor of a plugin, as a realm uses it. */
export interface PluginUse {
  readonly pluginId: string;
  readonly configuration: PolicyConfig | undefined;
}

/** The input of a plugin, without the configuration of its use. */
export type PolicyInput = Omit<ClientPolicyInput, 'config'>;

interface PolicyPluginParts {
  readonly providers: RealmProviders;
  readonly logger: Logger;
}

/** Maximum number of requests of a realm that wait for re-evaluation: as many as may wait to edit it. */
const MAX_WAITING = 200;

/**
 * Asks the conditions and executors of plugins, for one request. The same question is only asked once. If a plugin
 * cannot answer, the request is refused.
 */
export class PolicyEvaluation {
  readonly realm: Realm;
  readonly answers = new PluginAnswers();
  readonly #parts: PolicyPluginParts & { readonly queue: KeyedQueue };

  constructor(parts: PolicyPluginParts & { readonly queue: KeyedQueue }, realm: Realm) {
    this.#parts = parts;
    this.realm = realm;
  }

  /**
   * Serialises re-evaluation per realm, so that concurrent requests do not invalidate each other's result.
   * @throws HostError `temporarily_unavailable` (503) if too many requests wait
   */
  runInTurn<T>(evaluate: () => Promise<T>): Promise<T> {
    return this.#parts.queue.run(this.realm.name, evaluate);
  }

  /** True if an executor handles the event. A missing one handles every event, and refuses it. */
  handlesEvent({ pluginId }: PluginUse, event: ClientPolicyEvent): boolean {
    try {
      const executor = this.#parts.providers.find(this.realm, ClientPolicyExecutor, pluginId);
      return executor === undefined || executor.declaration.events.includes(event);
    } catch {
      // The call of the executor reports the error.
      return true;
    }
  }

  /** @throws ClientPolicyRefused 503 */
  async vote(use: PluginUse, policyInput: PolicyInput): Promise<Vote> {
    const { provider, config, isNegated } = this.#findProvider('condition', ClientPolicyCondition, use);
    if (!provider.declaration.events.includes(policyInput.event)) return undefined;
    const answer = await this.#answer('condition', provider, { ...policyInput, config }, (condition, input) =>
      condition.vote(input),
    );
    return answer === 'abstain' ? undefined : (answer === 'yes') !== isNegated;
  }

  /** @throws ClientPolicyRefused 503 */
  async apply(use: PluginUse, policyInput: PolicyInput): Promise<ClientPolicyVerdict> {
    const { provider, config } = this.#findProvider('executor', ClientPolicyExecutor, use);
    const verdict = await this.#answer('executor', provider, { ...policyInput, config }, (executor, input) =>
      executor.apply(input),
    );
    return verdict ?? {};
  }

  /**
   * Returns the names of the parameters by which a client authenticates at a plugin.
   * @throws ClientPolicyRefused 503
   */
  proofsOf({ authenticatorType }: Client): readonly string[] {
    return this.#find(ClientAuthenticator, authenticatorType)?.declaration.parameters ?? [];
  }

  /** Returns the error for an unusable answer, and logs the reason. */
  unusableError({ pluginId }: PluginUse, reason: string): ClientPolicyRefused {
    return this.#failureError(pluginId, reason);
  }

  #find<D, P>(spi: Spi<D, P>, id: string): RealmProvider<D, P> | undefined {
    try {
      return this.#parts.providers.find(this.realm, spi, id);
    } catch (error) {
      throw this.#failureError(id, messageOf(error));
    }
  }

  #findProvider<P>(
    kind: 'condition' | 'executor',
    spi: Spi<ClientPolicyDeclaration, P>,
    { pluginId, configuration }: PluginUse,
  ): { provider: RealmProvider<ClientPolicyDeclaration, P> } & PluginConfig {
    const provider = this.#find(spi, pluginId);
    if (provider === undefined) throw this.#failureError(pluginId, `no plugin provides the ${kind}`);
    const read = readPluginConfig(kind, provider.declaration.settings, configuration);
    const [problem] = read.problems;
    if (problem === undefined) return { provider, ...read };
    throw this.#failureError(pluginId, `configuration.${problem.path.join('.')}: ${problem.message}`);
  }

  #answer<P, T>(
    kind: 'condition' | 'executor',
    provider: RealmProvider<unknown, P>,
    input: ClientPolicyInput,
    ask: (provider: P, input: ClientPolicyInput) => Promise<T>,
  ): Promise<T> {
    return this.answers.getOrAsk([kind, provider.id, input], () =>
      provider
        // A copy: what a plugin writes into it reaches neither the next plugin nor the host's own conditions.
        .call((instance) => ask(instance, copyOf(input)))
        .catch((cause: unknown) => {
          // The log has what the provider threw.
          throw policyUnavailableError(cause);
        }),
    );
  }

  #failureError(id: string, reason: string): ClientPolicyRefused {
    const fields = { provider: id, realm: this.realm.name, reason };
    this.#parts.logger.error('a client policy cannot be checked: requests are refused', fields);
    return policyUnavailableError(new Error(reason));
  }
}

/**
 * Copies the input. The parameters get no prototype, because otherwise they would have inherited members such as
 * `constructor`.
 */
function copyOf(input: ClientPolicyInput): ClientPolicyInput {
  return { ...structuredClone(input), parameters: Object.assign(Object.create(null), input.parameters) };
}

/** Creates a `PolicyEvaluation` for each request. */
export class PolicyPlugins {
  readonly #parts: ConstructorParameters<typeof PolicyEvaluation>[0];

  constructor(parts: PolicyPluginParts) {
    this.#parts = { ...parts, queue: new KeyedQueue(MAX_WAITING) };
  }

  createFor(realm: Realm): PolicyEvaluation {
    return new PolicyEvaluation(this.#parts, realm);
  }
}
