import { randomUUID } from 'node:crypto';
import { KEY_PROVIDER } from '../../keys/component-key.js';
import type { KeyRing } from '../../keys/key-ring.js';
import type { Clock } from '../../model/clock.js';
import type { Realm } from '../../model/realm.js';
import type { ComponentRepresentation, RealmRepresentation } from '../../model/representation.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import type { SessionFactory } from '../../registry/sessions/session-factory.js';
import { badRequest, conflictError, notFoundError } from '../admin.js';
import { type AdminCall, type AdminOperation, created, ok } from '../operation.js';
import { COMPONENT_MEMBERS } from '../strict-representations.js';
import { mergeConfig } from '../text-config.js';
import { componentResponse } from './component-response.js';
import { COMPONENT_SCHEMA, type ComponentInput } from './component-schema.js';
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
import {
  checkKeyComponent,
  computeKeyChange,
  createKey,
  KEY_EXISTS,
  requireMayImportKey,
  withKid,
} from './key-component.js';

export interface ComponentOperationParts {
  readonly edits: RealmEdits;
  readonly keys: KeyRing;
  readonly clock: Clock;
  readonly sessions: SessionFactory;
}

const TAG = 'Component';

/**
 * Operations on the components of a realm (Keycloak's ComponentResource): keys, and all other components of an import.
 */
export function componentOperations({ edits, keys, clock, sessions }: ComponentOperationParts): AdminOperation[] {
  const answers = { status: 200, body: COMPONENT_SCHEMA } as const;
  const writeOperation = { tag: TAG, roles: ['manage-realm'], event: { resourceType: 'COMPONENT' } } as const;
  const componentsOf = async (realm: Realm, representation: RealmRepresentation = realm.representation) =>
    allComponents(realm.id, representation, await keys.realm(realm.name));
  const reportWithoutEffect = ({ realm, setEventDetails }: AdminCall, type: string, parentId: string) => {
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
        // As in Keycloak, a query with a type and no parent returns the components of the realm itself.
        const parentId = parent === realm.name || (parent === undefined && type !== undefined) ? realm.id : parent;
        const matches = componentsWithParents(realm.id, await componentsOf(realm)).filter(
          (entry) =>
            (parentId === undefined || entry.parentId === parentId) &&
            (type === undefined || entry.type === type) &&
            (name === undefined || entry.component.name === name),
        );
        return ok(matches.map(componentResponse));
      },
    },
    {
      method: 'POST',
      path: '/components',
      ...writeOperation,
      summary: 'Create a component; one of type org.keycloak.keys.KeyProvider creates or imports a key',
      body: COMPONENT_SCHEMA,
      strict: COMPONENT_MEMBERS,
      answers: { status: 201 },
      async handle(call) {
        const { realm, admin, body } = call;
        const { providerType, providerId: sentId, parentId: sentParent, ...input } = body as ComponentInput;
        const { type, providerId } = requireKnownProvider(call.caller.providers, providerType, sentId);
        const parentId = resolveParentId(realm, sentParent);
        const isKey = type === KEY_PROVIDER;
        if (isKey) requireMayImportKey(admin, realm.name, providerId, input.config);
        const component = createComponent(input, providerId);
        if (isKey) checkKeyComponent(component);
        await checkComponentSettings(sessions, call, type, component);
        // As in Keycloak, a key component inside another component is not a key of the realm.
        const key = isKey && parentId === realm.id ? await createKey(component, clock.now()) : undefined;
        const records = key === undefined ? [] : await keys.records(realm.name, [key]);
        return edits.edit(realm.name, async (draft, effects) => {
          const components = await componentsOf(realm, draft);
          const entries = componentsWithParents(realm.id, components);
          if (entries.some(({ id }) => id === component.id))
            throw conflictError(`Component ${component.id} already exists`);
          if (key !== undefined && (await keys.realm(realm.name)).describe(key.kid) !== undefined)
            throw conflictError(KEY_EXISTS);
          const list = listForComponent(components, entries, { parentId, realmId: realm.id, type });
          list.siblings.push({
            ...(key === undefined ? component : withKid(component, key.kid)),
            ...list.explicitParent,
          });
          draft.components = componentsToStore(realm.id, draft, components);
          effects.keys.push(...records);
          reportWithoutEffect(call, type, parentId);
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
        return ok(componentResponse(requireComponent(componentsWithParents(realm.id, await componentsOf(realm)), id)));
      },
    },
    {
      method: 'PUT',
      path: '/components/{id}',
      ...writeOperation,
      summary: 'Change a component; another size, curve or private key makes another key',
      body: COMPONENT_SCHEMA,
      strict: COMPONENT_MEMBERS,
      answers: { status: 204 },
      async handle(call) {
        const { realm, admin, params, body } = call;
        const input = body as ComponentInput;
        const currentComponent = requireComponent(
          componentsWithParents(realm.id, await componentsOf(realm)),
          params.id,
        );
        const changedComponent = applyChange(
          call.caller.providers,
          currentComponent,
          input,
          resolveParentId(realm, input.parentId ?? currentComponent.parentId),
        );
        // Checked before the provider is called, and again on the component that is stored at the time of the write.
        const requireRight = ({ type, component: { providerId } }: ComponentWithParent) => {
          if (type === KEY_PROVIDER) requireMayImportKey(admin, realm.name, providerId, input.config);
        };
        requireRight(currentComponent);
        await checkComponentSettings(sessions, call, currentComponent.type, changedComponent);
        await edits.edit(realm.name, async (draft, effects) => {
          const components = await componentsOf(realm, draft);
          const entries = componentsWithParents(realm.id, components);
          const entry = requireComponent(entries, params.id);
          const { component, type } = entry;
          const isKey = type === KEY_PROVIDER;
          requireRight(entry);
          const parentId = resolveParentId(realm, input.parentId ?? entry.parentId);
          const after = applyChange(call.caller.providers, entry, input, parentId);
          let toStore = after;
          if (isKey && parentId === realm.id) {
            const sentKid = input.config?.kid?.[0] ?? undefined;
            const realmKeys = await keys.realm(realm.name);
            const {
              component: componentWithKid,
              states,
              added,
              removed,
            } = await computeKeyChange(component, after, {
              keys: realmKeys,
              now: clock.now(),
              sentKid,
            });
            toStore = componentWithKid;
            effects.keyStates.push(...states);
            if (added !== undefined) effects.keys.push(...(await keys.records(realm.name, [added])));
            if (removed !== undefined) effects.removedKeys.push(removed);
          } else if (isKey) checkKeyComponent(after);
          moveComponent(entry, components, entries, { parentId, realmId: realm.id, component: toStore });
          draft.components = componentsToStore(realm.id, draft, components);
          reportWithoutEffect(call, type, parentId);
        });
        return undefined;
      },
    },
    {
      method: 'DELETE',
      path: '/components/{id}',
      ...writeOperation,
      summary: 'Delete a component with everything in it; a key is deleted permanently',
      answers: { status: 204 },
      async handle({ realm, params: { id } }) {
        await edits.edit(realm.name, async (draft, effects) => {
          const components = await componentsOf(realm, draft);
          const { component, siblings, type } = requireComponent(componentsWithParents(realm.id, components), id);
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
        requireComponent(componentsWithParents(realm.id, await componentsOf(realm)), id);
        if (query.string('type') === undefined) throw badRequest('must specify a subtype');
        return ok([]);
      },
    },
  ];
}

function createComponent({ id, name, subType, config }: ComponentInput, providerId: string): ComponentRepresentation {
  const texts = textsOf({ name, subType });
  return { id: id || randomUUID(), ...texts, providerId, config: mergeConfig<string[]>({}, config ?? {}) };
}

/** The ID of the parent component. It is the realm's if no parent or the realm's name was sent. */
function resolveParentId(realm: Realm, parentId: string | null | undefined): string {
  return parentId === undefined || parentId === null || parentId === realm.name ? realm.id : parentId;
}

/** Returns the changed component. @throws AdminError 400 if the change would make it a different component */
function applyChange(
  providers: AdminCall['caller']['providers'],
  { component, type, parentId }: ComponentWithParent,
  input: ComponentInput,
  newParentId: string,
): ComponentRepresentation {
  if ((input.providerType ?? type) !== type) throw badRequest('providerType: cannot be changed');
  const providerId = input.providerId ?? component.providerId;
  if (providerId !== component.providerId) requireKnownProvider(providers, type, providerId);
  if (type === KEY_PROVIDER && providerId !== component.providerId)
    throw badRequest('providerId: of a key cannot be changed');
  if (type === KEY_PROVIDER && newParentId !== parentId) throw badRequest('parentId: of a key cannot be changed');
  const { name, subType, config } = input;
  return {
    ...component,
    providerId,
    ...textsOf({ name, subType }),
    config: mergeConfig<string[]>(component.config, config ?? {}),
  };
}

function requireComponent(entries: readonly ComponentWithParent[], wantedId: string | undefined): ComponentWithParent {
  const match = entries.find(({ id }) => id === wantedId);
  if (match === undefined) throw notFoundError('Could not find component');
  return match;
}

function textsOf(members: Readonly<Record<string, string | null | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(members).filter((entry): entry is [string, string] => entry[1] != null));
}
