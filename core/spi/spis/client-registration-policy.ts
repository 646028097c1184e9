import type { JsonObject } from '../json-schema.js';
import { spi } from '../plugin.js';
import { componentSwitch } from './component-switch.js';
import { checkDescribed, DESCRIBES, type Described } from './description.js';

/** The component type of the policies in a realm, with Keycloak's name. */
const COMPONENT_TYPE = 'org.keycloak.services.clientregistration.policy.ClientRegistrationPolicy';

/** The registration request that a policy checks. */
export interface ClientRegistrationRequest {
  /** The `config` of the policy's component: lists of texts by name, as in Keycloak. */
  readonly config: Readonly<Record<string, readonly string[]>>;
  /**
   * `anonymous`: the request has no token, or the token of a client that was registered without one. `authenticated`:
   * it has an initial access token, or the token of a user or a service account.
   */
  readonly auth: 'anonymous' | 'authenticated';
  /** The IP address of the sender. */
  readonly ip: string;
  /**
   * The client in the request, in Keycloak's representation, without its secret. Members that were not sent are absent.
   * Empty for reads and deletions.
   */
  readonly client: JsonObject;
  /** The client as it is stored, without its secret. Absent for a new one. */
  readonly before?: JsonObject;
  readonly realm: Readonly<{
    /** Number of clients. */
    clients: number;
    /** Names of the client scopes that new clients get. */
    defaultClientScopes: readonly string[];
    /** Names of the client scopes that new clients can request. */
    optionalClientScopes: readonly string[];
  }>;
}

/** The decision of a policy. Undefined or empty: the policy accepts the request. */
export interface ClientRegistrationVerdict {
  /** Refuses the request (403): a sentence for the sender. */
  readonly refuse?: string;
  /** Values that are forced on the client, even if others were sent. */
  readonly restrict?: Readonly<{
    enabled?: false;
    consentRequired?: true;
    fullScopeAllowed?: false;
  }>;
}

/**
 * Decides which clients register themselves, and which settings they may have (Keycloak's ClientRegistrationPolicy).
 * The host calls all policies that the realm has for the `auth` of the request, in order. The first that refuses,
 * throws or exceeds its time limit ends the request.
 */
export interface ClientRegistrationPolicyProvider {
  /** Called before a client is registered. */
  beforeRegister(request: ClientRegistrationRequest): Promise<ClientRegistrationVerdict | undefined>;
  /** Called before a registered client is changed. */
  beforeUpdate(request: ClientRegistrationRequest): Promise<ClientRegistrationVerdict | undefined>;
  /** Called before a registered client is read. Default: every caller with the right token may. */
  beforeView?(request: ClientRegistrationRequest): Promise<Pick<ClientRegistrationVerdict, 'refuse'> | undefined>;
  /** Called before a registered client is removed. Default: every caller with the right token may. */
  beforeDelete?(request: ClientRegistrationRequest): Promise<Pick<ClientRegistrationVerdict, 'refuse'> | undefined>;
  /** Returns the web origins whose pages may send registrations and read the responses; `*` allows all. */
  allowedOrigins?(request: Pick<ClientRegistrationRequest, 'config' | 'auth'>): Promise<readonly string[]>;
  /**
   * Checks a configuration that matches the settings. Returns a sentence for the admin who sent it if something is
   * wrong.
   */
  checkConfig?(request: Pick<ClientRegistrationRequest, 'config'>): Promise<string | undefined>;
}

/**
 * A policy of the realm's `components`, which name it as `providerId`, with the `subType` `anonymous` or
 * `authenticated`.
 * @example
 * ```ts
 * import { ClientRegistrationPolicy, provide } from '@keyhost/spi';
 *
 * export default provide(ClientRegistrationPolicy, {
 *   id: 'ask-for-consent',
 *   describe: { displayName: 'Ask for consent' },
 *   open: () => ({
 *     create: () => ({
 *       beforeRegister: async () => ({ restrict: { consentRequired: true } }),
 *       beforeUpdate: async () => ({ restrict: { consentRequired: true } }),
 *     }),
 *   }),
 * });
 * ```
 */
export const ClientRegistrationPolicy = spi<Described, ClientRegistrationPolicyProvider>({
  id: 'client-registration-policy',
  name: 'ClientRegistrationPolicy',
  carries: 'nothing',
  declares: ['describe', 'settings'],
  describes: DESCRIBES,
  schemas: ({ settings }) => ({ settings }),
  realm: componentSwitch(COMPONENT_TYPE, { subType: 'authenticated' }),
  methods: {
    required: ['beforeRegister', 'beforeUpdate'],
    optional: ['beforeView', 'beforeDelete', 'allowedOrigins', 'checkConfig'],
  },
  answers: answerProblem,
  check: checkDescribed,
});

const ALLOWED_RESTRICTIONS: Readonly<Record<string, boolean>> = {
  enabled: false,
  consentRequired: true,
  fullScopeAllowed: false,
};

/** Describes the mistake in an answer; undefined if there is none. */
function answerProblem(method: string, answer: unknown): string | undefined {
  if (method === 'allowedOrigins') {
    const isList = Array.isArray(answer) && answer.every((origin) => typeof origin === 'string');
    return isList ? undefined : 'what is no list of origins';
  }
  if (answer === undefined) return undefined;
  if (method === 'checkConfig') return typeof answer === 'string' ? undefined : 'what is no sentence';
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return 'what is no verdict';
  const { refuse, restrict = {}, ...others } = answer as Readonly<Record<string, unknown>>;
  const [unknownMember] = Object.keys(others);
  if (unknownMember !== undefined) return `a verdict with "${unknownMember}": it has refuse and restrict alone`;
  if (refuse !== undefined && (typeof refuse !== 'string' || refuse === '')) return 'a refuse that is no sentence';
  if (typeof restrict !== 'object' || restrict === null) return 'a restrict that is no object';
  const invalid = Object.entries(restrict).find(
    ([name, value]) =>
      value !== undefined && !(Object.hasOwn(ALLOWED_RESTRICTIONS, name) && ALLOWED_RESTRICTIONS[name] === value),
  );
  return invalid === undefined ? undefined : `a restriction that is none: ${invalid[0]}`;
}
