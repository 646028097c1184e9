import type { RoleSet } from '../../api/administrators.ts';

export type PresetId = 'host' | 'full' | 'support' | 'applications' | 'settings' | 'auditor' | 'creator';

/** Administration roles that fit a task. */
export interface Preset extends RoleSet {
  readonly id: PresetId;
}

const MASTER = 'master';

/** The roles of `realm-management` except `realm-admin`, which a client `<realm>-realm` does not have. */
const EACH_ROLE = [
  'create-client',
  'impersonation',
  ...['authorization', 'clients', 'events', 'identity-providers', 'realm', 'users'].flatMap((area) => [
    `manage-${area}`,
    `view-${area}`,
  ]),
  'query-clients',
  'query-groups',
  'query-realms',
  'query-users',
];

const TASKS = [
  { id: 'support', roles: ['manage-users', 'view-users'] },
  { id: 'applications', roles: ['manage-clients', 'view-clients'] },
  {
    id: 'settings',
    roles: ['manage-realm', 'view-realm', 'manage-identity-providers', 'view-identity-providers'],
  },
  { id: 'auditor', roles: ['view-users', 'view-clients', 'view-realm', 'view-identity-providers', 'view-events'] },
] as const;

/**
 * The presets for users of a realm.
 * @param over the administered realm, which may differ from `realm` only in master
 */
export function presetsOf(realm: string, over: string): readonly Preset[] {
  const client = realm === over ? 'realm-management' : `${over}-realm`;
  const tasks = TASKS.map((task) => ({ ...task, client }));
  if (realm !== over) return [{ id: 'full', client, roles: EACH_ROLE }, ...tasks];
  if (realm !== MASTER) return [{ id: 'full', client, roles: ['realm-admin'] }, ...tasks];
  return [
    { id: 'host', client: undefined, roles: ['admin'] },
    { id: 'creator', client: undefined, roles: ['create-realm'] },
    ...tasks,
  ];
}

/** The administration roles without those that others of them include. All roles together are `realm-admin`. */
export function essentialRoles(roles: readonly string[]): readonly string[] {
  if (roles.includes('admin')) return ['admin'];
  const isFull = roles.includes('realm-admin') || EACH_ROLE.every((role) => roles.includes(role));
  if (isFull) return roles.includes('create-realm') ? ['realm-admin', 'create-realm'] : ['realm-admin'];
  const has = (...names: string[]) => names.some((name) => roles.includes(name));
  return roles.filter((role) => {
    if (role.startsWith('view-')) return !has(role.replace('view-', 'manage-'));
    if (role === 'create-client') return !has('manage-clients');
    if (role === 'query-clients') return !has('manage-clients', 'view-clients');
    if (role === 'query-users' || role === 'query-groups') return !has('manage-users', 'view-users');
    return role !== 'query-realms';
  });
}

/** The preset whose rights are the same; undefined if there is none. */
export function presetWith(roles: readonly string[]): PresetId | undefined {
  const wanted = [...essentialRoles(roles)].sort().join();
  const all: readonly { id: PresetId; roles: readonly string[] }[] = [
    { id: 'host', roles: ['admin'] },
    { id: 'full', roles: ['realm-admin'] },
    { id: 'creator', roles: ['create-realm'] },
    ...TASKS,
  ];
  return all.find((preset) => [...essentialRoles(preset.roles)].sort().join() === wanted)?.id;
}
