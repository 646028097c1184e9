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
import { PluginAnswers } from '../../realms/client-policies/answers.js';
import { createProvider, enabledProvider } from '../../registry/generations/realm-providers.js';
import type { Caller } from '../../registry/sessions/caller.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import type { SessionFactory } from '../../registry/sessions/session-factory.js';
import type { ClientInput } from '../clients/client-input.js';
import { clientResponse } from '../clients/client-response.js';
import type { StoredClient } from '../clients/find-client.js';
import { insufficientScopeError } from './registrant.js';

export type RegistrationAuth = ClientRegistrationRequest['auth'];
type Restrictions = NonNullable<ClientRegistrationVerdict['restrict']>;
type PolicyHook = 'beforeRegister' | 'beforeUpdate' | 'beforeView' | 'beforeDelete';

/** The data that the policies evaluate. */
interface PolicyInput {
  /** The current realm. */
  readonly realm: RealmRepresentation;
  readonly sent?: ClientInput;
  readonly before?: StoredClient;
}

/** Evaluates the realm's client registration policies for one request. */
export class RegistrationPolicies {
  readonly #sessions: SessionFactory;
  readonly #realm: Realm;
  readonly #caller: Caller;
  readonly #auth: RegistrationAuth;
  readonly #answers: PluginAnswers;

  /** @param answers the answers that plugins have given for this request, if it calls other plugins too */
  constructor(
    sessions: SessionFactory,
    realm: Realm,
    caller: Caller,
    auth: RegistrationAuth,
    answers = new PluginAnswers(),
  ) {
    this.#sessions = sessions;
    this.#realm = realm;
    this.#caller = caller;
    this.#auth = auth;
    this.#answers = answers;
  }

  /**
   * Runs all policies in order. If a policy is missing, fails or times out, the request is rejected.
   * @returns the restrictions of the client
   * @throws OAuthError 403 `insufficient_scope`; Unanswered inside `Answers.withoutWaiting`
   */
  async evaluate(hook: PolicyHook, input: PolicyInput): Promise<Restrictions> {
    let restrictions: Restrictions = {};
    const sharedMembers = this.#requestMembers(input);
    for (const policy of this.#applicablePolicies(input.realm)) {
      const request = { ...sharedMembers, config: policy.config ?? {}, auth: this.#auth };
      const question = [ClientRegistrationPolicy.id, policy.providerId, hook, request];
      const verdict = await this.#answers.getOrAsk(question, () => this.#callPolicy(hook, policy, request));
      if (verdict === MISSING) throw policyNotFoundError(policy);
      if (verdict?.refuse !== undefined) throw policyRejectionError(policy, verdict.refuse);
      // An undefined member replaces neither a sent value nor another policy's restriction.
      restrictions = { ...restrictions, ...defined(verdict?.restrict ?? {}) };
    }
    return restrictions;
  }

  #callPolicy(hook: PolicyHook, policy: ComponentRepresentation, request: ClientRegistrationRequest) {
    return this.#inSession(async (session): Promise<ClientRegistrationVerdict | undefined> => {
      try {
        const provider = this.#provider(policy, session);
        // A copy, so that a policy can change neither the realm nor the input of the next policy.
        return provider === undefined
          ? MISSING
          : await session.withTimeLimit(provider[hook]?.(structuredClone(request)));
      } catch (error) {
        session.logger.warn(`client registration policy ${policy.providerId} failed: the request is refused`, {
          realm: this.#realm.name,
          error: codeOf(error) ?? 'provider_failed',
        });
        throw policyRejectionError(policy, 'The policy cannot be asked.');
      }
    });
  }

  /** Returns the origins whose pages may send the request. If a policy fails, there are none. */
  async allowedOrigins(): Promise<ReadonlySet<string>> {
    const origins = new Set<string>();
    try {
      await this.#inSession(async (session) => {
        for (const policy of this.#applicablePolicies(this.#realm.representation)) {
          const config = structuredClone(policy.config ?? {});
          const pendingOrigins = this.#provider(policy, session)?.allowedOrigins?.({ config, auth: this.#auth });
          for (const origin of (await session.withTimeLimit(pendingOrigins)) ?? []) origins.add(origin);
        }
      });
    } catch {
      // Either the failure was already reported to the caller, or the caller cannot read the response.
      return new Set();
    }
    return origins;
  }

  /** The provider of a policy. Undefined if no plugin provides it. */
  #provider({ providerId }: ComponentRepresentation, session: HostSession) {
    const policyProvider = enabledProvider(this.#caller.providers, this.#realm, ClientRegistrationPolicy, providerId);
    return policyProvider && createProvider(policyProvider, session);
  }

  /** The policies for requests with this type of authentication. */
  #applicablePolicies(realm: RealmRepresentation): readonly ComponentRepresentation[] {
    return registrationPolicies(realm).filter(
      ({ subType, parentId }) => subType === this.#auth && parentId === undefined,
    );
  }

  async #inSession<T>(callback: (session: HostSession) => Promise<T>): Promise<T> {
    const session = this.#sessions.create(this.#realm, this.#caller, 'keyhost');
    try {
      return await callback(session);
    } finally {
      await session.close();
    }
  }

  #requestMembers({ realm, sent = {}, before }: PolicyInput): Omit<ClientRegistrationRequest, 'config' | 'auth'> {
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

/** A client as policies see it: the members that are set, without secrets. */
function clientForPolicies(client: ClientInput | ClientRepresentation): JsonObject {
  const {
    secret: _,
    registrationAccessToken: _token,
    addsScopes: _adds,
    ...visible
  } = client as ClientInput & {
    registrationAccessToken?: unknown;
    subjects?: unknown;
    addsScopes?: unknown;
  };
  const copy = JSON.parse(JSON.stringify(visible)) as Record<string, JsonObject[string]>;
  for (const [name, value] of Object.entries(copy)) if (value === null) delete copy[name];
  const attributes = (copy.attributes ?? {}) as Record<string, unknown>;
  for (const name of Object.keys(attributes)) if (isSecretName(name)) delete attributes[name];
  return copy;
}

/** The verdict for a policy without a provider. */
const MISSING: ClientRegistrationVerdict = {};

function policyNotFoundError({ name, providerId }: ComponentRepresentation): Error {
  return insufficientScopeError(`Policy of type '${providerId}' not found`, name ?? providerId);
}

function policyRejectionError({ name, providerId }: ComponentRepresentation, details: string): Error {
  const policy = name ?? providerId;
  const description = `Policy '${policy}' rejected request to client-registration service. Details: ${details}`;
  return insufficientScopeError(description, policy);
}
