import { randomUUID } from 'node:crypto';
import { KEY_PROVIDER } from '../../keys/component-key.js';
import type { KeyRing } from '../../keys/key-ring.js';
import type { Clock } from '../../model/clock.js';
import type { Realm } from '../../model/realm.js';
import type { ComponentRepresentation, RealmRepresentation } from '../../model/representation.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import type { SessionFactory } from '../../registry/sessions/session-factory.js';
import { badRequest, conflict, notFound } from '../admin.js';
import { type AdminCall, type AdminOperation, created, ok } from '../operation.js';
import { COMPONENT_MEMBERS } from '../strict-representations.js';
import { mergeConfig } from '../text-config.js';
import { componentResponse } from './component-response.js';
import { COMPONENT_SCHEMA, type SentComponent } from './component-schema.js';
import { checkComponentSettings } from './component-settings.js';
import {
  allComponents,
  type ComponentWithParent,
  componentsToStore,
  componentsWithParents,
  listForComponent,
  moveComponent,
} from './component-tree.js';
import { memberWithoutEffect, requireKnownProvider } from './component-types.js';
import { changedKey, checkKey, KEY_EXISTS, newKey, requireMayImportKey, withKid } from './key-component.js';

export interface ComponentOperationParts {
  readonly edits: RealmEdits;
  readonly keys: KeyRing;
  readonly clock: Clock;
  readonly sessions: SessionFactory;
}

const TAG = 'Component';

/** `/components` of a realm (Keycloak's ComponentResource): keys, and any other component that an import contained. */
export function componentOperations({ edits, keys, clock, sessions }: ComponentOperationParts): AdminOperation[] {
  const answers = { status: 200, body: COMPONENT_SCHEMA } as const;
  const change = { tag: TAG, roles: ['manage-realm'], event: { resourceType: 'COMPONENT' } } as const;
  const componentsOf = async (realm: Realm, representation: RealmRepresentation = realm.representation) =>
    allComponents(realm.id, representation, await keys.realm(realm.name));
  const tellEffect = ({ realm, setEventDetails }: AdminCall, type: string, parentId: string) => {
    const member = memberWithoutEffect(type, parentId === realm.id);
    if (member !== undefined) setEventDetails({ ignored: [[member]] });
  };
  return [
    {
      method: 'GET',
      path: '/components',
      tag: TAG,
      summary: 'The components of the realm',
      roles: ['view-realm'],
      query: { parent: { type: 'string' }, type: { type: 'string' }, name: { type: 'string' } },
      answers: { status: 200, body: { type: 'array', items: COMPONENT_SCHEMA } },
      async handle({ realm, query }) {
        const [parent, type, name] = ['parent', 'type', 'name'].map((member) => query.string(member) || undefined);
        // As in Keycloak, a query with a type and no parent means the components of the realm itself.
        const of = parent === realm.name || (parent === undefined && type !== undefined) ? realm.id : parent;
        const found = componentsWithParents(realm.id, await componentsOf(realm)).filter(
          (placed) =>
            (of === undefined || placed.parentId === of) &&
            (type === undefined || placed.type === type) &&
            (name === undefined || placed.component.name === name),
        );
        return ok(found.map(componentResponse));
      },
    },
    {
      method: 'POST',
      path: '/components',
      ...change,
      summary: 'Create a component; one of type org.keycloak.keys.KeyProvider creates or imports a key',
      body: COMPONENT_SCHEMA,
      strict: COMPONENT_MEMBERS,
      answers: { status: 201 },
      async handle(call) {
        const { realm, admin, body } = call;
        const { providerType, providerId: sentId, parentId: sentParent, ...sent } = body as SentComponent;
        const { type, providerId } = requireKnownProvider(call.caller.providers, providerType, sentId);
        const parentId = parentOf(realm, sentParent);
        const isKey = type === KEY_PROVIDER;
        if (isKey) requireMayImportKey(admin, realm.name, providerId, sent.config);
        const component = newComponent(sent, providerId);
        if (isKey) checkKey(component);
        await checkComponentSettings(sessions, call, type, component);
        // As in Keycloak, a key component below another component is not a key of the realm.
        const key = isKey && parentId === realm.id ? await newKey(component, clock.now()) : undefined;
        const records = key === undefined ? [] : await keys.records(realm.name, [key]);
        return edits.edit(realm.name, async (draft, effects) => {
          const components = await componentsOf(realm, draft);
          const all = componentsWithParents(realm.id, components);
          if (all.some(({ id }) => id === component.id)) throw conflict(`Component ${component.id} already exists`);
          if (key !== undefined && (await keys.realm(realm.name)).describe(key.kid) !== undefined)
            throw conflict(KEY_EXISTS);
          const place = listForComponent(components, all, { parentId, realmId: realm.id, type });
          place.siblings.push({ ...(key === undefined ? component : withKid(component, key.kid)), ...place.stated });
          draft.components = componentsToStore(realm.id, draft, components);
          effects.keys.push(...records);
          tellEffect(call, type, parentId);
          return created(call, component.id ?? '');
        });
      },
    },
    {
      method: 'GET',
      path: '/components/{id}',
      tag: TAG,
      summary: 'One component',
      roles: ['view-realm'],
      answers,
      async handle({ realm, params: { id } }) {
        return ok(componentResponse(find(componentsWithParents(realm.id, await componentsOf(realm)), id)));
      },
    },
    {
      method: 'PUT',
      path: '/components/{id}',
      ...change,
      summary: 'Change a component; another size, curve or private key makes another key',
      body: COMPONENT_SCHEMA,
      strict: COMPONENT_MEMBERS,
      answers: { status: 204 },
      async handle(call) {
        const { realm, admin, params, body } = call;
        const sent = body as SentComponent;
        const standing = find(componentsWithParents(realm.id, await componentsOf(realm)), params.id);
        const wanted = changedComponent(
          call.caller.providers,
          standing,
          sent,
          parentOf(realm, sent.parentId ?? standing.parentId),
        );
        // Checked before the provider is called, and again for the component that exists after its answer.
        const requireRight = ({ type, component: { providerId } }: ComponentWithParent) => {
          if (type === KEY_PROVIDER) requireMayImportKey(admin, realm.name, providerId, sent.config);
        };
        requireRight(standing);
        await checkComponentSettings(sessions, call, standing.type, wanted);
        await edits.edit(realm.name, async (draft, effects) => {
          const components = await componentsOf(realm, draft);
          const all = componentsWithParents(realm.id, components);
          const placed = find(all, params.id);
          const { component, type } = placed;
          const isKey = type === KEY_PROVIDER;
          requireRight(placed);
          const parentId = parentOf(realm, sent.parentId ?? placed.parentId);
          const after = changedComponent(call.caller.providers, placed, sent, parentId);
          let written = after;
          if (isKey && parentId === realm.id) {
            const sentKid = sent.config?.kid?.[0] ?? undefined;
            const ofRealm = await keys.realm(realm.name);
            const {
              component: linked,
              states,
              added,
              removed,
            } = await changedKey(component, after, {
              keys: ofRealm,
              now: clock.now(),
              sentKid,
            });
            written = linked;
            effects.keyStates.push(...states);
            if (added !== undefined) effects.keys.push(...(await keys.records(realm.name, [added])));
            if (removed !== undefined) effects.removedKeys.push(removed);
          } else if (isKey) checkKey(after);
          moveComponent(placed, components, all, { parentId, realmId: realm.id, component: written });
          draft.components = componentsToStore(realm.id, draft, components);
          tellEffect(call, type, parentId);
        });
        return undefined;
      },
    },
    {
      method: 'DELETE',
      path: '/components/{id}',
      ...change,
      summary: 'Delete a component with everything in it; a key is deleted permanently',
      answers: { status: 204 },
      async handle({ realm, params: { id } }) {
        await edits.edit(realm.name, async (draft, effects) => {
          const components = await componentsOf(realm, draft);
          const { component, siblings, type } = find(componentsWithParents(realm.id, components), id);
          siblings.splice(siblings.indexOf(component), 1);
          if (type === KEY_PROVIDER) effects.removedKeys.push(...(component.config?.kid ?? []));
          draft.components = componentsToStore(realm.id, draft, components);
        });
        return undefined;
      },
    },
    {
      method: 'GET',
      path: '/components/{id}/sub-component-types',
      tag: TAG,
      summary: 'The components that a component can contain: none',
      roles: ['view-realm'],
      query: { type: { type: 'string' } },
      answers: { status: 200, body: { type: 'array', items: { type: 'object' } } },
      async handle({ realm, params: { id }, query }) {
        find(componentsWithParents(realm.id, await componentsOf(realm)), id);
        if (query.string('type') === undefined) throw badRequest('must specify a subtype');
        return ok([]);
      },
    },
  ];
}

function newComponent({ id, name, subType, config }: SentComponent, providerId: string): ComponentRepresentation {
  const texts = textsOf({ name, subType });
  return { id: id || randomUUID(), ...texts, providerId, config: mergeConfig<string[]>({}, config ?? {}) };
}

/** The ID of the parent. Without a parent, or with the realm's name, it is the realm. */
function parentOf(realm: Realm, sent: string | null | undefined): string {
  return sent === undefined || sent === null || sent === realm.name ? realm.id : sent;
}

/** @throws AdminError 400 if the change would make it a different component */
function changedComponent(
  providers: AdminCall['caller']['providers'],
  { component, type, parentId }: ComponentWithParent,
  sent: SentComponent,
  wantedParent: string,
): ComponentRepresentation {
  if ((sent.providerType ?? type) !== type) throw badRequest('providerType: cannot be changed');
  const providerId = sent.providerId ?? component.providerId;
  if (providerId !== component.providerId) requireKnownProvider(providers, type, providerId);
  if (type === KEY_PROVIDER && providerId !== component.providerId)
    throw badRequest('providerId: of a key cannot be changed');
  if (type === KEY_PROVIDER && wantedParent !== parentId) throw badRequest('parentId: of a key cannot be changed');
  const { name, subType, config } = sent;
  return {
    ...component,
    providerId,
    ...textsOf({ name, subType }),
    config: mergeConfig<string[]>(component.config, config ?? {}),
  };
}

function find(all: readonly ComponentWithParent[], wanted: string | undefined): ComponentWithParent {
  const found = all.find(({ id }) => id === wanted);
  if (found === undefined) throw notFound('Could not find component');
  return found;
}

function textsOf(members: Readonly<Record<string, string | null | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(members).filter((entry): entry is [string, string] => entry[1] != null));
}
