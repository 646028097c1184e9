import { EventListener } from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import type { RealmRepresentation } from '../../model/representation.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import type { Store } from '../../store/store.js';
import { completeFlows, type Flow } from '../authentication/complete-flows.js';
import { flowBinding } from '../authentication/flow-names.js';
import { FLOW_READERS } from '../authentication/flow-operations.js';
import { ACTION_READERS, consoleActionRepresentations } from '../authentication/required-action-operations.js';
import { type AdminOperation, ok } from '../operation.js';
import { PAGING, pageOf } from '../query.js';
import { CONSOLE_TAG } from './console-tag.js';

export interface ConsoleListParts {
  readonly registry: ProviderRegistry;
  readonly store: { readonly realms: Pick<Store['realms'], 'summaries'> };
}

const OBJECTS = { status: 200, body: { type: 'array', items: { type: 'object' } } } as const;
/** Maximum number of clients or providers that are listed as users of a flow. */
const MAX_LISTED_USES = 100;

/** Operations for the lists on the first page of the admin console's sections. */
export function consoleListOperations({ registry, store }: ConsoleListParts): AdminOperation[] {
  const readOperation = { method: 'GET', tag: CONSOLE_TAG, answers: OBJECTS } as const;
  return [
    {
      ...readOperation,
      path: '/ui-ext/realms/names',
      summary: 'The realms that the caller may see, by name',
      roles: [],
      query: { search: { type: 'string', description: 'A part of the name or the display name.' }, ...PAGING },
      async handle({ admin, query }) {
        const search = (query.string('search') ?? '').toLowerCase();
        const visibleRealms = (await store.realms.summaries()).filter(
          ({ name, displayName = '' }) =>
            admin.rolesOver(name).size > 0 && `${name}\n${displayName}`.toLowerCase().includes(search),
        );
        return ok(pageOf(visibleRealms, query.page()).map(({ name, displayName }) => ({ name, displayName })));
      },
    },
    {
      ...readOperation,
      path: '/ui-ext/available-event-listeners',
      summary: 'The event listeners of this host',
      roles: ['view-events'],
      handle: () => ok(registry.all(EventListener).map(({ id }) => ({ id }))),
    },
    {
      ...readOperation,
      path: '/ui-ext/authentication-management/flows',
      summary: 'The top-level flows, and what each is used by',
      roles: FLOW_READERS,
      handle({ realm: { id, representation } }) {
        const flows = completeFlows(id, representation).filter(({ topLevel }) => topLevel === true);
        return ok(flows.map((flow) => flowResponse(representation, flow)));
      },
    },
    {
      ...readOperation,
      path: '/ui-ext/authentication-management/required-actions',
      summary: 'The required actions of the realm, and which of them can be configured',
      roles: ACTION_READERS,
      handle: ({ realm }) => ok(consoleActionRepresentations(realm.representation.requiredActions, registry)),
    },
  ];
}

function flowResponse(realm: RealmRepresentation, flow: Flow): object {
  const { id, alias, builtIn = false, description = '' } = flow;
  const usedBy = findUses(realm, flow);
  return defined({ id, alias, builtIn, description, usedBy });
}

/**
 * The `UsedBy` of Keycloak's admin console. A binding of the realm takes precedence over identity providers, and these
 * over clients.
 */
function findUses(realm: RealmRepresentation, { id, alias }: Flow): object | undefined {
  const binding = flowBinding(realm, alias);
  if (binding !== undefined) return { type: 'DEFAULT', values: [alias] };
  const providers = (realm.identityProviders ?? [])
    .filter(({ firstBrokerLoginFlowAlias: first, postBrokerLoginFlowAlias: post }) => [first, post].includes(alias))
    .map((provider) => provider.alias);
  if (providers.length > 0) return { type: 'SPECIFIC_PROVIDERS', values: providers.slice(0, MAX_LISTED_USES) };
  const clients = (realm.clients ?? [])
    .filter((client) =>
      Object.values(client.authenticationFlowBindingOverrides ?? {}).some((value) => value === id || value === alias),
    )
    .map(({ clientId }) => clientId);
  if (clients.length > 0) return { type: 'SPECIFIC_CLIENTS', values: clients.slice(0, MAX_LISTED_USES) };
  return undefined;
}
