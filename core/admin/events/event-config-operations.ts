import { EventListener } from '@keyhost/spi';
import { REALM_SCHEMA } from '../../config/realm-file/schema/realm-schema.js';
import type { RealmRepresentation } from '../../model/representation.js';
import { realmSettings } from '../../realms/built-ins/realm-defaults.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import { SAVED_BY_DEFAULT } from '../../registry/events/complete-events.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import { badRequestError } from '../admin.js';
import { type AdminOperation, ok } from '../operation.js';
import { EVENTS_CONFIG_MEMBERS } from '../strict-representations.js';

export interface EventConfigOperationParts {
  readonly edits: RealmEdits;
  readonly registry: ProviderRegistry;
}

const TAG = 'Realms Admin';
const MEMBERS = [
  ...(['eventsEnabled', 'eventsExpiration', 'eventsListeners', 'enabledEventTypes'] as const),
  ...(['adminEventsEnabled', 'adminEventsDetailsEnabled'] as const),
] as const;
const CONFIG_SCHEMA = {
  type: 'object',
  properties: Object.fromEntries(MEMBERS.map((member) => [member, REALM_SCHEMA.properties[member]])),
};

/**
 * Operations on the event settings of a realm: which events it saves, and its listeners (Keycloak's
 * RealmEventsConfigRepresentation).
 */
export function eventConfigOperations({ edits, registry }: EventConfigOperationParts): AdminOperation[] {
  return [
    {
      method: 'GET',
      path: '/events/config',
      tag: TAG,
      summary: 'Which events are saved, and the listeners',
      roles: ['view-events'],
      answers: { status: 200, body: CONFIG_SCHEMA },
      handle({ realm }) {
        const settings = realmSettings(realm.representation);
        const { enabledEventTypes = [] } = settings;
        return ok({
          ...Object.fromEntries(MEMBERS.map((member) => [member, settings[member]])),
          // An empty list means Keycloak's default set, so that set is returned.
          enabledEventTypes: enabledEventTypes.length === 0 ? SAVED_BY_DEFAULT : enabledEventTypes,
        });
      },
    },
    {
      method: 'PUT',
      path: '/events/config',
      tag: TAG,
      summary: 'Update which events are saved, and the listeners; absent members stay',
      roles: ['manage-events'],
      body: CONFIG_SCHEMA,
      strict: EVENTS_CONFIG_MEMBERS,
      answers: { status: 204 },
      event: { resourceType: 'REALM' },
      async handle({ realm, body }) {
        const config = body as Partial<RealmRepresentation>;
        await edits.edit(realm.name, (draft) => {
          for (const id of config.eventsListeners ?? []) {
            // A listener of an import may stay, even if this host does not have it.
            const isKnown = registry.find(EventListener, id) !== undefined || draft.eventsListeners?.includes(id);
            if (isKnown !== true) throw badRequestError(`Unknown event listener ${id}`);
          }
          for (const member of MEMBERS) {
            const value = config[member];
            if (value !== undefined) Object.assign(draft, { [member]: value });
          }
        });
        return undefined;
      },
    },
  ];
}
