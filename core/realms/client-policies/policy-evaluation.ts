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
import { Answers } from './answers.js';
import type { Vote } from './condition.js';
import type { PolicyConfig } from './property.js';
import { type PluginConfig, readPluginConfig } from './read-plugin-config.js';
import { type ClientPolicyRefused, policyUnavailable } from './refuse.js';

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
const WAITING = 200;

/**
 * Conditions and executors of plugins, for one request. The same question is asked once. If a plugin cannot answer, the
 * request is refused.
 */
export class PolicyEvaluation {
  readonly realm: Realm;
  readonly answers = new Answers();
  readonly #parts: PolicyPluginParts & { readonly turns: KeyedQueue };

  constructor(parts: PolicyPluginParts & { readonly turns: KeyedQueue }, realm: Realm) {
    this.#parts = parts;
    this.realm = realm;
  }

  /**
   * Serialises re-evaluation per realm, so that concurrent requests do not invalidate each other's result.
   * @throws HostError `temporarily_unavailable` (503) if too many requests wait
   */
  serialize<T>(evaluate: () => Promise<T>): Promise<T> {
    return this.#parts.turns.run(this.realm.name, evaluate);
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

  /** Names of the parameters by which a client proves to a plugin who it is. @throws ClientPolicyRefused 503 */
  proofsOf({ authenticatorType }: Client): readonly string[] {
    return this.#find(ClientAuthenticator, authenticatorType)?.declaration.parameters ?? [];
  }

  /** The error for an unusable answer. The log contains the reason. */
  unusable({ pluginId }: PluginUse, reason: string): ClientPolicyRefused {
    return this.#failed(pluginId, reason);
  }

  #find<D, P>(spi: Spi<D, P>, id: string): RealmProvider<D, P> | undefined {
    try {
      return this.#parts.providers.find(this.realm, spi, id);
    } catch (error) {
      throw this.#failed(id, messageOf(error));
    }
  }

  #findProvider<P>(
    kind: 'condition' | 'executor',
    spi: Spi<ClientPolicyDeclaration, P>,
    { pluginId, configuration }: PluginUse,
  ): { provider: RealmProvider<ClientPolicyDeclaration, P> } & PluginConfig {
    const provider = this.#find(spi, pluginId);
    if (provider === undefined) throw this.#failed(pluginId, `no plugin provides the ${kind}`);
    const read = readPluginConfig(kind, provider.declaration.settings, configuration);
    const [problem] = read.problems;
    if (problem === undefined) return { provider, ...read };
    throw this.#failed(pluginId, `configuration.${problem.path.join('.')}: ${problem.message}`);
  }

  #answer<P, T>(
    kind: 'condition' | 'executor',
    provider: RealmProvider<unknown, P>,
    input: ClientPolicyInput,
    ask: (provider: P, input: ClientPolicyInput) => Promise<T>,
  ): Promise<T> {
    return this.answers.of([kind, provider.id, input], () =>
      provider
        // A copy: what a plugin writes into it reaches neither the next plugin nor the host's own conditions.
        .call((instance) => ask(instance, copyOf(input)))
        .catch((cause: unknown) => {
          // The log has what the provider threw.
          throw policyUnavailable(cause);
        }),
    );
  }

  #failed(id: string, reason: string): ClientPolicyRefused {
    const fields = { provider: id, realm: this.realm.name, reason };
    this.#parts.logger.error('a client policy cannot be checked: requests are refused', fields);
    return policyUnavailable(new Error(reason));
  }
}

/** Parameters have the names that were sent alone: a clone would inherit `constructor` and its like. */
function copyOf(input: ClientPolicyInput): ClientPolicyInput {
  return { ...structuredClone(input), parameters: Object.assign(Object.create(null), input.parameters) };
}

/** Makes them, for each request its own. */
export class PolicyPlugins {
  readonly #parts: ConstructorParameters<typeof PolicyEvaluation>[0];

  constructor(parts: PolicyPluginParts) {
    this.#parts = { ...parts, turns: new KeyedQueue(WAITING) };
  }

  of(realm: Realm): PolicyEvaluation {
    return new PolicyEvaluation(this.#parts, realm);
  }
}
