import { Patterns } from '../../model/patterns.js';
import type { Realm } from '../../model/realm.js';
import type { ClientPolicyRepresentation, RealmRepresentation } from '../../model/representation.js';
import type { ClientPolicyCondition, Vote } from './condition.js';
import { CONDITIONS } from './conditions.js';
import type { ClientPolicyExecutor } from './executor.js';
import { EXECUTORS } from './executors.js';
import type { ClientChange, ClientRequest, RequestEvent } from './happenings.js';
import { type PolicyConfig, withDefaults } from './property.js';
import { readConfig } from './read-config.js';

interface Configured<T> {
  readonly what: T;
  readonly config: PolicyConfig;
}

interface Policy {
  readonly conditions: readonly Configured<ClientPolicyCondition>[];
  readonly executors: readonly Configured<ClientPolicyExecutor>[];
}

/** The enabled policies of a realm that ask for something (Keycloak's ClientPolicyManager). */
export class ClientPolicies {
  readonly #policies: readonly Policy[];
  readonly #requests: ReadonlySet<RequestEvent>;
  readonly #realm: string;

  /** @param realm whose they are, by name */
  constructor(realm: string, policies: readonly Policy[]) {
    this.#realm = realm;
    this.#policies = policies;
    this.#requests = new Set(policies.flatMap(({ executors }) => executors.flatMap(({ what }) => what.requests ?? [])));
  }

  /** @throws OAuthError for what a policy refuses */
  request(request: ClientRequest): void {
    if (!this.#requests.has(request.event)) return;
    this.#carryOut(
      ({ what, config }) => what.request?.(config, request),
      ({ what, config }, patterns) => {
        if (what.requests?.includes(request.event) === true) what.request?.(config, request, patterns);
      },
    );
  }

  /**
   * Puts a client right as policies say, and judges it.
   * @throws OAuthError for what a policy refuses
   */
  change(change: ClientChange): void {
    this.#carryOut(
      ({ what, config }) => what.change?.(config, change),
      ({ what, config }, patterns) => what.change?.(config, change, patterns),
    );
  }

  /** A client has got a new secret, in place of the one that it had before. */
  renewed(change: ClientChange): void {
    this.#carryOut(
      ({ what, config }) => what.change?.(config, change),
      ({ what, config }) => what.renewed?.(config, change),
    );
  }

  /** A policy applies where a condition says yes and none says no, as in Keycloak. */
  #carryOut(
    vote: (condition: Configured<ClientPolicyCondition>) => Vote,
    carryOut: (executor: Configured<ClientPolicyExecutor>, patterns: Patterns) => void,
  ): void {
    const patterns = new Patterns(this.#realm);
    for (const { conditions, executors } of this.#policies) {
      const votes = conditions.map((condition) => {
        const said = vote(condition);
        return condition.config['is-negative-logic'] === true && said !== undefined ? !said : said;
      });
      if (!votes.includes(true) || votes.includes(false)) continue;
      for (const executor of executors) carryOut(executor, patterns);
    }
  }
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

function conditionsOf({ conditions = [] }: ClientPolicyRepresentation): Configured<ClientPolicyCondition>[] {
  return conditions.flatMap(({ condition, configuration }) => configured(CONDITIONS, condition, configuration));
}

/** What the checks refuse is left out: a realm has it from before there were any. */
function configured<T extends ClientPolicyCondition | ClientPolicyExecutor>(
  all: readonly T[],
  id: string | undefined,
  configuration: PolicyConfig = {},
): Configured<T>[] {
  const what = all.find((one) => one.id === id);
  if (what === undefined) return [];
  const { config, problems } = readConfig(what, configuration);
  return problems.length > 0 ? [] : [{ what, config: withDefaults(what.properties, config) }];
}
