import { type ClientPolicyCondition, NEGATIVE_LOGIC, textList } from '../condition.js';

/**
 * Applies to clients that have a role of one of these names, but not to new clients, which have no roles yet. A renamed
 * client keeps its roles.
 */
export const clientRoles: ClientPolicyCondition = {
  id: 'client-roles',
  helpText: 'Applies to clients that have a client role with one of these names.',
  properties: [
    NEGATIVE_LOGIC,
    {
      name: 'roles',
      label: 'client-roles.label',
      helpText: 'client-roles-condition.tooltip',
      type: 'MultivaluedString',
    },
  ],
  request: (config, { client }) =>
    client.scopeRoles.some(
      ({ name, clientId }) => clientId === client.clientId && textList(config, 'roles').includes(name),
    ),
  change: (config, { client, before, realm }) =>
    before &&
    (ownRoles(realm.roles?.client, client.clientId) ?? []).some(({ name }) => textList(config, 'roles').includes(name)),
};

function ownRoles<T>(rolesByClient: Readonly<Record<string, T>> | undefined, clientId: string): T | undefined {
  return rolesByClient !== undefined && Object.hasOwn(rolesByClient, clientId) ? rolesByClient[clientId] : undefined;
}
