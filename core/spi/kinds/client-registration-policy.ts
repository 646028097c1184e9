import type { JsonObject } from '../json-schema.js';
import { spi } from '../plugin.js';
import { componentSwitch } from './component-switch.js';
import { checkDescribed, DESCRIBES, type Described } from './description.js';

/** Where a realm keeps its policies, with Keycloak's name. */
const COMPONENTS = 'org.keycloak.services.clientregistration.policy.ClientRegistrationPolicy';

/** What the policy is asked about. */
export interface ClientRegistrationRequest {
  /** The `config` of the policy's component: lists of texts by name, as Keycloak keeps them. */
  readonly config: Readonly<Record<string, readonly string[]>>;
  /**
   * `anonymous`: the request has no token, or the token of a client that was registered without one. `authenticated`: it has
   * an initial access token, or the token of a user or a service account.
   */
  readonly auth: 'anonymous' | 'authenticated';
  /** IP address that the request comes from. */
  readonly ip: string;
  /** The client that was sent, in Keycloak's representation, without its secret. Members that were not sent are absent. Empty for reads and deletions. */
  readonly client: JsonObject;
  /** The client as it is, without its secret. Absent for a new one. */
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

/** Undefined or empty: the policy has nothing against it. */
export interface ClientRegistrationVerdict {
  /** Why the request is refused (403): a sentence for whoever sent it. */
  readonly refuse?: string;
  /** What the client is restricted to, whatever was sent. */
  readonly restrict?: Readonly<{
    enabled?: false;
    consentRequired?: true;
    fullScopeAllowed?: false;
  }>;
}

/**
 * Decides which clients register themselves, and what they may be like (Keycloak's ClientRegistrationPolicy). All policies of the
 * realm for requests of that kind are asked, in their order. The first that refuses ends the request. So does one that throws, or that
 * answers too late.
 */
export interface ClientRegistrationPolicyProvider {
  /** A client is registered. */
  beforeRegister(request: ClientRegistrationRequest): Promise<ClientRegistrationVerdict | undefined>;
  /** A registered client is changed. */
  beforeUpdate(request: ClientRegistrationRequest): Promise<ClientRegistrationVerdict | undefined>;
  /** A registered client is read. Without the method everyone with the right token can. */
  beforeView?(request: ClientRegistrationRequest): Promise<Pick<ClientRegistrationVerdict, 'refuse'> | undefined>;
  /** A registered client is removed. Without the method everyone with the right token can. */
  beforeDelete?(request: ClientRegistrationRequest): Promise<Pick<ClientRegistrationVerdict, 'refuse'> | undefined>;
  /** Web origins whose pages can send registrations and read the answers; `*`: all. */
  allowedOrigins?(request: Pick<ClientRegistrationRequest, 'config' | 'auth'>): Promise<readonly string[]>;
  /** What is wrong with a configuration that fits the settings: a sentence for the admin who sends it. */
  checkConfig?(request: Pick<ClientRegistrationRequest, 'config'>): Promise<string | undefined>;
}

/** A policy of the realm's `components`: one that names it as `providerId`, with the `subType` `anonymous` or `authenticated`. */
export const ClientRegistrationPolicy = spi<Described, ClientRegistrationPolicyProvider>({
  id: 'client-registration-policy',
  name: 'ClientRegistrationPolicy',
  carries: 'nothing',
  declares: ['describe', 'settings'],
  describes: DESCRIBES,
  schemas: ({ settings }) => ({ settings }),
  realm: componentSwitch(COMPONENTS, { subType: 'authenticated' }),
  methods: {
    required: ['beforeRegister', 'beforeUpdate'],
    optional: ['beforeView', 'beforeDelete', 'allowedOrigins', 'checkConfig'],
  },
  answers: answerMistake,
  check: checkDescribed,
});

const RESTRICTIONS: Readonly<Record<string, boolean>> = {
  enabled: false,
  consentRequired: true,
  fullScopeAllowed: false,
};

/** What is wrong with an answer. */
function answerMistake(method: string, answer: unknown): string | undefined {
  if (method === 'allowedOrigins') {
    const isList = Array.isArray(answer) && answer.every((origin) => typeof origin === 'string');
    return isList ? undefined : 'what is no list of origins';
  }
  if (answer === undefined) return undefined;
  if (method === 'checkConfig') return typeof answer === 'string' ? undefined : 'what is no sentence';
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return 'what is no verdict';
  const { refuse, restrict = {}, ...others } = answer as Readonly<Record<string, unknown>>;
  const [other] = Object.keys(others);
  if (other !== undefined) return `a verdict with "${other}": it has refuse and restrict alone`;
  if (refuse !== undefined && (typeof refuse !== 'string' || refuse === '')) return 'a refuse that is no sentence';
  if (typeof restrict !== 'object' || restrict === null) return 'a restrict that is no object';
  const wrong = Object.entries(restrict).find(
    ([name, value]) => value !== undefined && !(Object.hasOwn(RESTRICTIONS, name) && RESTRICTIONS[name] === value),
  );
  return wrong === undefined ? undefined : `a restriction that is none: ${wrong[0]}`;
}
