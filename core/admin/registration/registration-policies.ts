import {
  ClientRegistrationPolicy,
  type ClientRegistrationRequest,
  type ClientRegistrationVerdict,
  type JsonObject,
} from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import type { Realm } from '../../model/realm.js';
import { registrationPolicies } from '../../model/registration-policies.js';
import type { ClientRepresentation, ComponentRepresentation, RealmRepresentation } from '../../model/representation.js';
import { isSecretName } from '../../model/secret-names.js';
import { codeOf } from '../../model/thrown.js';
import { Answers } from '../../realms/client-policies/answers.js';
import { createProvider, enabledProvider } from '../../registry/generations/realm-providers.js';
import type { Caller, HostSession } from '../../registry/sessions/host-session.js';
import type { SessionFactory } from '../../registry/sessions/session-factory.js';
import type { ClientInput } from '../clients/client-input.js';
import { clientResponse } from '../clients/client-response.js';
import type { StoredClient } from '../clients/find-client.js';
import { insufficientScope } from './registrant.js';

export type RegistrationAuth = ClientRegistrationRequest['auth'];
type Restrictions = NonNullable<ClientRegistrationVerdict['restrict']>;
type PolicyHook = 'beforeRegister' | 'beforeUpdate' | 'beforeView' | 'beforeDelete';

/** The input of the policies. */
interface PolicyInput {
  /** The current realm. */
  readonly realm: RealmRepresentation;
  readonly sent?: ClientInput;
  readonly before?: StoredClient;
}

/** The realm's policies for one request that registers a client, or reads, changes or removes a registered one. */
export class RegistrationPolicies {
  readonly #sessions: SessionFactory;
  readonly #realm: Realm;
  readonly #caller: Caller;
  readonly #auth: RegistrationAuth;
  readonly #answers: Answers;

  /** @param answers the request's own, if it also calls other plugins */
  constructor(sessions: SessionFactory, realm: Realm, caller: Caller, auth: RegistrationAuth, answers = new Answers()) {
    this.#sessions = sessions;
    this.#realm = realm;
    this.#caller = caller;
    this.#auth = auth;
    this.#answers = answers;
  }

  /**
   * Runs all policies in order. A policy that is missing, fails or times out refuses the request.
   * @returns the restrictions of the client
   * @throws OAuthError 403 `insufficient_scope`; Unanswered within `Answers.byAnswers`
   */
  async evaluate(judgement: PolicyHook, judged: PolicyInput): Promise<Restrictions> {
    let restrictions: Restrictions = {};
    const about = this.#about(judged);
    for (const policy of this.#applicablePolicies(judged.realm)) {
      const request = { ...about, config: policy.config ?? {}, auth: this.#auth };
      const question = [ClientRegistrationPolicy.id, policy.providerId, judgement, request];
      const verdict = await this.#answers.of(question, () => this.#verdict(judgement, policy, request));
      if (verdict === MISSING) throw missing(policy);
      if (verdict?.refuse !== undefined) throw rejected(policy, verdict.refuse);
      // An undefined member overrides neither a sent value nor another policy's restriction.
      restrictions = { ...restrictions, ...defined(verdict?.restrict ?? {}) };
    }
    return restrictions;
  }

  #verdict(judgement: PolicyHook, policy: ComponentRepresentation, request: ClientRegistrationRequest) {
    return this.#inSession(async (session): Promise<ClientRegistrationVerdict | undefined> => {
      try {
        const provider = this.#provider(policy, session);
        // A copy, so that a policy can change neither the realm nor the input of the next policy.
        return provider === undefined
          ? MISSING
          : await session.withTimeLimit(provider[judgement]?.(structuredClone(request)));
      } catch (error) {
        session.logger.warn(`client registration policy ${policy.providerId} failed: the request is refused`, {
          realm: this.#realm.name,
          error: codeOf(error) ?? 'provider_failed',
        });
        throw rejected(policy, 'The policy cannot be asked.');
      }
    });
  }

  /** Origins that may send the request. A policy that fails allows none. */
  async allowedOrigins(): Promise<ReadonlySet<string>> {
    const origins = new Set<string>();
    try {
      await this.#inSession(async (session) => {
        for (const policy of this.#applicablePolicies(this.#realm.representation)) {
          const config = structuredClone(policy.config ?? {});
          const asked = this.#provider(policy, session)?.allowedOrigins?.({ config, auth: this.#auth });
          for (const origin of (await session.withTimeLimit(asked)) ?? []) origins.add(origin);
        }
      });
    } catch {
      // The failure was reported to the caller already, or the caller cannot read the response.
      return new Set();
    }
    return origins;
  }

  /** The provider of a policy; undefined if no plugin has it. */
  #provider({ providerId }: ComponentRepresentation, session: HostSession) {
    const enabled = enabledProvider(this.#caller.providers, this.#realm, ClientRegistrationPolicy, providerId);
    return enabled && createProvider(enabled, session);
  }

  /** The policies for requests with this kind of authentication. */
  #applicablePolicies(realm: RealmRepresentation): readonly ComponentRepresentation[] {
    return registrationPolicies(realm).filter(
      ({ subType, parentId }) => subType === this.#auth && parentId === undefined,
    );
  }

  async #inSession<T>(ask: (session: HostSession) => Promise<T>): Promise<T> {
    const session = this.#sessions.create(this.#realm, this.#caller, 'keyhost');
    try {
      return await ask(session);
    } finally {
      await session.close();
    }
  }

  #about({ realm, sent = {}, before }: PolicyInput): Omit<ClientRegistrationRequest, 'config' | 'auth'> {
    return {
      ip: this.#caller.ip,
      client: clientForPolicies(sent),
      ...(before === undefined ? {} : { before: clientForPolicies(clientResponse(realm, before, true)) }),
      realm: {
        clients: realm.clients?.length ?? 0,
        defaultClientScopes: realm.defaultDefaultClientScopes ?? [],
        optionalClientScopes: realm.defaultOptionalClientScopes ?? [],
      },
    };
  }
}

/** A client as policies see it, with its sent members and without secrets. */
function clientForPolicies(client: ClientInput | ClientRepresentation): JsonObject {
  const {
    secret: _,
    registrationAccessToken: _token,
    addsScopes: _adds,
    ...told
  } = client as ClientInput & {
    registrationAccessToken?: unknown;
    subjects?: unknown;
    addsScopes?: unknown;
  };
  const copy = JSON.parse(JSON.stringify(told)) as Record<string, JsonObject[string]>;
  for (const [name, value] of Object.entries(copy)) if (value === null) delete copy[name];
  const attributes = (copy.attributes ?? {}) as Record<string, unknown>;
  for (const name of Object.keys(attributes)) if (isSecretName(name)) delete attributes[name];
  return copy;
}

/** Marks a policy without a provider. */
const MISSING: ClientRegistrationVerdict = {};

function missing({ name, providerId }: ComponentRepresentation): Error {
  return insufficientScope(`Policy of type '${providerId}' not found`, name ?? providerId);
}

function rejected({ name, providerId }: ComponentRepresentation, details: string): Error {
  const policy = name ?? providerId;
  const words = `Policy '${policy}' rejected request to client-registration service. Details: ${details}`;
  return insufficientScope(words, policy);
}
