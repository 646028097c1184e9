import { randomUUID } from 'node:crypto';
import { isGeneratedKey, KEY_PROVIDER, keyMaterialOf } from '../../keys/component-key.js';
import type { KeyRing } from '../../keys/key-ring.js';
import type { Clock } from '../../model/clock.js';
import type { ComponentRepresentation } from '../../model/representation.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import { badRequest, conflict, notFound } from '../admin.js';
import { MASK } from '../mask-representation.js';
import { type AdminOperation, created, ok } from '../operation.js';
import { maskTexts, mergedTexts } from '../text-config.js';
import { completeComponents, type PlacedComponent, placedComponents } from './component-tree.js';
import { changedKey, newKey, requireMayBringKey } from './key-component.js';

export interface ComponentOperationParts {
  readonly edits: RealmEdits;
  readonly keys: KeyRing;
  readonly clock: Clock;
}

const TAG = 'Component';
const TEXT = { type: ['string', 'null'], maxLength: 255 };
const COMPONENT_SCHEMA = {
  type: 'object',
  properties: {
    id: { type: ['string', 'null'], minLength: 1, maxLength: 255 },
    name: TEXT,
    providerId: TEXT,
    providerType: {
      type: ['string', 'null'],
      pattern: '^[A-Za-z][A-Za-z0-9._$-]{0,254}$',
      mustBe: 'the name of a type',
    },
    parentId: TEXT,
    subType: TEXT,
    config: {
      type: ['object', 'null'],
      additionalProperties: { type: ['array', 'null'], items: { type: ['string', 'null'] } },
    },
  },
};

interface SentComponent {
  readonly id?: string | null;
  readonly name?: string | null;
  readonly providerId?: string | null;
  readonly providerType?: string | null;
  readonly parentId?: string | null;
  readonly subType?: string | null;
  readonly config?: Readonly<Record<string, readonly (string | null)[] | null>> | null;
}

/** `/components` of a realm (Keycloak's ComponentResource): keys, and whatever an import brought along. */
export function componentOperations({ edits, keys, clock }: ComponentOperationParts): AdminOperation[] {
  const answers = { status: 200, body: COMPONENT_SCHEMA } as const;
  const change = { tag: TAG, roles: ['manage-realm'], event: { resourceType: 'COMPONENT' } } as const;
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
        const [parent, type, name] = ['parent', 'type', 'name'].map((member) => query.string(member));
        const components = completeComponents(realm.id, realm.representation.components, await keys.realm(realm.name));
        const found = placedComponents(realm.id, components).filter(
          (placed) =>
            (parent === undefined || placed.parentId === parent) &&
            (type === undefined || placed.type === type) &&
            (name === undefined || placed.component.name === name),
        );
        return ok(found.map(shown));
      },
    },
    {
      method: 'POST',
      path: '/components',
      ...change,
      summary: 'Create a component; one of type org.keycloak.keys.KeyProvider makes or imports a key',
      body: COMPONENT_SCHEMA,
      answers: { status: 201 },
      async handle(call) {
        const { realm, admin, body } = call;
        const { providerType: type, parentId, ...sent } = body as SentComponent;
        if (!type) throw badRequest('providerType: is missing');
        if (type === KEY_PROVIDER) requireMayBringKey(admin, realm.name, sent.config);
        const component = newComponent(sent);
        const key = type === KEY_PROVIDER ? await newKey(component, clock.now()) : undefined;
        const records = key === undefined ? [] : await keys.records(realm.name, [key]);
        return edits.edit(realm.name, async (draft, effects) => {
          const ofRealm = await keys.realm(realm.name);
          const components = completeComponents(realm.id, draft.components, ofRealm);
          const all = placedComponents(realm.id, components);
          if (all.some(({ id }) => id === component.id)) throw conflict(`Component ${component.id} already exists`);
          if (key !== undefined && ofRealm.list().some(({ kid }) => kid === key.kid)) {
            throw conflict('The key is in the realm already');
          }
          const siblings = siblingsIn(components, all, { parentId: parentId ?? realm.id, realmId: realm.id, type });
          siblings.push(key === undefined ? component : withKid(component, key.kid));
          draft.components = components;
          effects.keys.push(...records);
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
        const components = completeComponents(realm.id, realm.representation.components, await keys.realm(realm.name));
        return ok(shown(find(placedComponents(realm.id, components), id)));
      },
    },
    {
      method: 'PUT',
      path: '/components/{id}',
      ...change,
      summary: 'Change a component; of a key its name, priority, and whether it is active and enabled',
      body: COMPONENT_SCHEMA,
      answers: { status: 204 },
      async handle({ realm, admin, params: { id }, body }) {
        const { name, subType, config, ...fixed } = body as SentComponent;
        await edits.edit(realm.name, async (draft, effects) => {
          const components = completeComponents(realm.id, draft.components, await keys.realm(realm.name));
          const placed = find(placedComponents(realm.id, components), id);
          refuseMove(placed, fixed);
          const { component, siblings, type } = placed;
          if (type === KEY_PROVIDER) requireMayBringKey(admin, realm.name, config);
          const merged = mergedTexts<string[]>(component.config, config ?? {});
          const after = { ...component, ...textsOf({ name, subType }), config: merged };
          if (type === KEY_PROVIDER) effects.keyStates.push(...changedKey(component, after));
          siblings.splice(siblings.indexOf(component), 1, after);
          draft.components = components;
        });
        return undefined;
      },
    },
    {
      method: 'DELETE',
      path: '/components/{id}',
      ...change,
      summary: 'Remove a component, with what stands in it; a key is gone for good',
      answers: { status: 204 },
      async handle({ realm, params: { id } }) {
        await edits.edit(realm.name, async (draft, effects) => {
          const components = completeComponents(realm.id, draft.components, await keys.realm(realm.name));
          const { component, siblings, type } = find(placedComponents(realm.id, components), id);
          siblings.splice(siblings.indexOf(component), 1);
          if (type === KEY_PROVIDER) effects.removedKeys.push(...(component.config?.kid ?? []));
          draft.components = components;
        });
        return undefined;
      },
    },
    {
      method: 'GET',
      path: '/components/{id}/sub-component-types',
      tag: TAG,
      summary: 'What may stand in a component: nothing, as no component of this host holds others',
      roles: ['view-realm'],
      query: { type: { type: 'string' } },
      answers: { status: 200, body: { type: 'array', items: { type: 'object' } } },
      async handle({ realm, params: { id }, query }) {
        const components = completeComponents(realm.id, realm.representation.components, await keys.realm(realm.name));
        find(placedComponents(realm.id, components), id);
        if (query.string('type') === undefined) throw badRequest('must specify a subtype');
        return ok([]);
      },
    },
  ];
}

function newComponent({ id, providerId, name, subType, config }: SentComponent): ComponentRepresentation {
  if (!providerId) throw badRequest('providerId: is missing');
  const texts = textsOf({ name: name ?? providerId, subType });
  return { id: id ?? randomUUID(), ...texts, providerId, config: mergedTexts<string[]>({}, config ?? {}) };
}

/** The list that a new component joins. @throws AdminError 400 when there is no such parent */
function siblingsIn(
  components: Record<string, ComponentRepresentation[]>,
  all: readonly PlacedComponent[],
  { parentId, realmId, type }: { parentId: string; realmId: string; type: string },
): ComponentRepresentation[] {
  const parent = all.find(({ id }) => id === parentId)?.component;
  if (parent === undefined && parentId !== realmId) throw badRequest('parentId: there is no such component');
  const lists = parent === undefined ? components : ((parent.subComponents ?? {}) as typeof components);
  if (parent !== undefined) parent.subComponents = lists;
  const siblings = Object.hasOwn(lists, type) ? (lists[type] ?? []) : [];
  lists[type] = siblings;
  return siblings;
}

function refuseMove({ component, type, parentId }: PlacedComponent, sent: SentComponent): void {
  const fixed = { providerId: component.providerId, providerType: type, parentId };
  for (const [member, value] of Object.entries(fixed)) {
    const wanted = sent[member as keyof typeof fixed] ?? value;
    if (wanted !== value) throw badRequest(`${member}: cannot be changed`);
  }
}

function find(all: readonly PlacedComponent[], wanted: string | undefined): PlacedComponent {
  const found = all.find(({ id }) => id === wanted);
  if (found === undefined) throw notFound('Could not find component');
  return found;
}

function withKid(component: ComponentRepresentation, kid: string): ComponentRepresentation {
  return { ...component, config: { ...component.config, kid: [kid] } };
}

function textsOf(members: Readonly<Record<string, string | null | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(members).filter((entry): entry is [string, string] => entry[1] != null));
}

function shown({ id, component, type, parentId }: PlacedComponent) {
  const { name, providerId, subType, config } = component;
  // An imported key is masked like any secret: it is in the key store and never shown.
  const imported = type === KEY_PROVIDER && !isGeneratedKey(component);
  return {
    ...{ id, name, providerId, providerType: type, parentId, subType },
    config: { ...maskTexts<string[]>(config), ...(imported ? maskedMaterial(providerId) : {}) },
  };
}

function maskedMaterial(providerId: string): Record<string, string[]> {
  return Object.fromEntries(keyMaterialOf(providerId).map((name) => [name, [MASK]]));
}
