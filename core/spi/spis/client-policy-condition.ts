import type { Json, JsonSchema } from '../json-schema.js';
import { spi } from '../plugin.js';
import { entriesOf } from '../realm-entries.js';
import { type ClientPolicyDeclaration, type ClientPolicyInput, checkClientPolicy } from './client-policy.js';
import { DESCRIBES } from './description.js';

/** The setting by which a realm inverts a condition's vote. */
const NEGATION = 'is-negative-logic';

/** Keycloak's ClientPolicyConditionProvider: selects the requests to which a client policy applies. */
export interface ClientPolicyConditionProvider<C = Readonly<Record<string, Json>>> {
  /**
   * A policy applies if at least one condition votes `yes` and none votes `no`. If the realm inverts a condition
   * (`is-negative-logic`), the host inverts its vote. If the call throws or exceeds its time limit, the request is
   * refused (503).
   */
  vote(input: ClientPolicyInput<C>): Promise<'yes' | 'no' | 'abstain'>;
}

/**
 * A condition of the realm's `clientPolicies`, which name it by its ID. It abstains at events that it does not declare.
 * @example
 * ```ts
 * import { ClientPolicyCondition, provide } from '@keyhost/spi';
 *
 * export default provide(ClientPolicyCondition, {
 *   id: 'from-network',
 *   events: ['TOKEN_REQUEST'],
 *   settings: {
 *     type: 'object',
 *     properties: { prefix: { type: 'string', title: 'Prefix of the IP address', default: '10.' } },
 *     additionalProperties: false,
 *   },
 *   open: () => ({
 *     create: () => ({
 *       vote: async ({ config, ip }) => (ip.startsWith(config.prefix) ? 'yes' : 'no'),
 *     }),
 *   }),
 * });
 * ```
 */
export const ClientPolicyCondition = spi<ClientPolicyDeclaration, ClientPolicyConditionProvider>({
  id: 'client-policy-condition',
  name: 'ClientPolicyCondition',
  carries: 'nothing',
  declares: ['describe', 'settings', 'events'],
  describes: DESCRIBES,
  schemas: ({ settings }) => ({ settings }),
  realm: {
    key: 'clientPolicies',
    *mentions({ clientPolicies }) {
      const { policies } = (clientPolicies ?? {}) as Readonly<Record<string, unknown>>;
      for (const [index, { conditions, enabled }] of entriesOf(policies)) {
        for (const [position, { condition }] of entriesOf(conditions)) {
          const path = ['clientPolicies', 'policies', index, 'conditions', position, 'condition'];
          yield { id: String(condition), path, enabled: enabled === true };
        }
      }
    },
    example: (id, settings) =>
      `"clientPolicies": { "policies": [{ "name": "${id}", "enabled": true, "conditions": [{ "condition": "${id}", "configuration": ${JSON.stringify(settings)} }], "profiles": ["my-profile"] }] }`,
  },
  // The host evaluates its own conditions without a call.
  reserved: [
    'acr-condition',
    'any-client',
    'client-access-type',
    'client-attributes',
    'client-roles',
    'client-scopes',
    'client-type',
    'client-updater-context',
    'client-updater-source-groups',
    'client-updater-source-host',
    'client-updater-source-roles',
    'grant-type',
    'identity-provider-alias',
  ],
  methods: { required: ['vote'] },
  answers: { vote: { enum: ['yes', 'no', 'abstain'] } },
  crosses: [{ maps: ['parameters'] }],
  check(declaration) {
    checkClientPolicy(declaration);
    const { properties = {} } = (declaration.settings ?? {}) as JsonSchema;
    if (!Object.hasOwn(properties, NEGATION)) return;
    throw new Error(
      `settings.properties.${NEGATION} must go: every condition has it, and the host turns the vote around`,
    );
  },
});
